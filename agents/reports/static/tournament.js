const { games, replays, names } = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const element = (tag, text, className) => {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
};

// ---- tables that sort: numbers from large to small first, names from A to Z

for (const table of document.querySelectorAll(".sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.addEventListener("click", () => {
    const key = (row) => row.cells[column].dataset.value;
    const rows = [...table.tBodies[0].rows];
    const numeric = rows.every((row) => !Number.isNaN(Number(key(row))));
    const before = head.getAttribute("aria-sort");
    const down = before ? before === "ascending" : numeric;
    const compare = numeric ? (a, b) => key(a) - key(b) : (a, b) => key(a).localeCompare(key(b));
    rows.sort((a, b) => (down ? -1 : 1) * compare(a, b));
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    table.tBodies[0].append(...rows);
  }));
}

// ---- one game, step by step

const viewer = { game: null, pictures: [], moves: [], at: 0, timer: null };
$("board").setAttribute("viewBox", replays.box.join(" "));
$("board").setAttribute("stroke-linecap", "round");
$("board").setAttribute("stroke-linejoin", "round");
$("board").setAttribute("font-family", "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif");

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

function open(game, at) {
  stop();
  const replay = replays.games[game.number];
  Object.assign(viewer, { game, moves: replay.moves, pictures: pictures(replay.changes) });
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
  $("board").innerHTML = viewer.pictures[viewer.at].map((shape) => replays.shapes[shape]).join("");
  $("board").setAttribute("aria-label", `after ${viewer.at} moves`);
  $("slider").value = viewer.at;
  $("ply").textContent = `${viewer.at} / ${viewer.moves.length}`;
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

$("to-start").addEventListener("click", () => show(0));
$("back").addEventListener("click", () => show(viewer.at - 1));
$("on").addEventListener("click", () => show(viewer.at + 1));
$("to-end").addEventListener("click", () => show(viewer.moves.length));
$("play").addEventListener("click", play);
$("slider").addEventListener("input", (event) => show(Number(event.target.value)));
document.addEventListener("keydown", (event) => {
  if (event.target.closest("select, input") || event.altKey || event.ctrlKey || event.metaKey) return;
  const to = { ArrowLeft: viewer.at - 1, ArrowRight: viewer.at + 1 }[event.key];
  if (to === undefined || !viewer.game) return;
  show(to);
  event.preventDefault();
});

// ---- the list of games

const STEP = 100;
let listed = STEP;

function wanted(game) {
  const one = $("one").value, other = $("other").value;
  const mine = one === "" || game.players.includes(names[one]);
  const theirs = other === "" || game.players.includes(names[other]);
  return mine && theirs && (!$("shown").checked || game.number in replays.games);
}

function row(game) {
  const made = element("tr");
  made.dataset.number = game.number;
  const number = element("td");
  if (game.number in replays.games) {
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
  if (!(game.number in replays.games)) moves.append(element("div", game.moves, "text"));
  moves.title = game.reason;
  made.append(moves);
  if (viewer.game && viewer.game.number === game.number) made.setAttribute("aria-selected", "true");
  return made;
}

function code(name, tag = "td") {
  const made = element(tag), text = element("code");
  for (const part of name.split(/(?<=[(,.=_])/)) text.append(part, element("wbr"));
  made.append(text);
  return made;
}

function list() {
  const found = games.filter(wanted);
  $("list").tBodies[0].replaceChildren(...found.slice(0, listed).map(row));
  $("more").hidden = found.length <= listed;
  $("more").textContent = `${found.length - listed} more`;
  $("none").hidden = found.length > 0;
  return found;
}

for (const id of ["one", "other", "shown"]) {
  $(id).addEventListener("change", () => { listed = STEP; list(); });
}
$("more").addEventListener("click", () => { listed += STEP; list(); });
for (const button of document.querySelectorAll("#cross button")) {
  button.addEventListener("click", () => {
    [$("one").value, $("other").value] = button.dataset.pair.split(" ");
    listed = STEP;
    const first = list().find((game) => game.number in replays.games);
    if (first) open(first);
    $("games").scrollIntoView({ behavior: "smooth" });
  });
}

// ---- the game that the address names: page.html#game-12

function addressed() {
  const number = Number(location.hash.replace("#game-", "")) - 1;
  return games.find((game) => game.number === number && number in replays.games);
}

addEventListener("hashchange", () => { if (addressed()) open(addressed()); });
const first = list().find((game) => game.number in replays.games);
if (addressed() || first) open(addressed() || first);
if (addressed()) $("games").scrollIntoView();
