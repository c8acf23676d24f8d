// The list of the moves of a game, in which one can go to any of them, and the variations of a move.

import { find, make, reveal } from "./dom.js";

export class MoveList {
  constructor(game, onVisit) {
    Object.assign(this, { game, onVisit });
    this.element = find("#moves");
    this.others = find("#others");
    for (const [id, target] of [
      ["first", () => game.root], ["back", () => game.here.parent],
      ["forward", () => next(game.here)], ["last", () => tip(game.here)],
    ]) {
      find(`#${id}`).addEventListener("click", () => this.go(target()));
    }
  }

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

  /** Show the moves of the line that is looked at; `ahead`: those after the position, too. */
  draw(ahead) {
    const { here, root } = this.game;
    for (let node = here; node.parent; node = node.parent) node.parent.latest = node;
    const path = ahead ? tip(here).path : here.path;
    const names = here.state.moves; // as the person who looks has seen them
    this.element.replaceChildren(...path.map((node, i) => this.item(node, i, names[i] ?? node.move)));
    const current = this.element.querySelector("[aria-current]");
    if (current) this.element.scrollTop = current.offsetTop - this.element.offsetTop - this.element.clientHeight / 2;
    this.drawOthers(here);
    for (const [id, possible] of [
      ["first", here !== root], ["back", here !== root], ["forward", next(here)], ["last", next(here)],
    ]) {
      find(`#${id}`).disabled = !possible;
    }
  }

  item(node, i, move) {
    const button = make("button", { type: "button", textContent: move.name || "…" });
    if (node === this.game.here) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => this.go(node));
    const kinds = [move.player < 0 ? "chance" : "", node.parent.children.length > 1 ? "branch" : ""];
    const number = make("small", { textContent: i + 1 });
    return make("li", { className: kinds.join(" ").trim() }, number, button);
  }

  /** The other moves that were made in the same position. */
  drawOthers(here) {
    const siblings = here.parent?.children.filter((node) => node !== here) ?? [];
    reveal(this.others, siblings.length);
    this.others.replaceChildren("Also played here: ", ...siblings.map((node) => {
      const button = make("button", { type: "button", textContent: node.move.name || "…" });
      button.addEventListener("click", () => this.go(node));
      return button;
    }));
  }
}

/** The move that follows: the one that was looked at last. */
function next(node) {
  return node.children.includes(node.latest) ? node.latest : node.children.at(-1);
}

function tip(node) {
  while (node.children.length) node = next(node);
  return node;
}
