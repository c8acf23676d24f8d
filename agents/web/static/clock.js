// The clocks of a game: for each seat the time that is left. They stand until the first player has moved.
//
// A node of the game keeps the times with which it was reached, so that going back brings them back.

/** @import { Node } from "./game.js" */

/**
 * The time of a seat, in seconds: for the game, and what is added for each move.
 * @typedef {{ main: number, increment: number }} Time
 */

export class Clock {
  /** @param {{ onTick: () => void, onFlag: (seat: number) => void }} given */
  constructor({ onTick, onFlag }) {
    this.onTick = onTick;
    this.onFlag = onFlag;
    /** @type {(Time | null)[] | null} */
    this.settings = null;
    /** @type {number[]} */
    this.left = []; // milliseconds for each seat, when the clock began to run
    /** @type {Node | null} */
    this.node = null;
    /** @type {number | null} */
    this.seat = null; // whose clock runs
    this.since = 0;
    setInterval(() => this.tick(), 100);
  }

  /**
   * Begin a game; settings are for each seat, or null.
   * @param {(Time | null)[] | null | undefined} settings
   */
  begin(settings) {
    this.stop();
    this.settings = settings?.some(Boolean) ? settings : null;
    this.left = this.settings?.map((own) => (own ? 1000 * own.main : Infinity)) ?? [];
    this.node = null;
    this.onTick();
  }

  /**
   * What a seat has left in milliseconds; null without clocks.
   * @param {number} seat
   */
  of(seat) {
    if (!this.settings?.[seat]) return null;
    const running = seat === this.seat ? performance.now() - this.since : 0;
    return Math.max(0, this.left[seat] - running);
  }

  /**
   * How many seconds an agent in this seat may think about a move; undefined without clocks.
   * @param {number} seat
   */
  share(seat) {
    const [own, left] = [this.settings?.[seat], this.of(seat)];
    if (!own || left === null) return undefined;
    return Math.max(0.02, Math.min(left / 2000, left / 25_000 + 0.7 * own.increment));
  }

  /**
   * A position is looked at, where `player` is to move; a new one is what the clocks wait for.
   * @param {Node} node
   * @param {number} player
   */
  reach(node, player) {
    if (!this.settings || node.times) return;
    const before = node.parent;
    if (before && before === this.node) {
      const { seat } = this;
      this.stop();
      if (seat !== null) this.left[seat] += 1000 * (this.settings[seat]?.increment ?? 0);
    } else if (before?.times) {
      this.stop();
      this.left = [...before.times];
    }
    node.times = [...this.left];
    this.run(node, player);
  }

  /**
   * Go on from a position that was reached before, with the times of then.
   * @param {Node} node
   * @param {number} player
   */
  resume(node, player) {
    if (!this.settings || !node.times) return;
    this.stop();
    this.left = [...node.times];
    this.run(node, player);
  }

  /**
   * @param {Node} node
   * @param {number} player
   */
  run(node, player) {
    this.node = node;
    const begun = node.path.some((each) => each.move.player >= 0);
    this.seat = begun && player >= 0 ? player : null;
    this.since = performance.now();
    this.onTick();
  }

  stop() {
    if (this.seat !== null) this.left[this.seat] = this.of(this.seat) ?? this.left[this.seat];
    this.seat = null;
  }

  tick() {
    if (this.seat === null || !this.settings?.[this.seat]) return;
    this.onTick();
    const { seat } = this;
    if (this.of(seat) !== 0) return;
    this.stop();
    this.onFlag(seat);
  }
}

/**
 * A time in words, such as "4:05" or "0:09.3".
 * @param {number} milliseconds
 */
export function timeText(milliseconds) {
  const seconds = milliseconds / 1000;
  const minutes = Math.floor(seconds / 60);
  const tenth = seconds < 20 ? `.${Math.floor(10 * (seconds % 1))}` : "";
  return `${minutes}:${String(Math.floor(seconds % 60)).padStart(2, "0")}${tenth}`;
}
