// What searches share of limits: the counters, and how results come, better and better.

/** @import { Found } from "../engine" */

/** The number of counters, and which they are: see agents/search/limits.py. */
export const COUNTERS = 12;
export const [NODES, LEAVES, NODE_LIMIT, STOP, ABORTED, LOOK, DEADLINE] = [0, 1, 3, 4, 5, 10, 11];

/** How much time simulations take at most from one result to the next. */
const MILLISECONDS = 100;

/**
 * How many simulations are to be made before each result: twice as many as before, up to some time,
 * until all are made or the time is over.
 * @param {number} first
 * @param {number} all
 * @param {number} deadline As performance.now() tells it.
 */
export function* portions(first, all, deadline) {
  for (let made = 0, number = first; made < all;) {
    const since = performance.now();
    const now = Math.min(number, all - made);
    yield now;
    made += now;
    const left = deadline - performance.now();
    if (left <= 0) return;
    const time = Math.min(MILLISECONDS, left) / (performance.now() - since);
    number = Math.max(Math.floor(number * Math.min(2, time)), 1);
  }
}

/**
 * The most simulations that a plan allows; Error for what is none.
 * @param {number | null} simulations
 */
export function mostSimulations(simulations) {
  if (simulations === null) return Infinity;
  if (!Number.isSafeInteger(simulations) || simulations < 1) {
    throw new Error(`simulations must be a whole number from 1 on, or null, not ${simulations}`);
  }
  return simulations;
}

/**
 * The last result; Error if there is none.
 * @param {Iterable<Found>} results
 */
export function lastOf(results) {
  /** @type {Found | undefined} */
  let last;
  for (const found of results) last = found;
  if (!last) throw new Error("nothing was found: it needs more time, nodes or depth");
  return last;
}

/**
 * The values of actions in a result, 0 where nothing is known.
 * @param {Found} found
 * @param {number[]} actions
 */
export function valuesIn(found, actions = Object.keys(found.values).map(Number)) {
  return new Map(actions.map((action) => [action, found.values[action] ?? 0]));
}
