// The list of moves with their variations: buttons, of which the current one is marked.

import { make } from "./dom.js";

/** @import { Review, Severity } from "../messages" */
/** @import { Game, Node } from "./game.js" */

/** @type {Record<Severity, string>} */
export const SYMBOLS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

export class Variations {
  /**
   * @param {HTMLElement} element
   * @param {Game} game
   * @param {(node: Node) => void} onChoose
   */
  constructor(element, game, onChoose) {
    this.element = element;
    this.game = game;
    this.onChoose = onChoose;
  }

  /** Write the whole tree again. */
  draw() {
    const focused = this.element.contains(document.activeElement);
    const list = make("ol", {}, ...this.items(this.game.root, true));
    list.setAttribute("aria-label", "Moves");
    this.element.replaceChildren(this.game.root.children.length ? list
      : make("p", { className: "muted", textContent: "No moves yet: make one on the board." }));
    const here = this.element.querySelector("[aria-current]");
    if (!(here instanceof HTMLElement)) return;
    if (focused) here.focus({ preventScroll: true });
    const [box, top] = [this.element, here.offsetTop - this.element.offsetTop];
    if (top < box.scrollTop || top + here.offsetHeight > box.scrollTop + box.clientHeight) {
      box.scrollTop = top - box.clientHeight / 2;
    }
  }

  /**
   * The moves after a node; variations are lists within the list.
   * @param {Node} node
   * @param {boolean} numbered
   * @returns {Generator<HTMLElement>}
   */
  * items(node, numbered) {
    while (node.children.length) {
      const [main, ...others] = node.children;
      yield this.item(main, numbered);
      for (const other of others) {
        const line = make("ol", {}, this.item(other, true), ...this.items(other, false));
        line.setAttribute("aria-label", `Variation with ${other.move.name}`);
        yield make("li", { className: "variation" }, line);
      }
      numbered = others.length > 0;
      node = main;
    }
  }

  /**
   * @param {Node} node
   * @param {boolean} numbered
   */
  item(node, numbered) {
    const number = this.game.number(node);
    const name = node.move.name || "(unseen)";
    const item = make("li");
    if (numbered || number.endsWith(".")) {
      item.append(make("span", { className: "number", textContent: number }), " ");
    }
    const button = make("button", { type: "button", className: "analyse-move", textContent: name });
    const { review } = node;
    if (review?.severity) {
      button.classList.add(review.severity);
      button.append(make("span", { className: "severity", textContent: SYMBOLS[review.severity] }));
      button.title = inWords(review);
      button.setAttribute("aria-label", `${number} ${name}, ${inWords(review)}`);
    } else button.setAttribute("aria-label", `${number} ${name}`);
    if (node.move.player < 0) button.classList.add("chance");
    if (node === this.game.here) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => this.onChoose(node));
    item.append(button, " ");
    return item;
  }
}

/**
 * What a review says of a move.
 * @param {Pick<Review, "severity" | "text" | "best" | "best_text" | "exact">} review
 */
export function inWords({ severity, text, best, best_text, exact }) {
  return `${severity}: ${text}, ${best} was ${best_text}${exact ? "" : " (not proven)"}`;
}
