// Does the searches of the page by engines, which run in workers. Python says what their results mean:
// it runs the job with the results that there are, and answers which search the job needs next.

import { host, onSite } from "./host.js";

/** @import { EngineAnswer, EngineQuestion, Found, Plan } from "../../engines/engine" */
/** @import { Catalogue, FoundAnswer, GameState, Job, Jobs, Message, NextSearch } from "../messages" */

/** The folder of the modules. */
const BASE = new URL("./engines/", import.meta.url).href;
const JOBS = ["move", "hint", "analyse", "review", "puzzle_move", "puzzle_reply"];
/** Those in which exact values come first, where there are any. */
const VALUED = ["analyse", "review"];
/** Those that need nothing else. */
const EXACT = ["puzzle_move", "puzzle_reply"];

// ---- what there is

/** @type {Pick<Catalogue, "engines" | "exact" | "graded" | "hidden">} */
let offered = { engines: {}, exact: null, graded: false, hidden: true };
/** Plans by spec, null where no engine plays what it says. @type {Map<string, Plan | null>} */
const plans = new Map();

/**
 * Know what engines there are for the game of the page.
 * @param {Catalogue} catalogue
 */
export function offerEngines(catalogue) {
  offered = catalogue;
  for (const [spec, plan] of Object.entries(catalogue.engines ?? {})) plans.set(spec, plan);
  if (plans.size) workers.makeReady();
}

/**
 * Whether an engine of the page plays what a spec says, as far as is known.
 * @param {string} agent
 */
export const hasEngine = (agent) => Boolean(plans.get(agent));

/**
 * How an engine plays what a spec says; null if none does.
 * @param {GameState} gameState
 * @param {string} agent
 */
async function planOf({ game, parameters, set_up }, agent) {
  if (!plans.has(agent) && !onSite && !offered.hidden) {
    const asked = host.post("/api/plan", { game, parameters, set_up, agent });
    const answer = await asked.catch(() => ({ plan: null })); // the server says why when it searches
    plans.set(agent, /** @type {{ plan: Plan | null }} */ (answer).plan);
  }
  return plans.get(agent) ?? null;
}

/**
 * The plans by which engines can do a job; null if they cannot.
 * @param {Job} job
 * @param {GameState} gameState
 * @param {string} agent
 */
async function plansFor(job, gameState, agent) {
  const { exact = null, graded } = offered;
  if (!JOBS.includes(job)) return null;
  if (EXACT.includes(job)) return exact && { plan: null, exact };
  if (VALUED.includes(job) && graded && !exact && !onSite) return null; // Python knows them
  const plan = await planOf(gameState, agent);
  return plan && { plan, exact };
}

/**
 * Have the engine of an agent ready before it is needed. Returns whether there is one.
 * @param {GameState} gameState
 * @param {string} agent
 */
export async function readyEngine(gameState, agent) {
  const plan = await planOf(gameState, agent);
  if (plan) workers.makeReady(plan);
  return plan !== null;
}

// ---- workers

/** The workers of engines: one that is idle has loaded its modules for the next search. */
class Workers {
  constructor() {
    /** @type {Worker | null} */
    this.idle = null;
    this.loaded = ""; // the module that the idle one has loaded last
  }

  start() {
    return new Worker(new URL("engine-worker.js", BASE), { type: "module" });
  }

  /** @param {Plan} [plan] */
  makeReady(plan) {
    this.idle ??= this.start();
    if (!plan || plan.module === this.loaded) return;
    this.loaded = plan.module;
    this.idle.postMessage({ id: 0, base: BASE, plan, words: [], want: "load" });
  }

  take() {
    const worker = this.idle ?? this.start();
    this.idle = null;
    this.loaded = "";
    return worker;
  }

  /** @param {Worker} worker */
  giveBack(worker) {
    if (this.idle) this.idle.terminate();
    this.idle = worker;
  }
}

const workers = new Workers();
let count = 0;

/**
 * Search by a worker; what it finds is given to onFound. Rejects with what is wrong.
 * @param {Worker} worker
 * @param {NextSearch} search
 * @param {(found: Found) => void} onFound
 */
function searchIn(worker, search, onFound) {
  const id = ++count;
  /** @type {EngineQuestion} */
  const question = { id, base: BASE, seconds: null, ...search };
  return /** @type {Promise<void>} */ (new Promise((resolve, reject) => {
    worker.onmessage = (/** @type {MessageEvent<EngineAnswer>} */ { data }) => {
      if (data.id !== id) return;
      if ("found" in data) onFound(data.found);
      else if ("error" in data) reject(new Error(data.error));
      else resolve();
    };
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message || "its worker could not be started"));
    };
    worker.postMessage(question);
  }));
}

