// Values of moves that an agent knows without a search: see agents/engines/valued_engine.py.

/** @import { Found, Limits, Plan, Words } from "../engine" */
/** @import { ModuleArray } from "./arena.js" */
/** @import { Engine } from "./engine.js" */
/** @import { ToldArray, ToldNumbers } from "./search_memory.js" */

import { allocated, SearchMemory } from "./search_memory.js";

/**
 * What plans have for this kind of search.
 * @typedef {object} ValuedPlan
 * @property {ToldArray[]} arrays
 * @property {ToldNumbers} numbers
 * @property {boolean} prepared Whether arrays are to be made ready.
 * @property {string[] | null} start The words of the position from which that is done; null for the
 *   position that is asked about.
 * @property {boolean} kept Whether arrays are kept from one position to the next.
 * @property {"move" | "turn" | "game"} line How far best play is followed.
 * @property {number} nodes What each move counts, unless making arrays ready counts.
 * @property {number | null} depth Null: that of best play.
 * @property {boolean} proven Whether values are exact.
 */

/** @typedef {(number | ModuleArray)[]} Arrays */

/** The arrays that engines keep, by what they are of. @type {WeakMap<Engine, Map<string, Arrays>>} */
const keptBy = new WeakMap();

/**
 * Arrays below the memory of searches, of the search before where a plan says that they are kept.
 * @param {Engine} engine
 * @param {Plan} plan
 * @returns {Arrays | null}
 */
function keptArrays(engine, plan) {
  const { arrays, kept, numbers, start } = planOf(plan);
  if (!kept) return null;
  const known = keptBy.get(engine) ?? new Map();
  keptBy.set(engine, known);
  const key = JSON.stringify([plan.variant, arrays, start]);
  if (!known.has(key)) {
    known.set(key, [...allocated(engine.begin(), arrays, numbers).values()]);
    engine.base = engine.arena.top;
  }
  return known.get(key);
}

/** @param {Plan} plan */
function planOf(plan) {
  return /** @type {ValuedPlan} */ (/** @type {unknown} */ (plan));
}

/** The arrays of one search. */
class Search extends SearchMemory {
  /**
   * @param {Engine} engine
   * @param {Plan} plan
   * @param {Words} position
   * @param {Limits} limits
   */
  constructor(engine, plan, position, limits) {
    const kept = keptArrays(engine, plan);
    super(engine, plan, position, limits);
    this.plan = planOf(plan);
    this.position = position;
    this.arrays = kept ?? [...this.allocate(this.plan.arrays, this.plan.numbers).values()];
    this.nodes = this.plan.nodes * this.legal.length || 1;
    if (this.plan.prepared) this.prepare();
  }

  prepare() {
    if (this.plan.start) this.row.words.set(BigInt64Array.from(this.plan.start, BigInt));
    const size = this.call("begin", ...this.arrays);
    if (size < 0) throw new Error("the game has too many positions to know the value of each move");
    this.nodes = size || this.nodes;
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
