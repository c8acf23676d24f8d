// The best position one ply ahead: see agents/engines/greedy_engine.py.

/** @import { Limits, Plan, Words } from "../engine" */
/** @import { Engine } from "./engine.js" */

import { PythonRandom } from "./python_random.js";
import { chosen } from "./random.js";
import { SearchMemory } from "./search_memory.js";

/**
 * @param {Engine} engine
 * @param {Plan} plan
 * @param {Words} position
 * @param {Limits} limits
 */
export function* analyse(engine, plan, position, limits) {
  const search = new SearchMemory(engine, plan, position, limits);
  const { arena, legal } = search;
  const actions = arena.array("i64", legal.length);
  const [utilities, evaluations] = [0, 1].map(() => arena.array("f64", legal.length));
  actions.words.set(legal.map(BigInt));
  search.call("values", actions, utilities, evaluations);
  const [first, second] = [utilities.floats, evaluations.floats];
  const compared = (/** @type {number} */ i, /** @type {number} */ j) =>
    first[i] - first[j] || second[i] - second[j];
  let best = 0;
  for (let i = 1; i < legal.length; i++) if (compared(i, best) > 0) best = i;
  const equal = legal.filter((_, i) => compared(i, best) === 0);
  yield chosen(new PythonRandom(limits.seed ?? null).choice(equal));
}

/**
 * Nothing: an agent that looks one ply ahead does not value moves.
 * @returns {Map<number, number>}
 */
export function values() {
  return new Map();
}
