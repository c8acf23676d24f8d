// The page of a tournament: tables that sort, a game to step through, the list of games.
//
// A page that is a file has its data in the element "data". Elsewhere `begin` and `update` are given
// them: {games, names, has, replay, address}; `has(game)` says whether a game can be stepped through,
// `replay(game)` finds its pictures, and `address(moves, at)` is where a position is analysed.

/**
 * @typedef {import("../../web/messages").Changes} Changes
 * @typedef {import("../../web/messages").PlayedGame} PlayedGame
 * @typedef {import("../../web/messages").Replay} Replay
 */

/**
 * What the page shows.
 * @typedef {{
 *   games: PlayedGame[],
 *   names: string[],
 *   has: (game: PlayedGame) => boolean,
 *   replay: (game: PlayedGame) => Replay | Promise<Replay>,
 *   address?: (moves: string[], at: number) => string,
 * }} Shown
 */

/**
 * The element of an id, if the page has one of this kind.
 * @template {Element} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 * @returns {Kind | null}
 */
function look(id, kind) {
  const found = document.getElementById(id);
  return found instanceof kind ? found : null;
}

/**
 * The element of an id, which the page has; of a kind other than HTMLElement where it is named.
 * @template {Element} [Kind=HTMLElement]
 * @param {string} id
 * @param {new () => Kind} [kind]
 * @returns {Kind}
 */
function $(id, kind) {
  const found = look(id, /** @type {new () => Element} */ (kind ?? HTMLElement));
  if (!found) throw new Error(`the page has no ${id} of this kind`);
  return /** @type {Kind} */ (found);
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string | number} [text]
 * @param {string} [className]
 */
function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = String(text);
  if (className) made.className = className;
  return made;
}

/**
 * What an event is about, within a selector.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
const within = ({ target }, selector) => (target instanceof Element ? target.closest(selector) : null);

/** @type {Shown} */
let source = {
  games: [], names: [], has: () => false, replay: () => ({ box: [], shapes: [], moves: [], changes: [] }),
};

// ---- tables that sort: numbers from large to small first, names from A to Z

document.addEventListener("click", (event) => {
  const head = within(event, ".sortable th");
  const table = head?.closest("table");
  if (!(head instanceof HTMLTableCellElement) || !table) return;
  const before = head.getAttribute("aria-sort");
  for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
  const keys = [...table.tBodies[0].rows].map((row) => keyOf(row, head));
  const down = before ? before === "ascending" : keys.every(isNumber);
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  sort(table);
});

/**
 * What a row is sorted by.
 * @param {HTMLTableRowElement} row
 * @param {HTMLTableCellElement} head
 */
const keyOf = (row, head) => row.cells[head.cellIndex].dataset.value ?? "";

/** @param {string} key */
const isNumber = (key) => !Number.isNaN(Number(key));

/**
 * Sort the rows by the column whose head says so.
 * @param {HTMLTableElement} table
 */
function sort(table) {
  const head = table.querySelector("th[aria-sort]");
  if (!(head instanceof HTMLTableCellElement)) return;
  const keyed = [...table.tBodies[0].rows].map((one) => ({ one, key: keyOf(one, head) }));
  const numeric = keyed.every(({ key }) => isNumber(key));
  const sign = head.getAttribute("aria-sort") === "descending" ? -1 : 1;
  keyed.sort((a, b) => sign * (numeric ? Number(a.key) - Number(b.key) : a.key.localeCompare(b.key)));
  table.tBodies[0].append(...keyed.map(({ one }) => one));
}

// ---- one game, step by step

/**
 * The game that is stepped through: its pictures are lists of numbers of shapes.
 * @typedef {{
 *   game: PlayedGame | null, shapes: string[], pictures: number[][], moves: string[], at: number,
 *   timer: number,
 * }} Viewer
 */

/** @type {Viewer} */
const viewer = { game: null, shapes: [], pictures: [], moves: [], at: 0, timer: 0 };

/**
 * The pictures that changes make one of the other, from nothing.
 * @param {Changes[]} changes
 */
export function picturesOf(changes) {
  /** @type {number[][]} */
  const found = [];
  /** @type {number[]} */
  let shapes = [];
  for (const step of changes) {
    shapes = [...shapes];
    for (const [at, gone, ...come] of step) shapes.splice(at, gone, ...come);
    found.push(shapes);
  }
  return found;
}

/** @param {PlayedGame} game */
function result(game) {
  if (game.points.length > 2) return game.points.map((each) => String(Number(each.toFixed(2)))).join(" : ");
  return game.points[0] === 0.5 ? "½ : ½" : game.points[0] === 1 ? "1 : 0" : "0 : 1";
}

