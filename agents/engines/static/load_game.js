// Loads a game of the package for npm, where the modules lie in a folder beside this file.

/** @import { EngineInfo, LoadedGame, Parameters, Plan } from "../engine" */

import { Engine } from "./engine.js";
import { dataAt } from "./files.js";
import { startWith } from "./starts.js";

const MODULES = new URL("modules/", import.meta.url);

/**
 * @param {string} game
 * @param {Parameters} parameters
 * @returns {Promise<LoadedGame>}
 */
export async function loadGame(game, parameters = {}) {
  /** @type {Record<string, EngineInfo>} */
  const infos = await dataAt(new URL("engines.json", MODULES));
  const modules = Object.keys(infos).filter((name) => infos[name].game === game);
  if (!modules.length) {
    const games = [...new Set(Object.values(infos).map((info) => info.game))].sort();
    throw new Error(`there is no game ${game}; there are: ${games.join(", ")}`);
  }
  const starts = modules.flatMap((name) =>
    infos[name].starts.map((start, at) => ({ ...start, name, at })));
  const { name, at, words } = starts[startWith(game, starts, parameters)];
  const engine = await Engine.load(new URL(`${name}.wasm`, MODULES), infos[name]);
  /** @type {Record<string, Plan>[]} */
  const plans = await dataAt(new URL(`${name}.plans.json`, MODULES));
  return { engine, start: BigInt64Array.from(words, BigInt), plans: plans[at] };
}
