// Where something can be clicked, by its form.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Area } from "../../adv_envs/pictures/static/area.js";

/** Whether two numbers are the same but for rounding. */
function near(/** @type {number} */ one, /** @type {number} */ other) {
  assert.ok(Math.abs(one - other) < 1e-9, `${one} is not ${other}`);
}

test("a box reaches to its sides", () => {
  const box = new Area([10, 20, 4, 2, "box", "", null]);
  near(box.distance(14, 20), 0);
  near(box.distance(10, 20), -2);
  near(box.distance(17, 26), 5);
  near(box.distance(20, 20), 6);
});

test("a disc is round", () => {
  const disc = new Area([0, 0, 5, 5, "disc", "", null]);
  near(disc.distance(3, 4), 0);
  near(disc.distance(6, 8), 5);
});

test("a hexagon stands on its corner", () => {
  const hexagon = new Area([0, 0, 10, 10, "hexagon", "", null]);
  near(hexagon.distance(0, 10), 0);
  near(hexagon.distance(5 * Math.sqrt(3), 0), 0);
  assert.ok(hexagon.distance(9, 0) > 0);
});

test("a diamond stands on its corner too", () => {
  const diamond = new Area([0, 0, 10, 6, "diamond", "", null]);
  near(diamond.distance(10, 0), 0);
  near(diamond.distance(0, 6), 0);
  near(diamond.distance(5, 3), 0);
  assert.ok(diamond.distance(6, 4) > 0);
});

test("what is marked is another area where there is one", () => {
  const stone = new Area([0, 0, 5, 5, "box", "a1", [1, 2, 3, 3, "disc"]]);
  assert.deepEqual([stone.shown.x, stone.shown.y, stone.shown.form], [1, 2, "disc"]);
  const plain = new Area([0, 0, 5, 5, "box", "a1", null]);
  assert.equal(plain.shown, plain);
  assert.deepEqual([plain.smaller(0.5).wide, plain.smaller(0.5).high], [2.5, 2.5]);
});
