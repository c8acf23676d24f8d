// Has engines loaded and agents of Python compiled before they are needed, and says so while it goes on.

import { find } from "./dom.js";
import { readyEngine } from "./engine_jobs.js";
import { onSite } from "./host.js";
import { search } from "./server.js";

/** @import { GameState } from "../messages" */

/** @type {Map<string, { compiled: Promise<void>, done: boolean }>} */
const asked = new Map(); // by spec

/**
 * Have the agent of a spec ready for a game, unless that was asked before.
 * @param {GameState} gameState
 * @param {string} agent
 */
export function warm(gameState, agent) {
  if (!agent || agent === "human" || asked.has(agent)) return;
  const note = find("#compiling");
  const name = agent.split("(")[0].replaceAll("_", "-");
  const entry = { compiled: Promise.resolve(), done: false };
  asked.set(agent, entry);
  const compile = () => /** @type {Promise<void>} */ (new Promise((resolve) => {
    search("warm", gameState, { agent }, (message) => {
      if (message.compiling) note.textContent = `Compiling ${name} …`;
      if (message.error) note.textContent = message.error;
      if (message.ready !== undefined) note.textContent = "";
      if (message.done || message.error) resolve();
    });
  }));
  entry.compiled = readyEngine(gameState, agent).then((ready) => (ready || onSite ? undefined : compile()))
    .then(() => {
      entry.done = true;
    });
}

/**
 * Whether an agent is still being compiled.
 * @param {string} agent
 */
export const isCompiling = (agent) => asked.get(agent)?.done === false;

/**
 * A promise that is kept when an agent has been compiled, at once if nobody has asked for that.
 * @param {string} agent
 */
export const compiled = (agent) => asked.get(agent)?.compiled ?? Promise.resolve();
