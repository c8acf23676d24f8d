// The list of the moves of a game, in which one can go to any of them, and the variations of a move.

import { find, findButton, make, reveal } from "./dom.js";

/** @import { Move, State } from "../messages" */
/** @import { Game, Node } from "./game.js" */

export class MoveList {
  /**
   * @param {Game} game
   * @param {(node: Node) => void} onVisit
   */
  constructor(game, onVisit) {
    this.game = game;
    this.onVisit = onVisit;
    this.element = find("#moves");
    this.others = find("#others");
    this.buttons = {
      first: findButton("#first"), back: findButton("#back"),
      forward: findButton("#forward"), last: findButton("#last"),
    };
    const { first, back, forward, last } = this.buttons;
    first.addEventListener("click", () => this.toStart());
    back.addEventListener("click", () => this.back());
    forward.addEventListener("click", () => this.forward());
    last.addEventListener("click", () => this.toEnd());
  }

  /** @param {Node | null | undefined} node */
  go(node) {
    if (node && node !== this.game.here) this.onVisit(node);
  }

  back() {
    this.go(this.game.here.parent);
  }

  forward() {
    this.go(next(this.game.here));
  }

  toStart() {
    this.go(this.game.root);
  }

  toEnd() {
    this.go(tip(this.game.here));
  }

  /**
   * Show the moves of the line that is looked at; `ahead`: those after the position, too.
   * @param {State} state
   * @param {boolean} ahead
   */
  draw(state, ahead) {
    const { here, root } = this.game;
    const path = ahead ? tip(here).path : here.path;
    const names = state.moves; // as the person who looks has seen them
    const items = path.map((node, i) => this.item(node, i, names[i] ?? node.move));
    this.element.replaceChildren(...items.map(({ item }) => item));
    const current = items[here.path.length - 1]?.button;
    if (current) this.element.scrollTop = current.offsetTop - this.element.offsetTop - this.element.clientHeight / 2;
    this.drawOthers(here);
    const { first, back, forward, last } = this.buttons;
    first.disabled = back.disabled = here === root;
    forward.disabled = last.disabled = !next(here);
  }

  /**
   * @param {Node} node
   * @param {number} i
   * @param {Move} move
   */
  item(node, i, move) {
    const button = make("button", { type: "button", textContent: move.name || "…" });
    if (node === this.game.here) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => this.go(node));
    const siblings = node.parent?.children ?? [];
    const kinds = [move.player < 0 ? "chance" : "", siblings.length > 1 ? "branch" : ""];
    const number = make("small", { textContent: String(i + 1) });
    return { item: make("li", { className: kinds.join(" ").trim() }, number, button), button };
  }

  /**
   * The other moves that were made in the same position.
   * @param {Node} here
   */
  drawOthers(here) {
    const siblings = here.parent?.children.filter((node) => node !== here) ?? [];
    reveal(this.others, siblings.length > 0);
    this.others.replaceChildren("Also played here: ", ...siblings.map((node) => {
      const button = make("button", { type: "button", textContent: node.move.name || "…" });
      button.addEventListener("click", () => this.go(node));
      return button;
    }));
  }
}

/**
 * The move that follows: the one that was looked at last, else the newest, if any.
 * @param {Node} node
 */
function next(node) {
  return node.children.find((each) => each === node.latest) ?? node.children.at(-1);
}

/**
 * The end of the line.
 * @param {Node} node
 * @returns {Node}
 */
function tip(node) {
  const child = next(node);
  return child ? tip(child) : node;
}
