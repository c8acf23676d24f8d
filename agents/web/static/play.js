// The panel to play: who sits where, whose turn it is, and what can be done in a game.
//
// At the end of a line, and wherever a person has just moved, agents and chance move by themselves; at
// an earlier position that is only looked at nothing happens until the person plays there. Undo
// removes moves; other variations stay. The parts of the panel share one state, see play_state.js.

import { Clock } from "./clock.js";
import { find, findButton, reveal } from "./dom.js";
import { GameEnd } from "./game_end.js";
import { shortcut } from "./keyboard.js";
import { MoveList } from "./move_list.js";
import { NewGame } from "./new_game.js";
import { PlayState } from "./play_state.js";
import { agentName, keepSeats, keptSeats, Seats } from "./seats.js";
import { search } from "./server.js";
import { Turns } from "./turns.js";
import { isCompiling, isPrepared, preparation, warm } from "./warm.js";
import { news, resultWords, turnWords } from "./words.js";

/** @import { State } from "../messages" */
/** @import { Time } from "./clock.js" */
/** @import { Screen } from "./screen.js" */

export class PlayPanel {
  /** @param {Screen} screen */
  constructor(screen) {
    this.screen = screen;
    this.game = screen.game;
    const lists = { above: find("#seats-above"), below: find("#seats") };
    this.seats = new Seats(lists, screen.catalogue, () => this.changed());
    this.seats.isPrepared = isPrepared;
    preparation.addEventListener("change", () => this.seats.note());
    this.seats.resize(screen.catalogue.players);
    this.play = new PlayState(this.game, this.seats);
    this.clock = new Clock({
      onTick: () => this.seats.markTimes(this.clock), onFlag: (seat) => this.flag(seat),
    });
    this.turns = new Turns(screen, this.play, this.clock);
    this.end = new GameEnd(screen, this.play, this.clock, this.turns);
    this.list = new MoveList(this.game, (node) => this.screen.visit(node));
    this.dialog = new NewGame(this, (specs, times) => this.newGame(specs, times));
    this.typed = find("#typed-move", HTMLInputElement);
    this.wrong = find("#typed-wrong");
    this.hinted = find("#hint-said");
    this.recall();
    this.game.people = this.seats.people;
    this.play.turnBoard();
    this.listen();
  }

  listen() {
    /** @type {Record<string, () => void>} */
    const actions = {
      undo: () => this.undo(),
      hint: () => this.hint(),
      flip: () => this.flip(),
      rematch: () => this.rematch(),
      new: () => this.dialog.open(),
      "to-analysis": () => this.screen.open("analyse"),
      pause: () => this.pause(),
      step: () => this.step(),
    };
    for (const [id, action] of Object.entries(actions)) findButton(`#${id}`).addEventListener("click", action);
    find("#typed").addEventListener("submit", (event) => {
      event.preventDefault();
      this.type();
    });
    find("#cover button").addEventListener("click", () => this.uncover());
    const here = () => this.screen.panel === this;
    /** @type {[key: string, label: string, action: () => void][]} */
    const keys = [
      ["ArrowLeft", "One move back", () => this.list.back()],
      ["ArrowRight", "One move forward", () => this.list.forward()],
      ["Home", "To the start", () => this.list.toStart()],
      ["End", "To the last move", () => this.list.toEnd()],
      ["u", "Take a move back", () => this.undo()],
      ["h", "A hint", () => this.hint()],
      ["f", "Flip the board", () => this.flip()],
      ["m", "Type a move", () => this.typed.focus()],
      ["n", "A new game", () => this.dialog.open()],
      ["r", "Roll the dice", () => this.turns.throwDice()],
      ["p", "Pause, where agents play", () => find("#watching").hidden || this.pause()],
    ];
    for (const [key, label, action] of keys) shortcut("Play", key, label, action, here);
  }

  // ---- what the screen calls

  enter() {
    if (this.play.state) this.screen.show();
  }

  leave() {
    this.turns.halt();
  }

