// A worker that searches: see EngineQuestion and EngineAnswer. It is ended to end a search.

/** @import { EngineAnswer, EngineInfo, EngineQuestion, Found, Plan } from "../engine" */

import { Engine } from "./engine.js";
import { dataAt } from "./files.js";

/** The engines that were loaded, by the address of their module. @type {Map<string, Promise<Engine>>} */
const engines = new Map();
/** What policies say of views, by the address of their table. @type {Map<string, Promise<unknown>>} */
const tables = new Map();
/** What the folders of modules have. @type {Map<string, Promise<Record<string, EngineInfo>>>} */
const folders = new Map();

/** @param {EngineAnswer} told */
const say = (told) => self.postMessage(told);

/**
 * @template T
 * @param {Map<string, Promise<T>>} known
 * @param {string} key
 * @param {() => Promise<T>} load
 */
function once(known, key, load) {
  const found = known.get(key) ?? load();
  known.set(key, found);
  found.catch(() => known.delete(key)); // another try may do
  return found;
}

/**
 * @param {string} base
 * @param {string} name
 */
async function engineOf(base, name) {
  const folder = base.endsWith("/") ? base : `${base}/`;
  const infos = await once(folders, folder, () => dataAt(`${folder}engines.json`));
  if (!(name in infos)) throw new Error(`there is no module ${name}`);
  const address = `${folder}${name}.wasm`;
  return once(engines, address, () => Engine.load(address, infos[name]));
}

/**
 * What a search says of the values of all moves, where they were asked for.
 * @param {Map<number, number>} values
 * @param {number} began
 * @returns {Found}
 */
function foundOf(values, began) {
  const [action, value] = [...values].reduce((best, one) => (one[1] > best[1] ? one : best));
  return {
    action, value, line: [action], nodes: 0, leaves: 0, depth: 0,
    seconds: (performance.now() - began) / 1000, proven: false,
    values: Object.fromEntries(values), visits: {},
  };
}

/**
 * A plan with what it has in a file of its own.
 * @param {string} base
 * @param {Plan} plan
 * @returns {Promise<Plan>}
 */
async function whole(base, plan) {
  if (!plan.table) return plan;
  const address = new URL(plan.table, base).href;
  const views = await once(tables, address, () => dataAt(address));
  return /** @type {Plan} */ ({ ...plan, views });
}

/**
 * The engine of a module: another one where it has failed.
 * @param {string} base
 * @param {string} module
 */
async function soundEngine(base, module) {
  const engine = await engineOf(base, module);
  if (!engine.failed) return engine;
  engines.clear();
  return engineOf(base, module);
}

/** @param {EngineQuestion} question */
async function answer({ id, base, plan: told, words, seconds, seed, want }) {
  const [engine, plan] = await Promise.all([soundEngine(base, told.module), whole(base, told)]);
  if (want === "load") return; // it is wanted soon
  const position = BigInt64Array.from(words, BigInt);
  const limits = { seconds, seed: typeof seed === "string" ? BigInt(seed) : seed };
  if (want === "values") {
    const began = performance.now();
    const values = engine.values(position, plan, limits);
    if (values.size) say({ id, found: foundOf(values, began) }); // else it would take too long
  } else {
    for (const found of engine.analyse(position, plan, limits)) say({ id, found });
  }
  say({ id, done: true });
}

self.addEventListener("message", ({ data }) => {
  answer(data).catch((error) => say({ id: data.id, error: String(error.message ?? error) }));
});