/**
 * The names of all players but the first.
 * @param {PlayedGame} game
 */
const others = (game) => game.players.slice(1).join(", ");

/**
 * Show a game, after some moves, by default those of its opening; its pictures may come later.
 * @param {PlayedGame} game
 * @param {number} at
 */
function open(game, at = game.opening) {
  stop();
  const found = source.replay(game);
  if (found instanceof Promise) found.then((replay) => draw(game, replay, at), fail);
  else draw(game, found, at);
}

/** @param {unknown} error */
function fail(error) {
  $("reason").hidden = false;
  $("reason").textContent = error instanceof Error ? error.message : String(error);
}

/**
 * @param {PlayedGame} game
 * @param {Replay} replay
 * @param {number} at
 */
function draw(game, { box, shapes, moves, changes }, at) {
  Object.assign(viewer, { game, shapes, moves, pictures: picturesOf(changes) });
  $("board", SVGSVGElement).setAttribute("viewBox", box.join(" "));
  $("players").replaceChildren(
    element("span", `Game ${game.number + 1} `, "muted"), code(game.players[0], "span"),
    element("b", ` ${result(game)} `), code(others(game), "span"));
  $("slider", HTMLInputElement).max = String(viewer.moves.length);
  $("moves").replaceChildren(...viewer.moves.map((move, ply) => {
    const button = element("button", move, ply < game.opening ? "opening" : "");
    button.type = "button";
    button.title = ply < game.opening ? "opening" : `move ${ply + 1}`;
    button.addEventListener("click", () => show(ply + 1));
    return button;
  }));
  $("reason").hidden = !game.reason;
  $("reason").textContent = game.reason;
  for (const row of $("list", HTMLTableElement).tBodies[0].rows) {
    row.setAttribute("aria-selected", String(row.dataset.number === String(game.number)));
  }
  show(at);
}

/** @param {number} at */
function show(at) {
  if (!viewer.game) return;
  viewer.at = Math.max(0, Math.min(at, viewer.moves.length));
  const board = $("board", SVGSVGElement);
  board.innerHTML = viewer.pictures[viewer.at].map((shape) => viewer.shapes[shape]).join("");
  board.setAttribute("aria-label", `after ${viewer.at} moves`);
  $("slider", HTMLInputElement).value = String(viewer.at);
  $("ply").textContent = `${viewer.at} / ${viewer.moves.length}`;
  const analyse = look("analyse", HTMLAnchorElement);
  if (analyse) {
    analyse.href = source.address?.(viewer.moves, viewer.at) ?? "";
    analyse.hidden = !source.address?.(viewer.moves, viewer.at);
  }
  const list = $("moves");
  [...list.querySelectorAll("button")].forEach((button, ply) => {
    if (ply + 1 !== viewer.at) {
      button.removeAttribute("aria-current");
      return;
    }
    button.setAttribute("aria-current", "step");
    if (button.offsetTop < list.offsetTop + list.scrollTop
      || button.offsetTop + button.offsetHeight > list.offsetTop + list.scrollTop + list.clientHeight) {
      list.scrollTop = button.offsetTop - list.offsetTop - list.clientHeight / 2;
    }
  });
  if (viewer.at === viewer.moves.length) stop();
}

function stop() {
  clearInterval(viewer.timer);
  viewer.timer = 0;
  $("play").textContent = "Play";
}

function play() {
  if (viewer.timer) {
    stop();
    return;
  }
  if (!viewer.game) return;
  if (viewer.at === viewer.moves.length) show(0);
  viewer.timer = setInterval(() => show(viewer.at + 1), 600);
  $("play").textContent = "Pause";
}

// ---- the list of games

const STEP = 100;
/** @type {Map<number, { game: PlayedGame, made: HTMLTableRowElement }>} */
const rows = new Map(); // by the number of the game
let listed = STEP;

/** @param {PlayedGame} game */
function wanted(game) {
  return ["one", "other"].every((id) => {
    const { value } = $(id, HTMLSelectElement);
    return value === "" || game.players.includes(source.names[Number(value)]);
  }) && (!look("shown", HTMLInputElement)?.checked || source.has(game));
}

/** @param {PlayedGame} game */
function rowOf(game) {
  const known = rows.get(game.number);
  if (known?.game === game) return known.made;
  const made = element("tr");
  rows.set(game.number, { game, made });
  made.dataset.number = String(game.number);
  const number = element("td");
  const shown = source.has(game);
  if (shown) {
    made.className = "replay";
    made.addEventListener("click", () => open(game));
    const link = element("a", game.number + 1);
    link.href = `#game-${game.number + 1}`;
    number.append(link);
  } else {
    number.append(String(game.number + 1));
  }
  made.append(number, code(game.players[0]), element("td", result(game)), code(others(game)));
  const moves = element("td", `${game.plies}${game.reason ? " ✗" : ""}`);
  if (!shown) moves.append(element("div", game.moves, "text"));
  moves.title = game.reason;
  made.append(moves);
  made.setAttribute("aria-selected", String(viewer.game?.number === game.number));
  return made;
}

