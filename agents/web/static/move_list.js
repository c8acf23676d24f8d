// The list of the moves of a game, in which one can go to any of them, and the variations of a move.

import { find, findButton, make, reveal } from "./dom.js";
import { turnsOf } from "./turn_list.js";

/** @import { Move, State } from "../messages" */
/** @import { Game, Node } from "./game.js" */
/** @import { Turn } from "./turn_list.js" */

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
    const names = state.moves;
    const line = path.map((node, i) => names[i] ?? node.move); // as the person who looks has seen them
    const buttons = path.map((node, i) => this.button(node, line[i]));
    const turns = turnsOf(line, state.hidden);
    this.element.replaceChildren(...turns.map((turn) => this.turn(turn, buttons)));
    const current = buttons[here.path.length - 1];
    if (current) this.element.scrollTop = current.offsetTop - this.element.offsetTop - this.element.clientHeight / 2;
    this.drawOthers(here);
    const { first, back, forward, last } = this.buttons;
    first.disabled = back.disabled = here === root;
    forward.disabled = last.disabled = !next(here);
  }

  /**
   * @param {Turn} turn
   * @param {HTMLButtonElement[]} buttons
   */
  turn({ moves, player, round }, buttons) {
    const own = moves.map((i) => buttons[i]);
    if (own.length > 1 && own[0].classList.contains("chance")) own[0].append(":");
    const item = make("li", { className: player < 0 ? "chance" : "" });
    if (round !== null) item.append(make("small", { textContent: `${round}.` }));
    item.append(...own);
    return item;
  }

  /**
   * @param {Node} node
   * @param {Move} move
   */
  button(node, move) {
    const button = make("button", { type: "button", textContent: move.name || "…" });
    if (node === this.game.here) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => this.go(node));
    const siblings = node.parent?.children ?? [];
    if (move.player < 0) button.classList.add("chance");
    if (siblings.length > 1) button.classList.add("branch");
    return button;
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
