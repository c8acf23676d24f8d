// What every kind of search has: its arrays, its limits, the kernels of its variant.

/** @import { Limits, Plan, Words } from "../engine" */
/** @import { Arena, ArrayKind, ModuleArray } from "./arena.js" */
/** @import { Engine } from "./engine.js" */

import { DEADLINE } from "./limits.js";

/**
 * The name, kind and lengths of an array, see agents/engines/array_plans.py.
 * @typedef {[name: string, kind: string, ...shape: number[]]} ToldArray
 */

/**
 * The numbers of arrays that are not 0 at first, each with its index.
 * @typedef {Record<string, [number, number | string][]>} ToldNumbers
 */

/** What a kernel gets, by name. @typedef {Map<string, ModuleArray | number>} Allocated */

/**
 * The arrays that a plan describes, in their order, by their names.
 * @param {Arena} arena
 * @param {ToldArray[]} told
 * @param {ToldNumbers} numbers
 */
export function allocated(arena, told, numbers = {}) {
  /** @type {Allocated} */
  const found = new Map();
  for (const [name, kind, ...shape] of told) {
    if (kind === "number") found.set(name, shape[0]);
    else if (kind.startsWith("r")) {
      found.set(name, arena.records(shape[0], Number(kind.slice(1))));
    } else found.set(name, arena.array(/** @type {ArrayKind} */ (kind), ...shape));
  }
  for (const [name, others] of Object.entries(numbers)) {
    const array = /** @type {ModuleArray} */ (found.get(name));
    for (const [at, number] of others) {
      if (array.kind === "i64") array.words[at] = BigInt(number);
      else array.floats[at] = Number(number);
    }
  }
  return found;
}

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
    if (!(seconds >= 0)) {
      throw new Error(`seconds must be a number that is not negative, or null, not ${limits.seconds}`);
    }
    /** When the time is over, as performance.now() tells it. */
    this.deadline = this.began + 1000 * seconds;
    this.legal = engine.legal(position);
    this.sizes = engine.facts(position);
    this.arena = engine.begin();
    this.turn = engine.searching;
    this.row = this.arena.array("i64", position.length);
    this.row.words.set(position);
  }

  /**
   * The arrays that a plan describes, in their order, by their names.
   * @param {ToldArray[]} told
   * @param {ToldNumbers} numbers
   */
  allocate(told, numbers = {}) {
    return allocated(this.arena, told, numbers);
  }

  /**
   * The counters among the arrays, by which the kernels know when the time is over.
   * @param {Allocated} arrays
   */
  countersOf(arrays) {
    const counts = /** @type {ModuleArray} */ (arrays.get("counts"));
    const { deadline } = this;
    if (deadline < Infinity) counts.words[DEADLINE] = BigInt(Math.max(1, Math.ceil(deadline)));
    return counts;
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