/**
 * A name that may be broken where it has signs.
 * @param {string} name
 * @param {"td" | "span"} tag
 */
function code(name, tag = "td") {
  const made = element(tag);
  const text = element("code");
  for (const part of name.split(/(?<=[(,.=_])/)) text.append(part, element("wbr"));
  made.append(text);
  return made;
}

/** List the games that are wanted; rows that are there already stay where they are. */
function listGames() {
  const found = source.games.filter(wanted);
  if (showsNewest()) found.reverse();
  const body = $("list", HTMLTableElement).tBodies[0];
  const shown = found.slice(0, listed).map(rowOf);
  shown.forEach((made, i) => {
    if (body.rows[i] !== made) body.insertBefore(made, body.rows[i] ?? null);
  });
  while (body.rows.length > shown.length) body.lastElementChild?.remove();
  $("more").hidden = found.length <= listed;
  $("more").textContent = `${found.length - listed} more`;
  $("none").hidden = found.length > 0;
  return found;
}

/** Whether the newest game is to be shown always. */
const showsNewest = () => look("newest", HTMLInputElement)?.checked ?? false;

/**
 * The first game of some that can be stepped through.
 * @param {PlayedGame[]} some
 */
const firstOf = (some) => some.find((game) => source.has(game));

// ---- the game that the address names: page.html#game-12

function addressed() {
  const number = Number(location.hash.replace("#game-", "")) - 1;
  return source.games.find((game) => game.number === number && source.has(game));
}

// ---- what can be done

document.addEventListener("click", (event) => {
  if (within(event, "#class a[href^='#game-']")) $("games").scrollIntoView();
  const pair = within(event, "#cross button")?.dataset.pair;
  if (!pair) return;
  const [one, other] = [$("one", HTMLSelectElement), $("other", HTMLSelectElement)];
  [one.value, other.value] = pair.split(" ");
  listed = STEP;
  const first = firstOf(listGames());
  if (first) open(first);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  $("games").scrollIntoView({ behavior: still ? "auto" : "smooth" });
});

document.addEventListener("keydown", (event) => {
  if (within(event, "select, input") || event.altKey || event.ctrlKey || event.metaKey) return;
  const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
  if (!step || !viewer.game) return;
  show(viewer.at + step);
  event.preventDefault();
});

addEventListener("hashchange", () => {
  const game = addressed();
  if (game) open(game);
});

/**
 * Show the games for the first time, with the buttons that step through one.
 * @param {Shown} data
 */
export function begin(data) {
  /** @type {Record<string, () => void>} */
  const actions = {
    "to-start": () => show(0), back: () => show(viewer.at - 1),
    on: () => show(viewer.at + 1), "to-end": () => show(viewer.moves.length), play,
    more: () => { listed += STEP; listGames(); },
  };
  for (const [id, action] of Object.entries(actions)) $(id).addEventListener("click", action);
  const slider = $("slider", HTMLInputElement);
  slider.addEventListener("input", () => show(Number(slider.value)));
  for (const choice of document.querySelectorAll(".filters select, .filters input")) {
    choice.addEventListener("change", () => { listed = STEP; listGames(); });
  }
  for (const [key, value] of [
    ["stroke-linecap", "round"], ["stroke-linejoin", "round"],
    ["font-family", "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"],
  ]) {
    $("board", SVGSVGElement).setAttribute(key, value);
  }
  update(data);
  if (addressed()) $("games").scrollIntoView();
}

/**
 * Show other games: some may have come.
 * @param {Shown} data
 */
export function update(data) {
  source = data;
  for (const table of document.querySelectorAll("table.sortable")) {
    if (table instanceof HTMLTableElement) sort(table);
  }
  const found = listGames();
  const game = addressed() ?? firstOf(found);
  if (showsNewest() && found.length && found[0] !== viewer.game) open(found[0], Infinity);
  else if (!viewer.game && game) open(game);
}

const given = look("data", HTMLScriptElement);
if (given) {
  const { replays, ...rest } = JSON.parse(given.textContent);
  const { box, shapes } = replays;
  const has = (/** @type {PlayedGame} */ { number }) => number in replays.games;
  const replay = (/** @type {PlayedGame} */ { number }) => ({ box, shapes, ...replays.games[number] });
  begin({ ...rest, has, replay });
}
