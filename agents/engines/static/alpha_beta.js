// Alpha-beta: allocates what agents/engines/alpha_beta_engine.py works on, and loops over depth.

/** @import { Found, Limits, Plan, Words } from "../engine" */
/** @import { ModuleArray } from "./arena.js" */
/** @import { Engine } from "./engine.js" */
/** @import { ToldArray } from "./search_memory.js" */

import { ABORTED, LEAVES, NODE_LIMIT, NODES, STOP } from "./limits.js";
import { SearchMemory } from "./search_memory.js";

/**
 * What plans have for this kind of search.
 * @typedef {object} AlphaBetaPlan
 * @property {number} depth The most plies looked ahead.
 * @property {number | null} nodes
 * @property {number | null} seconds
 * @property {Record<string, number>} switches Of the counters.
 * @property {ToldArray[]} outcome
 * @property {ToldArray[]} arrays
 */

const UNLIMITED = 2n ** 62n;
/** What a kernel that values moves returns if it is worth while to look deeper. */
const MORE = 0;

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
    const own = /** @type {AlphaBetaPlan} */ (/** @type {unknown} */ (plan));
    const { arena, legal } = this;
    this.depth = own.depth;
    const outcome = [...this.allocate(own.outcome).values()];
    this.outcome = /** @type {ModuleArray[]} */ (outcome);
    this.moves = [
      arena.array("i64", legal.length),
      ...[0, 1, 2].map(() => arena.array("f64", legal.length)),
    ];
    this.moves[0].words.set(legal.map(BigInt));
    const arrays = this.allocate(own.arrays);
    this.arrays = [...arrays.values()];
    this.counts = this.countersOf(arrays);
    this.limit(own);
    this.call("begin", ...this.arrays);
  }

  /** @param {AlphaBetaPlan} plan */
  limit(plan) {
    const counts = this.counts.words;
    counts[NODE_LIMIT] = plan.nodes === null ? UNLIMITED : BigInt(plan.nodes);
    for (const [at, value] of Object.entries(plan.switches)) counts[Number(at)] = BigInt(value);
  }

  /**
   * @param {number} depth
   * @param {boolean} each Whether each move is valued.
   */
  run(depth, each) {
    return this.call("search", depth, each, ...this.outcome, ...this.moves, ...this.arrays);
  }

  get isOver() {
    return this.counts.words[ABORTED] !== 0n || this.counts.words[STOP] !== 0n;
  }

  /** @returns {Found} */
  get found() {
    const [action, value, depth, proven] = this.outcome[0].floats;
    const counts = this.counts.words;
    return {
      action, value, line: this.outcome[1].until(),
      nodes: Number(counts[NODES]), leaves: Number(counts[LEAVES]), depth,
      seconds: this.seconds, proven: proven !== 0, values: {}, visits: {},
    };
  }

  get values() {
    const found = this.moves[1].floats;
    return new Map(Array.from(this.moves[0].words, (action, i) => [Number(action), found[i]]));
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
  for (let depth = 1; depth <= search.depth; depth++) {
    search.run(depth, false);
    const { found } = search;
    yield found;
    if (found.proven || search.isOver) return;
  }
}

/**
 * @param {Engine} engine
 * @param {Plan} plan
 * @param {Words} position
 * @param {Limits} limits
 */
export function values(engine, plan, position, limits) {
  const search = new Search(engine, plan, position, limits);
  for (let depth = 1; depth <= search.depth; depth++) {
    if (search.run(depth, true) !== MORE) break;
  }
  return search.values;
}
