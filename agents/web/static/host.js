// Who answers the page: the server it comes from or, where it is a file of a site, Python in a worker.

/** Whether the page is a file of a site: there is no server. */
export const onSite = globalThis.document?.documentElement.dataset.host === "site";

/** @import { GameState, Job, Message, RunningJob } from "../messages" */

/**
 * What answers the page's requests; `job` does those jobs that need neither an engine nor the server's agents, and
 * `hiddenJob` those of engines where the page must not know what they search.
 * @typedef {{
 *   get(path: string): Promise<unknown>, post(path: string, data: object): Promise<unknown>,
 *   job?(job: Job, gameState: GameState, options: object): Promise<Message<Job>> | undefined,
 *   hiddenJob?(asked: object, onMessage: (message: Message<Job>) => void): RunningJob,
 * }} Host
 */

/** @type {Host} */
const server = {
  get: (path) => fetched(path),
  post: (path, data) => fetched(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(data),
  }),
};

/**
 * @param {string} path
 * @param {RequestInit} [options]
 */
async function fetched(path, options) {
  const answer = await fetch(path, options).catch(() => {
    throw new Error("the server does not answer: is it running?");
  });
  const found = await answer.json().catch(() => {
    throw new Error("the server does not answer as it should");
  });
  if (!answer.ok) throw new Error(found.error);
  return found;
}

/** @type {Host} */
export const host = onSite ? (await import("./site/site_host.js")).site : server;
