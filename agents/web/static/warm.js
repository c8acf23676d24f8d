// Has agents compiled before they are needed, and says so while it goes on.

import { search } from "./server.js";

const asked = new Set();

/** Have the agent of a spec compiled for the game of a situation, unless that was asked before. */
export function warm(situation, agent) {
  if (!agent || agent === "human" || asked.has(agent)) return;
  asked.add(agent);
  const note = document.querySelector("#compiling");
  const name = agent.split("(")[0].replaceAll("_", "-");
  search("warm", situation, { agent }, (message) => {
    if (message.compiling) note.textContent = `Compiling ${name} …`;
    if (message.error) note.textContent = message.error;
    if (message.ready !== undefined) note.textContent = "";
  });
}
