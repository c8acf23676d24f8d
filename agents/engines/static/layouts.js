// Arrays as Python describes them: see agents/engines/array_layouts.py.

/** @import { Arena, ModuleArray } from "./arena.js" */

/**
 * An array: its kind and shape, the number that all elements are, and those that are others.
 * @typedef {object} ArrayLayout
 * @property {"i64" | "f64" | "i32"} type
 * @property {number[]} shape
 * @property {number | string} fill
 * @property {[number, number | string][]} but
 */

/** What a kernel is given. @typedef {(number | boolean | ArrayLayout)[]} Layout */

/**
 * @param {Arena} arena
 * @param {ArrayLayout} layout
 */
function filled(arena, { type, shape, fill, but }) {
  const array = arena.array(type, ...shape);
  if (type === "i64") {
    if (BigInt(fill) !== 0n) array.words.fill(BigInt(fill));
    for (const [at, number] of but) array.words[at] = BigInt(number);
  } else {
    const elements = type === "f64" ? array.floats : array.integers;
    if (Number(fill) !== 0) elements.fill(Number(fill));
    for (const [at, number] of but) elements[at] = Number(number);
  }
  return array;
}

/**
 * What a kernel is given, in memory that is new.
 * @param {Arena} arena
 * @param {Layout} layout
 * @returns {(number | boolean | ModuleArray)[]}
 */
export function allocated(arena, layout) {
  return layout.map((part) => (typeof part === "object" ? filled(arena, part) : part));
}
