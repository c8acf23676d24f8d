// What happens in a game, in words.

/** @import { Move, State } from "../messages" */
/** @import { PlayState } from "./play_state.js" */
/** @import { Seats } from "./seats.js" */

/**
 * What has happened since the person moved, one sentence after another.
 * @param {PlayState} play
 * @param {State} state
 */
export function news({ game, seats, onlyAgents }, state) {
  const { path } = game.here;
  const since = path.findLastIndex((node) => seats.isPerson(node.move.player));
  const from = Math.max(since + 1, path.length - (onlyAgents ? 1 : 4));
  return path.slice(from).map((_, i) => sentence(state.moves[from + i], state.hidden, seats)).join("");
}

/**
 * @param {Move} move
 * @param {boolean} hidden
 * @param {Seats} seats
 */
function sentence({ name, player }, hidden, seats) {
  if (!name) return "";
  if (player < 0) return hidden ? `Dealt: ${name}. ` : `Rolled: ${name}. `;
  const who = seats.nameOf(player);
  const subject = who[0].toUpperCase() + who.slice(1);
  const verb = who === "you" ? "play" : "plays";
  return name === "?" ? `${subject} has moved, unseen. ` : `${subject} ${verb} ${name}. `;
}

/**
 * Whose turn it is.
 * @param {PlayState} play
 * @param {State} state
 */
export function turnWords(play, state) {
  const own = play.seats.people.length === 1 && play.mayMove;
  return own ? "Your move" : state.board.title;
}

/**
 * How the game has ended.
 * @param {PlayState} play
 * @param {State} state
 */
export function resultWords({ ending, seats }, state) {
  if (!state.over && ending) return ending.text;
  if (!state.result) return "Everything is shown: this game cannot go on.";
  const text = `${state.result[0].toUpperCase()}${state.result.slice(1)}.`;
  if (seats.people.length !== 1) return text;
  const own = state.utilities?.[seats.people[0]] ?? 0;
  const verdict = own > 0 ? "You win! " : own < 0 ? "You lose. " : "";
  return `${verdict}${text}`;
}
