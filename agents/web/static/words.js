// What happens in a game, in words.

/** What has happened since the person moved, one sentence after another. */
export function news({ game, seats, onlyAgents }) {
  const { path, state } = game.here;
  const since = path.findLastIndex((node) => seats.isPerson(node.move.player));
  const from = Math.max(since + 1, path.length - (onlyAgents ? 1 : 4));
  return path.slice(from).map((_, i) => sentence(state.moves[from + i], state.hidden, seats)).join("");
}

function sentence({ name, player }, hidden, seats) {
  if (!name) return "";
  if (player < 0) return hidden ? `Dealt: ${name}. ` : `Rolled: ${name}. `;
  const who = seats.nameOf(player);
  const subject = who[0].toUpperCase() + who.slice(1);
  const verb = who === "you" ? "play" : "plays";
  return name === "?" ? `${subject} has moved, unseen. ` : `${subject} ${verb} ${name}. `;
}

/** Whose turn it is. */
export function turnWords(panel, state) {
  const own = panel.seats.people.length === 1 && panel.mayMove(state);
  return own ? "Your move" : state.board.title;
}

/** How the game has ended. */
export function resultWords({ ending, seats }, state) {
  if (!state.over && ending) return ending.text;
  if (!state.over) return "Everything is shown: this game cannot go on.";
  const text = `${state.result[0].toUpperCase()}${state.result.slice(1)}.`;
  if (seats.people.length !== 1) return text;
  const own = state.utilities[seats.people[0]];
  const verdict = own > 0 ? "You win! " : own < 0 ? "You lose. " : "";
  return `${verdict}${text}`;
}
