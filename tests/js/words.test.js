// What pages say: who plays and what happens, what a move was worth, how long something takes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { percent } from "../../agents/web/static/curve.js";
import { Game } from "../../agents/web/static/game.js";
import { PlayState } from "../../agents/web/static/play_state.js";
import { agentChoices, agentName, Seats } from "../../agents/web/static/seats.js";
import { inWords } from "../../agents/web/static/variations.js";
import { turnsOf } from "../../agents/web/static/turn_list.js";
import { news, resultWords, turnWords } from "../../agents/web/static/words.js";

/** @import { Review, State } from "../../agents/web/messages" */

const catalogue = {
  opponent: "alpha_beta(depth=4)",
  agents: {
    "usual opponent": "alpha_beta(depth=4)", "random": "random()", "chance": "random()",
  },
  levels: [],
};

/**
 * A game between those in the seats, after some moves.
 * @param {string[]} specs
 * @param {[name: string, player: number][]} moves
 * @param {Partial<State>} more
 */
function played(specs, moves = [], more = {}) {
  const list = /** @type {HTMLElement} */ ({});
  const seats = new Seats({ above: list, below: list }, catalogue, () => {});
  seats.specs = specs;
  seats.symbols = ["X", "O", "Z"].slice(0, specs.length);
  const game = new Game("any", {});
  const line = moves.map(([name, player]) => ({ name, player }));
  /** @type {State} */
  const state = {
    game: "any", parameters: {}, set_up: "", line: moves.map((_, i) => i), moves: line, text: "",
    title: "Any", players: specs.length, hidden: false, cooperative: false, most: 1, sides: seats.symbols, tasks: [], turns: "",
    to_move: 0, viewer: null, over: false, turn_text: "X to move", utilities: null, result: null,
    board: { box: [0, 0, 1, 1], title: "X to move", shapes: "", own: 0, last: null, targets: [], actions: [] },
    ...more,
  };
  const node = game.follow(state.line, line);
  node.state = state;
  game.go(node);
  return { play: new PlayState(game, seats), state, game };
}

test("agents are called by their names", () => {
  assert.equal(agentName("alpha_beta(depth=4)"), "alpha-beta");
  assert.equal(agentName("random"), "random");
});

test("language models are called by their models", () => {
  assert.equal(agentName("llm(model='gpt-5', cache='a')"), "gpt-5");
  assert.equal(agentName(`llm(model="it's")`), "it's");
});

test("each agent is offered once", () => {
  assert.deepEqual(agentChoices(catalogue), [
    ["usual", "alpha_beta(depth=4)"], ["random", "random()"],
  ]);
});

test("winning chances are percentages", () => {
  assert.deepEqual([-1, 0, 0.5, 1].map(percent), ["0 %", "50 %", "75 %", "100 %"]);
});

test("a review says what would have been better", () => {
  /** @type {Pick<Review, "severity" | "text" | "best" | "best_text" | "exact">} */
  const found = { severity: "mistake", text: "draw", best: "b2", best_text: "win", exact: true };
  assert.equal(inWords(found), "mistake: draw, b2 was win");
  assert.equal(inWords({ ...found, exact: false }), "mistake: draw, b2 was win (not proven)");
});

test("a person alone is you, and agents of one name have their symbols", () => {
  const { seats } = played(["human", "random()", "random(seed=1)"]).play;
  assert.deepEqual([0, 1, 2].map((seat) => seats.nameOf(seat)), ["you", "O (random)", "Z (random)"]);
  seats.specs = ["human", "human", "random()"];
  assert.deepEqual(seats.people, [0, 1]);
  assert.deepEqual([0, 1, 2].map((seat) => seats.nameOf(seat)), ["X", "O", "random"]);
});

test("an agent that is a level is called by it", () => {
  const { play, state } = played(["human", "greedy()"], [["b", 0], ["c", 1]]);
  play.seats.catalogue = { ...catalogue, levels: [{ number: 2, spec: "greedy()", elo: 80, words: "Novice" }] };
  assert.equal(news(play, state), "Level 2 (novice) plays c. ");
  play.seats.specs = ["greedy()", "greedy()"];
  assert.equal(play.seats.nameOf(0), "X (level 2)");
});

test("news are what has happened since the person moved", () => {
  const { play, state } = played(["human", "random()"], [["a", 1], ["b", 0], ["32", -1], ["c", 1]]);
  assert.equal(news(play, state), "Rolled: 32. Random plays c. ");
  assert.equal(turnWords(play, state), "Your move");
});

test("where agents play each other only the last move is news", () => {
  const { play, state } = played(["random()", "greedy()"], [["a", 0], ["b", 1]]);
  assert.equal(news(play, state), "Greedy plays b. ");
  assert.equal(turnWords(play, state), "X to move");
});

