// The position in the page's address, `#moves=a1%20b2`, so that a link is a position and the
// browser's buttons go back and forth; `#panel=puzzle` is what to open. In games in which players do
// not see everything there are no moves in the address: they would tell what is hidden. The codes of
// such a game are kept while the browser's tab is open, so that one can leave the page and come back;
// the front page leads back to games that are under way.

import { keepGame, keepHere, keptHere } from "./memory.js";
import { ask, position, wordsOf } from "./server.js";

/** @import { Code, Parameters, State } from "../messages" */
/** @import { Screen } from "./screen.js" */

const PAUSE = 500; // ms; positions that follow one another faster are one entry of the history

const CODES = `codes ${location.pathname}${location.search}`;

const hash = () => new URLSearchParams(location.hash.slice(1));
const wanted = () => hash().get("moves") ?? "";

/**
 * Parameters of a game as an address has them.
 * @param {Parameters} parameters
 */
export const queryOf = (parameters) =>
  new URLSearchParams(Object.entries(parameters).map(([key, value]) => [key, String(value)]));

export class Address {
  /** @param {Screen} screen */
  constructor(screen) {
    this.screen = screen;
    this.game = screen.game;
    this.written = 0;
    this.reading = false;
    this.game.addEventListener("change", () => this.write());
    addEventListener("popstate", () => this.read());
  }

  /** Whether the address has moves. */
  get hasMoves() {
    return wanted() !== "";
  }

  /** The panel that the address asks for; that of analysis where there are moves. */
  get panel() {
    return hash().get("panel") ?? (this.hasMoves ? "analyse" : "play");
  }

  /** Whether the game that was left is to go on. */
  get goesOn() {
    return hash().has("kept");
  }

  /** Look at the position of a hidden game that was left. Returns whether there was one. */
  async recall() {
    /** @type {Code[]} */
    const line = JSON.parse(keptHere(CODES) ?? "[]");
    if (!line.length) return false;
    const { game } = this;
    const state = await position({ ...game.gameState(game.root), line }).catch(() => null);
    if (!state) return false;
    game.over = state.over || (state.viewer === null && game.people.length > 0);
    game.here = game.follow(state.line, state.moves);
    await this.screen.load();
    return true;
  }

  /** Write the position that is looked at. */
  write() {
    const { state, line } = this.game.here;
    if (state?.hidden) keepHere(CODES, JSON.stringify(line));
    if (state) this.keep(state, line);
    if (!state || state.hidden || this.reading || wanted() === state.text) return;
    const moves = state.text ? `#moves=${encodeURIComponent(state.text)}` : "";
    const address = location.pathname + location.search + moves;
    const now = performance.now();
    if (this.written && now - this.written > PAUSE) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
    this.written = now;
  }

  /**
   * Keep where the game goes on, while it is under way.
   * @param {State} state
   * @param {Code[]} line
   */
  keep(state, line) {
    const part = state.hidden ? "kept" : `moves=${encodeURIComponent(state.text)}`;
    const under = line.length && !state.over && !this.game.over;
    keepGame(this.game.name, under ? `${location.pathname}${location.search}#panel=play&${part}` : "");
  }

  /** Look at the position in the address, with the line before it. Says what is wrong with it. */
  async read() {
    const text = wanted();
    if (text === (this.game.here.state?.text ?? null)) return;
    this.reading = true;
    try {
      const { line, moves } = text
        ? await ask("/api/line", { ...this.game.gameState(this.game.root), text })
        : { line: [], moves: [] };
      this.game.here = this.game.follow(line, moves);
      await this.screen.load();
    } catch (error) {
      if (!this.game.here.state) await this.screen.load();
      this.screen.say(`The address has no position of this game: ${wordsOf(error)}`, true);
    } finally {
      this.reading = false;
    }
  }
}
