// Answers the page where there is no server: what is known of a game's start is in files beside the
// page, so that its board is shown at once; all else is asked of Python, which runs in a worker.

/** @import { Host } from "../host.js" */
/** @import { AskedState, Catalogue, GameState, Job, Jobs, Message, Puzzle, State } from "../../messages" */

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
/**
 * Who waits for an answer and, of jobs, hears what comes before.
 * @typedef {{
 *   resolve: (found: unknown) => void, reject: (error: Error) => void,
 *   hear?: (message: Message<Job>) => void,
 * }} Waiting
 */

/** @type {Map<number, Waiting>} */
const waiting = new Map();

/** Start Python, unless that was done. */
function python() {
  if (worker) return worker;
  worker = new Worker(new URL("python_worker.js", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data: { id, found, error, failed, message } }) => {
    if (failed !== undefined) return giveUp(failed);
    const asked = waiting.get(id);
    if (message) return asked?.hear?.(message);
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
const ask = (path, data) => answerTo(++count, { path, data });

/**
 * The answer to what Python is sent.
 * @param {number} id
 * @param {object} sent
 * @param {(message: Message<Job>) => void} [hear]
 * @returns {Promise<unknown>}
 */
async function answerTo(id, sent, hear) {
  const answer = new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject, hear });
    python().postMessage({ id, ...sent });
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
  if (!(seed in all)) throw new Error(`puzzles of this level have the numbers 0 to ${all.length - 1}`);
  const { request, ...told } = all[seed];
  const state = /** @type {State} */ (await ask("/api/position", { ...gameState, ...request }));
  return { puzzle: { ...told, state } };
}

/** A job of a game in which something is hidden: the worker of Python asks an engine, and the page hears. */
class HiddenJob {
  /**
   * @param {object} asked
   * @param {(message: Message<Job>) => void} onMessage
   */
  constructor(asked, onMessage) {
    this.asked = asked;
    this.onMessage = onMessage;
    this.wanted = true;
    this.id = 0; // of what runs
  }

  /** @param {object} more */
  async run(more = {}) {
    this.id = ++count;
    const job = { asked: this.asked, more };
    await answerTo(this.id, { job }, (message) => this.wanted && this.onMessage(message));
  }

  stop() {
    this.wanted = false;
    if (waiting.delete(this.id)) worker?.postMessage({ stop: this.id });
  }
}

/** @type {Host} */
export const site = {
  hiddenJob: (asked, onMessage) => new HiddenJob(asked, onMessage),
  job: (job, gameState, options) =>
    (job === "puzzle" ? puzzle(gameState, /** @type {Jobs["puzzle"]["options"]} */ (options)) : undefined),
  get: (path) => catalogue(new URL(path, root)),
  async post(path, data) {
    const known = path === "/api/position" ? await knownStart(/** @type {AskedState} */ (data)) : null;
    return known ?? ask(path, data);
  },
};

ask("ready", {}).then(() => import("./keep_site.js")).catch((error) => console.warn(error));
