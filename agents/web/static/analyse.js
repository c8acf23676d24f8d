// The panel to analyse: the value of every move, a search that goes on, the moves with their
// variations, and a review of the whole game.

import { Curve, percent } from "./curve.js";
import { find, finder, make } from "./dom.js";
import { hasEngine } from "./engine_jobs.js";
import { GameTexts } from "./game_texts.js";
import { shortcut } from "./keyboard.js";
import { position, search } from "./server.js";
import { Variations } from "./variations.js";

/** @import { Catalogue, NamedMove, Review, Row, State, ValuedMove, Values } from "../messages" */
/** @import { Mark } from "../../../adv_envs/pictures/board_data" */
/** @import { Found, Node } from "./game.js" */
/** @import { Screen } from "./screen.js" */

const $ = finder("analyse-");
const button = (/** @type {string} */ name) => $(name, HTMLButtonElement);
const FIRST = "Searching; before its first search an agent is compiled, which takes some seconds …";
const grouped = (/** @type {number} */ number) => Math.round(number).toLocaleString("en");

export class AnalysePanel {
  /** @param {Screen} screen */
  constructor(screen) {
    this.screen = screen;
    this.game = screen.game;
    this.isOpen = false;
    /** @type {Set<string>} */
    this.known = new Set(); // agents that have searched here
    /** @type {(() => void) | null} */
    this.stop = null; // what ends the search that goes on
    this.stopReview = () => {};
    /** @type {number | null} */
    this.seconds = null; // of the last search
    /** @type {string | null} */
    this.asked = null; // the line whose position is wanted, where a pointer is on a move
    this.agent = $("agent", HTMLSelectElement);
    this.time = $("seconds", HTMLSelectElement);
    this.heat = $("heat", HTMLInputElement);
    this.every = $("every");
    this.all = find("#analyse-every input", HTMLInputElement);
    this.rows = find("#rows");
    this.summary = $("summary", HTMLTableElement);
    this.share = make("span");
    this.bar = make("div", { className: "analyse-bar", hidden: true, role: "img" }, this.share);
    this.moves = new Variations($("moves"), this.game, (node) => this.go(node));
    this.curve = new Curve($("curve"), (node) => this.go(node));
    this.texts = new GameTexts(screen);
    this.offerAgents(screen.catalogue);
    this.makeBar();
    this.listen();
    this.game.addEventListener("tree", () => {
      if (this.isOpen) this.drawMoves();
    });
  }

  /** @param {Catalogue} catalogue */
  offerAgents({ analyst, analysts }) {
    const offered = Object.entries(analysts);
    for (const each of ["#analyse-search", "#analyse-whole"]) find(each).hidden = !analyst; // nobody can be asked
    if (!offered.some(([, spec]) => spec === analyst)) offered.unshift(["usual analyst", analyst]);
    this.agent.replaceChildren(...offered.map(([name, spec]) => new Option(name, spec)));
    this.agent.value = analyst;
  }

  makeBar() {
    const board = find("#board");
    const frame = make("div", { className: "board-with-bar" });
    board.before(frame);
    frame.append(this.bar, board);
  }

  listen() {
    /** @type {Record<string, [key: string, label: string, node: () => Node | null | undefined]>} */
    const steps = {
      first: ["Home", "To the start", () => this.game.root],
      previous: ["ArrowLeft", "One move back", () => this.game.here.parent],
      next: ["ArrowRight", "One move on", () => this.game.next()],
      last: ["End", "To the end of the line", () => this.game.end(this.game.here)],
      "": ["ArrowUp", "The variation before", () => this.game.sibling(-1)],
      " ": ["ArrowDown", "The variation after", () => this.game.sibling(1)],
    };
    for (const [name, [key, label, node]] of Object.entries(steps)) {
      if (name.trim()) $(name).addEventListener("click", () => this.go(node()));
      shortcut("Analyse", key, label, () => this.go(node()), () => this.hearsKeys);
    }
    $("form").addEventListener("submit", (event) => event.preventDefault());
    for (const choice of [this.agent, this.time]) choice.addEventListener("change", () => this.search());
    for (const box of [this.heat, this.all]) box.addEventListener("change", () => this.paint());
    $("stop").addEventListener("click", () => this.halt());
    $("deeper").addEventListener("click", () => this.deeper());
    $("flip").addEventListener("click", () => this.flip());
    $("promote").addEventListener("click", () => this.game.promote(this.game.here));
    $("main").addEventListener("click", () => this.game.makeMain(this.game.here));
    $("delete").addEventListener("click", () => this.game.remove(this.game.here));
    $("review").addEventListener("click", () => this.review());
  }

