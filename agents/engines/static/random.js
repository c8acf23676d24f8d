// Random legal actions: see agents/engines/random_engine.py.

/** @import { Found, Limits, Plan, Words } from "../engine" */
/** @import { Engine } from "./engine.js" */

import { PythonRandom } from "./python_random.js";

/**
 * What was found by an agent that does not search.
 * @param {number} action
 * @returns {Found}
 */
export function chosen(action) {
  return {
    action, value: 0, line: [action], nodes: 0, leaves: 0, depth: 0, seconds: 0, proven: false,
    values: {}, visits: {},
  };
}

/**
 * @param {Engine} engine
 * @param {Plan} _plan
 * @param {Words} position
 * @param {Limits} limits
 */
export function* analyse(engine, _plan, position, limits) {
  yield chosen(new PythonRandom(limits.seed ?? null).choice(engine.legal(position)));
}

/**
 * Nothing: an agent that plays at random does not value moves.
 * @returns {Map<number, number>}
 */
export function values() {
  return new Map();
}
