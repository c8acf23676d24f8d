// The panel that asks for the tree of a search, which is stepped through.

import { find, finder } from "./dom.js";
import { shortcut } from "./keyboard.js";
import { position, search } from "./server.js";
import { TreeSteps, whereIs } from "./tree_steps.js";

/** @import { Catalogue, State, Tree } from "../messages" */
/** @import { Node } from "./game.js" */
/** @import { Screen } from "./screen.js" */

/** @type {Record<string, string>} */
const NAMES = {
  minimax: "Minimax", alpha_beta: "Alpha-beta", expectiminimax: "Expectiminimax", mcts: "MCTS",
};
const $ = finder("tree-");

/**
 * @param {HTMLSelectElement} select
 * @param {[value: string | number, text: string | number][]} choices
 */
function fill(select, choices) {
  select.replaceChildren(...choices.map(([value, text]) => new Option(String(text), String(value))));
}

/**
 * Values with what is to be written beside them.
 * @template {string | number} Value
 * @param {Value[]} values
 * @param {(value: Value) => string} text
 * @returns {[value: Value, text: string][]}
 */
const pairs = (values, text) => values.map((value) => [value, text(value)]);

export class TreePanel {
  /** @param {Screen} screen */
  constructor(screen) {
    this.screen = screen;
    this.steps = new TreeSteps("tree-", (i) => this.look(i));
    /** @type {Node | null} */
    this.root = null; // the position of which there is a tree
    this.searching = false;
    this.stop = () => {}; // what ends the search that goes on
    this.panel = find("#tree");
    this.chosen = {
      search: $("search", HTMLSelectElement), depth: $("depth", HTMLSelectElement),
      evaluation: $("evaluation", HTMLSelectElement), simulations: $("simulations", HTMLSelectElement),
      nodes: $("nodes", HTMLSelectElement),
    };
    this.choices(screen.catalogue);
    $("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.draw();
    });
    this.chosen.search.addEventListener("change", () => this.offer());
    this.panel.addEventListener("keydown", (event) => this.steps.key(event));
    const active = () => this.steps.shown !== null && !this.panel.hidden;
    const keys = { ArrowRight: "next", ArrowLeft: "previous", Home: "first", End: "last" };
    for (const [key, name] of Object.entries(keys)) {
      shortcut("Search tree", key, $(name).ariaLabel ?? name, () => $(name).click(), active);
    }
    shortcut("Search tree", " ", "Play the steps", null);
  }

  /**
   * What there is to choose for the game.
   * @param {Catalogue} catalogue
   */
  choices({ chance, evaluations }) {
    const { search: searches, depth, evaluation, simulations, nodes } = this.chosen;
    const names = chance ? ["expectiminimax", "mcts"] : ["alpha_beta", "minimax", "mcts"];
    fill(searches, names.map((name) => [name, NAMES[name]]));
    fill(depth, [["", "as deep as can be drawn"], ...pairs([1, 2, 3, 4, 5, 6], String)]);
    fill(evaluation, [...pairs(evaluations, (name) => name.split(".").pop() ?? name), ["", "none"]]);
    fill(simulations, pairs([16, 64, 256, 1024, 4096], (n) => n.toLocaleString("en")));
    simulations.value = "256";
    fill(nodes, [["", "as fit"], ...pairs([30, 60, 120, 240], (n) => `at most ${n}`)]);
    this.offer();
  }

  /** Show the choices that go with the search. */
  offer() {
    const sampling = this.chosen.search.value === "mcts";
    $("depth-label").hidden = sampling;
    $("evaluation-label").hidden = sampling || this.chosen.evaluation.options.length < 2;
    $("simulations-label").hidden = !sampling;
  }

  get spec() {
    const { search: { value: name }, depth, evaluation, simulations } = this.chosen;
    if (name === "mcts") return `mcts(simulations=${Number(simulations.value)}, seed=0)`;
    const parameters = [];
    if (depth.value) parameters.push(`depth=${Number(depth.value)}`);
    if (evaluation.value) parameters.push(`evaluate=${evaluation.value}`);
    return `${name}(${parameters.join(", ")})`;
  }

  // ---- the panel

  enter() {
    this.screen.show();
  }

  leave() {
    this.steps.pause();
    this.stop();
    if (this.searching) this.root = null; // search again when we come back
  }

  /**
   * Another position is looked at: its tree is another one.
   * @param {State} state
   */
  show(state) {
    this.screen.board.enable(!state.over);
    const { here } = this.screen.game;
    if (this.root === here) {
      this.steps.looked(0); // the board shows the root again
      return;
    }
    this.clear();
    this.root = here;
    this.draw();
  }

  clear() {
    this.stop();
    this.steps.clear();
  }

  /** Ask for the tree of the position. */
  draw() {
    if (!this.root) return;
    this.clear();
    const nodes = Number(this.chosen.nodes.value);
    const options = nodes ? { agent: this.spec, nodes } : { agent: this.spec };
    this.note("Searching …");
    this.searching = true;
    this.stop = search("tree", this.screen.game.gameState(this.root), options, (message) => {
      if (!message.waiting) this.searching = false;
      if (message.error) this.note(message.error, true);
      if (message.sorry) this.note(message.sorry);
      if (message.tree) this.open(message.tree);
    });
  }

  /** @param {Tree} tree */
  open(tree) {
    this.note([`${tree.caption}.`, tree.left_out].join(" "));
    this.steps.open(tree, Infinity);
  }

  /** @param {string} text */
  note(text, wrong = false) {
    $("note").textContent = text;
    $("note").classList.toggle("wrong", wrong);
  }

  // ---- positions of nodes

  /**
   * Show the position of a node on the board.
   * @param {number} i
   */
  async look(i) {
    const { steps: { shown }, root } = this;
    const actions = shown?.tree.nodes[i].actions;
    if (!shown || !actions || !root) return;
    const gameState = this.screen.game.gameState(root);
    await this.screen.attempt(async () => {
      const state = await position({ ...gameState, line: [...gameState.line, ...actions] });
      if (this.steps.shown !== shown) return;
      const { title } = state.board;
      this.screen.board.show(state.board);
      this.screen.board.enable(i === 0 && !state.over);
      this.screen.say(i === 0 ? title : `In the tree, after ${whereIs(shown.tree, i)}: ${title}`);
      this.steps.looked(i);
    });
  }
}
