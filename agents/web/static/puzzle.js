// The panel of puzzles: find the only move that wins.
//
// A puzzle is a line of moves like any other, so it can be analysed, and its win can be played out:
// the other side then defends as well as it can.

import { finder, make } from "./dom.js";
import { queryOf } from "./address.js";
import { keep, kept } from "./memory.js";
import { search } from "./server.js";

/** @import { Message, Parameters, Puzzle, State } from "../messages" */
/** @import { Node } from "./game.js" */
/** @import { Screen } from "./screen.js" */

/**
 * What was solved, and how many in a row.
 * @typedef {{ solved: number, streak: number }} Score
 */

const $ = finder("puzzle-");

export class PuzzlePanel {
  /** @param {Screen} screen */
  constructor(screen) {
    this.screen = screen;
    /** @type {Node | null} */
    this.start = null; // the node of the puzzle
    /** @type {Node | null} */
    this.from = null; // the node whose next move is the person's
    this.player = 0; // who solves it
    this.task = "";
    this.tries = 0;
    this.done = false;
    this.stop = () => {}; // what ends the search that goes on
    this.seed = $("seed", HTMLInputElement);
    this.level = $("level", HTMLSelectElement);
    this.score = this.read();
    $("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.load();
    });
    this.level.addEventListener("change", () => this.load());
    $("next").addEventListener("click", () => {
      this.seed.value = String((Number(this.seed.value) + 1) % this.number);
      this.load();
    });
    $("again").addEventListener("click", () => {
      if (this.from) this.screen.game.go(this.from);
    });
    $("solution").addEventListener("click", () => this.solution());
    this.seed.value = String(Math.floor(Math.random() * Math.min(this.number, 9999)));
    this.count();
  }

  // ---- the panel

  enter() {
    const { game } = this.screen;
    if (this.start && (this.start === game.root || this.start.path[0]?.parent === game.root)) {
      game.go(this.start);
    } else this.load();
  }

  leave() {
    this.stop();
  }

  /**
   * Another position is looked at: the puzzle, or what was played there.
   * @param {State} state
   */
  show(state) {
    const { here } = this.screen.game;
    this.screen.board.enable(false);
    if (!this.start) return;
    if (here === this.start) this.begin();
    else if (here === this.from) this.screen.board.enable(!state.over);
    else if (this.from && here.parent === this.from) this.check(this.from, here);
    else if (!this.done && this.start.parent && !here.path.includes(this.start)) this.leaveIt();
  }

  /** Another position of the page is looked at, as by a changed address: offer the way back. */
  leaveIt() {
    this.say("This position is not the puzzle's.");
    this.buttons({ solution: false, again: true });
  }

  // ---- a puzzle

  /** How many puzzles of the level there are: they are numbered from 0 on. */
  get number() {
    return this.screen.catalogue.puzzles?.[this.level.value] ?? 1e9;
  }

  /** Ask for a puzzle. */
  load() {
    this.stop();
    this.seed.max = String(this.number - 1);
    this.seed.value = String(Math.floor(Number(this.seed.value)) % this.number);
    this.start = this.from = null;
    this.screen.board.enable(false);
    this.say("Looking for a puzzle …");
    $("task").textContent = "";
    this.line("");
    this.buttons({ solution: false, again: false });
    const options = { seed: Number(this.seed.value), level: this.level.value };
    const gameState = this.screen.game.gameState(this.screen.game.root);
    this.stop = search("puzzle", gameState, options, (message) => {
      if (message.error) this.say(message.error, "wrong");
      if (message.sorry) this.sorry(message.sorry);
      if (message.smaller) this.smaller(message.smaller);
      if (message.puzzle) this.place(message.puzzle);
    });
  }

  /** @param {string} text */
  sorry(text) {
    this.say(text);
    this.screen.show();
    $("next").hidden = true;
  }

  /**
   * A link to a smaller game, which has puzzles.
   * @param {{ parameters: Parameters, title: string }} game
   */
  smaller({ parameters, title }) {
    const link = make("a", { href: `?${queryOf(parameters)}#panel=puzzle`, textContent: title });
    $("said").append(" There are puzzles of ", link, ".");
  }

  /**
   * Go to the position of a puzzle, by the moves that lead there.
   * @param {Puzzle} puzzle
   */
  place({ state, task, player }) {
    const { game } = this.screen;
    if (state.set_up !== game.setUp) this.screen.setUp(state.set_up);
    const node = game.follow(state.line, state.moves);
    node.state = state;
    game.over = false;
    this.player = player;
    this.task = task;
    this.start = node;
    this.tries = 0;
    this.done = false;
    game.go(node);
  }

  begin() {
    this.from = this.start;
    $("task").textContent = this.task;
    this.screen.say(this.task);
    this.say("");
    this.line("");
    this.buttons({ solution: !this.done, again: false });
    this.screen.board.enable(true);
  }

  /**
   * The person has moved.
   * @param {Node} from
   * @param {Node} here
   */
  check(from, here) {
    this.stop();
    this.say("…");
    this.buttons({ solution: false, again: false });
    const { game } = this.screen;
    this.stop = search("puzzle_move", game.gameState(from), { action: here.code }, (message) => {
      if (message.error) this.say(message.error, "wrong");
      if (message.right !== undefined) this.verdict(here, message);
    });
  }

  /**
   * @param {Node} here
   * @param {Message<"puzzle_move">} message
   */
  verdict(here, { right, said = "", line = "", plies = 0 }) {
    const first = this.from === this.start;
    if (!right) {
      if (first) {
        this.tries += 1;
        if (!this.done) this.store({ ...this.score, streak: 0 });
      }
      this.say(`No: ${said}`, "wrong");
      this.buttons({ solution: first, again: true });
      $("again").focus();
      return;
    }
    if (first && !this.done) this.solved();
    const end = here.state?.over ? ` The game is over: ${here.state.result}.` : "";
    this.say((first ? "Right! " : "") + said + end, "right");
    if (first && plies > 1) {
      const more = plies > 2 ? ". You can play it out on the board, against the best defence." : "";
      this.line(`Best play: ${line}${more}`);
    }
    this.defend(here);
  }

  /**
   * The other side answers, as well as it can; the person goes on where there is a choice.
   * @param {Node} here
   */
  defend(here) {
    const { state } = here;
    if (!state || state.over || state.to_move < 0) return;
    if (state.to_move === this.player) {
      this.from = here;
      this.screen.board.enable(true);
      return;
    }
    const { game } = this.screen;
    this.stop = search("puzzle_reply", game.gameState(here), {}, (message) => {
      if (message.error) this.say(message.error, "wrong");
      if (!message.state) return;
      const next = game.after(here, message.state);
      next.state = message.state;
      this.defend(next);
      if (game.here === here) game.go(next);
    });
  }

  solution() {
    const { start } = this;
    if (!start) return;
    this.stop();
    if (!this.done) this.store({ ...this.score, streak: 0 });
    this.done = true;
    const { game } = this.screen;
    if (game.here !== start) game.go(start);
    this.stop = search("puzzle_move", game.gameState(start), {}, (message) => {
      if (message.error) this.say(message.error, "wrong");
      if (message.right === undefined) return;
      this.say(`The solution: ${message.said}`);
      this.line(`Best play: ${message.line}`);
      this.buttons({ solution: false, again: false });
    });
  }

  // ---- what is shown

  /** @param {string} text */
  say(text, kind = "") {
    $("said").textContent = text;
    $("said").className = kind;
  }

  /** @param {string} text */
  line(text) {
    $("line").textContent = text;
    $("line").hidden = !text;
  }

  /** @param {{ solution: boolean, again: boolean }} shown */
  buttons({ solution, again }) {
    $("next").hidden = false;
    $("solution").hidden = !solution;
    $("again").hidden = !again;
  }

  // ---- what was solved, kept in this browser

  solved() {
    this.done = true;
    const streak = this.tries === 0 ? this.score.streak + 1 : 0;
    this.store({ solved: this.score.solved + 1, streak });
    this.buttons({ solution: false, again: false });
  }

  get key() {
    return `adv-envs puzzles ${this.screen.game.name}`;
  }

  /** @returns {Score} */
  read() {
    try {
      const { solved, streak } = JSON.parse(kept(this.key) ?? "{}");
      return { solved: Number(solved) || 0, streak: Number(streak) || 0 };
    } catch {
      return { solved: 0, streak: 0 }; // something else was kept
    }
  }

  /** @param {Score} score */
  store(score) {
    this.score = score;
    keep(this.key, JSON.stringify(score));
    this.count();
  }

  count() {
    $("solved").textContent = String(this.score.solved);
    $("streak").textContent = String(this.score.streak);
  }
}
