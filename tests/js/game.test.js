// The moves of a game with their variations.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Game } from "../../agents/web/static/game.js";

/** A game with the line a b c d of two players in turns, and the nodes of that line. */
function example() {
  const game = new Game("any", {});
  const moves = [..."abcd"].map((name, i) => ({ name, player: i % 2 }));
  game.follow([0, 1, 2, 3], moves);
  return { game, nodes: game.end().path };
}

/** How often a game says that something of this kind has happened. */
function count(/** @type {Game} */ game, /** @type {string} */ kind) {
  const found = { times: 0 };
  game.addEventListener(kind, () => { found.times += 1; });
  return found;
}

test("a line is the codes from the start", () => {
  const { game, nodes } = example();
  assert.deepEqual(nodes[2].line, [0, 1, 2]);
  assert.deepEqual(game.root.line, []);
  assert.ok(nodes[0].holds(nodes[3]));
  assert.ok(!nodes[3].holds(nodes[0]));
});

test("a line that is there is not made again", () => {
  const { game, nodes } = example();
  const tree = count(game, "tree");
  assert.equal(game.follow([0, 1], []), nodes[1]);
  assert.equal(tree.times, 0);
  assert.equal(nodes[0].children.length, 1);
});

test("what is asked about is the position that is looked at", () => {
  const { game, nodes } = example();
  game.go(nodes[1]);
  assert.deepEqual(game.gameState(), {
    game: "any", parameters: {}, line: [0, 1], people: [0], flipped: false,
  });
  game.setUp = "a start";
  assert.deepEqual(game.gameState(game.root).set_up, "a start");
});

test("the next move is the one that was looked at last", () => {
  const { game, nodes } = example();
  const other = game.child(nodes[0], 9, { name: "x", player: 1 });
  assert.equal(game.next(nodes[0]), nodes[1]);
  game.go(other);
  assert.equal(game.next(nodes[0]), other);
  game.go(nodes[3]);
  assert.equal(game.next(nodes[0]), nodes[1]);
});

test("a variation can be made the main line", () => {
  const { game, nodes } = example();
  const other = game.child(nodes[0], 9, { name: "x", player: 1 });
  const below = game.child(other, 8, { name: "y", player: 0 });
  assert.ok(!game.isMain(below));
  assert.equal(game.sibling(1, nodes[1]), other);
  assert.equal(game.sibling(1, other), undefined);
  game.makeMain(below);
  assert.ok(game.isMain(below));
  assert.equal(game.end(), below);
});

test("the variation of a variation is promoted one step at a time", () => {
  const { game, nodes } = example();
  const other = game.child(nodes[0], 9, { name: "x", player: 1 });
  game.child(other, 8, { name: "y", player: 0 });
  const deep = game.child(other, 7, { name: "z", player: 0 });
  game.promote(deep);
  assert.equal(other.children[0], deep);
  assert.ok(!game.isMain(deep));
  game.promote(deep);
  assert.ok(game.isMain(deep));
});

test("deleting what is looked at leads to the move before", () => {
  const { game, nodes } = example();
  game.go(nodes[3]);
  const change = count(game, "change");
  game.remove(nodes[1]);
  assert.equal(game.here, nodes[0]);
  assert.equal(change.times, 1);
  game.remove(game.root);
  assert.equal(game.here, nodes[0]);
});

test("numbers are those of rounds", () => {
  const { game, nodes } = example();
  assert.deepEqual(nodes.map((node) => game.number(node)), ["1.", "1…", "2.", "2…"]);
  game.go(game.child(nodes[3], 4, { name: "e", player: 1 }));
  assert.equal(game.number(game.here), "2…");
});

test("a throw of dice and what is played with it have one number", () => {
  const game = new Game("any", {});
  const players = [-1, 0, 0, -1, 1, -1, 0];
  const last = game.follow(players.map((_, i) => i), players.map((player) => ({ name: "a", player })));
  assert.deepEqual(last.path.map((node) => game.number(node)), ["1.", "1…", "1…", "1…", "1…", "2.", "2…"]);
});

test("the second player may begin", () => {
  const game = new Game("any", {});
  const last = game.follow([0, 1], [{ name: "a", player: 1 }, { name: "b", player: 0 }]);
  assert.deepEqual(last.path.map((node) => game.number(node)), ["1…", "2."]);
});
