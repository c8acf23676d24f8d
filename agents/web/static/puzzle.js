// The panel of puzzles: find the only move that wins.
//
// A puzzle is a line of moves like any other, so it can be analysed, and its win can be played out:
// the other side then defends as well as it can.

import { search } from "./server.js";

const $ = (name) => document.querySelector(`#puzzle-${name}`);

export class PuzzlePanel {
  constructor(screen) {
    this.screen = screen;
    this.start = null; // the node of the puzzle
    this.from = null; // the node whose next move is the person's
    this.score = this.read();
    $("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.load();
    });
    $("level").addEventListener("change", () => this.load());
    $("next").addEventListener("click", () => {
      $("seed").value = (Number($("seed").value) + 1) % 1e9;
      this.load();
    });
    $("again").addEventListener("click", () => this.screen.game.go(this.from));
    $("solution").addEventListener("click", () => this.solution());
    $("seed").value = 1 + Math.floor(Math.random() * 9999);
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
    this.stop?.();
  }

  /** Another position is looked at: the puzzle, or what was played there. */
  show(state) {
    const { here } = this.screen.game;
    this.screen.board.enable(false);
    if (!this.start) return;
    if (here === this.start) this.begin();
    else if (here === this.from) this.screen.board.enable(!state.over);
    else if (here.parent === this.from) this.check(here);
    else if (!this.done && this.start.parent && !here.path.includes(this.start)) this.leaveIt();
  }

  /** Another position of the page is looked at, as by a changed address: offer the way back. */
  leaveIt() {
    this.say("This position is not the puzzle's.");
    this.buttons({ solution: false, again: true });
  }

  // ---- a puzzle

  /** Ask for a puzzle. */
  load() {
    this.stop?.();
    this.start = this.from = null;
    this.screen.board.enable(false);
    this.say("Looking for a puzzle …");
    $("task").textContent = "";
    this.line("");
    this.buttons({ solution: false, again: false });
    const options = { seed: Math.floor(Number($("seed").value)), level: $("level").value };
    const gameState = this.screen.game.gameState(this.screen.game.root);
    this.stop = search("puzzle", gameState, options, (message) => {
      if (message.error) this.say(message.error, "wrong");
      if (message.sorry) this.sorry(message.sorry);
      if (message.smaller) this.smaller(message.smaller);
      if (message.puzzle) this.place(message.puzzle);
    });
  }

  sorry(text) {
    this.say(text);
    this.screen.show();
    $("next").hidden = true;
  }

  /** A link to a smaller game, which has puzzles. */
  smaller({ parameters, title }) {
    const link = document.createElement("a");
    link.href = `?${new URLSearchParams(parameters)}#panel=puzzle`;
    link.textContent = title;
    $("said").append(" There are puzzles of ", link, ".");
  }

  /** Go to the position of a puzzle, by the moves that lead there. */
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

  /** The person has moved. */
  check(here) {
    this.stop?.();
    this.say("…");
    this.buttons({ solution: false, again: false });
    const { game } = this.screen;
    this.stop = search("puzzle_move", game.gameState(this.from), { action: here.code }, (message) => {
      if (message.error) this.say(message.error, "wrong");
      if ("right" in message) this.verdict(here, message);
    });
  }

  verdict(here, { right, said, line, plies }) {
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
    const over = here.state?.over;
    const end = over ? ` The game is over: ${here.state.result}.` : "";
    this.say((first ? "Right! " : "") + said + end, "right");
    if (first && plies > 1) {
      const more = plies > 2 ? ". You can play it out on the board, against the best defence." : "";
      this.line(`Best play: ${line}${more}`);
    }
    this.defend(here);
  }

  /** The other side answers, as well as it can; the person goes on where there is a choice. */
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
      const next = game.child(here, message.state.line.at(-1), message.state.moves.at(-1));
      next.state = message.state;
      this.defend(next);
      if (game.here === here) game.go(next);
    });
  }

  solution() {
    this.stop?.();
    if (!this.done) this.store({ ...this.score, streak: 0 });
    this.done = true;
    const { game } = this.screen;
    if (game.here !== this.start) game.go(this.start);
    this.stop = search("puzzle_move", game.gameState(this.start), {}, (message) => {
      if (message.error) this.say(message.error, "wrong");
      if (!("right" in message)) return;
      this.say(`The solution: ${message.said}`);
      this.line(`Best play: ${message.line}`);
      this.buttons({ solution: false, again: false });
    });
  }

  // ---- what is shown

  say(text, kind = "") {
    $("said").textContent = text;
    $("said").className = kind;
  }

  line(text) {
    $("line").textContent = text;
    $("line").hidden = !text;
  }

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

  read() {
    try {
      const { solved, streak } = JSON.parse(localStorage.getItem(this.key));
      return { solved: Number(solved) || 0, streak: Number(streak) || 0 };
    } catch {
      return { solved: 0, streak: 0 }; // nothing is kept, or may be
    }
  }

  store(score) {
    this.score = score;
    try {
      localStorage.setItem(this.key, JSON.stringify(score));
    } catch { /* it may not be kept: it is counted as long as the page is open */ }
    this.count();
  }

  count() {
    $("solved").textContent = this.score.solved;
    $("streak").textContent = this.score.streak;
  }
}
