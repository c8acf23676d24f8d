// Loads a game of the package for npm, where the modules lie in a folder beside this file.

/** @import { EngineInfo, LoadedGame, Parameters, Plan } from "../engine" */

import { Engine } from "./engine.js";
import { dataAt } from "./files.js";

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
  const usual = infos[`${game}-0`].starts[0].parameters;
  const wanted = Object.entries({ ...usual, ...parameters });
  for (const name of modules) {
    const fits = infos[name].starts.findIndex((start) =>
      wanted.every(([key, value]) => start.parameters[key] === value));
    if (fits >= 0) {
      const engine = await Engine.load(new URL(`${name}.wasm`, MODULES), infos[name]);
      const words = infos[name].starts[fits].words;
      /** @type {Record<string, Plan>[]} */
      const plans = await dataAt(new URL(`${name}.plans.json`, MODULES));
      return { engine, start: BigInt64Array.from(words, BigInt), plans: plans[fits] };
    }
  }
  const known = modules.flatMap((name) => infos[name].starts.map((start) => start.parameters));
  throw new Error(`there is ${game} with ${known.map((one) => JSON.stringify(one)).join(", ")}`);
}