  /**
   * Whether another person has to come to the screen before this position is shown.
   * @param {State} state
   */
  covers(state) {
    const { people } = this.game;
    const hidden = this.play.isHidden(state);
    const asks = hidden && people.includes(state.to_move);
    find("#board").classList.toggle("blank", hidden);
    find("#moves").hidden = hidden;
    reveal(find("#cover"), asks);
    if (!hidden) {
      this.play.shownTo = this.play.severalLook(state) ? state.viewer : null;
      return false;
    }
    const name = this.prepare(state)[state.viewer ?? 0];
    find("#cover p").textContent = `${name}: are you alone?`;
    this.turns.halt();
    this.screen.say(asks ? `${name} is to move` : "");
    for (const each of [findButton("#hint"), this.typed, findButton("#resign")]) each.disabled = true;
    this.hinted.textContent = "";
    if (asks) find("#cover button").focus();
    else if (this.screen.panel === this) this.turns.proceed();
    return true;
  }

  uncover() {
    const viewer = this.play.state?.viewer ?? null;
    if (viewer === null) return;
    this.play.shownTo = viewer;
    this.game.people = [viewer, ...this.seats.people.filter((seat) => seat !== viewer)];
    this.screen.show();
    this.screen.board.focusFirst();
  }

  /** @param {State} state */
  show(state) {
    const { play } = this;
    this.turns.halt();
    this.prepare(state);
    this.keepTime(play.over ? -1 : state.to_move);
    this.wrong.textContent = "";
    this.hinted.textContent = "";
    this.list.draw(state, !state.hidden || play.over);
    this.seats.mark(play.over ? null : state.to_move, this.clock);
    this.screen.say(play.over ? resultWords(play, state) : `${news(play, state)}${turnWords(play, state)}`);
    this.buttons(state);
    if (play.over) this.end.finish(state);
    else this.turns.proceed();
  }

  /**
   * Run the clock of the one to move; where a move was made again the times are those of then.
   * @param {number} player
   */
  keepTime(player) {
    const { here } = this.game;
    if (this.game.made && here.times) this.clock.resume(here, player);
    else this.clock.reach(here, player);
  }

  /**
   * The seats of the game, when they are known. Returns the names of the seats.
   * @param {State} state
   */
  prepare(state) {
    if (this.seats.rows.length !== state.players) {
      this.seats.resize(state.players);
      this.game.people = this.seats.people;
      this.stand(state);
      this.seats.tasks = null;
    }
    if (this.seats.tasks?.join() !== state.tasks.join()) this.seats.draw(state);
    this.seats.place(this.play.sideBelow);
    return this.seats.symbols;
  }

  /**
   * How the board turns is known now: one that can stand upright does so on narrow screens.
   * @param {State} state
   */
  stand({ turns }) {
    const first = this.play.turns !== turns;
    this.play.turns = turns;
    if (first && turns === "upright") {
      this.game.flipped = false;
      if (matchMedia("(max-width: 36rem) and (orientation: portrait)").matches) setTimeout(() => this.screen.turn());
    }
  }

  /**
   * The server has refused what was asked for, or does not answer.
   * @param {string} why
   */
  failed(why) {
    if (this.play.mayMove) this.screen.board.enable(true);
    else this.turns.complain(why);
  }

  // ---- what can be done

  /** @param {State} state */
  buttons(state) {
    const { play } = this;
    const { people } = this.seats;
    const chance = state.to_move < 0 || this.game.here.path.some((node) => node.move.player < 0);
    if (play.over) this.end.calm();
    reveal(findButton("#flip"), state.turns !== "");
    // one that was just turned is still on the screen as it was until the answer comes
    if (!this.game.here.stale) findButton("#flip").setAttribute("aria-pressed", String(this.game.flipped));
    reveal(find("#watching"), !people.length && !play.over);
    findButton("#pause").textContent = play.paused ? "Play" : "Pause";
    findButton("#step").disabled = !play.paused;
    reveal(find("#by-hand"), chance && !state.hidden);
    findButton("#undo").disabled = !play.lastMove || (state.hidden && play.over);
    for (const each of [findButton("#hint"), this.typed, findButton("#typed button")]) {
      each.disabled = !play.mayMove;
    }
    if (!this.screen.catalogue.opponent) findButton("#hint").disabled = true;
    findButton("#resign").disabled = play.over || !people.length;
    reveal(findButton("#rematch"), play.over);
    reveal(findButton("#to-analysis"), play.over);
    reveal(find("#expects"), this.game.here.said !== "");
  }

