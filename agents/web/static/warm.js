// Has engines loaded and agents of Python compiled before they are needed, and says so while it goes on.

import { find } from "./dom.js";
import { readyEngine } from "./engine_jobs.js";
import { onSite } from "./host.js";
import { search } from "./server.js";

/** @import { GameState } from "../messages" */

/**
 * An agent that is made ready: when it is, and when it turns out that this takes its time.
 * @typedef {{ compiled: Promise<void>, slow: Promise<void>, done: boolean, takesTime: boolean }} Entry
 */

/** @type {Map<string, Entry>} */
const asked = new Map(); // by spec

/** Hears "change" when an agent is about to be compiled, and when it has been. */
export const preparation = new EventTarget();

/**
 * Have the agent of a spec ready for a game, unless that was asked before.
 * @param {GameState} gameState
 * @param {string} agent
 */
export function warm(gameState, agent) {
  if (!agent || agent === "human" || asked.has(agent)) return;
  const note = find("#compiling");
  const name = agent.split("(")[0].replaceAll("_", "-");
  let isSlow = () => {};
  const slow = /** @type {Promise<void>} */ (new Promise((resolve) => {
    isSlow = resolve;
  }));
  /** @type {Entry} */
  const entry = { compiled: Promise.resolve(), slow, done: false, takesTime: false };
  const began = performance.now();
  const tell = () => {
    const seconds = Math.floor((performance.now() - began) / 1000);
    note.textContent = `Preparing ${name}, once …${seconds ? ` ${seconds} s` : ""}`;
  };
  const begin = () => {
    if (entry.takesTime) return;
    entry.takesTime = true;
    isSlow();
    tell();
    const ticker = setInterval(() => (entry.done ? clearInterval(ticker) : tell()), 1000);
    preparation.dispatchEvent(new Event("change"));
  };
  asked.set(agent, entry);
  const compile = () => /** @type {Promise<void>} */ (new Promise((resolve) => {
    search("warm", gameState, { agent }, (message) => {
      if (message.compiling) begin();
      if (message.error) note.textContent = message.error;
      if (message.ready !== undefined) note.textContent = "";
      if (message.done || message.error) resolve();
    });
  }));
  entry.compiled = readyEngine(gameState, agent).then((ready) => (ready || onSite ? undefined : compile()))
    .then(() => {
      entry.done = true;
      preparation.dispatchEvent(new Event("change"));
    });
}

/**
 * Whether an agent is being compiled, and that takes its time.
 * @param {string} agent
 */
export const isPrepared = (agent) => !(asked.get(agent)?.takesTime && isCompiling(agent));

/**
 * Whether an agent is still being compiled.
 * @param {string} agent
 */
export const isCompiling = (agent) => asked.get(agent)?.done === false;

/**
 * A promise that is kept when an agent can be asked: when it has been compiled, or as soon as it turns out that
 * this takes its time; it then answers without compiled code where it keeps to a limit of time.
 * @param {string} agent
 */
export function answerable(agent) {
  const entry = asked.get(agent);
  return entry ? Promise.race([entry.compiled, entry.slow]) : Promise.resolve();
}

/**
 * A promise that is kept when an agent has been compiled, at once if nobody has asked for that.
 * @param {string} agent
 */
export const compiled = (agent) => asked.get(agent)?.compiled ?? Promise.resolve();
