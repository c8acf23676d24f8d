// Expectiminimax: loops over depth, see agents/engines/expectiminimax_engine.py.

/** @import { Found, Limits, Plan, Words } from "../engine" */
/** @import { ModuleArray } from "./arena.js" */
/** @import { Engine } from "./engine.js" */
/** @import { ToldArray, ToldNumbers } from "./search_memory.js" */

import { ABORTED, lastOf, LEAVES, NODES, STOP, valuesIn } from "./limits.js";
import { SearchMemory } from "./search_memory.js";

/**
 * What plans have for this kind of search.
 * @typedef {object} ExpectationPlan
 * @property {number} depth
 * @property {boolean} evaluated Whether there is an evaluation.
 * @property {ToldArray[]} arrays
 * @property {ToldNumbers} numbers
 */

/** The arrays of one search. */
class Search extends SearchMemory {
  /**
   * @param {Engine} engine
   * @param {Plan} plan
   * @param {Words} position
   * @param {Limits} limits
   */
  constructor(engine, plan, position, limits) {
    super(engine, plan, position, limits);
    this.plan = /** @type {ExpectationPlan} */ (/** @type {unknown} */ (plan));
    this.report = this.arena.array("f64", 3);
    this.values = this.arena.array("f64", this.sizes.numActions);
    const arrays = this.allocate(this.plan.arrays, this.plan.numbers);
    this.arrays = [...arrays.values()];
    this.best = /** @type {ModuleArray} */ (arrays.get("line"));
    this.counts = this.countersOf(arrays);
  }

  /** @param {number} counter */
  count(counter) {
    return Number(this.counts.words[counter]);
  }

  /** @param {number} depth */
  run(depth) {
    const { arrays, plan, report } = this;
    if (!this.call("search", depth, plan.evaluated, report, this.values, ...arrays)) {
      throw new Error("an evaluation is beyond what a finished game is worth");
    }
  }

  /**
   * What was found at a depth; at none, the first legal action.
   * @param {number} depth
   * @returns {Found}
   */
  found(depth) {
    const [action, value, proven] = depth ? this.report.floats : [this.legal[0], 0, 0];
    const known = this.values.floats;
    return {
      action, value, line: depth ? this.best.until() : [], nodes: this.count(NODES),
      leaves: this.count(LEAVES), depth, seconds: this.seconds, proven: proven !== 0,
      values: depth ? Object.fromEntries(this.legal.map((one) => [one, known[one]])) : {},
      visits: {},
    };
  }
}

/**
 * @param {Engine} engine
 * @param {Plan} plan
 * @param {Words} position
 * @param {Limits} limits
 */
export function* analyse(engine, plan, position, limits) {
  const search = new Search(engine, plan, position, limits);
  for (let depth = 1; depth <= search.plan.depth; depth++) {
    search.run(depth);
    if (search.count(ABORTED)) {
      if (depth === 1) yield search.found(0);
      return;
    }
    const found = search.found(depth);
    yield found;
    if (found.proven || search.count(STOP)) return;
  }
}

/**
 * @param {Engine} engine
 * @param {Plan} plan
 * @param {Words} position
 * @param {Limits} limits
 */
export function values(engine, plan, position, limits) {
  return valuesIn(lastOf(analyse(engine, plan, position, limits)));
}
