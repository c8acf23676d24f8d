// An engine: plays and searches a game by a module of WebAssembly, in browsers and in Node.

/** @import { EngineInfo, FileAddress, Found, Limits, Parameters, Plan, Words } from "../engine" */

import { Arena, ModuleArray } from "./arena.js";
import { bytesAt } from "./files.js";
import { KINDS } from "./kinds.js";
import { lastOf } from "./limits.js";
import { startWith } from "./starts.js";

/** What modules may import. */
const IMPORTS = {
  clock: () => performance.now(),
  cos: Math.cos, exp: Math.exp, log: Math.log, pow: Math.pow, sin: Math.sin, tanh: Math.tanh,
};
/** The numbers that the kernel of facts writes before the lengths of the axes of observations. */
const FACTS = 4;
const MOST_AXES = 4;

/** Plays and searches a game. Positions are arrays of 64-bit words, and are never changed. */
export class Engine {
  /**
   * @param {WebAssembly.Instance} instance Of a module.
   * @param {EngineInfo} info What engines.json says of it.
   */
  constructor(instance, info) {
    this.info = info;
    this.exports = instance.exports;
    this.memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
    const base = /** @type {WebAssembly.Global} */ (instance.exports.__heap_base).value;
    this.arena = new Arena(this.memory, base);
    this.row = this.arena.array("i64", info.words);
    this.after = this.arena.array("i64", info.words);
    this.numbers = this.arena.array("f64", FACTS + MOST_AXES);
    /** Where the memory of searches begins. */
    this.base = this.arena.top;
    /** What tells the search that is made from those before. */
    this.searching = {};
    /** Whether a kernel has failed: what it has left in the memory may be wrong. */
    this.failed = false;
  }

  /**
   * An engine, of the bytes of a module or of its address.
   * @param {BufferSource | FileAddress} source
   * @param {EngineInfo} info
   */
  static async load(source, info) {
    const isThere = source instanceof ArrayBuffer || ArrayBuffer.isView(source);
    const module = await WebAssembly.compile(isThere ? source : await bytesAt(source));
    return new Engine(await WebAssembly.instantiate(module, { env: IMPORTS }), info);
  }

  // ---- the rules

  /** @param {Parameters} parameters */
  start(parameters = {}) {
    const { game, starts } = this.info;
    const { words } = starts[startWith(game, starts, parameters)];
    return BigInt64Array.from(words, BigInt);
  }

  /** @param {Words} position */
  legal(position) {
    const { numActions } = this.facts(position);
    if (this.isTerminal(position)) return [];
    return this.arena.briefly(() => {
      const actions = this.arena.array("i64", numActions);
      const number = this.call("legal", this.put(position), actions);
      return Array.from(actions.words.subarray(0, number), Number);
    });
  }

  /**
   * @param {Words} position
   * @param {number} action
   */
  play(position, action) {
    const legal = this.legal(position);
    if (!legal.includes(action)) {
      throw new Error(`${action} is no legal action here; legal: ${legal.join(", ") || "none"}`);
    }
    this.call("play", this.put(position), action, this.after);
    return this.after.words.slice();
  }

  /** @param {Words} position */
  isTerminal(position) {
    return this.call("is_terminal", this.put(position)) !== 0;
  }

  /** @param {Words} position */
  toMove(position) {
    return this.call("to_move", this.put(position));
  }

  /** @param {Words} position */
  utilities(position) {
    if (!this.isTerminal(position)) throw new Error("the game is not over: it has no utilities yet");
    return this.arena.briefly(() => {
      const values = this.arena.array("f64", this.facts(position).numPlayers);
      this.call("utilities", this.put(position), values);
      return Array.from(values.floats);
    });
  }

  /** @param {Words} position */
  probabilities(position) {
    if (this.toMove(position) !== -1) throw new Error("chance is not to move here");
    return new Map(this.legal(position).map((action) =>
      [action, this.call("probability", this.put(position), action)]));
  }

  /**
   * @param {Words} position
   * @param {number} player
   */
  observe(position, player = this.toMove(position)) {
    const { shape } = this.facts(position);
    this.requirePlayer(position, player);
    return this.arena.briefly(() => {
      const planes = this.arena.array("i32", ...shape);
      this.call("observe", this.put(position), player, planes);
      return { shape, data: planes.integers.slice() };
    });
  }

