// What pages say: who plays, what a move was worth, how long something takes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { percent } from "../../agents/web/static/curve.js";
import { agentChoices, agentName, Seats } from "../../agents/web/static/seats.js";
import { inWords } from "../../agents/web/static/variations.js";

const catalogue = {
  opponent: "alpha_beta(depth=4)",
  agents: {
    "usual opponent": "alpha_beta(depth=4)", "random": "random()", "by hand": "human",
    "another program": "engine(path=x)", "chance": "random()",
  },
};

test("agents are called by their names", () => {
  assert.equal(agentName("alpha_beta(depth=4)"), "alpha-beta");
  assert.equal(agentName("random"), "random");
});

test("each agent is offered once, and no program", () => {
  assert.deepEqual(agentChoices(catalogue), [
    ["usual opponent", "alpha_beta(depth=4)"], ["random", "random()"],
  ]);
});

test("winning chances are percentages", () => {
  assert.deepEqual([-1, 0, 0.5, 1].map(percent), ["0 %", "50 %", "75 %", "100 %"]);
});

test("a review says what would have been better", () => {
  const found = { severity: "mistake", text: "draw", best: "b2", best_text: "win", exact: true };
  assert.equal(inWords(found), "mistake: draw, b2 was win");
  assert.equal(inWords({ ...found, exact: false }), "mistake: draw, b2 was win (not proven)");
});

test("a person alone is you, and agents of one name have their symbols", () => {
  const seats = new Seats(null, catalogue, () => {});
  seats.symbols = ["X", "O", "Z"];
  seats.resize(3);
  assert.deepEqual([0, 1, 2].map((seat) => seats.nameOf(seat)),
    ["you", "O (alpha-beta)", "Z (alpha-beta)"]);
  seats.specs = ["human", "human", "random()"];
  assert.deepEqual(seats.people, [0, 1]);
  assert.deepEqual([0, 1, 2].map((seat) => seats.nameOf(seat)), ["X", "O", "random"]);
});
