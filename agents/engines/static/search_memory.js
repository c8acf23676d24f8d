// What every kind of search has: its arrays, its limits, the kernels of its variant.

/** @import { Limits, Plan, Words } from "../engine" */
/** @import { ModuleArray } from "./arena.js" */
/** @import { Engine } from "./engine.js" */

/** One search, of an engine that makes one at a time. */
export class SearchMemory {
  /**
   * @param {Engine} engine
   * @param {Plan} plan
   * @param {Words} position
   * @param {Limits} limits
   */
  constructor(engine, plan, position, limits) {
    this.engine = engine;
    this.variant = plan.variant;
    this.began = performance.now();
    const seconds = Math.min(plan.seconds ?? Infinity, limits.seconds ?? Infinity);
    /** When the time is over, as performance.now() tells it. */
    this.deadline = this.began + 1000 * seconds;
    this.legal = engine.legal(position);
    this.sizes = engine.facts(position);
    this.arena = engine.begin();
    this.turn = engine.searching;
    this.row = this.arena.array("i64", position.length);
    this.row.words.set(position);
  }

  /** The seconds since the search began. */
  get seconds() {
    return (performance.now() - this.began) / 1000;
  }

  /**
   * Calls a kernel of the variant for the position.
   * @param {string} name
   * @param {(number | boolean | ModuleArray)[]} given
   */
  call(name, ...given) {
    if (this.engine.searching !== this.turn) {
      throw new Error("another search has begun: an engine makes one at a time");
    }
    return this.engine.call(`${this.variant}_${name}`, this.row, ...given);
  }
}