  /**
   * @param {Words} position
   * @param {number} player
   */
  hidden(position, player) {
    this.requirePlayer(position, player);
    if (!this.info.hidden) return position.slice();
    this.call("hidden", this.put(position), player, this.after);
    return this.after.words.slice();
  }

  /** @param {Words} position */
  work(position) {
    return "work" in this.exports ? this.call("work", this.put(position)) : 0;
  }

  /**
   * @param {Words} position
   * @param {number} player
   */
  requirePlayer(position, player) {
    const { numPlayers } = this.facts(position);
    if (!Number.isInteger(player) || player < 0 || player >= numPlayers) {
      throw new Error(`players are 0 to ${numPlayers - 1}, not ${player}`);
    }
  }

  // ---- searches

  /**
   * @param {Words} position
   * @param {Plan} plan
   * @param {Limits} limits
   * @returns {Generator<Found, void, undefined>}
   */
  *analyse(position, plan, limits = {}) {
    yield* this.kind(position, plan).analyse(this, plan, position, limits);
  }

  /**
   * @param {Words} position
   * @param {Plan} plan
   * @param {Limits} limits
   */
  search(position, plan, limits = {}) {
    return lastOf(this.analyse(position, plan, limits));
  }

  /**
   * @param {Words} position
   * @param {Plan} plan
   * @param {Limits} limits
   * @returns {Map<number, number>}
   */
  values(position, plan, limits = {}) {
    return this.kind(position, plan).values(this, plan, position, limits);
  }

  /**
   * The kind of search that a plan asks for; Error where there is nothing to search.
   * @param {Words} position
   * @param {Plan} plan
   */
  kind(position, plan) {
    this.put(position); // it says what is none
    const { game = this.info.game, parameters = [] } = plan;
    if (game !== this.info.game || parameters.some((word, i) => BigInt(word) !== position[i])) {
      throw new Error(`this plan is for ${game} with other parameters: make one for this position`);
    }
    const kind = KINDS[plan.search];
    if (!kind) throw new Error(`there is no search ${plan.search}; there are: ${Object.keys(KINDS).join(", ")}`);
    if (this.isTerminal(position)) throw new Error("the game is over: there is nothing to search");
    if (this.toMove(position) < 0) throw new Error("chance is to move here: there is nothing to choose");
    return kind;
  }

  // ---- what kinds of search use

  /** Memory for a search: that of the one before, which cannot go on. */
  begin() {
    this.arena.top = this.base;
    this.searching = {};
    return this.arena;
  }

  /**
   * The position as the kernels get it.
   * @param {Words} position
   */
  put(position) {
    if (!(position instanceof BigInt64Array) || position.length !== this.info.words) {
      throw new Error(`a position of this game is a BigInt64Array of ${this.info.words} words`);
    }
    this.row.words.set(position);
    return this.row;
  }

  /**
   * The sizes of the game of a position.
   * @param {Words} position
   */
  facts(position) {
    this.call("facts", this.put(position), this.numbers);
    const [numActions, numPlayers, maxUtility, axes, ...lengths] = this.numbers.floats;
    return { numActions, numPlayers, maxUtility, shape: lengths.slice(0, axes) };
  }

  /**
   * Calls a kernel: an array is passed as its address and its lengths.
   * @param {string} name
   * @param {(number | boolean | ModuleArray)[]} given
   * @returns {number}
   */
  call(name, ...given) {
    const kernel = /** @type {((...numbers: number[]) => number) | undefined} */ (this.exports[name]);
    if (!kernel) throw new Error(`the module of ${this.info.game} has no ${name}: make engines anew`);
    if (this.failed) throw new Error(`this engine of ${this.info.game} has failed: load another one`);
    const numbers = given.flatMap((one) =>
      one instanceof ModuleArray ? [one.address, ...one.shape] : [Number(one)]);
    try {
      return kernel(...numbers);
    } catch (error) {
      this.failed = true;
      throw new Error(`the engine of ${this.info.game} failed in ${name}`, { cause: error });
    }
  }
}
