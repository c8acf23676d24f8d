// The panel to play: who sits where, whose turn it is, and what can be done in a game.
//
// At the end of a line, and wherever a person has just moved, agents and chance move by themselves; at
// an earlier position that is only looked at nothing happens until the person plays there. Undo
// removes moves; other variations stay.

import { Clock } from "./clock.js";
import { find, make, reveal } from "./dom.js";
import { shortcut } from "./keyboard.js";
import { Match } from "./match.js";
import { MoveList } from "./move_list.js";
import { NewGame } from "./new_game.js";
import { agentName, keepSeats, keptSeats, Seats } from "./seats.js";
import { search } from "./server.js";
import { Thinking } from "./thinking.js";
import { compiled, isCompiling, warm } from "./warm.js";
import { news, resultWords, turnWords } from "./words.js";

const THROW = 650; // milliseconds that dice are seen

/** A roll as dice, "⚂⚁" for 32; other moves of chance by their names. */
const dice = (name) => (/^[1-6]+$/.test(name) ? [...name].map((eyes) => "⚀⚁⚂⚃⚄⚅"[eyes - 1]).join(" ") : name);

export class PlayPanel {
  constructor(screen) {
    this.screen = screen;
    this.game = screen.game;
    this.seats = new Seats(find("#seats"), screen.catalogue, (seat) => this.changed(seat));
    this.seats.resize(screen.catalogue.players);
    this.clock = new Clock({
      onTick: () => this.seats.markTimes(this.clock), onFlag: (seat) => this.flag(seat),
    });
    this.thinking = new Thinking();
    this.match = new Match();
    this.list = new MoveList(this.game, (node) => this.screen.visit(node));
    this.dialog = new NewGame(this, (specs, times) => this.newGame(specs, times));
    this.ending = null; // how the game ended before its end by the rules: {node, text, utilities}
    this.paused = false;
    this.thrown = new Map(); // what chance did, by the line before: moves are taken back, not dice
    this.shownTo = null; // the person who looks at a hidden game
    this.recall();
    this.game.people = this.seats.people;
    this.turnBoard();
    this.listen();
  }

  listen() {
    const on = (id, action) => find(`#${id}`).addEventListener("click", action);
    on("undo", () => this.undo());
    on("hint", () => this.hint());
    on("flip", () => this.flip());
    on("resign", () => this.resign());
    on("rematch", () => this.rematch());
    on("new", () => this.dialog.open());
    on("to-analysis", () => this.screen.open("analyse"));
    on("halt", () => this.halted("stopped"));
    on("now", () => this.moveNow());
    on("again", () => this.goOn());
    on("go-on", () => this.goOn());
    on("throw", () => this.throwDice());
    on("pause", () => this.pause());
    on("step", () => this.step());
    find("#typed").addEventListener("submit", (event) => {
      event.preventDefault();
      this.type();
    });
    find("#cover button").addEventListener("click", () => this.uncover());
    const here = () => this.screen.panel === this;
    for (const [key, label, action] of [
      ["ArrowLeft", "One move back", () => this.list.back()],
      ["ArrowRight", "One move forward", () => this.list.forward()],
      ["Home", "To the start", () => this.list.toStart()],
      ["End", "To the last move", () => this.list.toEnd()],
      ["u", "Take a move back", () => this.undo()],
      ["h", "A hint", () => this.hint()],
      ["f", "Flip the board", () => this.flip()],
      ["m", "Type a move", () => find("#typed-move").focus()],
      ["n", "A new game", () => this.dialog.open()],
      ["r", "Roll the dice", () => !find("#throw").hidden && this.throwDice()],
      ["p", "Pause, where agents play", () => !find("#watching").hidden && this.pause()],
    ]) {
      shortcut("Play", key, label, action, here);
    }
  }

  // ---- what the screen calls

  enter() {
    if (this.game.here.state) this.screen.show();
  }

  leave() {
    this.halt();
  }

  /** Whether another person has to come to the screen before this position is shown. */
  covers(state) {
    const { people } = this.game;
    const several = state.hidden && people.length > 1 && !state.over && !this.game.over;
    const hidden = several && state.viewer !== this.shownTo;
    const asks = hidden && people.includes(state.to_move);
    find("#board").classList.toggle("blank", hidden);
    find("#moves").hidden = hidden;
    reveal(find("#cover"), asks);
    if (!hidden) {
      this.shownTo = several ? state.viewer : null;
      return false;
    }
    const name = this.prepare(state)[state.viewer];
    find("#cover p").textContent = `${name}: are you alone?`;
    this.halt();
    this.screen.say(asks ? `${name} is to move` : "");
    for (const id of ["hint", "typed-move", "resign"]) find(`#${id}`).disabled = true;
    find("#hint-said").textContent = "";
    if (asks) find("#cover button").focus();
    else if (this.screen.panel === this) this.proceed(state);
    return true;
  }