  /** Take a move back, with all that followed. */
  async undo() {
    const { lastMove } = this.play;
    const node = lastMove?.parent;
    if (!lastMove || !node || findButton("#undo").disabled) return;
    this.turns.halt();
    this.play.ending = null;
    this.play.paused ||= this.play.onlyAgents;
    if (!(await this.screen.visit(node)) || this.game.here !== node) return;
    this.game.remove(lastMove);
    this.end.resume();
    this.screen.show();
    if (node.state) this.clock.resume(node, node.state.to_move);
  }

  hint() {
    const from = this.game.here;
    if (findButton("#hint").disabled) return;
    const agent = this.screen.catalogue.opponent;
    this.hinted.textContent = `${agentName(agent)} ${isCompiling(agent) ? "is compiled first" : "thinks"} …`;
    search("hint", this.game.gameState(from), { agent }, ({ hint, error }) => {
      if (from !== this.game.here) return;
      if (error) this.hinted.textContent = `No hint: ${error}`;
      if (!hint) return;
      const words = hint.said ? `: ${hint.said}` : "";
      this.hinted.textContent = `Hint: ${hint.name} (${agentName(agent)}${words})`;
      this.screen.board.mark([{ action: hint.action, kind: "hint" }]);
    });
  }

  flip() {
    if (this.play.turns) this.screen.turn();
  }

  async type() {
    const name = this.typed.value.trim();
    if (!name || !this.play.mayMove) return;
    const from = this.game.here;
    const said = this.screen.status.textContent ?? "";
    const legal = await this.screen.play({ name });
    this.typed.setAttribute("aria-invalid", String(!legal));
    if (legal) this.typed.value = "";
    else if (from === this.game.here) {
      this.wrong.textContent = this.screen.status.textContent;
      this.screen.say(said); // the reason is said once, where the move was typed
      this.typed.select();
    }
  }

  pause() {
    this.play.paused = !this.play.paused;
    this.screen.show();
  }

  step() {
    if (this.play.atEnd) this.turns.goOn();
    else this.list.forward();
  }

  /**
   * The time of a seat is up.
   * @param {number} seat
   */
  flag(seat) {
    this.list.toEnd();
    this.end.flag(seat);
  }

  // ---- who plays

  /** Somebody else sits in a seat now. */
  changed() {
    const { people, flipped, here } = this.game;
    const { specs, people: seated } = this.seats;
    if (here.state?.hidden && here.parent && seated.some((seat) => !people.includes(seat))) {
      this.newGame(specs, this.play.times); // nobody sits down at cards that were dealt to another
      return;
    }
    this.turns.halt();
    this.end.reset();
    this.play.seat();
    if (people.join() !== seated.join()) this.play.turnBoard();
    this.warmUp();
    this.keep(specs, this.play.times);
    if (here.state?.hidden || flipped !== this.game.flipped) this.screen.refresh();
    else this.screen.show();
  }

  /** Have the agents compiled. */
  warmUp() {
    for (const spec of this.seats.specs) warm(this.game.gameState(this.game.root), spec);
  }

  rematch() {
    const { specs } = this.seats;
    const { times } = this.play;
    this.newGame(moved(specs), times && moved(times), true);
  }

  /**
   * Begin a game; with `swap` the players have moved on by a seat.
   * @param {string[]} specs
   * @param {(Time | null)[] | null} times
   */
  newGame(specs, times, swap = false) {
    this.turns.halt();
    this.end.calm();
    const same = swap || specs.every((spec, i) => spec === this.seats.specs[i]);
    if (same) this.end.match.next(swap);
    else this.end.match.reset();
    this.keep(specs, times);
    this.play.begin(specs, times);
    if (!swap && this.game.setUp) this.screen.setUp("");
    this.play.turnBoard();
    this.clock.begin(times);
    this.screen.begin().then(() => this.end.showScore());
    this.warmUp();
  }

  // ---- kept while the page is left for another size, or loaded again

  /**
   * @param {string[]} specs
   * @param {(Time | null)[] | null} times
   */
  keep(specs, times) {
    keepSeats(this.game.name, specs, times);
  }

  recall() {
    const kept = keptSeats(this.game.name);
    if (!kept) return;
    this.seats.specs = kept.specs;
    this.seats.resize(this.screen.catalogue.players);
    this.play.times = kept.times;
    this.clock.begin(kept.times);
  }
}

/**
 * What is of each seat, after all have moved on by one.
 * @template Own
 * @param {Own[]} all
 */
const moved = (all) => [...all.slice(-1), ...all.slice(0, -1)];
