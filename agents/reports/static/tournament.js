// The page of a tournament: tables that sort, a game to step through, the list of games.
//
// A page that is a file has its data in the element "data". Elsewhere `begin` and `update` are given
// them: {games, names, has, replay, address}; `has(game)` says whether a game can be stepped through,
// `replay(game)` finds its pictures, and `address(moves, at)` is where a position is analysed.

const $ = (id) => document.getElementById(id);
const element = (tag, text, className) => {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
};

let games = [];
let names = [];
let source = {};

// ---- tables that sort: numbers from large to small first, names from A to Z

document.addEventListener("click", (event) => {
  const head = event.target.closest(".sortable th");
  if (!head) return;
  const before = head.getAttribute("aria-sort");
  const table = head.closest("table");
  for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
  const numeric = [...table.tBodies[0].rows]
    .every((row) => !Number.isNaN(Number(row.cells[head.cellIndex].dataset.value)));
  const down = before ? before === "ascending" : numeric;
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  sort(table);
});

/** Sort the rows by the column whose head says so. */
function sort(table) {
  const head = table.querySelector("th[aria-sort]");
  const key = (row) => row.cells[head.cellIndex].dataset.value;
  const rows = [...table.tBodies[0].rows];
  const numeric = rows.every((row) => !Number.isNaN(Number(key(row))));
  const compare = numeric ? (a, b) => key(a) - key(b) : (a, b) => key(a).localeCompare(key(b));
  const sign = head.getAttribute("aria-sort") === "descending" ? -1 : 1;
  table.tBodies[0].append(...rows.sort((a, b) => sign * compare(a, b)));
}

// ---- one game, step by step

const viewer = { game: null, box: [], shapes: [], pictures: [], moves: [], at: 0, timer: null };

function pictures(changes) {
  const found = [];
  let shapes = [];
  for (const step of changes) {
    shapes = [...shapes];
    for (const [at, gone, ...come] of step) shapes.splice(at, gone, ...come);
    found.push(shapes);
  }
  return found;
}

function result(game) {
  return game.points[0] === 0.5 ? "½ : ½" : game.points[0] === 1 ? "1 : 0" : "0 : 1";
}

/** Show a game; its pictures may come later. */
function open(game, at) {
  stop();
  const found = source.replay(game);
  if (found instanceof Promise) found.then((replay) => draw(game, replay, at), fail);
  else draw(game, found, at);
}

function fail(error) {
  $("reason").hidden = false;
  $("reason").textContent = error.message;
}

function draw(game, { box, shapes, moves, changes }, at) {
  Object.assign(viewer, { game, shapes, moves, pictures: pictures(changes) });
  $("board").setAttribute("viewBox", box.join(" "));
  $("players").replaceChildren(
    element("span", `Game ${game.number + 1} `, "muted"), code(game.players[0], "span"),
    element("b", ` ${result(game)} `), code(game.players[1], "span"));
  $("slider").max = viewer.moves.length;
  $("moves").replaceChildren(...viewer.moves.map((move, ply) => {
    const button = element("button", move, ply < game.opening ? "opening" : "");
    button.type = "button";
    button.title = ply < game.opening ? "opening" : `move ${ply + 1}`;
    button.addEventListener("click", () => show(ply + 1));
    return button;
  }));
  $("reason").hidden = !game.reason;
  $("reason").textContent = game.reason;
  for (const row of $("list").tBodies[0].rows) {
    row.setAttribute("aria-selected", row.dataset.number === String(game.number));
  }
  show(at === undefined ? game.opening : at);
}

function show(at) {
  if (!viewer.game) return;
  viewer.at = Math.max(0, Math.min(at, viewer.moves.length));
  $("board").innerHTML = viewer.pictures[viewer.at].map((shape) => viewer.shapes[shape]).join("");
  $("board").setAttribute("aria-label", `after ${viewer.at} moves`);
  $("slider").value = viewer.at;
  $("ply").textContent = `${viewer.at} / ${viewer.moves.length}`;
  if ($("analyse")) {
    $("analyse").href = source.address(viewer.moves, viewer.at);
    $("analyse").hidden = !source.address(viewer.moves, viewer.at);
  }
  [...$("moves").children].forEach((button, ply) => {
    if (ply + 1 !== viewer.at) return button.removeAttribute("aria-current");
    button.setAttribute("aria-current", "step");
    const list = $("moves");
    if (button.offsetTop < list.offsetTop + list.scrollTop
      || button.offsetTop + button.offsetHeight > list.offsetTop + list.scrollTop + list.clientHeight) {
      list.scrollTop = button.offsetTop - list.offsetTop - list.clientHeight / 2;
    }
  });
  if (viewer.at === viewer.moves.length) stop();
}

function stop() {
  clearInterval(viewer.timer);
  viewer.timer = null;
  $("play").textContent = "Play";
}

