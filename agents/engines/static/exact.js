// Exact scores of moves, one after the other: see agents/engines/exact_engine.py.

/** @import { Found, Limits, Plan, Words } from "../engine" */
/** @import { Engine } from "./engine.js" */
/** @import { ToldArray, ToldNumbers } from "./search_memory.js" */

import { ABORTED, LEAVES, LOOK, NODE_LIMIT, NODES } from "./limits.js";
import { SearchMemory } from "./search_memory.js";

/**
 * What plans have for this kind of search.
 * @typedef {object} ExactPlan
 * @property {number} most What scores are cut to.
 * @property {ToldArray[]} arrays
 * @property {ToldNumbers} numbers
 * @property {number} line_nodes What best play may cost, besides as much as the scores took.
 */

/** What is asked for in place of an action: the best one, and the score of the position. */
const [BEST, WHOLE] = [-1, -2];

/** The arrays of one search. */
export class ScoreSearch extends SearchMemory {
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
    const arrays = this.allocate(this.plan.arrays, this.plan.numbers);
    this.arrays = [...arrays.values()];
    this.counts = this.countersOf(arrays);
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

  /** The exact score of the position, by one search. */
  whole() {
    return this.score(WHOLE);
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
  const search = new ScoreSearch(engine, plan, position, limits);
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
  const search = new ScoreSearch(engine, plan, position, limits);
  Array.from(search.solve());
  return search.isOver ? new Map() : new Map([...search.scores].sort(([a], [b]) => a - b));
}
