// An agent that thinks about its move, and the line that says so.

import { find, reveal } from "./dom.js";
import { agentName } from "./seats.js";
import { search } from "./server.js";

const PATIENCE = 250; // milliseconds until the line is shown

export class Thinking {
  constructor() {
    this.line = find("#thinking");
    this.best = null; // what the agent would play, where it says so
  }

  /** Ask an agent for its move; options are its spec and perhaps the seconds it has. */
  begin(situation, options, onMessage) {
    this.stop();
    const began = performance.now();
    this.best = null;
    const stop = search("move", situation, options, (message) => {
      if (message.thought) this.best = message.thought;
      onMessage(message);
    });
    const show = () => this.show(options.agent, performance.now() - began);
    const first = setTimeout(show, PATIENCE);
    const ticker = setInterval(show, 1000);
    this.end = () => {
      stop();
      clearTimeout(first);
      clearInterval(ticker);
    };
  }

  show(agent, waited) {
    const seconds = Math.floor(waited / 1000);
    const depth = this.best?.depth ? `, depth ${this.best.depth}` : "";
    reveal(this.line, true, `${agentName(agent)} thinks …${seconds ? ` ${seconds} s` : ""}${depth}`);
  }

  /** The agent's answer is not needed any more. */
  stop() {
    this.end?.();
    this.end = null;
    reveal(this.line, false);
  }
}
