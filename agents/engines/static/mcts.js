// Monte Carlo: allocates the tree of agents/engines/mcts_engine.py, and simulates until a limit.

/** @import { Found, Limits, Plan, Words } from "../engine" */
/** @import { ModuleArray } from "./arena.js" */
/** @import { Engine } from "./engine.js" */
/** @import { ToldArray } from "./search_memory.js" */

import { COUNTERS, lastOf, mostSimulations, portions, valuesIn } from "./limits.js";
import { PythonRandom } from "./python_random.js";
import { SearchMemory } from "./search_memory.js";

/**
 * What plans have for this kind of search.
 * @typedef {object} MctsPlan
 * @property {number | null} simulations
 * @property {number | null} seconds
 * @property {string | null} seed In decimal.
 * @property {number[]} settings
 * @property {ToldArray[]} tree
 * @property {ToldArray[]} simulation
 * @property {ToldArray[]} report
 */

/** The bits that an agent draws to seed a tree. */
const SEED_BITS = 61;
/** Of the workspace: where the state of the random numbers is. */
const RANDOM = 0;
/** Of the settings: whether what is proven is not tried again, and whether all moves are tried equally often. */
const [SOLVER, EVENLY] = [1, 2];
/** How many simulations are made before the first result. */
const FIRST = 16;

/** The tree of one search. */
class Search extends SearchMemory {
  /**
   * @param {Engine} engine
   * @param {Plan} plan
   * @param {Words} position
   * @param {Limits} limits
   * @param {boolean} evenly
   */
  constructor(engine, plan, position, limits, evenly) {
    super(engine, plan, position, limits);
    const own = /** @type {MctsPlan} */ (/** @type {unknown} */ (plan));
    this.evenly = evenly;
    this.settings = own.settings.map((value, i) => (i === EVENLY ? Number(evenly) : value));
    this.report = this.allocate(own.report);
    this.simulation = [...this.allocate(own.simulation).values()];
    this.counts = this.arena.array("i64", COUNTERS);
    const tree = this.allocate(own.tree);
    this.tree = [...tree.values()];
    const drawn = new PythonRandom(limits.seed ?? own.seed).bits(SEED_BITS);
    /** @type {ModuleArray} */ (tree.get("workspace")).words[RANDOM] = drawn;
    const least = evenly ? this.legal.length : 0;
    this.wanted = Math.max(mostSimulations(own.simulations), least);
    this.timed = own.seconds !== null && !evenly;
    this.call("begin", ...this.tree);
  }

  /** @param {number} number Of simulations. */
  run(number) {
    this.call("simulate", number, ...this.settings, ...this.tree, ...this.simulation, this.counts);
    this.call("report", this.evenly, ...this.tree, ...this.report.values());
  }

  /** What was found, and whether there is nothing more to be found. */
  get result() {
    const told = (/** @type {string} */ name) => /** @type {ModuleArray} */ (this.report.get(name));
    const [action, value, proven, depth, nodes, solved, length] = told("numbers").floats;
    const line = Array.from(told("line").words.subarray(0, length), Number);
    /** @type {Found} */
    const found = {
      action, value, line, nodes, leaves: nodes, depth, seconds: this.seconds,
      proven: proven !== 0, values: {}, visits: {},
    };
    const children = told("children").floats;
    for (let i = 0; i < this.legal.length; i++) {
      const [child, visits, mean, known] = children.subarray(4 * i);
      found.visits[child] = visits;
      if (known) found.values[child] = mean;
    }
    const known = solved !== 0 && this.settings[SOLVER] !== 0;
    return { found, solved: known || (found.proven && this.timed) };
  }
}

/**
 * @param {Engine} engine
 * @param {Plan} plan
 * @param {Words} position
 * @param {Limits} limits
 * @param {boolean} evenly
 */
function* simulate(engine, plan, position, limits, evenly) {
  const search = new Search(engine, plan, position, limits, evenly);
  for (const number of portions(FIRST, search.wanted, search.deadline)) {
    search.run(number);
    const { found, solved } = search.result;
    yield found;
    if (solved) return;
  }
}

/**
 * @param {Engine} engine
 * @param {Plan} plan
 * @param {Words} position
 * @param {Limits} limits
 */
export function* analyse(engine, plan, position, limits) {
  yield* simulate(engine, plan, position, limits, false);
}

/**
 * @param {Engine} engine
 * @param {Plan} plan
 * @param {Words} position
 * @param {Limits} limits
 */
export function values(engine, plan, position, limits) {
  if (engine.facts(position).numPlayers !== 2) {
    throw new Error(`${plan.name} values the moves of two players only`);
  }
  return valuesIn(lastOf(simulate(engine, plan, position, limits, true)), engine.legal(position));
}
