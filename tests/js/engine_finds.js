// Says what the searches of engines find: {folder, questions: [{plan, words, seed}]} comes as JSON.

import { readFileSync } from "node:fs";

import { Engine } from "../../agents/engines/static/engine.js";

/** @import { EngineInfo } from "../../agents/engines/engine" */

const { folder, questions } = JSON.parse(readFileSync(0, "utf-8"));
/** @type {Record<string, EngineInfo>} */
const infos = JSON.parse(readFileSync(`${folder}/engines.json`, "utf-8"));
/** @type {Map<string, Engine>} */
const engines = new Map();

/** @param {string} name */
async function engineOf(name) {
  const bytes = readFileSync(`${folder}/${name}.wasm`);
  const found = engines.get(name) ?? await Engine.load(bytes, infos[name]);
  engines.set(name, found);
  return found;
}

const answers = [];
for (const { plan, words, seed } of questions) {
  const engine = await engineOf(plan.module);
  const position = BigInt64Array.from(words, BigInt);
  const began = performance.now();
  const steps = [...engine.analyse(position, plan, { seed })];
  const found = { ...steps.at(-1), milliseconds: performance.now() - began };
  const values = Object.fromEntries(engine.values(position, plan, { seed }));
  answers.push({ found: steps.length ? found : null, values, work: engine.work(position) });
}
process.stdout.write(JSON.stringify(answers));
