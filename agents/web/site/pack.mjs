// Packs the Python of a site: node pack.mjs PYODIDE SOURCES.zip OUT.zip
//
// Pyodide runs a rehearsal of all that pages ask for; the modules that were imported then are packed.
// Afterwards a second Python is started from nothing but that zip file, and answers once.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, sources, out] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const ANSWERS = "agents.web.site.site_answers";

/** @param {string} [stdLibURL] */
async function python(stdLibURL) {
  const quiet = { stdout: () => {}, stderr: () => {} };
  const { info } = JSON.parse(readFileSync(`${folder}/pyodide-lock.json`, "utf8"));
  const lock = { lockFileContents: { info, packages: {} }, packageBaseUrl: folder };
  return loadPyodide({ ...lock, ...quiet, ...(stdLibURL && { stdLibURL }) });
}

async function pack() {
  const full = await python();
  full.FS.writeFile("/sources.zip", readFileSync(sources));
  full.runPython(`
import sys
sys.path.append("/sources.zip")
from agents.web.site.rehearsal import rehearse
requests = rehearse(longest=30)
from agents.web.site.packed_modules import packed_modules
`);
  const packed = full.runPython("packed_modules()").toJs();
  writeFileSync(out, packed);

  const packedAlone = await python(out);
  const request = JSON.stringify({ game: "tic_tac_toe", parameters: {} });
  const { reply } = packedAlone.pyimport(ANSWERS);
  if (!JSON.parse(reply("/api/position", request)).found) throw new Error("the packed Python does not answer");
  console.log(JSON.stringify({ requests: full.globals.get("requests"), bytes: packed.length }));
}

try {
  await pack();
} catch (error) { // of what Python says the last line tells what is wrong
  const lines = String(error instanceof Error ? error.message : error).trim().split("\n");
  console.error(lines.at(-1)?.slice(0, 300));
  process.exitCode = 1;
}
