// The page of a game: the board, and panels beside it to play and to analyse.

import { Board } from "/static/board/board.js";
import { Address } from "./address.js";
import { Game, Node } from "./game.js";
import { onSite } from "./host.js";
import { keepHere, keptHere } from "./memory.js";
import { find, findButton, make, openDialog } from "./dom.js";
import { offerEngines } from "./engine_jobs.js";
import { get, position, wordsOf } from "./server.js";
import { PlayPanel } from "./play.js";
import { AnalysePanel } from "./analyse.js";
import { TreePanel } from "./tree.js";
import { PuzzlePanel } from "./puzzle.js";
import { warm } from "./warm.js";

/** @import { Catalogue, Parameters, PlayedMove, State } from "../messages" */

/**
 * What is beside the board.
 * @typedef {{
 *   enter(): void, leave(): void, show(state: State): void, failed?(why: string): void,
 * }} Panel
 */

const root = find("#screen");
const query = new URLSearchParams(location.search);
const PANEL = `panel ${location.pathname}${location.search}`;

export class Screen {
  /** @param {Catalogue} catalogue */
  constructor(catalogue) {
    this.catalogue = catalogue;
    this.game = new Game(catalogue.game, readParameters(catalogue), query.get("set_up") ?? "");
    this.board = new Board(find("#board"), {
      onMove: (action) => this.play({ action }),
      onWrong: (text) => this.say(text, true),
    });
    this.address = new Address(this);
    this.status = find("#status");
    this.visits = 0;
    /** @type {Node | null} */
    this.shown = null; // the position that the board shows
    this.ratio = 0; // of the board, its width to its height: that of the lowest one shown
    /** @type {Panel | null} */
    this.panel = null; // the one that is open
    this.panels = {
      play: new PlayPanel(this), analyse: new AnalysePanel(this), tree: new TreePanel(this),
      puzzle: new PuzzlePanel(this),
    };
    this.game.addEventListener("change", () => this.show());
    if (onSite) find("#people-only").hidden = Object.keys(catalogue.engines).length > 0;
    const howToPlay = findButton("#how-to-play");
    howToPlay.disabled = false;
    howToPlay.addEventListener("click", () => this.showRules());
    this.tabs = [...document.querySelectorAll("[role=tab]")].filter((tab) => tab instanceof HTMLButtonElement);
    for (const [i, tab] of this.tabs.entries()) {
      tab.disabled = !this.offers(tab.dataset.panel ?? "");
      if (tab.disabled) tab.title = "This panel needs adv-envs serve";
      tab.addEventListener("click", () => this.open(tab.dataset.panel ?? ""));
      tab.addEventListener("keydown", (event) => this.tabKey(event, i));
    }
  }

  /**
   * Show a panel and hide the others; that to play if there is none of this name.
   * @param {string} wanted
   */
  open(wanted) {
    const name = isKey(wanted, this.panels) && this.offers(wanted) ? wanted : "play";
    for (const tab of this.tabs) {
      const chosen = tab.dataset.panel === name;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
    }
    for (const [other, panel] of Object.entries(this.panels)) {
      find(`#${other}`).hidden = other !== name;
      if (other !== name) panel.leave();
    }
    this.panel = this.panels[name];
    root.dataset.panel = name;
    keepHere(PANEL, name);
    this.panel.enter();
  }

  /**
   * Whether a panel can be used: on a site there are no trees, and puzzles of some games.
   * @param {string} panel
   */
  offers(panel) {
    return !onSite || (panel === "puzzle" ? Object.keys(this.catalogue.puzzles ?? {}).length > 0 : panel !== "tree");
  }

  /** Open the rules of the game with its parameters. */
  showRules() {
    const text = make("div", { className: "rules" });
    text.innerHTML = this.catalogue.rules; // written by the server, which escapes what is no Markdown
    openDialog("rules", `How to play ${this.catalogue.title}`, text);
  }

  /**
   * The tabs are one stop of the Tab key; arrows go from one to the next.
   * @param {KeyboardEvent} event
   * @param {number} i
   */
  tabKey(event, i) {
    const steps = { ArrowRight: 1, ArrowLeft: this.tabs.length - 1 };
    if (!isKey(event.key, steps)) return;
    event.preventDefault();
    event.stopPropagation();
    const tab = this.tabs[(i + steps[event.key]) % this.tabs.length];
    tab.focus();
    tab.click();
  }

  /** Ask for the position that is looked at. */
  load() {
    return this.visit(this.game.here, true);
  }

  /** Begin again, from the start position. */
  begin() {
    this.game.root = this.game.here = new Node();
    return this.load();
  }

  /**
   * Begin the game from another position, a text that is part of the address; "": the usual one.
   * @param {string} text
   */
  setUp(text) {
    this.game.setUp = text;
    this.game.root = this.game.here = new Node();
    const now = new URLSearchParams(location.search);
    if (text) now.set("set_up", text);
    else now.delete("set_up");
    history.replaceState(null, "", now.size ? `${location.pathname}?${now}` : location.pathname);
  }

