// The score of several games between the same players, who change their seats from game to game.

export class Match {
  constructor() {
    this.shift = 0; // player i of the first game sits in seat (i + shift) of this one
    /** @type {number[][]} */
    this.games = [];
    /** @type {number[] | null} */
    this.current = null; // the utilities of the game that is over, by the players' numbers
  }

  /** Forget the games; others play now. */
  reset() {
    Object.assign(this, new Match());
  }

  /**
   * The game is over; it counts once, with its last result.
   * @param {number[]} utilities
   */
  finish(utilities) {
    const number = utilities.length;
    this.current = utilities.map((_, player) => utilities[(player + this.shift) % number]);
  }

  /** The game goes on: its end was taken back. */
  resume() {
    this.current = null;
  }

  /**
   * The next game begins; with `swap` the players have moved on by a seat.
   * @param {boolean} swap
   */
  next(swap) {
    if (this.current) this.games.push(this.current);
    this.current = null;
    if (swap) this.shift += 1;
  }

  /**
   * The score in words; "" before the first game is over. `names` are those of the seats, a `team`
   * has one score.
   * @param {string[]} names
   */
  words(names, team = false) {
    const games = this.current ? [...this.games, this.current] : this.games;
    if (!games.length) return "";
    const played = games.length === 1 ? "1 game" : `${games.length} games`;
    if (team) return `After ${played}: ${scoreText(games.reduce((sum, game) => sum + game[0], 0))} points`;
    const number = names.length;
    const amounts = number !== 2 || games.flat().some((utility) => ![-1, 0, 1].includes(utility));
    const worth = (/** @type {number} */ utility) => (amounts ? utility : (utility + 1) / 2);
    const scores = names.map((_, seat) => {
      const player = (seat + number - (this.shift % number)) % number;
      const sum = games.reduce((total, game) => total + worth(game[player]), 0);
      return `${names[seat]} ${scoreText(sum)}`;
    });
    return `After ${played}: ${scores.join(", ")}${amounts ? " points" : ""}`;
  }
}

/**
 * A score as text: "2", "1½", "−½", "0.67".
 * @param {number} score
 */
function scoreText(score) {
  const text = Number(score.toFixed(2)).toString().replace("-", "−");
  return text.replace(/\.5$/, "½").replace(/(?<!\d)0½/, "½");
}
