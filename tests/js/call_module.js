// Calls functions of a WebAssembly module as it is told to on its standard input, and says what they
// returned and left in their arrays; for tests in Python. See tests/node.py.

import { readFileSync, writeSync } from "node:fs";

/**
 * @typedef {{shape: number[], data: string}} Given an array: its lengths, and its bytes in base64
 * @typedef {{double: string}} Float its bytes in base64: JSON has no infinity
 * @typedef {[string, ...(number | Float | Given)[]]} Call the name of a function, and its arguments
 * @typedef {Record<string, any>} Exports of a module
 */

/** @type {{module: string, calls: Call[]}} */
const told = JSON.parse(readFileSync(0, "utf-8"));
const compiled = await WebAssembly.compile(readFileSync(told.module));
const imports = { env: { ...mathematics(), clock: () => performance.now() } };

/** The functions of Math, which do not belong to the object. */
function mathematics() {
  return Object.fromEntries(
    Object.getOwnPropertyNames(Math).map((name) => [name, Math[/** @type {"log"} */ (name)]]),
  );
}

/**
 * What a call returned and left in its arrays; or why it ended.
 * @param {Exports} exports
 * @param {Call} call
 */
function answer(exports, [name, ...args]) {
  let top = exports.__heap_base.value;
  /** @type {[number, Buffer][]} */
  const arrays = [];
  const passed = args.flatMap((arg) => {
    if (typeof arg === "number") return [arg];
    if ("double" in arg) return [Buffer.from(arg.double, "base64").readDoubleLE()];
    const bytes = Buffer.from(arg.data, "base64");
    const at = Math.ceil(top / 64) * 64;
    top = at + bytes.length;
    arrays.push([at, bytes]);
    return [at, ...arg.shape];
  });
  const missing = top - exports.memory.buffer.byteLength;
  if (missing > 0) exports.memory.grow(Math.ceil(missing / 65536));
  for (const [at, bytes] of arrays) new Uint8Array(exports.memory.buffer).set(bytes, at);
  try {
    const result = exports[name](...passed) ?? null;
    const left = arrays.map(([at, bytes]) =>
      Buffer.from(exports.memory.buffer, at, bytes.length).toString("base64"),
    );
    return { result: result === null ? null : doubleOf(result), arrays: left };
  } catch (error) {
    return { trap: String(error) };
  }
}

/**
 * The bytes of a double in base64.
 * @param {number} value
 */
function doubleOf(value) {
  return Buffer.from(new Float64Array([value]).buffer).toString("base64");
}

/** @type {Exports | null} */
let exports = null;
const answers = [];
for (const call of told.calls) {
  exports ??= (await WebAssembly.instantiate(compiled, imports)).exports;
  const found = answer(exports, call);
  answers.push(found);
  if ("trap" in found) exports = null; // it left its stack as it was
}
let rest = Buffer.from(JSON.stringify(answers));
while (rest.length) rest = rest.subarray(writeSync(1, rest));
