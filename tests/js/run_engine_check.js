// Answers jobs of engine_check.js in Node.js, one a line; the folder of the modules is an argument.

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";

import { answer } from "./engine_check.js";

const folder = process.argv[2];
/** @param {string} module */
const load = (module) => readFile(`${folder}/${module}.wasm`);

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line), load))}\n`);
}