  // ---- the panel

  enter() {
    this.isOpen = true;
    if (this.game.here.state) this.screen.show();
  }

  leave() {
    this.isOpen = false;
    this.halt();
    this.stopReview();
    this.bar.hidden = true;
  }

  /**
   * Another position is looked at.
   * @param {State} state
   */
  show(state) {
    this.halt();
    this.screen.board.enable(!state.over);
    this.drawMoves();
    this.texts.show();
    const found = this.found();
    if (state.over || state.to_move < 0) this.showNothing(state);
    else if (found.rows.length || found.values) {
      this.write();
      if (!found.done) this.search();
    } else this.search();
  }

  /** Keys go through the moves, but in a list that scrolls they scroll. */
  get hearsKeys() {
    return this.isOpen && !document.activeElement?.matches(".analyse-list");
  }

  /** @param {Node | null | undefined} node */
  go(node) {
    if (node && node !== this.game.here) this.game.go(node);
  }

  flip() {
    this.game.flipped = !this.game.flipped;
    this.screen.refresh();
  }

  // ---- the search

  /** What was found here by the agent that is chosen. */
  found(node = this.game.here) {
    const key = [this.agent.value, this.game.flipped, this.game.over, this.game.people].join();
    /** @type {Found} */
    const found = node.found.get(key) ?? { rows: [], values: null, lines: [], done: false };
    node.found.set(key, found);
    return found;
  }

  search(seconds = Number(this.time.value)) {
    this.halt();
    const node = this.game.here;
    if (!this.agent.value || !node.state || node.state.over || node.state.to_move < 0) return;
    const found = this.found();
    Object.assign(found, { rows: [], done: false });
    this.seconds = seconds;
    const options = { agent: this.agent.value, seconds };
    this.stop = search("analyse", this.game.gameState(node), options, (message) => {
      if (message.error) this.fail(message.error);
      if (message.row) this.add(found, message.row);
      if (message.row) this.known.add(options.agent);
      if (message.values) found.values = message.values;
      if (message.lines) found.lines = message.lines;
      if (message.done) this.finish(found);
      if (!message.error && node === this.game.here) this.write();
    });
    this.write();
  }

  /** @param {Found} found */
  finish(found) {
    found.done = true;
    this.stop = null;
  }

  /**
   * One more row; it replaces the last one if it has the same depth.
   * @param {Found} found
   * @param {Row} row
   */
  add(found, row) {
    if (found.rows.at(-1)?.depth === row.depth) found.rows.pop();
    found.rows.push(row);
  }

  /** @param {string} text */
  fail(text) {
    this.stop = null;
    button("stop").disabled = true;
    $("said").textContent = text;
    $("said").classList.add("wrong");
  }

  halt() {
    this.stop?.();
    this.stop = null;
    button("stop").disabled = true;
  }

  /** Search again, four times as long. */
  deeper() {
    this.search(Math.min(600, 4 * (this.seconds ?? Number(this.time.value))));
  }

  // ---- what is shown

  /** Write what was found here. */
  write() {
    const found = this.found();
    const { state } = this.game.here;
    button("stop").disabled = !this.stop;
    button("deeper").disabled = !state || state.over;
    $("said").classList.remove("wrong");
    $("said").replaceChildren(...this.source(found));
    $("values").replaceChildren(...(found.values?.moves ?? []).map((move) => this.valueRow(move)));
    $("values-box").hidden = !found.values?.moves.length;
    $("lines").replaceChildren(...found.lines.map(({ text, moves }) =>
      make("li", {}, make("b", { textContent: text }), ...this.line(moves))));
    this.rows.replaceChildren(...found.rows.toReversed().map((row) => this.row(row)));
    this.paint();
    this.fill(found.values?.winning ?? found.rows.at(-1)?.winning, found.values?.exact);
  }

