// Exact scores of moves, one after the other: see agents/engines/exact_engine.py.

/** @import { Found, Limits, Plan, Words } from "../engine" */
/** @import { ModuleArray } from "./arena.js" */
/** @import { Engine } from "./engine.js" */
/** @import { Layout } from "./layouts.js" */

import { allocated } from "./layouts.js";
import { SearchMemory } from "./search_memory.js";

/**
 * What plans have for this kind of search.
 * @typedef {object} ExactPlan
 * @property {number} most What scores are cut to.
 * @property {Layout} arrays
 * @property {number} counts Which of the arrays are the counters.
 * @property {number} line_nodes What best play may cost, besides as much as the scores took.
 */

/** The counters, see agents/search/limits.py. */
const [NODES, LEAVES, NODE_LIMIT, ABORTED, LOOK, DEADLINE] = [0, 1, 3, 5, 10, 11];
/** The action of which the kernel returns the best one. */
const BEST = -1;

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
    this.plan = /** @type {ExactPlan} */ (/** @type {unknown} */ (plan));
    this.position = position;
    this.actions = this.arena.array("i64", this.sizes.numActions);
    this.arrays = allocated(this.arena, this.plan.arrays);
    this.counts = /** @type {ModuleArray} */ (this.arrays[this.plan.counts]);
    if (this.deadline < Infinity) {
      this.counts.words[DEADLINE] = BigInt(Math.max(1, Math.ceil(this.deadline)));
    }
    this.order = this.ordered();
    /** The scores that are known. @type {Map<number, number>} */
    this.scores = new Map();
  }

  ordered() {
    const number = this.call("order", this.actions);
    return Array.from(this.actions.words.subarray(0, number), Number);
  }

  get nodes() {
    return Number(this.counts.words[NODES]);
  }

  /** Whether the time is over, or a limit of nodes is reached: the last score means nothing. */
  get isOver() {
    return this.counts.words[ABORTED] !== 0n;
  }

  /** @param {number} action */
  score(action) {
    const { actions, arrays, plan } = this;
    return this.call("score", action, actions, this.order.length, plan.most, ...arrays) + 0;
  }

  *solve() {
    for (const action of this.order) {
      const score = this.score(action);
      if (this.isOver) return;
      this.scores.set(action, score);
      yield this.found(this.best);
    }
  }

  get best() {
    const known = this.order.filter((action) => this.scores.has(action));
    return known.reduce((best, action) =>
      (this.value(action) > this.value(best) ? action : best));
  }

  /** @param {number} action */
  value(action) {
    return this.scores.get(action) ?? NaN;
  }

  /**
   * Best play to the end of the game, as far as the nodes that a plan allows suffice.
   * @param {number} first
   */
  line(first) {
    const limit = this.nodes + this.plan.line_nodes;
    const line = [first];
    this.counts.words.fill(0n, NODES, NODE_LIMIT);
    this.counts.words[LOOK] = 0n;
    this.counts.words[NODE_LIMIT] = BigInt(limit);
    let here = this.engine.play(this.position, first);
    while (!this.engine.isTerminal(here)) {
      this.row.words.set(here);
      this.order = this.ordered();
      const action = this.score(BEST);
      if (this.isOver) break;
      line.push(action);
      here = this.engine.play(here, action);
    }
    return line;
  }

  /**
   * @param {number} action
   * @returns {Found}
   */
  found(action) {
    const leaves = Number(this.counts.words[LEAVES]);
    return {
      action, value: this.value(action), line: [action], nodes: this.nodes, leaves, depth: 0,
      seconds: this.seconds, proven: false, values: Object.fromEntries(this.scores), visits: {},
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
  if (engine.work(position) > (plan.feasible ?? Infinity)) return;
  const search = new Search(engine, plan, position, limits);
  yield* search.solve();
  if (search.isOver) return;
  const found = search.found(search.best);
  const line = search.line(found.action);
  yield { ...found, line, depth: line.length, seconds: search.seconds, proven: true, exact: true };
}

/**
 * @param {Engine} engine
 * @param {Plan} plan
 * @param {Words} position
 * @param {Limits} limits
 */
export function values(engine, plan, position, limits) {
  if (engine.work(position) > (plan.feasible ?? Infinity)) return new Map();
  const search = new Search(engine, plan, position, limits);
  for (const _ of search.solve());
  return search.isOver ? new Map() : new Map([...search.scores].sort(([a], [b]) => a - b));
}
