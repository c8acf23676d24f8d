// Engines say what is wrong, and draw the random numbers that Python draws.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Arena, ModuleArray } from "../../agents/engines/static/arena.js";
import { Engine } from "../../agents/engines/static/engine.js";
import { mostSimulations, portions } from "../../agents/engines/static/limits.js";
import { PythonRandom } from "../../agents/engines/static/python_random.js";
import { SearchMemory } from "../../agents/engines/static/search_memory.js";

const FOLDER = new URL("../../agents/data/engines/", import.meta.url);
const NAME = "tic_tac_toe-0";

const infos = JSON.parse(readFileSync(new URL("engines.json", FOLDER), "utf-8"));
const info = infos[NAME];
const engine = await Engine.load(new URL(`${NAME}.wasm`, FOLDER), info);
/** A plan that no search can go by. */
const PLAN = { module: NAME, search: "none", variant: "none_0", name: "none", scale: null };

test("seeds give the random numbers of Python", () => {
  const bits = [0, 1, -7, 2 ** 40 + 3, "2305843009213693953"].map((seed) =>
    String(new PythonRandom(seed).bits(61)));
  assert.deepEqual(bits, [
    "888315200261588941", "1312494765889401333", "2185628714235507768", "140269947749398478",
    "1978893284955802796",
  ]);
  for (const seed of [2 ** 53, 1.5, NaN, "", "1e3"]) {
    assert.throws(() => new PythonRandom(seed), /a seed is a whole number, beyond 2\*\*53 as text/);
  }
});

test("a game is played to its end", () => {
  let position = engine.start();
  for (const action of [0, 3, 1, 4]) position = engine.play(position, action);
  assert.equal(engine.toMove(position), 0);
  assert.deepEqual(engine.legal(position), [2, 5, 6, 7, 8]);
  position = engine.play(position, 2);
  assert.ok(engine.isTerminal(position));
  assert.deepEqual(engine.legal(position), []);
  assert.deepEqual(engine.utilities(position), [1, -1]);
});

test("a position is never changed", () => {
  const start = engine.start();
  engine.play(start, 4);
  assert.deepEqual(start, engine.start());
});

test("what makes no sense is refused in words", () => {
  const start = engine.start();
  assert.throws(() => engine.play(start, 9), /9 is no legal action here; legal: 0, 1, 2/);
  assert.throws(() => engine.start({ size: 3 }), /has no parameter size; it has: .*width/);
  assert.throws(() => engine.start({ toString: 3 }), /has no parameter toString; it has: /);
  assert.throws(() => engine.start({ height: 9 }), /there is tic_tac_toe with/);
  assert.throws(() => engine.utilities(start), /the game is not over/);
  assert.throws(() => engine.isTerminal(new BigInt64Array(2)), /is a BigInt64Array of/);
  assert.throws(() => engine.observe(start, 2), /players are 0 to 1, not 2/);
  assert.throws(() => engine.hidden(start, 2), /players are 0 to 1, not 2/);
  assert.throws(() => engine.search(start, PLAN), /there is no search none; there are: /);
  const others = { ...PLAN, parameters: ["4"] };
  assert.throws(() => engine.search(start, others), /for tic_tac_toe with other parameters/);
  assert.throws(() => engine.search(start, { ...PLAN, game: "hex" }), /this plan is for hex/);
  assert.throws(() => new SearchMemory(engine, PLAN, start, { seconds: NaN }), /seconds must be/);
});

test("simulations that are none are refused", () => {
  for (const simulations of [0, -1, 1.5, NaN]) {
    assert.throws(() => mostSimulations(simulations), /simulations must be a whole number from 1 on/);
  }
  assert.equal(mostSimulations(null), Infinity);
});

test("Monte Carlo values the moves of two players only", async () => {
  const kuhn = await Engine.load(new URL("kuhn-0.wasm", FOLDER), infos["kuhn-0"]);
  let position = kuhn.start({ players: 3 });
  while (kuhn.toMove(position) < 0) position = kuhn.play(position, kuhn.legal(position)[0]);
  const plan = { ...PLAN, search: "mcts", name: "mcts" };
  assert.throws(() => kuhn.values(position, plan), /mcts values the moves of two players only/);
});

test("simulations are made in portions, all of them or until the time is over", () => {
  const sum = [...portions(4, 1001, Infinity)].reduce((made, number) => made + number, 0);
  assert.equal(sum, 1001);
  assert.deepEqual([...portions(4, 1001, 0)], [4]); // the time was over before
});

test("an engine that has failed says so", async () => {
  const other = await Engine.load(new URL(`${NAME}.wasm`, FOLDER), info);
  const start = other.start();
  const beyond = new ModuleArray(other.memory, "i64", 2 ** 32 - 64, [6], 6);
  assert.throws(() => other.call("is_terminal", beyond), /failed in is_terminal/);
  assert.throws(() => other.legal(start), /has failed: load another one/);
});

test("a module that is not there is told", async () => {
  await assert.rejects(Engine.load(new URL("none.wasm", FOLDER), info), /ENOENT/);
});

test("arrays are zeros, also where others were before", () => {
  const arena = new Arena(new WebAssembly.Memory({ initial: 1 }), 8);
  arena.briefly(() => arena.array("i64", 3).words.fill(7n));
  const again = arena.array("i64", 2, 5);
  assert.deepEqual(again.shape, [2, 5]);
  assert.ok(again.words.every((word) => word === 0n));
  assert.ok(arena.array("f64", 20_000).floats.every((value) => value === 0));
});

test("what does not fit into memory is told", () => {
  const arena = new Arena(new WebAssembly.Memory({ initial: 1, maximum: 2 }), 8);
  assert.throws(() => arena.array("f64", 100_000), /there is no memory for a search that needs 1 MB/);
});