  /**
   * Where the values come from.
   * @param {Found} found
   */
  source({ values, rows }) {
    if (!values && rows.length) return ["Searching; the values of all moves follow."];
    if (!values) return [hasEngine(this.agent.value) || this.known.has(this.agent.value) ? "Searching …" : FIRST];
    if (values.exact) return [make("b", { textContent: "exact" }), `, by ${values.by}`];
    if (!values.moves.length) return [`${values.by} has no values of moves here`];
    const proven = values.moves.every((move) => move.proven);
    const view = values.view && `; above 0 is good for ${values.view}`;
    return [`by ${values.by}, `, proven ? make("b", { textContent: "proven" }) : `not proven${view}`];
  }

  /** @param {ValuedMove} move */
  valueRow({ action, name, text }) {
    const move = moveButton(name);
    move.addEventListener("click", () => this.screen.play({ action }));
    const mark = () => this.screen.board.mark([{ action, kind: "hint" }]);
    move.addEventListener("mouseenter", mark);
    move.addEventListener("focus", mark);
    move.addEventListener("mouseleave", () => this.markBest());
    move.addEventListener("blur", () => this.markBest());
    return make("tr", {}, make("td", {}, move), make("td", { textContent: text }));
  }

  /** @param {Row} row */
  row(row) {
    const cells = [
      String(row.depth), row.text, grouped(row.nodes), row.rate ? grouped(row.rate) : "", row.seconds.toFixed(2),
    ];
    return make("tr", {}, ...cells.map((text) => make("td", { textContent: text })),
      make("td", {}, ...this.line(row.moves)));
  }

  /**
   * The moves of a line: a pointer on one shows its position, a click plays up to it.
   * @param {NamedMove[]} moves
   * @returns {(HTMLElement | string)[]}
   */
  line(moves) {
    if (this.game.here.state?.hidden) return [moves.map(([, name]) => name).join(" ")];
    return moves.map(([, name], i) => {
      const part = moves.slice(0, i + 1);
      const one = moveButton(name);
      one.addEventListener("mouseenter", () => this.preview(part));
      one.addEventListener("mouseleave", () => this.endPreview());
      one.addEventListener("focus", () => this.preview(part));
      one.addEventListener("blur", () => this.endPreview());
      one.addEventListener("click", () => this.go(this.game.follow(
        part.map(([action]) => action), part.map(([, move, player]) => ({ name: move, player })),
        this.game.here,
      )));
      return one;
    });
  }

  /** @param {NamedMove[]} moves */
  async preview(moves) {
    const gameState = this.game.gameState();
    const line = [...gameState.line, ...moves.map(([action]) => action)];
    const asked = this.asked = line.join();
    const here = this.game.here;
    const state = await position({ ...gameState, line }).catch(() => null);
    if (state && this.asked === asked && this.game.here === here && this.isOpen) {
      this.screen.board.show(state.board);
      this.screen.board.enable(false);
    }
  }

  endPreview() {
    this.asked = null;
    if (this.isOpen && this.game.here.state) this.paint();
  }

  /** The board, with the values of the moves where that is wanted. */
  paint() {
    const { state } = this.game.here;
    if (!state || !this.isOpen) return;
    const values = state.over || state.to_move < 0 ? null : this.found().values;
    this.every.hidden = !this.heat.checked || !values?.full;
    this.screen.board.show((this.heat.checked && this.valuedBoard(values)) || state.board);
    this.screen.board.enable(!state.over);
    this.markBest();
  }

  /**
   * The board with values: of the best moves, or of all that is wanted.
   * @param {Values | null} values
   */
  valuedBoard(values) {
    return (this.all.checked && values?.full) || values?.board;
  }

  /** Arrows for the best lines, the best one in a colour of its own; a ring where no value stands on the board. */
  markBest() {
    const { state } = this.game.here;
    const best = state && !state.over && this.isOpen ? this.best() : null;
    const others = this.found().lines.map(({ moves: [[action]] }) => action).filter((action) => action !== best);
    const valued = this.heat.checked && this.found().values?.board;
    const isArrow = (/** @type {number} */ action) =>
      (state?.board.actions.find(([each]) => each === action)?.[2] ?? []).length > 1;
    /** @type {Mark[]} */
    const marks = others.filter(isArrow).map((action) => ({ action, kind: "hint" }));
    if (best !== null && (isArrow(best) || !valued)) marks.push({ action: best, kind: "best" });
    this.screen.board.mark(best === null ? [] : marks);
  }

