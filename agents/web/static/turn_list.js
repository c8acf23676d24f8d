// The moves of a game as turns: a throw of dice with what was played after it, all jumps of a piece.

/** @import { Move } from "../messages" */

/**
 * Moves that belong together, by their numbers in a line: whose they are (-1: only chance has moved), and the
 * number of the round if it begins with them.
 * @typedef {{ moves: number[], player: number, round: number | null }} Turn
 */

/**
 * The turns of a line of moves; each move is one where something is hidden.
 * @param {Move[]} line
 * @param {boolean} hidden
 * @returns {Turn[]}
 */
export function turnsOf(line, hidden) {
  /** @type {Turn[]} */
  const turns = [];
  line.forEach(({ player, goes_on: goesOn }, i) => {
    const last = turns.at(-1);
    const joins = last && !hidden && (player < 0 ? goesOn : [player, -1].includes(last.player));
    if (last && joins) {
      last.moves.push(i);
      if (player >= 0) last.player = player;
    } else turns.push({ moves: [i], player, round: null });
  });
  return numbered(turns);
}

/**
 * Number the rounds: one begins with each turn of whoever began.
 * @param {Turn[]} turns
 */
function numbered(turns) {
  const first = turns.find(({ player }) => player >= 0)?.player;
  let round = 0;
  for (const turn of turns) {
    if (turn.player === first) turn.round = round += 1;
  }
  return turns;
}
