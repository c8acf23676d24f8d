// What the page asks the server: positions by POST, searches over one WebSocket.

/** @import { Answers, AskedState, GameState, Job, Jobs, Message, PlayedMove } from "../messages" */

/**
 * What is shown of a game at a position, after a move if one is given; throws Error with the server's words.
 * @param {AskedState} gameState
 * @param {PlayedMove} [move]
 */
export const position = (gameState, move) =>
  ask("/api/position", move ? { ...gameState, move } : gameState);

/**
 * The answer to data that is sent; throws Error with the server's words.
 * @template {keyof Answers} Path
 * @param {Path} path
 * @param {object} data
 * @returns {Promise<Answers[Path]>}
 */
export async function ask(path, data) {
  const answer = await request(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(data),
  });
  return read(answer);
}

/**
 * Data of a page of the server; throws Error with the server's words.
 * @param {string} path
 * @returns {Promise<unknown>}
 */
export async function get(path) {
  return read(await request(path));
}

/**
 * @param {string} path
 * @param {RequestInit} [options]
 */
function request(path, options) {
  return fetch(path, options).catch(() => {
    throw new Error("the server does not answer: is it running?");
  });
}

/** @param {Response} answer */
async function read(answer) {
  const found = await answer.json().catch(() => {
    throw new Error("the server does not answer as it should");
  });
  if (!answer.ok) throw new Error(found.error);
  return found;
}

/**
 * What is thrown, in words.
 * @param {unknown} error
 */
export const wordsOf = (error) => (error instanceof Error ? error.message : String(error));

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
 * Begin a job; onMessage gets what it yields, then {done} or {error}. Returns what stops it.
 * @template {Job} Name
 * @param {Name} job
 * @param {GameState} gameState
 * @param {Jobs[Name]["options"]} options
 * @param {(message: Message<Name>) => void} onMessage
 */
export function search(job, gameState, options, onMessage) {
  const id = ++count;
  listeners.set(id, /** @type {(message: Message<Job>) => void} */ (onMessage));
  send({ id, job, game_state: gameState, options });
  return () => {
    if (listeners.delete(id)) send({ stop: id });
  };
}
