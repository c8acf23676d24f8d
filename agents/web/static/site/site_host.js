// Answers the page where there is no server: what is known of a game's start is in files beside the
// page, so that its board is shown at once; all else is asked of Python, which runs in a worker.

/** @import { Host } from "../host.js" */
/** @import { AskedState, Catalogue, GameState, Jobs, Puzzle, State } from "../../messages" */

/**
 * A puzzle as the file of a game has it: what to ask for its position.
 * @typedef {Omit<Puzzle, "state"> & { request: Partial<GameState> }} KeptPuzzle
 */

/** The folder of the site. */
export const root = new URL("../../", import.meta.url);

const FAILED = "Python could not be loaded: try again when there is a connection, or in a newer browser";
const LOADING = "Loading the rules: once, then they are kept …";
const PATIENCE = 400; // milliseconds until it is said that they are being loaded

/** @type {Worker | null} */
let worker = null;
let count = 0;
let isReady = false; // whether Python has answered
/** @type {Map<number, { resolve: (found: unknown) => void, reject: (error: Error) => void }>} */
const waiting = new Map();

/** Start Python, unless that was done. */
function python() {
  if (worker) return worker;
  worker = new Worker(new URL("python_worker.js", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data: { id, found, error, failed } }) => {
    if (failed !== undefined) return giveUp(failed);
    const asked = waiting.get(id);
    isReady = true;
    waiting.delete(id);
    if (error === undefined) asked?.resolve(found);
    else asked?.reject(new Error(error));
  });
  worker.addEventListener("error", (event) => giveUp(event.message));
  return worker;
}

/**
 * There is no Python; the next request tries again.
 * @param {string} why
 */
function giveUp(why) {
  console.warn(why);
  for (const { reject } of waiting.values()) reject(new Error(FAILED));
  waiting.clear();
  worker?.terminate();
  worker = null;
}

/**
 * @param {string} path
 * @param {object} data
 * @returns {Promise<unknown>}
 */
async function ask(path, data) {
  const answer = new Promise((resolve, reject) => {
    const id = ++count;
    waiting.set(id, { resolve, reject });
    python().postMessage({ id, path, data });
  });
  const timer = setTimeout(() => say(isReady ? "" : LOADING), PATIENCE);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
    say("");
  }
}

/** @param {string} text */
function say(text) {
  const note = document.querySelector("#compiling");
  if (note && (text || note.textContent === LOADING)) note.textContent = text;
}

/**
 * The data of a file of the site.
 * @param {string} path
 */
async function file(path) {
  const answer = await fetch(new URL(path, root)).catch(() => null);
  if (!answer?.ok) throw new Error(`the site has no ${path}, or there is no connection`);
  return answer.json();
}

/** @type {Map<string, Promise<{ people: number[] | null, state: State }[]>>} */
const starts = new Map(); // by game

/**
 * The start of a game as its file has it, or null: where something is chosen, Python is asked.
 * @param {AskedState & { move?: object }} asked
 * @returns {Promise<State | null>}
 */
async function knownStart({ game, parameters, set_up, line, people, flipped, move }) {
  if (set_up || line?.length || flipped || move || Object.keys(parameters).length) return null;
  if (!starts.has(game)) starts.set(game, file(`game/${game}/start.json`));
  const known = (await starts.get(game))?.find((start) => !start.people || String(start.people) === String(people));
  return known ? structuredClone(known.state) : null;
}

/**
 * What there is to choose for a game, from its file; for other parameters Python says more.
 * @param {URL} address
 */
async function catalogue(address) {
  const game = address.pathname.split("/").at(-1) ?? "";
  const usual = /** @type {Catalogue} */ (await file(`game/${game}/catalogue.json`));
  const query = Object.fromEntries(address.searchParams);
  return Object.keys(query).length ? ask("/api/games", { game, query, usual }) : usual;
}

/**
 * A puzzle of the game's file, by its number.
 * @param {GameState} gameState
 * @param {{ seed: number, level: string }} options
 */
async function puzzle(gameState, { seed, level }) {
  const levels = /** @type {Record<string, KeptPuzzle[]>} */ (await file(`game/${gameState.game}/puzzles.json`));
  const all = levels[level];
  const { request, ...told } = all[seed % all.length];
  const state = /** @type {State} */ (await ask("/api/position", { ...gameState, ...request }));
  return { puzzle: { ...told, state } };
}

/** @type {Host} */
export const site = {
  job: (job, gameState, options) =>
    (job === "puzzle" ? puzzle(gameState, /** @type {Jobs["puzzle"]["options"]} */ (options)) : undefined),
  get: (path) => catalogue(new URL(path, root)),
  async post(path, data) {
    const known = path === "/api/position" ? await knownStart(/** @type {AskedState} */ (data)) : null;
    return known ?? ask(path, data);
  },
};

/** Keep the site for when there is no connection, once Python is there. */
async function keepSite() {
  if (!("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register(new URL("service_worker.js", root), { scope: root.href });
}

/** @param {unknown} error */
const unkept = (error) => console.warn("the site is not kept for when there is no connection:", error);

ask("ready", {}).then(keepSite).catch(unkept);