  uncover() {
    const { viewer } = this.game.here.state;
    this.shownTo = viewer;
    this.game.people = [viewer, ...this.seats.people.filter((seat) => seat !== viewer)];
    this.screen.show();
    find("#board .target[tabindex='0'], #board button")?.focus();
  }

  show(state) {
    this.halt();
    this.prepare(state);
    this.keepTime(this.over ? -1 : state.to_move);
    find("#typed-wrong").textContent = "";
    find("#hint-said").textContent = "";
    this.list.draw(!state.hidden || this.over);
    this.seats.mark(this.over ? null : state.to_move, this.clock);
    this.screen.say(this.over ? resultWords(this, state) : `${news(this)}${turnWords(this, state)}`);
    this.buttons(state);
    if (this.over) this.finish(state);
    else this.proceed(state);
  }

  /** Run the clock of the one to move; where a move was made again the times are those of then. */
  keepTime(player) {
    const { here } = this.game;
    if (this.game.made && here.times) this.clock.resume(here, player);
    else this.clock.reach(here, player);
  }

  /** The seats of the game, when they are known. Returns the names of the seats. */
  prepare(state) {
    if (this.seats.rows.length !== state.players) {
      this.seats.resize(state.players);
      this.seats.draw(state);
      this.game.people = this.seats.people;
    }
    return this.seats.symbols;
  }

  /** The server has refused what was asked for, or does not answer. */
  failed(why) {
    const { state } = this.game.here;
    if (state && this.mayMove(state)) this.screen.board.enable(true);
    else this.complain(why);
  }

  // ---- whose turn it is

  get over() {
    const { state } = this.game.here;
    return state.over || this.game.over || this.ending?.node === this.game.here;
  }

  get atEnd() {
    return this.game.here.children.length === 0;
  }

  mayMove(state) {
    return !this.over && this.seats.isPerson(state.to_move);
  }

  get onlyAgents() {
    return this.seats.people.length === 0;
  }

  /** Let whoever is to move do so. */
  proceed(state) {
    this.screen.board.enable(this.mayMove(state));
    if (this.mayMove(state)) return;
    if (!this.atEnd && !this.game.made) reveal(find("#go-on"), true);
    else if (!(this.onlyAgents && this.paused)) this.after(this.onlyAgents ? this.delay : 0, () => this.goOn());
  }

  /** The agent or chance moves here. */
  goOn() {
    this.halt();
    const { state } = this.game.here;
    const known = this.game.here.children.at(-1)?.code ?? this.thrown.get(this.game.here.line.join());
    if (state.to_move >= 0) this.ask(this.seats.specs[state.to_move]);
    else if (known === undefined && this.byHand(state)) {
      reveal(find("#throw"), true);
      find("#throw").focus();
    } else this.chance(state, known);
  }

  byHand(state) {
    return !state.hidden && !this.onlyAgents && find("#by-hand input").checked;
  }

  throwDice() {
    reveal(find("#throw"), false);
    this.chance(this.game.here.state);
  }

  /** Let chance move, as it did before if that is known; dice are seen to fall. */
  async chance(state, known) {
    const from = this.game.here;
    const again = known !== undefined && !state.hidden;
    if (!(await this.screen.play(again ? { action: known } : { chance: true }))) return;
    const { here } = this.game;
    if (state.hidden || here.parent !== from) return;
    this.thrown.set(from.line.join(), here.code);
    const thrown = find("#thrown");
    reveal(thrown, true);
    thrown.firstChild.replaceWith(make("b", { textContent: dice(here.move.name) }));
    clearTimeout(this.fall);
    this.fall = setTimeout(() => reveal(thrown, false), THROW);
  }

  get delay() {
    return Number(find("#speed").value);
  }

  /** Do something in a while, unless another position is looked at before. */
  after(milliseconds, action) {
    if (milliseconds) this.timer = setTimeout(action, milliseconds);
    else action();
  }

  /** Let an agent move. */
  ask(agent, seconds = this.clock.share(this.game.here.state.to_move)) {
    const from = this.game.here;
    this.screen.board.enable(false);
    if (isCompiling(agent)) this.waitFor(agent, from);
    this.thinking.begin(this.game.gameState(from), { agent, seconds }, (message) => {
      if (message.error) this.halted(message.error);
      if (message.state) {
        this.halt();
        const node = this.game.accept(message.state, from);
        this.expectation(node, message.said);
      }
    });
  }

