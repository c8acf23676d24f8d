// Two searches, one of which takes over towards the end: see agents/engines/phases_engine.py.

/** @import { Limits, Plan, Words } from "../engine" */
/** @import { Engine } from "./engine.js" */

/**
 * The plan of the search that plays a position.
 * @param {Engine} engine
 * @param {Plan} plan
 * @param {Words} position
 * @returns {Plan}
 */
function partOf(engine, plan, position) {
  const own = /** @type {{ limit: number, early: object, late: object }} */ (
    /** @type {unknown} */ (plan));
  const left = engine.call(`${plan.variant}_left`, engine.put(position));
  const part = left <= own.limit ? "late" : "early";
  const { module, name, scale } = plan;
  return /** @type {Plan} */ ({
    module, name, scale, ...own[part], variant: `${plan.variant}_${part}`,
  });
}

/**
 * @param {Engine} engine
 * @param {Plan} plan
 * @param {Words} position
 * @param {Limits} limits
 */
export function* analyse(engine, plan, position, limits) {
  yield* engine.analyse(position, partOf(engine, plan, position), limits);
}

/**
 * @param {Engine} engine
 * @param {Plan} plan
 * @param {Words} position
 * @param {Limits} limits
 */
export function values(engine, plan, position, limits) {
  return engine.values(position, partOf(engine, plan, position), limits);
}
