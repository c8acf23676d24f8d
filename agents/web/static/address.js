// The position in the page's address, `#moves=a1%20b2`, so that a link is a position and the
// browser's buttons go back and forth. In games in which players do not see everything there are
// no moves in the address: they would tell what is hidden.

import { ask } from "./server.js";

const PAUSE = 500; // ms; positions that follow one another faster are one entry of the history

const wanted = () => new URLSearchParams(location.hash.slice(1)).get("moves") ?? "";

export class Address {
  constructor(screen) {
    this.screen = screen;
    this.game = screen.game;
    this.written = 0;
    this.game.addEventListener("change", () => this.write());
    addEventListener("popstate", () => this.read());
  }

  /** Whether the address has moves. */
  get hasMoves() {
    return wanted() !== "";
  }

  /** Write the position that is looked at. */
  write() {
    const { state } = this.game.here;
    if (!state || state.hidden || this.reading || wanted() === state.text) return;
    const hash = state.text ? `#moves=${encodeURIComponent(state.text)}` : "";
    const address = location.pathname + location.search + hash;
    const now = performance.now();
    if (this.written && now - this.written > PAUSE) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
    this.written = now;
  }

  /** Look at the position in the address, with the line before it. Says what is wrong with it. */
  async read() {
    const text = wanted();
    if (text === (this.game.here.state?.text ?? null)) return;
    this.reading = true;
    try {
      const { line, moves } = text
        ? await ask("/api/line", { ...this.game.situation(this.game.root), text })
        : { line: [], moves: [] };
      this.game.here = this.game.follow(line, moves);
      await this.screen.load();
    } catch (error) {
      if (!this.game.here.state) await this.screen.load();
      this.screen.say(`The address has no position of this game: ${error.message}`, true);
    } finally {
      this.reading = false;
    }
  }
}
