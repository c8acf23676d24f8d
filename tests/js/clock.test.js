// The clocks of a game, and times in words.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Clock, timeText } from "../../agents/web/static/clock.js";
import { Game } from "../../agents/web/static/game.js";

test("times are minutes and seconds, at the end with tenths", () => {
  assert.equal(timeText(245_000), "4:05");
  assert.equal(timeText(9_340), "0:09.3");
  assert.equal(timeText(20_000), "0:20");
  assert.equal(timeText(0), "0:00.0");
});

/**
 * A clock whose ticks are let happen by hand, and the seats whose time was up.
 * @param {import("node:test").TestContext} t
 */
function clockOf(t) {
  let now = 0;
  t.mock.timers.enable({ apis: ["setInterval"] });
  t.mock.method(performance, "now", () => now);
  /** @type {number[]} */
  const flags = [];
  const clock = new Clock({ onTick: () => {}, onFlag: (seat) => flags.push(seat) });
  const pass = (/** @type {number} */ milliseconds) => {
    now += milliseconds;
    t.mock.timers.tick(100);
  };
  return { clock, flags, pass };
}

/** A game with the moves of two players in turns, of which the first ones are made. */
function gameOf(/** @type {number} */ moves) {
  const game = new Game("any", {});
  const line = Array.from({ length: moves }, (_, i) => ({ name: `move ${i}`, player: i % 2 }));
  game.follow(line.map((_, i) => i), line);
  return game;
}

test("without clocks there are no times", (t) => {
  const { clock } = clockOf(t);
  clock.begin([null, null]);
  assert.equal(clock.of(0), null);
  assert.equal(clock.share(1), undefined);
});

test("the clock stands until the first player has moved", (t) => {
  const { clock, pass } = clockOf(t);
  const game = gameOf(1);
  clock.begin([{ main: 60, increment: 0 }, { main: 60, increment: 0 }]);
  clock.reach(game.root, 0);
  pass(5000);
  assert.equal(clock.of(0), 60_000);
  clock.reach(game.end(), 1);
  pass(5000);
  assert.deepEqual([clock.of(0), clock.of(1)], [60_000, 55_000]);
});

test("whoever has moved gets the increment", (t) => {
  const { clock, pass } = clockOf(t);
  const [first, second] = gameOf(2).end().path;
  clock.begin([{ main: 60, increment: 2 }, { main: 60, increment: 2 }]);
  clock.reach(first, 1);
  pass(5000);
  clock.reach(second, 0);
  assert.equal(clock.of(1), 57_000);
});

test("going back brings the times of then back", (t) => {
  const { clock, pass } = clockOf(t);
  const [first, second] = gameOf(2).end().path;
  clock.begin([{ main: 60, increment: 0 }, { main: 60, increment: 0 }]);
  clock.reach(first, 1);
  pass(5000);
  clock.reach(second, 0);
  pass(7000);
  clock.resume(first, 1);
  assert.deepEqual([clock.of(0), clock.of(1)], [60_000, 60_000]);
});

test("a flag falls once", (t) => {
  const { clock, flags, pass } = clockOf(t);
  clock.begin([{ main: 3, increment: 0 }, { main: 3, increment: 0 }]);
  clock.reach(gameOf(1).end(), 1);
  pass(2900);
  assert.deepEqual(flags, []);
  pass(200);
  pass(200);
  assert.deepEqual(flags, [1]);
});

test("an agent has a share of its time and most of the increment for a move", (t) => {
  const { clock } = clockOf(t);
  clock.begin([{ main: 100, increment: 1 }, null]);
  assert.equal(clock.share(0), 4.7);
  assert.equal(clock.share(1), undefined);
});
