// Values of moves that an agent knows without a search: see agents/engines/valued_engine.py.

/** @import { Found, Limits, Plan, Words } from "../engine" */
/** @import { Engine } from "./engine.js" */
/** @import { Layout } from "./layouts.js" */

import { allocated } from "./layouts.js";
import { SearchMemory } from "./search_memory.js";

/**
 * What plans have for this kind of search.
 * @typedef {object} ValuedPlan
 * @property {Layout} arrays
 * @property {string[] | null} begins The words of the position from which arrays are made ready,
 *   or null where that is the one that is asked about.
 * @property {boolean} prepared Whether arrays are to be made ready.
 * @property {"move" | "turn" | "game"} line How far best play is followed.
 * @property {number} nodes What each move counts, where nothing was made ready.
 * @property {number | null} depth Null: that of best play.
 * @property {boolean} proven Whether values are exact.
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
    this.plan = /** @type {ValuedPlan} */ (/** @type {unknown} */ (plan));
    this.position = position;
    this.arrays = allocated(this.arena, this.plan.arrays);
    this.nodes = this.plan.nodes * this.legal.length || 1;
    if (this.plan.prepared) this.prepare();
  }

  prepare() {
    if (this.plan.begins) this.row.words.set(BigInt64Array.from(this.plan.begins, BigInt));
    const size = this.call("begin", ...this.arrays);
    if (size < 0) throw new Error("the game has too many positions to know the value of each move");
    this.nodes = size;
    this.row.words.set(this.position);
  }

  /**
   * The value of each legal action of a position, and the best one.
   * @param {Words} position
   */
  valued(position) {
    this.row.words.set(position);
    const legal = this.engine.legal(position);
    return this.arena.briefly(() => {
      const actions = this.arena.array("i64", legal.length);
      const numbers = this.arena.array("f64", legal.length);
      actions.words.set(legal.map(BigInt));
      const best = this.call("values", actions, numbers, ...this.arrays);
      const found = numbers.floats;
      return { best, values: new Map(legal.map((action, i) => [action, found[i]])) };
    });
  }

  /**
   * Best play, as far as a plan says.
   * @param {number} first
   */
  line(first) {
    const line = [first];
    const mover = this.engine.toMove(this.position);
    let here = this.engine.play(this.position, first);
    const goesOn = () => !this.engine.isTerminal(here) && (this.plan.line === "game" ||
      (this.plan.line === "turn" && this.engine.toMove(here) === mover));
    while (goesOn()) {
      const { best } = this.valued(here);
      line.push(best);
      here = this.engine.play(here, best);
    }
    return line;
  }
}

/**
 * @param {Engine} engine
 * @param {Plan} plan
 * @param {Words} position
 * @param {Limits} limits
 * @returns {Generator<Found, void, undefined>}
 */
export function* analyse(engine, plan, position, limits) {
  const search = new Search(engine, plan, position, limits);
  const { best, values: found } = search.valued(position);
  const line = search.line(best);
  const { proven, depth } = search.plan;
  yield {
    action: best, value: found.get(best) ?? NaN, line, nodes: search.nodes, leaves: 0,
    depth: depth ?? line.length, seconds: search.seconds, proven, exact: proven,
    values: Object.fromEntries(found), visits: {},
  };
}

/**
 * @param {Engine} engine
 * @param {Plan} plan
 * @param {Words} position
 * @param {Limits} limits
 */
export function values(engine, plan, position, limits) {
  return new Search(engine, plan, position, limits).valued(position).values;
}
