// How games end: by the rules, when somebody resigns or runs out of time; and the score of several.

import { find, findButton, reveal } from "./dom.js";
import { Match } from "./match.js";

/** @import { State } from "../messages" */
/** @import { Clock } from "./clock.js" */
/** @import { PlayState } from "./play_state.js" */
/** @import { Screen } from "./screen.js" */
/** @import { Turns } from "./turns.js" */

const DOUBT = 8000; // milliseconds in which a second click resigns

export class GameEnd {
  /**
   * @param {Screen} screen
   * @param {PlayState} play
   * @param {Clock} clock
   * @param {Turns} turns
   */
  constructor(screen, play, clock, turns) {
    this.screen = screen;
    this.play = play;
    this.clock = clock;
    this.turns = turns;
    this.match = new Match();
    this.doubt = 0;
    this.score = find("#score");
    this.resigns = findButton("#resign");
    this.resigns.addEventListener("click", () => this.resign());
  }

  /**
   * The game is over.
   * @param {State} state
   */
  finish(state) {
    const { game, ending } = this.play;
    const utilities = state.utilities ?? ending?.utilities;
    this.clock.stop();
    this.screen.board.enable(false);
    if (state.over && state.hidden) game.over = true;
    if (utilities) this.match.finish(utilities);
    this.showScore();
  }

  showScore() {
    const { seats, state } = this.play;
    const names = seats.specs.map((_, seat) => seats.nameOf(seat));
    const words = this.match.words(names, state?.cooperative);
    reveal(this.score, words !== "", words);
  }

  /** The end was taken back. */
  resume() {
    this.play.ending = null;
    this.match.resume();
    this.showScore();
  }

  /** Others play now: the score begins anew. */
  reset() {
    this.match.reset();
    this.showScore();
  }

  /** The person to move resigns, with a second click. */
  resign() {
    const { play, resigns } = this;
    const { people } = play.seats;
    if (!play.state) return;
    if (!resigns.dataset.sure) {
      resigns.dataset.sure = "yes";
      resigns.textContent = "Really resign?";
      clearTimeout(this.doubt);
      this.doubt = setTimeout(() => this.calm(), DOUBT);
      return;
    }
    const loser = people.includes(play.state.to_move) ? play.state.to_move : people[0];
    const who = play.seats.nameOf(loser);
    this.end(loser, who === "you" ? "You have resigned" : `${who} has resigned`);
  }

  /** Nobody resigns. */
  calm() {
    delete this.resigns.dataset.sure;
    this.resigns.textContent = "Resign";
  }

  /**
   * The time of a player is up.
   * @param {number} loser
   */
  flag(loser) {
    const who = this.play.seats.nameOf(loser);
    this.end(loser, who === "you" ? "Your time is up" : `The time of ${who} is up`);
  }

  /**
   * The game ends here, before its end by the rules; of a hidden game the server shows all then.
   * @param {number} loser
   * @param {string} why
   */
  end(loser, why) {
    const { play } = this;
    this.calm();
    this.turns.halt();
    this.screen.forgo();
    play.end(loser, why);
    this.clock.stop();
    play.game.over = Boolean(play.state?.hidden);
    if (play.game.over) this.screen.refresh({ reveal: true });
    else this.screen.show();
  }
}