  best() {
    const { values, rows } = this.found();
    return values?.moves[0]?.action ?? rows.at(-1)?.best ?? null;
  }

  /**
   * The bar: winning chances of the first player, from the bottom up.
   * @param {number | null | undefined} winning
   */
  fill(winning, exact = false) {
    const { state } = this.game.here;
    this.bar.hidden = winning === undefined || winning === null || !state;
    if (winning === undefined || winning === null || !state) return;
    const symbol = state.sides[0];
    this.bar.classList.toggle("flipped", this.game.flipped);
    this.share.style.setProperty("--share", String(Math.min(Math.max((1 + winning) / 2, 0.02), 0.98)));
    const word = exact && Number.isInteger(winning) ? ["loses", "draws", "wins"][1 + winning] : null;
    const text = word ? `${symbol} ${word}, exact` : `${symbol}: ${percent(winning)}${exact ? ", exact" : ""}`;
    this.bar.setAttribute("aria-label", `Evaluation: ${text}`);
    this.bar.title = text;
  }

  /** @param {State} state */
  showNothing(state) {
    for (const name of ["values", "lines"]) $(name).replaceChildren();
    $("values-box").hidden = true;
    this.rows.replaceChildren();
    $("said").classList.remove("wrong");
    $("said").textContent = state.over ? `The game is over: ${state.result}.` : "Chance moves here: choose what happens on the board.";
    button("deeper").disabled = true;
    const { utilities, players, cooperative } = state;
    const most = Math.max(...(utilities ?? []).map(Math.abs), 1);
    this.fill(utilities && players === 2 && !cooperative ? utilities[0] / most : null, true);
  }

  drawMoves() {
    this.moves.draw();
    const { here } = this.game;
    button("first").disabled = button("previous").disabled = !here.parent;
    button("next").disabled = button("last").disabled = !here.children.length;
    const main = this.game.isMain(here);
    button("promote").disabled = button("main").disabled = main;
    button("delete").disabled = !here.parent;
    this.drawReview();
  }

  // ---- the review

  /** The line that is reviewed: through the position that is looked at, to its end. */
  get path() {
    return this.game.end(this.game.here).path;
  }

  review() {
    this.stopReview();
    const path = this.path;
    const end = path.at(-1);
    const options = { agent: this.agent.value };
    const said = $("progress");
    said.classList.remove("wrong");
    said.textContent = "Searching …";
    this.stopReview = search("review", this.game.gameState(end ?? this.game.root), options, (message) => {
      if (message.sorry) said.textContent = message.sorry;
      if (message.error) {
        said.textContent = message.error;
        said.classList.add("wrong");
      }
      if (message.ply !== undefined) {
        path[message.ply].review = /** @type {Review} */ (message);
        said.textContent = `${message.ply + 1} of ${path.length}`;
        this.drawMoves();
      }
      if (message.done && path.some((node) => node.review)) {
        const exact = path.every(({ review }) => review?.exact ?? true);
        said.textContent = exact ? "all values are exact" : `by ${options.agent} where not exact`;
      }
    });
  }

  drawReview() {
    const { path } = this;
    const symbols = this.game.here.state?.sides ?? [];
    this.curve.show(path, this.game.here, symbols[0]);
    const reviews = path.flatMap(({ review }) => review ?? []);
    this.summary.hidden = !reviews.length || path.some((node) => !node.review && node.move.player >= 0);
    this.summary.tBodies[0].replaceChildren(...symbols.map((symbol, player) => {
      const count = (/** @type {string} */ severity) =>
        reviews.filter((review) => review.player === player && review.severity === severity).length;
      const row = make("tr", {}, make("th", { scope: "row", textContent: symbol }));
      for (const severity of ["inaccuracy", "mistake", "blunder"]) {
        row.append(make("td", { textContent: String(count(severity)) }));
      }
      return row;
    }));
  }
}

/**
 * A button for a move.
 * @param {string} name
 */
function moveButton(name) {
  return make("button", { type: "button", className: "analyse-move", textContent: name });
}
