// Lets whoever is to move do so: agents and chance move by themselves, and dice are seen to fall.

import { diceOf } from "./dice.js";
import { find, findButton, reveal } from "./dom.js";
import { Thinking } from "./thinking.js";
import { compiled, isCompiling } from "./warm.js";

/** @import { Code, State } from "../messages" */
/** @import { Clock } from "./clock.js" */
/** @import { Node } from "./game.js" */
/** @import { PlayState } from "./play_state.js" */
/** @import { Screen } from "./screen.js" */

const THROW = 650; // milliseconds that dice are seen

export class Turns {
  /**
   * @param {Screen} screen
   * @param {PlayState} play
   * @param {Clock} clock
   */
  constructor(screen, play, clock) {
    this.screen = screen;
    this.play = play;
    this.game = play.game;
    this.seats = play.seats;
    this.clock = clock;
    this.thinking = new Thinking();
    this.timer = 0; // of a move that is made in a while
    this.fall = 0; // of dice that are seen
    this.trouble = find("#trouble");
    this.goesOn = findButton("#go-on");
    this.throws = findButton("#throw");
    this.thrown = find("#thrown");
    this.expects = find("#expects");
    this.byHand = find("#by-hand input", HTMLInputElement);
    this.speed = find("#speed", HTMLSelectElement);
    this.goesOn.addEventListener("click", () => this.goOn());
    this.throws.addEventListener("click", () => this.throwDice());
    findButton("#again").addEventListener("click", () => this.goOn());
    findButton("#halt").addEventListener("click", () => this.halted("stopped"));
    findButton("#now").addEventListener("click", () => this.moveNow());
  }

  /** Let whoever is to move do so. */
  proceed() {
    const { play } = this;
    this.screen.board.enable(play.mayMove);
    if (play.mayMove) return;
    if (!play.atEnd && !this.game.made) reveal(this.goesOn, true);
    else if (!(play.onlyAgents && play.paused)) {
      this.after(play.onlyAgents ? Number(this.speed.value) : 0, () => this.goOn());
    }
  }

  /** The agent or chance moves here. */
  goOn() {
    this.halt();
    const { state, knownThrow } = this.play;
    if (!state) return;
    if (state.to_move >= 0) this.ask(state, this.seats.specs[state.to_move]);
    else if (knownThrow === undefined && this.isByHand(state)) {
      reveal(this.throws, true);
      this.throws.focus();
    } else this.chance(state, knownThrow);
  }

  /** @param {State} state */
  isByHand(state) {
    return !state.hidden && !this.play.onlyAgents && this.byHand.checked;
  }

  throwDice() {
    const { state } = this.play;
    if (this.throws.hidden || !state) return;
    reveal(this.throws, false);
    this.chance(state, undefined);
  }

  /**
   * Let chance move, as it did before if that is known; dice are seen to fall.
   * @param {State} state
   * @param {Code | undefined} known
   */
  async chance(state, known) {
    const from = this.game.here;
    const again = known !== undefined && !state.hidden;
    if (!(await this.screen.play(again ? { action: known } : { chance: true }))) return;
    const { here } = this.game;
    if (state.hidden || here.parent !== from) return;
    this.play.thrown.set(from.line.join(), here.code);
    this.thrown.replaceChildren(...diceOf(here.move.name));
    reveal(this.thrown, true);
    clearTimeout(this.fall);
    this.fall = setTimeout(() => reveal(this.thrown, false), THROW);
  }

  /**
   * Do something in a while, unless another position is looked at before.
   * @param {number} milliseconds
   * @param {() => void} action
   */
  after(milliseconds, action) {
    if (milliseconds) this.timer = setTimeout(action, milliseconds);
    else action();
  }

  /**
   * Let an agent move.
   * @param {State} state
   * @param {string} agent
   */
  ask(state, agent, seconds = this.clock.share(state.to_move)) {
    const from = this.game.here;
    this.screen.board.enable(false);
    if (isCompiling(agent)) this.waitFor(agent, from, state.to_move);
    const name = this.seats.opponent(agent);
    this.thinking.begin(this.game.gameState(from), { agent, seconds }, name, (message) => {
      if (message.error) this.halted(message.error);
      if (message.state) {
        this.halt();
        const node = this.game.accept(message.state, from);
        this.expectation(node, message.said ?? "");
      }
    });
  }

  /**
   * The clock of an agent stands while it is being compiled.
   * @param {string} agent
   * @param {Node} node
   * @param {number} player
   */
  async waitFor(agent, node, player) {
    const { clock, game } = this;
    clock.stop();
    await compiled(agent);
    if (game.here === node && !this.play.over && this.seats.specs[player] === agent) clock.resume(node, player);
  }

  /** End what goes on by itself. */
  halt() {
    this.thinking.stop();
    clearTimeout(this.timer);
    for (const each of [this.trouble, this.goesOn, this.throws]) reveal(each, false);
  }

  /**
   * An agent has not moved.
   * @param {string} why
   */
  halted(why) {
    this.halt();
    const spec = this.seats.specs[this.play.state?.to_move ?? -1] ?? "chance";
    const who = this.seats.opponent(spec);
    this.complain(why === "stopped" ? `${who} was stopped.` : `${who} has not moved: ${why}.`);
  }

  /** @param {string} text */
  complain(text) {
    reveal(this.trouble, true, `${text} Choose another agent, or`);
  }

  /** The agent plays the best move it has found so far. */
  moveNow() {
    const { best } = this.thinking;
    const { state } = this.play;
    this.halt();
    if (best) this.screen.play({ action: best.action });
    else if (state) this.ask(state, this.seats.specs[state.to_move], 0.1);
  }

  /**
   * What an agent expects that has moved.
   * @param {Node} node
   * @param {string} said
   */
  expectation(node, said) {
    node.said = said;
    reveal(this.expects, said !== "");
    find("#expects p").textContent = said;
  }
}
