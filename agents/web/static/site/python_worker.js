// Python for the pages of a site: Pyodide's core with the modules that answer, and no other library.
//
// The page sends {id, path, data}; the answer is {id, found} or {id, error}. {failed} says that there will
// be no answers, and why. {id, job} is a job of a game in which something is hidden: its engine is asked
// from here, and the page hears what the job says, {id, message}, and the end as of other requests;
// {stop: id} ends it.

import { EngineJob } from "../engine_searches.js";

/** @import { FoundAnswer } from "../../messages" */

const folder = new URL("../../python/", import.meta.url);
const fetchFile = self.fetch;

/** Files that are compressed on the host, with what they are. */
const PACKED = { "pyodide.asm.wasm": "application/wasm", "python.zip": "application/zip" };

/**
 * A compressed file as what it is; throws Error if it is not there.
 * @param {string} name
 * @param {string} type
 */
async function unpacked(name, type) {
  const answer = await fetchFile(new URL(`${name}.packed`, folder));
  if (!answer.ok || !answer.body) throw new Error(`${name}.packed: status ${answer.status}`);
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": type } });
}

async function start() {
  const begun = Object.entries(PACKED).map(([name, type]) => unpacked(name, type));
  const names = Object.keys(PACKED).map((name) => new URL(name, folder).href);
  const found = await Promise.all(begun); // their contents are still being read
  self.fetch = async (request, options) => {
    const known = found[names.indexOf(String(request instanceof Request ? request.url : request))];
    return known ?? fetchFile(request, options);
  };
  const { loadPyodide } = await import(new URL("pyodide.mjs", folder).href);
  const python = await loadPyodide({ indexURL: folder.href, stdLibURL: names[1] });
  return python.pyimport("agents.web.site.site_answers");
}

/**
 * What Python answers, as JSON.
 * @typedef {{ reply(path: string, text: string): string, job_reply(text: string): string }} Answers
 */

/** @type {Promise<Answers>} */
const answers = start();
answers.catch((error) => self.postMessage({ failed: String(error) }));

const FAILED = "the page has failed here; its console says why";
/** Jobs that go on. @type {Map<number, EngineJob>} */
const jobs = new Map();
/** Jobs that were stopped before Python was there. @type {Set<number>} */
const stopped = new Set();

/**
 * Do a job by an engine, of which the page hears nothing but what the job says.
 * @param {Answers} python
 * @param {number} id
 * @param {{ asked: object, more: object }} job
 */
async function doJob(python, id, { asked, more }) {
  /** @param {object} data @returns {Promise<FoundAnswer>} */
  const ask = async (data) => {
    const { found, error } = JSON.parse(python.job_reply(JSON.stringify(data)));
    if (error !== undefined) throw new Error(error);
    return found;
  };
  const job = new EngineJob(ask, asked, (message) => self.postMessage({ id, message }));
  jobs.set(id, job);
  try {
    await job.run(more);
    return { found: true };
  } catch (error) {
    job.stop();
    if (error instanceof Error && error.name === "PythonError") throw error;
    return { error: error instanceof Error ? error.message : String(error) };
  } finally {
    jobs.delete(id);
  }
}

self.addEventListener("message", async ({ data: { id, path, data, job, stop } }) => {
  if (stop !== undefined) {
    if (jobs.has(stop)) jobs.get(stop)?.stop();
    else stopped.add(stop);
    jobs.delete(stop);
    return;
  }
  const python = await answers.catch(() => null);
  if (!python || stopped.delete(id)) return; // the page knows
  try {
    if (job) self.postMessage({ id, ...await doJob(python, id, job) });
    else if (path === "ready") self.postMessage({ id, found: true });
    else self.postMessage({ id, ...JSON.parse(python.reply(path, JSON.stringify(data))) });
  } catch (error) {
    self.postMessage({ id, error: FAILED });
    console.error(error);
  }
});
