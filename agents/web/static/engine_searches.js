// Does searches by engines, which run in workers. Python says what their results mean: it runs a job with
// the results that there are, and answers which search the job needs next.

/** @import { EngineAnswer, EngineQuestion, Found, Plan } from "../../engines/engine" */
/** @import { FoundAnswer, Job, Message, NextSearch } from "../messages" */

/** The folder of the modules. */
const BASE = new URL("./engines/", import.meta.url).href;

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

export const workers = new Workers();
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
export class EngineJob {
  /**
   * @param {(data: object) => Promise<FoundAnswer>} askPython
   * @param {object} asked What Python is asked, but for what was found.
   * @param {(message: Message<Job>) => void} onMessage
   */
  constructor(askPython, asked, onMessage) {
    this.askPython = askPython;
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
    const answer = await this.askPython({ ...this.asked, ...found });
    for (const message of answer.messages) if (this.wanted) this.onMessage(message);
    return answer;
  }
}
