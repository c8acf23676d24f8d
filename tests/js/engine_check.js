// Plays and searches by engines what tests/engine_check does in Python; in Node.js and in browsers.

import { Engine } from "../../agents/engines/static/engine.js";

/** @import { EngineInfo, Plan, Words } from "../../agents/engines/engine" */

/**
 * What is to be done with a module: games to be played from a position, or positions to search.
 * @typedef {object} Job
 * @property {string} module
 * @property {EngineInfo} info
 * @property {{ words: string[], seeds: number[], most: number }} [games]
 * @property {{ words: string[], plan: Plan, seed: number | null, values: boolean }[]} [searches]
 * @property {{ words: string[], plan: Plan, seed: number | null }} [speed] Answered by the number of
 *   nodes and the seconds.
 */

/** The engines that were loaded, by the name of the module. */
/** @type {Map<string, Promise<Engine>>} */
const engines = new Map();

/**
 * The answer to a job.
 * @param {Job} job
 * @param {(module: string) => Promise<BufferSource>} load
 */
export async function answer(job, load) {
  let engine = engines.get(job.module);
  if (!engine) {
    engines.clear(); // each has memory of its own
    engine = load(job.module).then((bytes) => Engine.load(bytes, job.info));
    engines.set(job.module, engine);
  }
  const loaded = await engine;
  const { games, searches, speed } = job;
  if (speed) {
    const result = loaded.search(BigInt64Array.from(speed.words, BigInt), speed.plan, speed);
    return [result.nodes, result.seconds];
  }
  if (games) {
    const row = BigInt64Array.from(games.words, BigInt);
    return games.seeds.map((seed) => playGame(loaded, row, seed, games.most));
  }
  return (searches ?? []).map((search) => found(loaded, search));
}

// ---- games

/**
 * A digest with 32 bits of one more number.
 * @param {number} digest
 * @param {number} number
 */
function mixed(digest, number) {
  const product = Math.imul(digest ^ number, 0x9e3779b1) >>> 0;
  return (product ^ (product >>> 15)) >>> 0;
}

/**
 * A digest with all numbers of an array, 32 bits at a time.
 * @param {number} digest
 * @param {BigInt64Array | Float64Array | Int32Array} numbers
 */
function mixedAll(digest, numbers) {
  let result = digest;
  for (const part of new Int32Array(numbers.buffer, numbers.byteOffset, numbers.byteLength / 4)) {
    result = mixed(result, part);
  }
  return result;
}

/** @param {number} state */
function drawnNext(state) {
  let next = state ^ (state << 13);
  next ^= next >>> 17;
  return (next ^ (next << 5)) >>> 0;
}

/**
 * Plays a random game: a digest of all positions, and the number of plies.
 * @param {Engine} engine
 * @param {Words} row
 * @param {number} seed
 * @param {number} most Plies.
 * @returns {[digest: number, plies: number]}
 */
function playGame(engine, row, seed, most) {
  const { numPlayers } = engine.facts(row);
  let [digest, state, ply, position] = [seed, seed, 0, row];
  for (;;) {
    digest = mixedAll(digest, position);
    digest = mixed(digest, engine.toMove(position) + 2);
    const player = ply % numPlayers;
    digest = mixedAll(digest, engine.observe(position, player).data);
    if (engine.info.hidden) digest = mixedAll(digest, engine.hidden(position, player));
    if (engine.isTerminal(position) || ply === most) break;
    const legal = engine.legal(position);
    digest = listed(engine, position, legal, mixed(digest, legal.length));
    state = drawnNext(state);
    position = engine.play(position, legal[state % legal.length]);
    ply += 1;
  }
  if (engine.isTerminal(position)) {
    digest = mixedAll(digest, Float64Array.from(engine.utilities(position)));
  }
  return [digest, ply];
}

/**
 * A digest with the legal actions, and with their probabilities where chance is to move.
 * @param {Engine} engine
 * @param {Words} position
 * @param {number[]} legal
 * @param {number} digest
 */
function listed(engine, position, legal, digest) {
  const chances = engine.toMove(position) < 0 ? engine.probabilities(position) : null;
  return legal.reduce((sum, action) => {
    const result = mixed(sum, action);
    return chances ? mixedAll(result, Float64Array.of(chances.get(action) ?? -1)) : result;
  }, digest);
}

// ---- searches

/**
 * What a search finds, without its time; or the values of all moves.
 * @param {Engine} engine
 * @param {NonNullable<Job["searches"]>[number]} search
 */
function found(engine, { words, plan, seed, values }) {
  const position = BigInt64Array.from(words, BigInt);
  if (values) {
    const each = engine.values(position, plan, { seed });
    return Array.from(each, ([action, value]) => [action, bits(value)]);
  }
  const result = engine.search(position, plan, { seed });
  const { action, value, line, nodes, leaves, depth, proven, visits } = result;
  const numbers = Object.entries(result.values).map(([move, each]) => [Number(move), bits(each)]);
  return {
    action, value: bits(value), line, nodes, leaves, depth, proven,
    values: numbers, visits: Object.entries(visits),
  };
}

/**
 * The bits of a double as text: JSON has no infinity.
 * @param {number} value
 */
function bits(value) {
  return String(new BigInt64Array(Float64Array.of(value).buffer)[0]);
}
