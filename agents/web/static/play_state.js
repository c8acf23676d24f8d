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
    /** @type {State["turns"]} */
    this.turns = ""; // how the board turns
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

  /**
   * The node from which moves are taken back: a person's last move or, if others have moved since, the first
   * one of the person's last turn; where only agents play any last move.
   */
  get lastMove() {
    const { path } = this.game.here;
    const own = (/** @type {Node | undefined} */ node) =>
      node !== undefined && (this.onlyAgents || this.seats.isPerson(node.move.player));
    let at = path.findLastIndex(own);
    if (at < 0 || at === path.length - 1) return path[at];
    while (own(path[at - 1]) && path[at - 1].move.player === path[at].move.player) at -= 1;
    return path[at];
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

  /** Whoever sits alone in the second of two seats has that side below; a board may stand upright instead. */
  turnBoard() {
    if (this.turns !== "upright") this.game.flipped = this.seats.specs.length === 2 && this.seats.people.join() === "1";
  }

  /** The seat of the side that is below the board. */
  get sideBelow() {
    const [person] = this.seats.people;
    if (this.turns === "sides") return this.game.flipped ? 1 : 0;
    return this.seats.people.length === 1 ? person : 0;
  }

  /**
   * The game ends here: a player has lost the most that one can, so that no play is worse, and all
   * others win as much together; a team has no points.
   * @param {number} loser
   * @param {string} why
   */
  end(loser, why) {
    const number = this.seats.specs.length;
    if (this.state?.cooperative) {
      this.ending = { node: this.game.here, text: `${why}: no points.`, utilities: Array(number).fill(0) };
      return;
    }
    const most = this.state?.most ?? 1;
    const utilities = Array.from({ length: number }, (_, i) => (i === loser ? -most : most / (number - 1)));
    const others = this.seats.symbols.filter((_, i) => i !== loser);
    const verb = others.length > 1 ? "win" : "wins";
    this.ending = { node: this.game.here, text: `${why}: ${others.join(" and ")} ${verb}.`, utilities };
  }
}
