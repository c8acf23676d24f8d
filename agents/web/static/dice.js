// Dice as they lie on a table: squares with pips.

import { draw, make } from "./dom.js";

/** @type {[x: number, y: number][][]} */
const PIPS = [
  [], [[0, 0]], [[-1, -1], [1, 1]], [[-1, -1], [0, 0], [1, 1]], [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
]; // by the number of eyes, around the middle

/**
 * What chance did, to be looked at: dice for "32", other moves by their names.
 * @param {string} name
 * @returns {Element[]}
 */
export function diceOf(name) {
  if (!/^[1-6]+$/.test(name)) return [make("b", { textContent: name })];
  return [...name].map((eyes) => die(Number(eyes)));
}

/**
 * A die that shows so many eyes.
 * @param {number} eyes
 */
function die(eyes) {
  const svg = draw("svg", { class: "die", viewBox: "-2 -2 4 4" });
  draw("rect", { x: -1.9, y: -1.9, width: 3.8, height: 3.8, rx: 0.7 }, svg);
  for (const [x, y] of PIPS[eyes]) draw("circle", { cx: x, cy: y, r: 0.38 }, svg);
  return svg;
}