// ---- jobs

/** Milliseconds after which Python is told again what an engine has found. */
const OFTEN = 100;

/**
 * What Python is told of a search: the results that it has not been told, and the one before them.
 * @param {Found[]} found
 * @param {number} told
 * @param {Found[][]} ended
 */
function since(found, told, ended) {
  return { found: [...ended, found.slice(Math.max(told - 1, 0))], said: Math.min(told, 1) };
}

/** A job that engines do. */
class EngineJob {
  /**
   * @param {object} asked What Python is asked, but for what was found.
   * @param {(message: Message<Job>) => void} onMessage
   */
  constructor(asked, onMessage) {
    this.asked = asked;
    this.onMessage = onMessage;
    this.wanted = true;
    /** @type {Worker | null} */
    this.worker = null; // while it searches
    this.ticker = 0; // by which Python is told
  }

  stop() {
    this.wanted = false;
    clearInterval(this.ticker); // a search that is ended says nothing more
    if (!this.worker) return;
    this.worker.terminate(); // a search does not listen
    this.worker = null;
    workers.makeReady();
  }

  /** Do the job: search as often as Python says. */
  async run(more = {}) {
    /** @type {Found[][]} */
    const ended = []; // the last result of each search
    let answer = await this.say({ ...more, found: [] });
    while (this.wanted && answer.search) {
      const { found, told } = await this.search(answer.search, ended, more);
      answer = await this.say({ ...more, ...since(found, told, ended), ended: true });
      ended.push(found.slice(-1));
    }
  }

  /**
   * Search; Python is told now and then what was found. Returns all of it, and how much was told.
   * @param {NextSearch} search
   * @param {Found[][]} ended
   * @param {object} more
   */
  async search(search, ended, more) {
    /** @type {Found[]} */
    const found = [];
    let told = 0;
    /** @type {Promise<unknown> | null} */
    let telling = null;
    const tell = () => {
      if (!this.wanted || telling || told === found.length) return;
      const news = since(found, told, ended);
      told = found.length;
      telling = this.say({ ...more, ...news }).then(() => {
        telling = null;
      });
      telling.catch(() => {}); // it is waited for below
    };
    if (search.want === "best") this.ticker = setInterval(tell, OFTEN);
    const worker = this.worker = workers.take();
    await searchIn(worker, search, (one) => found.push(one)).finally(() => clearInterval(this.ticker));
    this.worker = null;
    workers.giveBack(worker);
    await telling;
    return { found, told };
  }

  /**
   * Tell Python what was found, and the page what Python says.
   * @param {object} found
   * @returns {Promise<FoundAnswer>}
   */
  async say(found) {
    const answer = /** @type {FoundAnswer} */ (await host.post("/api/found", { ...this.asked, ...found }));
    for (const message of answer.messages) if (this.wanted) this.onMessage(message);
    return answer;
  }
}

/**
 * Begin a job by engines, if they can do it. Returns what stops it, or null; onFailure is told why engines
 * have failed.
 * @template {Job} Name
 * @param {Name} job
 * @param {GameState} gameState
 * @param {Jobs[Name]["options"]} options
 * @param {(message: Message<Name>) => void} onMessage
 * @param {(why: string) => void} onFailure
 */
export async function beginByEngine(job, gameState, options, onMessage, onFailure) {
  const { agent = "" } = /** @type {{ agent?: string }} */ (options);
  const found = await plansFor(job, gameState, agent);
  if (!found) return null;
  const hears = /** @type {(message: Message<Job>) => void} */ (onMessage);
  let sorry = false;
  const one = new EngineJob({ ...gameState, job, options, ...found }, (message) => {
    sorry ||= "sorry" in message;
    hears(message);
  });
  const all = job === "review" ? gameState.line.map((_, ply) => ({ options: { ...options, ply } })) : [{}];
  const run = async () => {
    for (const more of all.length ? all : [{}]) if (one.wanted && !sorry) await one.run(more);
    if (one.wanted) hears({ done: true });
  };
  run().catch((error) => {
    if (!one.wanted) return;
    one.stop();
    if (hasEngine(agent) && !onSite) plans.set(agent, null); // Python is asked from now on
    onFailure(error instanceof Error ? error.message : String(error));
  });
  return () => one.stop();
}