function play() {
  if (viewer.timer) return stop();
  if (!viewer.game) return undefined;
  if (viewer.at === viewer.moves.length) show(0);
  viewer.timer = setInterval(() => show(viewer.at + 1), 600);
  $("play").textContent = "Pause";
  return undefined;
}

// ---- the list of games

const STEP = 100;
const rows = new Map(); // by the number of the game
let listed = STEP;

function wanted(game) {
  const one = $("one").value, other = $("other").value;
  const mine = one === "" || game.players.includes(names[one]);
  const theirs = other === "" || game.players.includes(names[other]);
  return mine && theirs && (!$("shown")?.checked || source.has(game));
}

function rowOf(game) {
  const known = rows.get(game.number);
  if (known?.game === game) return known.made;
  const made = element("tr");
  rows.set(game.number, { game, made });
  made.dataset.number = game.number;
  const number = element("td");
  const shown = source.has(game);
  if (shown) {
    made.className = "replay";
    made.addEventListener("click", () => open(game));
    const link = element("a", game.number + 1);
    link.href = `#game-${game.number + 1}`;
    number.append(link);
  } else {
    number.append(game.number + 1);
  }
  made.append(number, code(game.players[0]), element("td", result(game)), code(game.players[1]));
  const moves = element("td", `${game.plies}${game.reason ? " ✗" : ""}`);
  if (!shown) moves.append(element("div", game.moves, "text"));
  moves.title = game.reason;
  made.append(moves);
  made.setAttribute("aria-selected", viewer.game?.number === game.number);
  return made;
}

function code(name, tag = "td") {
  const made = element(tag), text = element("code");
  for (const part of name.split(/(?<=[(,.=_])/)) text.append(part, element("wbr"));
  made.append(text);
  return made;
}

/** List the games that are wanted; rows that are there already stay where they are. */
function listGames() {
  const found = games.filter(wanted);
  if ($("newest")?.checked) found.reverse();
  const body = $("list").tBodies[0];
  const shown = found.slice(0, listed).map(rowOf);
  shown.forEach((made, i) => {
    if (body.rows[i] !== made) body.insertBefore(made, body.rows[i] ?? null);
  });
  while (body.rows.length > shown.length) body.lastElementChild.remove();
  $("more").hidden = found.length <= listed;
  $("more").textContent = `${found.length - listed} more`;
  $("none").hidden = found.length > 0;
  return found;
}

/** The first game of some that can be stepped through. */
const firstOf = (some) => some.find((game) => source.has(game));

// ---- the game that the address names: page.html#game-12

function addressed() {
  const number = Number(location.hash.replace("#game-", "")) - 1;
  return games.find((game) => game.number === number && source.has(game));
}

// ---- what can be done

document.addEventListener("click", (event) => {
  const pair = event.target.closest("#cross button")?.dataset.pair;
  if (!pair) return;
  [$("one").value, $("other").value] = pair.split(" ");
  listed = STEP;
  const first = firstOf(listGames());
  if (first) open(first);
  $("games").scrollIntoView({ behavior: "smooth" });
});

document.addEventListener("keydown", (event) => {
  if (event.target.closest("select, input") || event.altKey || event.ctrlKey || event.metaKey) return;
  const to = { ArrowLeft: viewer.at - 1, ArrowRight: viewer.at + 1 }[event.key];
  if (to === undefined || !viewer.game) return;
  show(to);
  event.preventDefault();
});

addEventListener("hashchange", () => { if (addressed()) open(addressed()); });

/** Show the games for the first time, with the buttons that step through one. */
export function begin(data) {
  for (const [id, step] of [
    ["to-start", () => show(0)], ["back", () => show(viewer.at - 1)],
    ["on", () => show(viewer.at + 1)], ["to-end", () => show(viewer.moves.length)], ["play", play],
    ["more", () => { listed += STEP; listGames(); }],
  ]) {
    $(id).addEventListener("click", step);
  }
  $("slider").addEventListener("input", (event) => show(Number(event.target.value)));
  for (const choice of document.querySelectorAll(".filters select, .filters input")) {
    choice.addEventListener("change", () => { listed = STEP; listGames(); });
  }
  for (const [key, value] of [
    ["stroke-linecap", "round"], ["stroke-linejoin", "round"],
    ["font-family", "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"],
  ]) {
    $("board").setAttribute(key, value);
  }
  update(data);
  if (addressed()) $("games").scrollIntoView();
}

/** Show other games: some may have come. */
export function update(data) {
  source = data;
  ({ games, names } = data);
  for (const table of document.querySelectorAll(".sortable")) sort(table);
  const found = listGames();
  if ($("newest")?.checked && found.length && found[0] !== viewer.game) open(found[0], Infinity);
  else if (!viewer.game && (addressed() || firstOf(found))) open(addressed() || firstOf(found));
}

if ($("data")) {
  const { replays, ...rest } = JSON.parse($("data").textContent);
  const { box, shapes } = replays;
  const has = ({ number }) => number in replays.games;
  const replay = ({ number }) => ({ box, shapes, ...replays.games[number] });
  begin({ ...rest, has, replay });
}
