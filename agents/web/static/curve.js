// The curve of a game: the winning chances of the first player after each move.

import { draw } from "./dom.js";

/** @import { Node } from "./game.js" */

const [WIDTH, HEIGHT] = [600, 120];

export class Curve {
  /**
   * @param {HTMLElement} element
   * @param {(node: Node | null) => void} onChoose
   */
  constructor(element, onChoose) {
    this.element = element;
    this.onChoose = onChoose;
  }

  /**
   * Draw the nodes of a line, of which those with a review have a point.
   * @param {Node[]} path
   * @param {Node} here
   * @param {string} symbol
   */
  show(path, here, symbol) {
    this.element.replaceChildren();
    const reviewed = path.flatMap(({ review }, i) =>
      (review ? [{ ply: i + 1, value: review.after, severity: review.severity }] : []));
    if (!reviewed.length) return;
    const first = path.find((node) => node.review)?.review?.before ?? 0; // chance may have moved before
    const last = reviewed[reviewed.length - 1];
    const x = (/** @type {number} */ ply) => (WIDTH * ply) / path.length;
    const y = (/** @type {number} */ value) => (HEIGHT - 8) * (1 - value) / 2 + 4;
    const svg = draw("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img",
      "aria-label": `Winning chances of ${symbol} from move to move, at the end ${percent(last.value)}`,
    }, this.element);
    const corners = [{ ply: 0, value: first }, ...reviewed]
      .map(({ ply, value }) => `${x(ply).toFixed(1)},${y(value).toFixed(1)}`);
    draw("polygon", {
      class: "area",
      points: [`0,${HEIGHT}`, ...corners, `${x(last.ply)},${HEIGHT}`].join(" "),
    }, svg);
    draw("line", { class: "even", x1: 0, x2: WIDTH, y1: y(0), y2: y(0) }, svg);
    draw("polyline", { class: "curve", points: corners.join(" ") }, svg);
    const at = path.indexOf(here) + 1;
    if (at || !here.parent) draw("line", { class: "here", x1: x(at), x2: x(at), y1: 0, y2: HEIGHT }, svg);
    for (const { ply, value, severity } of reviewed) {
      if (severity) draw("ellipse", { class: `dot ${severity}`, cx: x(ply), cy: y(value), rx: 5, ry: 5 }, svg);
    }
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      const ply = Math.round(((event.clientX - box.left) / box.width) * path.length);
      this.onChoose(ply ? path[ply - 1] : path[0].parent);
    });
  }
}

/**
 * Winning chances as a percentage.
 * @param {number} chances
 */
export const percent = (chances) => `${Math.round(50 * (1 + chances))} %`;
