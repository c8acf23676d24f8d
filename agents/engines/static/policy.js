// Policies for whole games, as tables: see agents/engines/policy_engine.py.

/** @import { Found, Limits, Plan, Words } from "../engine" */
/** @import { Engine } from "./engine.js" */

import { PythonRandom } from "./python_random.js";

/**
 * What plans have for this kind of search.
 * @typedef {object} PolicyPlan
 * @property {string | null} seed In decimal.
 * @property {Record<string, [number, number[], number[]]>} views By the words of what a player sees:
 *   the value, and of each legal action the probability and the value.
 * @property {number} nodes
 * @property {number} leaves
 */

/** @param {Plan} plan */
function planOf(plan) {
  return /** @type {PolicyPlan} */ (/** @type {unknown} */ (plan));
}

/**
 * What the table says of what the player to move sees.
 * @param {Engine} engine
 * @param {Plan} plan
 * @param {Words} position
 */
function entryOf(engine, plan, position) {
  const view = engine.hidden(position, engine.toMove(position));
  const parameters = Object.keys(engine.info.starts[0].parameters).length;
  const entry = planOf(plan).views[view.slice(parameters).join(" ")];
  if (!entry) throw new Error("this position never comes up in the game of the policy");
  const [value, probabilities, known] = entry;
  return { value, probabilities, known, legal: engine.legal(position) };
}

/**
 * @param {Engine} engine
 * @param {Plan} plan
 * @param {Words} position
 * @param {Limits} limits
 * @returns {Generator<Found, void, undefined>}
 */
export function* analyse(engine, plan, position, limits) {
  const began = performance.now();
  const { seed, nodes, leaves } = planOf(plan);
  const { value, probabilities, known, legal } = entryOf(engine, plan, position);
  const action = new PythonRandom(limits.seed ?? seed).weighted(legal, probabilities);
  const byAction = (/** @type {number[]} */ numbers) =>
    Object.fromEntries(legal.map((one, i) => [one, numbers[i]]));
  yield {
    action, value, line: [action], nodes, leaves, depth: 0,
    seconds: (performance.now() - began) / 1000, proven: false, values: byAction(known),
    visits: {}, probabilities: byAction(probabilities),
  };
}

/**
 * @param {Engine} engine
 * @param {Plan} plan
 * @param {Words} position
 */
export function values(engine, plan, position) {
  const { legal, known } = entryOf(engine, plan, position);
  return new Map(legal.map((action, i) => [action, known[i]]));
}
