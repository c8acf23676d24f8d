// An agent that thinks about its move, and the line that says so.

import { find, reveal } from "./dom.js";
import { search } from "./server.js";
import { answerable, isCompiling, isPrepared } from "./warm.js";

/** @import { GameState, Jobs, Message, Thought } from "../messages" */

const PATIENCE = 250; // milliseconds until the line is shown
const MEANWHILE = 0.5; // seconds for a move of an agent that is not compiled yet

export class Thinking {
  constructor() {
    this.line = find("#thinking");
    /** @type {Thought | null} */
    this.best = null; // what the agent would play, where it says so
    /** @type {(() => void) | null} */
    this.end = null; // what ends its thinking
  }

  /**
   * Ask an agent for its move; options are its spec and perhaps the seconds it has; `name` is what it
   * is called. While it is being compiled
   * it is asked for one with little thought.
   * @param {GameState} gameState
   * @param {Jobs["move"]["options"]} options
   * @param {string} name
   * @param {(message: Message<"move">) => void} onMessage
   */
  begin(gameState, options, name, onMessage) {
    this.stop();
    const began = performance.now();
    const asked = { stop: () => {}, wanted: true };
    this.best = null;
    answerable(options.agent).then(() => {
      if (!asked.wanted) return;
      const hurry = isPrepared(options.agent) ? {} : { seconds: Math.min(MEANWHILE, options.seconds ?? MEANWHILE) };
      asked.stop = search("move", gameState, { ...options, ...hurry }, (message) => {
        if (message.thought) this.best = message.thought;
        onMessage(message);
      });
    });
    const show = () => this.show(options.agent, name, performance.now() - began);
    const first = setTimeout(show, PATIENCE);
    const ticker = setInterval(show, 1000);
    this.end = () => {
      asked.wanted = false;
      asked.stop();
      clearTimeout(first);
      clearInterval(ticker);
    };
  }

  /**
   * @param {string} agent
   * @param {string} name
   * @param {number} waited
   */
  show(agent, name, waited) {
    const seconds = Math.floor(waited / 1000);
    const depth = this.best?.depth ? `, depth ${this.best.depth}` : "";
    const quick = isPrepared(agent) ? "thinks" : "makes a quick move meanwhile";
    const does = isCompiling(agent) && isPrepared(agent) ? "is being prepared, once" : quick;
    reveal(this.line, true, `${name} ${does} …${seconds ? ` ${seconds} s` : ""}${depth}`);
  }

  /** The agent's answer is not needed any more. */
  stop() {
    this.end?.();
    this.end = null;
    reveal(this.line, false);
  }
}
