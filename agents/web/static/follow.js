// The page that follows a file: it asks for what has changed, and shows that.

import { finder } from "./dom.js";
import { morph } from "./morph.js";
import { get, wordsOf } from "./server.js";

/** @import { Followed, PlayedGame, Replay } from "../messages" */

const $ = finder("");
const root = $("follow");
const { number, kind } = root.dataset;
const path = `/api/follow/${number}`;
const tournament = kind === "db" ? await import("/static/reports/tournament.js") : null;

/** @type {Record<Followed["state"], string>} */
const WORDS = {
  reading: "reading the file", running: "running", complete: "complete", ended: "ended",
  stopped: "stopped before its end: the same command with --resume goes on",
  missing: "not there: this page waits for the file", unreadable: "cannot be read now", graded: "the last grade was at",
};
const QUIET = 60; // seconds without a game, after which that is said
/** @type {Map<number, PlayedGame>} */
const games = new Map();
/** @type {Map<PlayedGame, Promise<Replay>>} */
const replays = new Map(); // the pictures, which may still come
let version = 0;
let begun = false;
let told = ""; // what was announced last
let pause = 0;

/**
 * The pictures of a game, asked for once.
 * @param {PlayedGame} game
 */
function replay(game) {
  const known = replays.get(game);
  if (known) return known;
  const asked = /** @type {Promise<Replay>} */ (get(`${path}/games/${game.number}`));
  replays.set(game, asked);
  asked.catch(() => replays.delete(game));
  const [oldest] = replays.keys();
  if (replays.size > 200) replays.delete(oldest);
  return asked;
}

/** @param {Followed} data */
function accept(data) {
  version = data.version;
  if (data.all) games.clear();
  for (const game of data.games) games.set(game.number, game);
  if (data.html !== undefined) {
    const fresh = new DOMParser().parseFromString(`<div id="shown">${data.html}</div>`, "text/html");
    if (fresh.body.firstElementChild) morph($("shown"), fresh.body.firstElementChild);
    const heading = $("shown").querySelector("h1");
    if (heading) document.title = `${heading.textContent} · adv-envs`;
  }
  if (tournament && document.querySelector("#games") && (data.html !== undefined || data.all || data.games.length)) {
    const found = {
      games: [...games.values()].sort((a, b) => a.number - b.number), names: data.names ?? [],
      has: () => true, replay, address: (/** @type {string[]} */ moves, /** @type {number} */ at) =>
        address(data.address, moves, at),
    };
    if (begun) tournament.update(found);
    else tournament.begin(found);
    begun = true;
  }
  progress(data);
}

/**
 * Where the position after `at` moves is analysed; "" where it cannot be.
 * @param {string | null | undefined} board
 * @param {string[]} moves
 * @param {number} at
 */
function address(board, moves, at) {
  return board ? `${board}#moves=${encodeURIComponent(moves.slice(0, at).join(" "))}` : "";
}

/** @param {Followed} data */
function progress({ done, total, left, state, problem, at }) {
  $("progress").hidden = !problem && (state === "reading" || (kind === "card" && state === "complete"));
  root.dataset.state = state;
  const bar = $("bar", HTMLProgressElement);
  bar.hidden = !total;
  if (total) [bar.max, bar.value] = [total, done ?? 0];
  $("count").hidden = done === undefined;
  $("count").textContent = done === undefined ? "" : total ? `${done} of ${total} games` : `${done} games`;
  $("left").textContent = left === null ? "" : `${clock(left)} left`;
  const when = at === undefined ? "" : new Date(1000 * at).toLocaleTimeString();
  const quiet = state === "running" && at !== undefined && Date.now() / 1000 - at > QUIET;
  $("state").textContent = state === "graded" ? `${WORDS[state]} ${when}`
    : quiet ? `no game has come since ${when}: it may have been killed` : WORDS[state];
  $("problem").hidden = !problem;
  $("problem").textContent = problem ? `${problem[0].toUpperCase()}${problem.slice(1)}. This page looks again every second.` : "";
  const tenth = total ? `, ${Math.floor((10 * (done ?? 0)) / total) * 10} %` : "";
  tell(problem ? "" : `${WORDS[state]}${state === "running" ? tenth : state === "graded" ? ` ${when}` : ""}`);
}

/**
 * Announce something to those who listen, once.
 * @param {string} text
 */
function tell(text) {
  if (text !== told) $("said").textContent = text;
  told = text;
}

/** @param {number} seconds */
function clock(seconds) {
  const all = Math.round(seconds);
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  return `${Math.floor(all / 3600)}:${two(Math.floor(all / 60) % 60)}:${two(all % 60)}`;
}

/** Ask, and again after a while: seldom where nobody looks. */
async function ask() {
  clearTimeout(pause);
  try {
    accept(/** @type {Followed} */ (await get(`${path}?after=${version}`)));
  } catch (error) {
    $("problem").hidden = false;
    $("problem").textContent = `The server does not answer: is it running? (${wordsOf(error)})`;
  }
  pause = setTimeout(ask, document.hidden ? 10_000 : 1000);
}

document.addEventListener("visibilitychange", () => { if (!document.hidden) ask(); });
await ask();
