// Says which jobs of the page engines can do, and has them done.

import { EngineJob, workers } from "./engine_searches.js";
import { host, onSite } from "./host.js";

/** @import { Plan } from "../../engines/engine" */
/** @import { Catalogue, FoundAnswer, GameState, Job, Jobs, Message } from "../messages" */

const JOBS = ["move", "hint", "analyse", "review", "puzzle_move", "puzzle_reply"];
/** Those in which exact values come first, where there are any. */
const VALUED = ["analyse", "review"];
/** Those that need nothing else. */
const EXACT = ["puzzle_move", "puzzle_reply"];

// ---- what there is

/** @type {Pick<Catalogue, "engines" | "exact" | "graded" | "hidden">} */
let offered = { engines: {}, exact: null, graded: false, hidden: true };
/** Plans by spec, null where no engine plays what it says. @type {Map<string, Plan | null>} */
const plans = new Map();

/**
 * Know what engines there are for the game of the page.
 * @param {Catalogue} catalogue
 */
export function offerEngines(catalogue) {
  offered = catalogue;
  for (const [spec, plan] of Object.entries(catalogue.engines ?? {})) plans.set(spec, plan);
  if (plans.size && !offered.hidden) workers.makeReady();
}

/**
 * Whether an engine of the page plays what a spec says, as far as is known.
 * @param {string} agent
 */
export const hasEngine = (agent) => Boolean(plans.get(agent));

/**
 * How an engine plays what a spec says; null if none does.
 * @param {GameState} gameState
 * @param {string} agent
 */
async function planOf({ game, parameters, set_up }, agent) {
  if (!plans.has(agent) && !onSite && !offered.hidden) {
    const asked = host.post("/api/plan", { game, parameters, set_up, agent });
    const answer = await asked.catch(() => ({ plan: null })); // the server says why when it searches
    plans.set(agent, /** @type {{ plan: Plan | null }} */ (answer).plan);
  }
  return plans.get(agent) ?? null;
}

/**
 * The plans by which engines can do a job; null if they cannot.
 * @param {Job} job
 * @param {GameState} gameState
 * @param {string} agent
 */
async function plansFor(job, gameState, agent) {
  const { exact = null, graded } = offered;
  if (!JOBS.includes(job)) return null;
  if (EXACT.includes(job)) return exact && { plan: null, exact };
  if (VALUED.includes(job) && graded && !exact && !onSite) return null; // Python knows them
  const plan = await planOf(gameState, agent);
  return plan && { plan, exact };
}

/**
 * Have the engine of an agent ready before it is needed. Returns whether there is one.
 * @param {GameState} gameState
 * @param {string} agent
 */
export async function readyEngine(gameState, agent) {
  const plan = await planOf(gameState, agent);
  if (plan && !offered.hidden) workers.makeReady(plan);
  return plan !== null;
}

// ---- jobs

/**
 * Begin a job by engines, if they can do it. Returns what stops it, or null; onFailure is told why engines
 * have failed.
 * @template {Job} Name
 * @param {Name} job
 * @param {GameState} gameState
 * @param {Jobs[Name]["options"]} options
 * @param {(message: Message<Name>) => void} onMessage
 * @param {(why: string) => void} onFailure
 */
export async function beginByEngine(job, gameState, options, onMessage, onFailure) {
  const { agent = "" } = /** @type {{ agent?: string }} */ (options);
  const found = await plansFor(job, gameState, agent);
  if (!found) return null;
  const hears = /** @type {(message: Message<Job>) => void} */ (onMessage);
  let sorry = false;
  /** @param {Message<Job>} message */
  const hear = (message) => {
    sorry ||= "sorry" in message;
    hears(message);
  };
  const asked = { ...gameState, job, options, ...found };
  const one = offered.hidden && host.hiddenJob
    ? host.hiddenJob(asked, hear)
    : new EngineJob((data) => /** @type {Promise<FoundAnswer>} */ (host.post("/api/found", data)), asked, hear);
  const all = job === "review" ? gameState.line.map((_, ply) => ({ options: { ...options, ply } })) : [{}];
  const run = async () => {
    for (const more of all.length ? all : [{}]) if (one.wanted && !sorry) await one.run(more);
    if (one.wanted) hears({ done: true });
  };
  run().catch((error) => {
    if (!one.wanted) return;
    one.stop();
    if (hasEngine(agent) && !onSite) plans.set(agent, null); // Python is asked from now on
    onFailure(error instanceof Error ? error.message : String(error));
  });
  return () => one.stop();
}
