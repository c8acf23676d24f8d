// The page of a game: the board, and panels beside it to play and to analyse.

import { Board } from "/static/board/board.js";
import { Game } from "./game.js";
import { get, position } from "./server.js";
import { PlayPanel } from "./play.js";
import { AnalysePanel } from "./analyse.js";
import { TreePanel } from "./tree.js";
import { PuzzlePanel } from "./puzzle.js";
import { warm } from "./warm.js";

const root = document.querySelector("#screen");

export class Screen {
  constructor(catalogue) {
    this.catalogue = catalogue;
    this.game = new Game(catalogue.game, readParameters(catalogue));
    this.board = new Board(document.querySelector("#board"), {
      onMove: (action) => this.play({ action }),
      onWrong: (text) => this.say(text, true),
    });
    this.status = document.querySelector("#status");
    this.panels = {
      play: new PlayPanel(this), analyse: new AnalysePanel(this), tree: new TreePanel(this),
      puzzle: new PuzzlePanel(this),
    };
    this.game.addEventListener("change", () => this.show());
    for (const tab of document.querySelectorAll("[role=tab]")) {
      tab.addEventListener("click", () => this.open(tab.dataset.panel));
    }
  }

  /** Show a panel and hide the others. */
  open(name) {
    for (const tab of document.querySelectorAll("[role=tab]")) {
      tab.setAttribute("aria-selected", String(tab.dataset.panel === name));
    }
    for (const [other, panel] of Object.entries(this.panels)) {
      document.querySelector(`#${other}`).hidden = other !== name;
      if (other !== name) panel.leave();
    }
    this.panel = this.panels[name];
    this.panel.enter();
  }

  /** Ask for the position that is looked at. */
  async load() {
    await this.attempt(async () => this.game.accept(await position(this.game.situation())));
  }

  /** Make a move here. */
  async play(move) {
    const from = this.game.here;
    await this.attempt(async () =>
      this.game.accept(await position(this.game.situation(from), move), from));
  }

  /** Do something; an error is shown, and the board can be used again. */
  async attempt(work) {
    try {
      await work();
    } catch (error) {
      this.say(error.message, true);
      this.board.enable(true);
    }
  }

  say(text, wrong = false) {
    this.status.textContent = text;
    this.status.classList.toggle("wrong", wrong);
  }

  /** Show the position that is looked at. */
  show() {
    const { state } = this.game.here;
    this.board.show(state.board);
    this.say(state.over ? state.result : state.board.title);
    this.panel?.show(state);
  }
}

function readParameters(catalogue) {
  const found = {};
  for (const [key, value] of new URLSearchParams(location.search)) {
    if (!(key in catalogue.parameters)) continue;
    const usual = catalogue.parameters[key];
    if (typeof usual === "boolean") found[key] = value === "true";
    else found[key] = typeof usual === "number" ? Number(value) : value;
  }
  return found;
}

async function start() {
  const catalogue = await get(`/api/games/${root.dataset.game}${location.search}`);
  const screen = new Screen(catalogue);
  screen.open("play");
  await screen.load();
  warm(screen.game.situation(), catalogue.opponent);
}

await start().catch((error) => {
  document.querySelector("#status").textContent = error.message;
});
