// Monte Carlo over information sets: see agents/engines/ismcts_engine.py.

/** @import { Found, Limits, Plan, Words } from "../engine" */
/** @import { Engine } from "./engine.js" */
/** @import { ToldArray } from "./search_memory.js" */

import { COUNTERS, lastOf, mostSimulations, portions, valuesIn } from "./limits.js";
import { PythonRandom } from "./python_random.js";
import { SearchMemory } from "./search_memory.js";

/**
 * What plans have for this kind of search.
 * @typedef {object} ViewsPlan
 * @property {number | null} simulations
 * @property {string | null} seed In decimal.
 * @property {boolean} mixed Whether actions are drawn by their visits.
 * @property {number} exploration
 * @property {ToldArray[]} arrays
 */

/** The bits that an agent draws to seed a search. */
const SEED_BITS = 62;
/** The numbers that are reported of an action. */
const [VISITS, MEAN, TRIED, REPORTED] = [0, 1, 2, 3];
/** How many simulations are made before the first result. */
const FIRST = 64;

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
    this.plan = /** @type {ViewsPlan} */ (/** @type {unknown} */ (plan));
    this.random = new PythonRandom(limits.seed ?? this.plan.seed);
    this.state = this.arena.array("i64", 1);
    this.report = this.arena.array("f64", this.sizes.numActions, REPORTED);
    this.arrays = [...this.allocate(this.plan.arrays).values()];
    this.counts = this.arena.array("i64", COUNTERS);
    this.state.words[0] = this.random.bits(SEED_BITS);
    this.made = 0;
    this.call("begin", this.state);
  }

  /** @param {number} number Of simulations. */
  run(number) {
    const { arrays, counts, plan, state } = this;
    this.call("simulate", number, plan.exploration, state, ...arrays, counts);
    this.made += number;
  }

  /** @returns {Found} */
  get found() {
    const action = this.call("report", this.report, ...this.arrays);
    const told = this.report.floats;
    const number = (/** @type {number} */ one, /** @type {number} */ what) =>
      told[one * REPORTED + what];
    const tried = this.legal.filter((one) => number(one, TRIED));
    return {
      action, value: number(action, MEAN), line: [action], nodes: this.made, leaves: this.made,
      depth: 0, seconds: this.seconds, proven: false,
      values: Object.fromEntries(tried.map((one) => [one, number(one, MEAN)])),
      visits: Object.fromEntries(this.legal.map((one) => [one, number(one, VISITS)])),
    };
  }

  /**
   * What is played: an action drawn by its visits, where a plan says so.
   * @param {Found} found
   * @returns {Found}
   */
  drawn(found) {
    const visits = this.legal.map((one) => found.visits[one]);
    const action = this.random.weighted(this.legal, visits);
    return { ...found, action, line: [action], value: found.values[action] ?? 0 };
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
  const most = mostSimulations(search.plan.simulations);
  for (const number of portions(FIRST, most, search.deadline)) {
    search.run(number);
    yield search.found;
  }
  if (search.plan.mixed) yield search.drawn(search.found);
}

/**
 * @param {Engine} engine
 * @param {Plan} plan
 * @param {Words} position
 * @param {Limits} limits
 */
export function values(engine, plan, position, limits) {
  return valuesIn(lastOf(analyse(engine, plan, position, limits)), engine.legal(position));
}