test("what was not seen is not told", () => {
  const { play, state } = played(["human", "random()"], [["?", 1], ["", 1]], { hidden: true });
  assert.equal(news(play, state), "Random has moved, unseen. ");
});

test("the result is told with who has won", () => {
  const over = { over: true, result: "X wins", utilities: [1, -1] };
  const { play, state } = played(["human", "random()"], [], over);
  assert.equal(resultWords(play, state), "You win! X wins.");
  play.seats.specs = ["random()", "human"];
  assert.equal(resultWords(play, state), "You lose. X wins.");
  play.seats.specs = ["human", "human"];
  assert.equal(resultWords(play, state), "X wins.");
});

test("a game that somebody ends says so", () => {
  const { play, state } = played(["human", "random()", "random()"]);
  assert.ok(play.mayMove);
  play.end(0, "You have resigned");
  assert.equal(resultWords(play, state), "You have resigned: O and Z win.");
  assert.deepEqual(play.ending?.utilities, [-1, 0.5, 0.5]);
  assert.ok(play.over && !play.mayMove);
});

test("who resigns a hand of poker loses as much as it may cost", () => {
  const { play } = played(["human", "random()", "random()"], [["call", 0]], { most: 96 });
  play.end(0, "You have resigned");
  assert.deepEqual(play.ending?.utilities, [-96, 48, 48]);
});

test("cards that are not seen are not told", () => {
  const deal = /** @type {[string, number][]} */ ([["Ah", -1], ["?", -1], ["?", -1]]);
  const { play, state } = played(["human", "random()"], deal, { hidden: true });
  assert.equal(news(play, state), "Dealt: Ah. ");
  const unseen = played(["human", "random()"], deal.slice(1), { hidden: true });
  assert.equal(news(unseen.play, unseen.state), "");
});

test("a game ends where it was ended, not before", () => {
  const { play, game } = played(["human", "random()"], [["a", 0], ["b", 1]]);
  play.end(0, "You have resigned");
  assert.ok(play.over);
  game.go(game.root);
  assert.ok(!play.over);
});

test("nobody may move before the server has answered", () => {
  const { play, game } = played(["human", "human"], [["a", 0]]);
  assert.ok(play.mayMove && play.atEnd);
  game.go(game.root);
  assert.ok(!play.mayMove && !play.over && !play.atEnd);
});

test("the last move of a person is taken back, of agents any", () => {
  const { play, game } = played(["human", "random()"], [["a", 0], ["b", 1], ["c", 0], ["d", 1]]);
  assert.equal(play.lastMove, game.end().path[2]);
  play.seats.specs = ["random()", "random()"];
  assert.equal(play.lastMove, game.end());
});

test("a game begins anew for those who sit there", () => {
  const { play, game } = played(["human", "random()"], [["a", 0]]);
  play.end(0, "You have resigned");
  play.thrown.set("", 3);
  play.begin(["random()", "human"], null);
  play.turnBoard();
  assert.deepEqual([play.ending, play.thrown.size, game.people, game.flipped], [null, 0, [1], true]);
});

test("a throw and what is played with it are one turn", () => {
  const { play, state } = played(["human", "random()"], [["31", -1], ["8/5", 1], ["6/5", 1], ["52", -1]]);
  assert.deepEqual(turnsOf(state.moves, false).map(({ moves, round }) => [moves, round]), [[[0, 1, 2], 1], [[3], null]]);
  assert.equal(news(play, state), "Rolled: 31. Random plays 8/5 6/5. Rolled: 52. ");
  assert.equal(turnsOf(state.moves, true).length, 4);
});

test("a player who rolls again goes on with the turn", () => {
  const line = [
    { name: "roll", player: 0 }, { name: "4", player: -1, goes_on: true }, { name: "roll", player: 0 },
    { name: "1", player: -1, goes_on: true }, { name: "roll", player: 1 }, { name: "hold", player: 0 },
  ];
  const turns = turnsOf(line, false);
  assert.deepEqual(turns.map(({ moves }) => moves), [[0, 1, 2, 3], [4], [5]]);
  assert.deepEqual(turns.map(({ round }) => round), [1, null, 2]);
});

test("after others have moved the whole last turn of a person is taken back", () => {
  const moves = /** @type {[string, number][]} */ ([["31", -1], ["8/5", 0], ["6/5", 0], ["52", -1], ["13/8", 1]]);
  const { play, game } = played(["human", "random()"], moves);
  assert.equal(play.lastMove, game.end().path[1]);
  game.go(game.end().path[2]);
  assert.equal(play.lastMove, game.here);
});