  /** The clock of an agent stands while it is being compiled. */
  async waitFor(agent, node) {
    const { clock, game } = this;
    const player = node.state.to_move;
    clock.stop();
    await compiled(agent);
    if (game.here === node && !this.over && this.seats.specs[player] === agent) clock.resume(node, player);
  }

  /** End what goes on by itself. */
  halt() {
    this.thinking.stop();
    clearTimeout(this.timer);
    for (const id of ["trouble", "go-on", "throw"]) reveal(find(`#${id}`), false);
  }

  /** An agent has not moved. */
  halted(why) {
    this.halt();
    const agent = agentName(this.seats.specs[this.game.here.state.to_move] ?? "chance");
    this.complain(why === "stopped" ? `${agent} was stopped.` : `${agent} has not moved: ${why}.`);
  }

  complain(text) {
    reveal(find("#trouble"), true, `${text} Choose another agent, or`);
  }

  /** The agent plays the best move it has found so far. */
  moveNow() {
    const { best } = this.thinking;
    const agent = this.seats.specs[this.game.here.state.to_move];
    this.halt();
    if (best) this.screen.play({ action: best.action });
    else this.ask(agent, 0.1);
  }

  expectation(node, said) {
    const box = find("#expects");
    node.said = said;
    reveal(box, Boolean(said));
    box.querySelector("p").textContent = said ?? "";
  }

  // ---- the end

  finish(state) {
    const utilities = state.utilities ?? this.ending?.utilities;
    this.clock.stop();
    this.screen.board.enable(false);
    if (state.over && state.hidden && !this.game.over) this.game.over = true;
    if (utilities) this.match.finish(utilities);
    this.showScore();
  }

  showScore() {
    const names = this.seats.specs.map((_, seat) => this.seats.nameOf(seat));
    const words = this.match.words(names);
    reveal(find("#score"), words, words);
  }

  resign() {
    const { state } = this.game.here;
    const { people } = this.seats;
    const button = find("#resign");
    if (!button.dataset.sure) {
      button.dataset.sure = "yes";
      button.textContent = "Really resign?";
      clearTimeout(this.doubt);
      this.doubt = setTimeout(() => this.calm(), 8000);
      return;
    }
    const loser = people.includes(state.to_move) ? state.to_move : people[0];
    const who = this.seats.nameOf(loser);
    this.end(loser, who === "you" ? "You have resigned" : `${who} has resigned`);
  }

  calm() {
    const button = find("#resign");
    delete button.dataset.sure;
    button.textContent = "Resign";
  }

  flag(loser) {
    const who = this.seats.nameOf(loser);
    this.list.toEnd();
    this.end(loser, who === "you" ? "Your time is up" : `The time of ${who} is up`);
  }

  /** The game ends here, before its end by the rules. */
  end(loser, why) {
    this.calm();
    this.halt();
    this.screen.forgo();
    const number = this.seats.specs.length;
    const utilities = Array.from({ length: number }, (_, i) => (i === loser ? -1 : 1 / (number - 1)));
    const others = this.seats.symbols.filter((_, i) => i !== loser);
    const verb = others.length > 1 ? "win" : "wins";
    this.ending = { node: this.game.here, text: `${why}: ${others.join(" and ")} ${verb}.`, utilities };
    this.clock.stop();
    this.again(this.game.here.state.hidden);
  }

  /** Look at the position anew; a hidden game is ended, and the server shows all of it. */
  again(hidden) {
    this.game.over = hidden;
    if (hidden) this.screen.refresh({ reveal: true });
    else this.screen.show();
  }

  // ---- what can be done

  buttons(state) {
    const { here } = this.game;
    const seatsPeople = this.seats.people.length;
    if (this.over) this.calm();
    find("#flip").setAttribute("aria-pressed", String(this.game.flipped));
    reveal(find("#watching"), !seatsPeople && !this.over);
    find("#pause").textContent = this.paused ? "Play" : "Pause";
    find("#step").disabled = !this.paused;
    reveal(find("#by-hand"), state.to_move < 0 || here.path.some((node) => node.move.player < 0));
    if (state.hidden) reveal(find("#by-hand"), false);
    find("#undo").disabled = !this.lastMove || (state.hidden && this.over);
    find("#hint").disabled = !this.mayMove(state);
    find("#typed-move").disabled = !this.mayMove(state);
    find("#typed button").disabled = !this.mayMove(state);
    find("#resign").disabled = this.over || !seatsPeople;
    reveal(find("#rematch"), this.over);
    reveal(find("#to-analysis"), this.over);
    reveal(find("#expects"), Boolean(here.said));
  }

