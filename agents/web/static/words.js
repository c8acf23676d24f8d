// What happens in a game, in words.

import { turnsOf } from "./turn_list.js";

/** @import { Move, State } from "../messages" */
/** @import { PlayState } from "./play_state.js" */
/** @import { Seats } from "./seats.js" */
/** @import { Turn } from "./turn_list.js" */

/**
 * What has happened since the person moved, a sentence for each turn.
 * @param {PlayState} play
 * @param {State} state
 */
export function news({ game, seats, onlyAgents }, state) {
  const line = game.here.path.map((node, i) => state.moves[i] ?? node.move);
  const since = line.findLastIndex(({ player }) => seats.isPerson(player));
  const from = Math.max(since + 1, line.length - (onlyAgents ? 1 : 12));
  const turns = turnsOf(line, state.hidden);
  return turns.map((turn) => sentence(turn, line, from, state.hidden, seats)).join("");
}

/**
 * What was done in a turn from a move on.
 * @param {Turn} turn
 * @param {Move[]} line
 * @param {number} from
 * @param {boolean} hidden
 * @param {Seats} seats
 */
function sentence(turn, line, from, hidden, seats) {
  const moves = turn.moves.filter((i) => i >= from).map((i) => line[i]).filter(({ name }) => name);
  if (!moves.length) return "";
  const throws = moves.filter(({ player, name }) => player < 0 && name !== "?").map(({ name }) => name);
  const names = moves.filter(({ player }) => player >= 0).map(({ name }) => name);
  const thrown = throws.length ? `${hidden ? "Dealt" : "Rolled"}: ${throws.join(", ")}. ` : "";
  if (!names.length) return thrown;
  const who = seats.nameOf(turn.player);
  const subject = who[0].toUpperCase() + who.slice(1);
  if (names.includes("?")) return `${thrown}${subject} has moved, unseen. `;
  return `${thrown}${subject} ${who === "you" ? "play" : "plays"} ${names.join(" ")}. `;
}

/**
 * Whose turn it is.
 * @param {PlayState} play
 * @param {State} state
 */
export function turnWords(play, state) {
  const own = play.seats.people.length === 1 && play.mayMove;
  return own ? "Your move" : state.turn_text;
}

/**
 * How the game has ended.
 * @param {PlayState} play
 * @param {State} state
 */
export function resultWords({ ending, seats }, state) {
  if (!state.over && ending) return ending.text;
  if (!state.result) return "Everything is shown: this game cannot go on.";
  const text = `${state.result}.`;
  if (seats.people.length !== 1 || state.cooperative) return text;
  const own = state.utilities?.[seats.people[0]] ?? 0;
  const verdict = own > 0 ? "You win! " : own < 0 ? "You lose. " : "";
  return `${verdict}${text}`;
}
