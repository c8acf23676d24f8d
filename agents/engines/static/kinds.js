// The kinds of search, by the "search" of their plans: each has a file here and one in Python.

/** @import { Found, Limits, Plan, Words } from "../engine" */
/** @import { Engine } from "./engine.js" */

import * as alphaBeta from "./alpha_beta.js";
import * as exact from "./exact.js";
import * as expectiminimax from "./expectiminimax.js";
import * as greedy from "./greedy.js";
import * as ismcts from "./ismcts.js";
import * as mcts from "./mcts.js";
import * as phases from "./phases.js";
import * as policy from "./policy.js";
import * as random from "./random.js";
import * as valued from "./valued.js";

/**
 * @typedef {object} Kind
 * @property {(engine: Engine, plan: Plan, position: Words, limits: Limits) =>
 *   Generator<Found, void, undefined>} analyse Yields what is found, better and better.
 * @property {(engine: Engine, plan: Plan, position: Words, limits: Limits) =>
 *   Map<number, number>} values Returns the value of each legal action.
 */

/** @type {Record<string, Kind>} */
export const KINDS = {
  alpha_beta: alphaBeta, exact, expectiminimax, greedy, ismcts, mcts, phases, policy,
  random, valued,
};
