// The score of several games, kept for the players while they change seats.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Match } from "../../agents/web/static/match.js";

test("nothing is said before the first game is over", () => {
  assert.equal(new Match().words(["you", "random"]), "");
});

test("a draw is half a point", () => {
  const match = new Match();
  match.finish([0, 0]);
  assert.equal(match.words(["you", "random"]), "After 1 game: you ½, random ½");
});

test("a game counts once, with its last result", () => {
  const match = new Match();
  match.finish([1, -1]);
  match.finish([-1, 1]);
  assert.equal(match.words(["you", "random"]), "After 1 game: you 0, random 1");
  match.resume();
  assert.equal(match.words(["you", "random"]), "");
});

test("the score goes with the players when they change seats", () => {
  const match = new Match();
  match.finish([1, -1]);
  match.next(true);
  match.finish([1, -1]);
  assert.equal(match.words(["random", "you"]), "After 2 games: random 1, you 1");
});

test("a game that was not finished does not count", () => {
  const match = new Match();
  match.finish([1, -1]);
  match.next(false);
  match.next(false);
  assert.equal(match.words(["you", "random"]), "After 1 game: you 1, random 0");
});

test("amounts are added up as points", () => {
  const match = new Match();
  match.finish([2, -2]);
  match.next(false);
  match.finish([-1, 1]);
  assert.equal(match.words(["you", "random"]), "After 2 games: you 1, random −1 points");
});

test("three players have points, and move on by a seat", () => {
  const match = new Match();
  match.finish([1, -0.5, -0.5]);
  match.next(true);
  assert.equal(match.words(["c", "a", "b"]), "After 1 game: c −½, a 1, b −½ points");
});

test("only halves are written as such", () => {
  const match = new Match();
  match.finish([0.57, 1.5, -10.5]);
  assert.equal(match.words(["a", "b", "c"]), "After 1 game: a 0.57, b 1½, c −10½ points");
});

test("a team has one score", () => {
  const match = new Match();
  match.finish([7, 7, 7]);
  assert.equal(match.words(["a", "b", "c"], true), "After 1 game: 7 points");
  match.next(true);
  match.finish([12, 12, 12]);
  assert.equal(match.words(["c", "a", "b"], true), "After 2 games: 19 points");
});