  /**
   * Look at a position; the server is asked for it unless we have it.
   * @param {Node} node
   * @param {boolean} again
   * @param {PlayedMove} [move]
   */
  async visit(node, again = false, move = undefined) {
    const number = ++this.visits;
    if (node.state && !node.stale && !again) {
      this.game.go(node);
      return true;
    }
    return this.attempt(async () => {
      const state = await position(this.game.gameState(node), move);
      if (number !== this.visits) return;
      node.stale = false;
      this.game.accept(state, node);
    });
  }

  /**
   * Ask for the position again: it is looked at in another way, and so are all others.
   * @param {PlayedMove} [move]
   */
  refresh(move) {
    const { here } = this.game;
    const { state } = here;
    forget(this.game.root);
    Object.assign(here, { state, stale: true }); // it is on the screen until the answer comes
    return this.visit(here, true, move);
  }

  /**
   * Make a move here. Returns whether it was legal.
   * @param {PlayedMove} move
   */
  play(move) {
    const from = this.game.here;
    const number = ++this.visits;
    return this.attempt(async () => {
      const state = await position(this.game.gameState(from), move);
      if (number === this.visits) this.game.accept(state, from);
    });
  }

  /** Nothing that was asked for before changes the game any more when its answer comes. */
  forgo() {
    this.visits += 1;
  }

  /**
   * Do something; an error is shown, and the board can be used again. Returns whether it went well.
   * @param {() => Promise<void>} work
   */
  async attempt(work) {
    try {
      await work();
      return true;
    } catch (error) {
      this.say(wordsOf(error), true);
      if (this.panel?.failed) this.panel.failed(wordsOf(error));
      else this.board.enable(true);
      return false;
    }
  }

  /** @param {string} text */
  say(text, wrong = false) {
    this.status.textContent = text;
    this.status.classList.toggle("wrong", wrong);
  }

  /** Show the position that is looked at, unless another person has to come to the screen first. */
  show() {
    const { state } = this.game.here;
    if (!state) {
      this.load();
      return;
    }
    if (this.panels.play.covers(state)) return;
    this.fit(state);
    this.board.show(state.board, { animate: this.shown !== null && this.shown === this.game.here.parent });
    this.shown = this.game.here;
    this.say(state.result ?? state.turn_text);
    this.panel?.show(state);
  }

  /**
   * Give the board its place; it does not change with what is drawn below it, such as values, and there is
   * always room for buttons if there were some.
   * @param {State} state
   */
  fit({ board, to_move: player }) {
    if (player >= 0 && board.actions.some(([, , ways]) => ways.length === 0)) root.classList.add("has-buttons");
    const [, , width, height] = board.box;
    if (width / height <= this.ratio) return;
    this.ratio = width / height;
    root.style.setProperty("--ratio", this.ratio.toFixed(3));
  }

  /** Turn the board, and ask for everything as it is seen from there. */
  turn() {
    this.game.flipped = !this.game.flipped;
    this.ratio = 0;
    return this.refresh();
  }
}

/**
 * Nothing that the server said about positions holds any more.
 * @param {Node} node
 */
function forget(node) {
  node.state = null;
  node.children.forEach(forget);
}

/**
 * Whether an object has a key.
 * @template {object} Thing
 * @param {PropertyKey} key
 * @param {Thing} thing
 * @returns {key is keyof Thing}
 */
function isKey(key, thing) {
  return Object.hasOwn(thing, key);
}

/** @param {Catalogue} catalogue */
function readParameters(catalogue) {
  /** @type {Parameters} */
  const found = {};
  for (const [key, value] of query) {
    if (!(key in catalogue.parameters)) continue;
    const usual = catalogue.parameters[key];
    if (typeof usual === "boolean") found[key] = value === "true";
    else found[key] = typeof usual === "number" ? Number(value) : value;
  }
  return found;
}

/** Whether the browser comes back to this page, or loads it again. */
function returns() {
  const [came] = performance.getEntriesByType("navigation");
  return came instanceof PerformanceNavigationTiming && ["reload", "back_forward"].includes(came.type);
}

async function start() {
  const catalogue = /** @type {Catalogue} */ (await get(`/api/games/${root.dataset.game}${location.search}`));
  offerEngines(catalogue);
  const screen = new Screen(catalogue);
  const { address } = screen;
  screen.open((returns() && keptHere(PANEL)) || address.panel);
  if (address.hasMoves) await address.read();
  else if (!((returns() || address.goesOn) && (await address.recall()))) await screen.load();
  warm(screen.game.gameState(), catalogue.opponent);
}

/**
 * There is no such game, or no answer: say why, and offer nothing that cannot be done.
 * @param {unknown} error
 */
function giveUp(error) {
  const status = find("#status");
  status.classList.add("wrong");
  status.textContent = wordsOf(error);
  for (const each of root.querySelectorAll("button, input, select")) each.setAttribute("disabled", "");
  if (!location.search) return;
  status.append(". ", make("a", { href: location.pathname, textContent: "Play it as it usually is" }), ".");
}

await start().catch(giveUp);