  /** The node of the move that can be taken back: a person's last one, or where agents play any. */
  get lastMove() {
    const { path } = this.game.here;
    return path.findLast((node) => this.onlyAgents || this.seats.isPerson(node.move.player));
  }

  /** Take a move back, with all that followed. */
  async undo() {
    const { lastMove } = this;
    if (!lastMove || find("#undo").disabled) return;
    this.halt();
    this.ending = null;
    this.paused = this.paused || this.onlyAgents;
    const node = lastMove.parent;
    if (!(await this.screen.visit(node)) || this.game.here !== node) return;
    this.game.remove(lastMove);
    this.match.resume();
    this.showScore();
    this.screen.show();
    if (node.state) this.clock.resume(node, node.state.to_move);
  }

  hint() {
    const from = this.game.here;
    if (find("#hint").disabled) return;
    const agent = this.screen.catalogue.opponent;
    const said = find("#hint-said");
    said.textContent = `${agentName(agent)} ${isCompiling(agent) ? "is compiled first" : "thinks"} …`;
    search("hint", this.game.gameState(from), { agent }, ({ hint, error }) => {
      if (from !== this.game.here || !(hint || error)) return;
      const words = hint?.said ? `: ${hint.said}` : "";
      said.textContent = error ? `No hint: ${error}` : `Hint: ${hint.name} (${agentName(agent)}${words})`;
      if (hint) this.screen.board.mark?.([{ action: hint.action, kind: "hint" }]);
    });
  }

  flip() {
    this.game.flipped = !this.game.flipped;
    this.screen.refresh();
  }

  async type() {
    const input = find("#typed-move");
    const name = input.value.trim();
    const { state } = this.game.here;
    if (!name || !this.mayMove(state)) return;
    const from = this.game.here;
    const legal = await this.screen.play({ name });
    input.setAttribute("aria-invalid", String(!legal));
    if (legal) input.value = "";
    else if (from === this.game.here) {
      find("#typed-wrong").textContent = this.screen.status.textContent;
      input.select();
    }
  }

  pause() {
    this.paused = !this.paused;
    this.screen.show();
  }

  step() {
    if (this.atEnd) this.goOn();
    else this.list.forward();
  }

  /** Somebody else sits in a seat now. */
  changed() {
    const { state, parent } = this.game.here;
    if (state.hidden && parent && this.seats.people.some((seat) => !this.game.people.includes(seat))) {
      this.newGame(this.seats.specs, this.times); // nobody sits down at cards that were dealt to another
      return;
    }
    const { people, flipped } = this.game;
    this.halt();
    this.match.reset();
    this.showScore();
    this.people();
    if (people.join() !== this.game.people.join()) this.turnBoard();
    this.warmUp();
    this.keep(this.seats.specs, this.times);
    if (state.hidden || flipped !== this.game.flipped) this.screen.refresh();
    else this.screen.show();
  }

  /** Have the agents compiled. */
  warmUp() {
    for (const spec of this.seats.specs) warm(this.game.gameState(this.game.root), spec);
  }

  /** Whoever sits alone in the second of two seats has that side below. */
  turnBoard() {
    this.game.flipped = this.seats.specs.length === 2 && this.seats.people.join() === "1";
  }

  people() {
    this.game.people = this.seats.people;
    this.shownTo = null;
  }

  rematch() {
    const { specs } = this.seats;
    const moved = [specs.at(-1), ...specs.slice(0, -1)];
    const times = this.times && [this.times.at(-1), ...this.times.slice(0, -1)];
    this.newGame(moved, times, true);
  }

  newGame(specs, times, swap = false) {
    this.halt();
    this.calm();
    const same = swap || specs.every((spec, i) => spec === this.seats.specs[i]);
    if (same) this.match.next(swap);
    else this.match.reset();
    this.seats.specs = [...specs];
    this.times = times;
    this.keep(specs, times);
    this.seats.rows = [];
    this.people();
    this.game.over = false;
    this.ending = null;
    this.paused = false;
    this.thrown.clear();
    if (!swap && this.game.setUp) this.screen.setUp("");
    this.turnBoard();
    this.clock.begin(times);
    this.screen.begin().then(() => this.showScore());
    this.warmUp();
  }

  // ---- kept while the page is left for another size, or loaded again

  keep(specs, times) {
    keepSeats(this.game.name, specs, times);
  }

  recall() {
    const { specs, times } = keptSeats(this.game.name);
    if (!specs) return;
    this.seats.specs = specs;
    this.seats.resize(this.screen.catalogue.players);
    this.times = times;
    this.clock.begin(times);
  }
}
