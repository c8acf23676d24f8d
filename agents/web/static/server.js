// What the page asks the server: positions by POST, searches over one WebSocket.

/** What is shown of a game at a position, after a move if one is given; throws Error with the server's words. */
export const position = (gameState, move) =>
  ask("/api/position", move ? { ...gameState, move } : gameState);

/** The answer to data that is sent; throws Error with the server's words. */
export async function ask(path, data) {
  const answer = await request(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(data),
  });
  const found = await answer.json().catch(() => ({ error: "the server does not answer as it should" }));
  if (!answer.ok) throw new Error(found.error);
  return found;
}

function request(path, options) {
  return fetch(path, options).catch(() => {
    throw new Error("the server does not answer: is it running?");
  });
}

/** Data of a page of the server. */
export async function get(path) {
  const answer = await request(path);
  const data = await answer.json();
  if (!answer.ok) throw new Error(data.error);
  return data;
}

let socket = null;
let count = 0;
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

function send(data) {
  const open = connection();
  const text = JSON.stringify(data);
  if (open.readyState === WebSocket.OPEN) open.send(text);
  else open.addEventListener("open", () => open.send(text), { once: true });
}

/** Begin a job; onMessage gets what it yields, then {done} or {error}. Returns what stops it. */
export function search(job, gameState, options, onMessage) {
  const id = ++count;
  listeners.set(id, onMessage);
  send({ id, job, game_state: gameState, options });
  return () => {
    if (listeners.delete(id)) send({ stop: id });
  };
}
