// Monte Carlo over information sets: see agents/engines/ismcts_engine.py.

/** @import { Found, Limits, Plan, Words } from "../engine" */
/** @import { Engine } from "./engine.js" */
/** @import { ToldArray } from "./search_memory.js" */

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
const COUNTERS = 12;
/** The numbers that are reported of an action. */
const [VISITS, MEAN, TRIED, REPORTED] = [0, 1, 2, 3];
/** How many simulations are made before the first result; then twice as many, up to some time. */
const FIRST = 64;
const MILLISECONDS = 100;

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
  const most = search.plan.simulations ?? Infinity;
  for (let number = FIRST; ;) {
    const since = performance.now();
    search.run(Math.min(number, most - search.made));
    const left = search.deadline - performance.now();
    const { found } = search;
    if (search.made >= most || left <= 0) {
      yield search.plan.mixed ? search.drawn(found) : found;
      return;
    }
    yield found;
    const time = Math.min(MILLISECONDS, left) / (performance.now() - since);
    number = Math.max(Math.floor(number * Math.min(2, time)), 1);
  }
}

/**
 * @param {Engine} engine
 * @param {Plan} plan
 * @param {Words} position
 * @param {Limits} limits
 */
export function values(engine, plan, position, limits) {
  /** @type {Found | undefined} */
  let last;
  for (const found of analyse(engine, plan, position, limits)) last = found;
  const known = last?.values ?? {};
  return new Map(engine.legal(position).map((action) => [action, known[action] ?? 0]));
}
