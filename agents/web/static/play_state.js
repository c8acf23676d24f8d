// The game that is played: what the parts of the panel to play share.

/** @import { Code, State } from "../messages" */
/** @import { Time } from "./clock.js" */
/** @import { Game, Node } from "./game.js" */
/** @import { Seats } from "./seats.js" */

/**
 * How a game has ended before its end by the rules: where, in words, and what it is worth.
 * @typedef {{ node: Node, text: string, utilities: number[] }} Ending
 */

export class PlayState {
  /**
   * @param {Game} game
   * @param {Seats} seats
   */
  constructor(game, seats) {
    this.game = game;
    this.seats = seats;
    /** @type {Ending | null} */
    this.ending = null;
    this.paused = false; // where agents play each other
    /** @type {Map<string, Code>} */
    this.thrown = new Map(); // what chance did, by the line before: moves are taken back, not dice
    /** @type {number | null} */
    this.shownTo = null; // the person who looks at a hidden game
    /** @type {(Time | null)[] | null} */
    this.times = null; // what the clocks of the seats begin with
  }

  /** What the server says of the position that is looked at; null until it has answered. */
  get state() {
    return this.game.here.state;
  }

  get over() {
    return Boolean(this.state?.over) || this.game.over || this.ending?.node === this.game.here;
  }

  get atEnd() {
    return this.game.here.children.length === 0;
  }

  /** Whether a person is to move. */
  get mayMove() {
    return this.state !== null && !this.over && this.seats.isPerson(this.state.to_move);
  }

  get onlyAgents() {
    return this.seats.people.length === 0;
  }

  /** The node of the move that can be taken back: a person's last one, or where agents play any. */
  get lastMove() {
    return this.game.here.path.findLast((node) => this.onlyAgents || this.seats.isPerson(node.move.player));
  }

  /** What chance did here before; undefined if nothing. */
  get knownThrow() {
    return this.game.here.children.at(-1)?.code ?? this.thrown.get(this.game.here.line.join());
  }

  /**
   * Whether another person has to come to the screen before a position is shown.
   * @param {State} state
   */
  isHidden(state) {
    return this.severalLook(state) && state.viewer !== this.shownTo;
  }

  /**
   * Whether several people look at a game in which something is hidden.
   * @param {State} state
   */
  severalLook(state) {
    return state.hidden && this.game.people.length > 1 && !state.over && !this.game.over;
  }

  /**
   * Forget the game that was played; others sit there now.
   * @param {string[]} specs
   * @param {(Time | null)[] | null} times
   */
  begin(specs, times) {
    this.seats.specs = [...specs];
    this.seats.rows = [];
    this.times = times;
    this.game.over = false;
    this.ending = null;
    this.paused = false;
    this.thrown.clear();
    this.seat();
  }

  /** Those who sit there look at the game. */
  seat() {
    this.game.people = this.seats.people;
    this.shownTo = null;
  }

  /** Whoever sits alone in the second of two seats has that side below. */
  turnBoard() {
    this.game.flipped = this.seats.specs.length === 2 && this.seats.people.join() === "1";
  }

  /**
   * The game ends here: a player has lost, all others win as much together.
   * @param {number} loser
   * @param {string} why
   */
  end(loser, why) {
    const number = this.seats.specs.length;
    const utilities = Array.from({ length: number }, (_, i) => (i === loser ? -1 : 1 / (number - 1)));
    const others = this.seats.symbols.filter((_, i) => i !== loser);
    const verb = others.length > 1 ? "win" : "wins";
    this.ending = { node: this.game.here, text: `${why}: ${others.join(" and ")} ${verb}.`, utilities };
  }
}
