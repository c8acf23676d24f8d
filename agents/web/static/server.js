// What the page asks: positions of its host, searches of its engines or of the server, over one WebSocket.

import { beginByEngine } from "./engine_jobs.js";
import { host, onSite } from "./host.js";

/** @import { Answers, AskedState, GameState, Job, Jobs, Message, PlayedMove } from "../messages" */

/**
 * What is shown of a game at a position, after a move if one is given; throws Error with the server's words.
 * @param {AskedState} gameState
 * @param {PlayedMove} [move]
 */
export const position = (gameState, move) =>
  ask("/api/position", move ? { ...gameState, move } : gameState);

/**
 * The answer to data that is sent; throws Error with the words of who answers.
 * @template {keyof Answers} Path
 * @param {Path} path
 * @param {object} data
 */
export const ask = async (path, data) => /** @type {Answers[Path]} */ (await host.post(path, data));

/**
 * Data of an address; throws Error with the words of who answers.
 * @param {string} path
 */
export const get = (path) => host.get(path);

/**
 * What is thrown, in words.
 * @param {unknown} error
 */
export const wordsOf = (error) => (error instanceof Error ? error.message : String(error));

const NOBODY = "no engine of this page can do that; adv-envs serve can";

/** @type {WebSocket | null} */
let socket = null;
let count = 0;
/** @type {Map<number, (message: Message<Job>) => void>} */
const listeners = new Map();

function connection() {
  if (socket && socket.readyState <= WebSocket.OPEN) return socket;
  socket = new WebSocket(`ws://${location.host}/api/search`);
  socket.addEventListener("message", (event) => {
    const { id, ...message } = JSON.parse(event.data);
    const listener = listeners.get(id);
    if (message.done || message.error) listeners.delete(id);
    listener?.(message);
  });
  socket.addEventListener("close", () => {
    for (const listener of listeners.values()) listener({ error: "the server has gone; is it running?" });
    listeners.clear();
  });
  return socket;
}

/** @param {object} data */
function send(data) {
  const open = connection();
  const text = JSON.stringify(data);
  if (open.readyState === WebSocket.OPEN) open.send(text);
  else open.addEventListener("open", () => open.send(text), { once: true });
}

/**
 * Begin a job on the server. Returns what stops it.
 * @template {Job} Name
 * @param {Name} job
 * @param {GameState} gameState
 * @param {Jobs[Name]["options"]} options
 * @param {(message: Message<Name>) => void} onMessage
 */
function searchThere(job, gameState, options, onMessage) {
  const hears = /** @type {(message: Message<Job>) => void} */ (onMessage);
  if (onSite) {
    let wanted = true;
    /** @type {(message: Message<Job>) => void} */
    const tell = (message) => wanted && hears(message);
    const answer = host.job?.(job, gameState, options) ?? Promise.reject(new Error(NOBODY));
    answer.then((message) => tell({ ...message, done: true }), (error) => tell({ error: wordsOf(error) }));
    return () => {
      wanted = false;
    };
  }
  const id = ++count;
  listeners.set(id, hears);
  send({ id, job, game_state: gameState, options });
  return () => {
    if (listeners.delete(id)) send({ stop: id });
  };
}

/**
 * Begin a job; onMessage gets what it yields, then {done} or {error}. Engines of the page do what they can,
 * all else the server does. Returns what stops it.
 * @template {Job} Name
 * @param {Name} job
 * @param {GameState} gameState
 * @param {Jobs[Name]["options"]} options
 * @param {(message: Message<Name>) => void} onMessage
 */
export function search(job, gameState, options, onMessage) {
  const asked = { stop: () => {}, wanted: true };
  const there = () => {
    asked.stop = searchThere(job, gameState, options, onMessage);
  };
  /** @param {string} why */
  const failed = (why) => {
    if (onSite) return /** @type {(message: Message<Job>) => void} */ (onMessage)({ error: why });
    const note = document.querySelector("#compiling");
    if (note) note.textContent = `The engine of this page has failed: ${why}. Python searches.`;
    there();
  };
  beginByEngine(job, gameState, options, onMessage, failed).then((stop) => {
    if (!asked.wanted) stop?.();
    else if (stop) asked.stop = stop;
    else there();
  });
  return () => {
    asked.wanted = false;
    asked.stop();
  };
}
