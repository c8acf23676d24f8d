// The panel that steps through the tree of a search.
//
// The server sends the picture once, node by node, and what changes from step to step; a step is
// shown by putting together all changes up to it.

import { draw, find, finder, isWithin, make } from "./dom.js";
import { shortcut } from "./keyboard.js";
import { position, search } from "./server.js";

/** @import { Catalogue, State, Tree, TreeNode, TreeStep } from "../messages" */
/** @import { Node } from "./game.js" */
/** @import { Screen } from "./screen.js" */

/**
 * A tree as it is on the page: what it is, and for each node its group and that of its branch.
 * @typedef {{ tree: Tree, svg: SVGSVGElement, groups: SVGGElement[], branches: SVGGElement[] }} Shown
 */

/** @type {Record<string, string>} */
const NAMES = {
  minimax: "Minimax", alpha_beta: "Alpha-beta", expectiminimax: "Expectiminimax", mcts: "MCTS",
};
const $ = finder("tree-");
const button = (/** @type {string} */ name) => $(name, HTMLButtonElement);

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

/**
 * What is written at nodes: a value, and a note below it.
 * @typedef {Map<number, [value: string, note: string]>} Texts
 */

/**
 * The nodes from one up to the root.
 * @param {Tree} tree
 * @param {number} i
 * @returns {number[]}
 */
function wayTo(tree, i) {
  const { parent } = tree.nodes[i];
  return parent === null ? [i] : [i, ...wayTo(tree, parent)];
}

/**
 * The moves that lead to a node.
 * @param {Tree} tree
 * @param {number} i
 */
export const whereIs = (tree, i) =>
  wayTo(tree, i).reverse().slice(1).map((at) => tree.nodes[at].name).join(" ");

export class TreePanel {
  /** @param {Screen} screen */
  constructor(screen) {
    this.screen = screen;
    /** @type {Shown | null} */
    this.shown = null;
    /** @type {Node | null} */
    this.root = null; // the position of which there is a tree
    this.step = 0;
    this.scale = 1;
    this.searching = false;
    this.stop = () => {}; // what ends the search that goes on
    /** @type {number | null} */
    this.timer = null; // of the next step, where they are played
    this.panel = find("#tree");
    this.view = $("view");
    this.slider = $("slider", HTMLInputElement);
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
    const go = { first: () => 0, previous: () => this.step - 1, next: () => this.step + 1, last: () => Infinity };
    for (const [name, to] of Object.entries(go)) {
      $(name).addEventListener("click", () => {
        this.pause();
        this.go(to());
      });
    }
    $("play").addEventListener("click", () => this.toggle());
    this.slider.addEventListener("input", () => {
      this.pause();
      this.go(Number(this.slider.value));
    });
    $("smaller").addEventListener("click", () => this.zoom(this.scale / 1.25));
    $("larger").addEventListener("click", () => this.zoom(this.scale * 1.25));
    $("fit").addEventListener("click", () => this.fit());
    $("back").addEventListener("click", () => this.look(0));
    this.panel.addEventListener("keydown", (event) => this.key(event));
    const active = () => this.shown !== null && !this.panel.hidden;
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
    this.pause();
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
      this.looked(0); // the board shows the root again
      return;
    }
    this.clear();
    this.root = here;
    this.draw();
  }

  clear() {
    this.pause();
    this.stop();
    this.shown = null;
    $("shown").hidden = true;
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

  /** @param {string} text */
  note(text, wrong = false) {
    $("note").textContent = text;
    $("note").classList.toggle("wrong", wrong);
  }

  /** @param {Tree} tree */
  open(tree) {
    this.note([`${tree.caption}.`, tree.left_out].join(" "));
    $("shown").hidden = false;
    this.slider.max = String(tree.steps.length - 1);
    $("moves").hidden = !tree.steps[0].moves;
    $("window").hidden = Boolean(tree.steps[0].moves);
    this.shown = this.picture(tree);
    this.list(tree);
    this.looked(0);
    this.fit();
    this.go(0);
  }

  // ---- the picture

  /**
   * Draw a tree.
   * @param {Tree} tree
   * @returns {Shown}
   */
  picture(tree) {
    const { box, levels, nodes, caption } = tree;
    const svg = draw("svg", {
      class: "adv-envs", viewBox: box.join(" "), role: "img", "aria-label": caption,
    });
    draw("g", {}, svg).innerHTML = levels; // written by the server, as all shapes
    const below = draw("g", {}, svg);
    const branches = nodes.map((node) => {
      const group = draw("g", { class: `tree-branch${node.cut ? " cut" : ""}` }, below);
      group.innerHTML = node.branch;
      return group;
    });
    const groups = nodes.map((node, i) => this.node(node, i, svg));
    svg.classList.toggle("visits", "simulations" in tree.steps[0]);
    this.view.replaceChildren(svg);
    return { tree, svg, groups, branches };
  }

  /**
   * @param {TreeNode} node
   * @param {number} i
   * @param {SVGSVGElement} svg
   */
  node(node, i, svg) {
    const group = draw("g", { class: "tree-node", "data-node": i }, svg);
    const [x, y] = node.place;
    const [wide, high] = node.half;
    draw("rect", {
      class: "halo", x: x - wide, y: y - high, width: 2 * wide, height: 2 * high, rx: wide > 20 ? 8 : wide,
    }, group);
    const frame = draw("g", {}, group);
    frame.innerHTML = node.frame;
    const texts = draw("g", {}, group);
    texts.innerHTML = node.texts;
    group.append(...texts.children); // so that they are next to each other
    texts.remove();
    group.classList.toggle("still", !node.actions);
    if (node.actions) group.addEventListener("click", () => this.look(i));
    return group;
  }

  /** @param {number} scale */
  zoom(scale) {
    if (!this.shown) return;
    const { tree, svg } = this.shown;
    this.scale = Math.min(Math.max(scale, 0.15), 3);
    const [, , width, height] = tree.box;
    svg.setAttribute("width", String(width * this.scale));
    svg.setAttribute("height", String(height * this.scale));
    this.centre(tree);
  }

  /** As large as there is room for, but large enough to be read. */
  fit() {
    const width = this.shown?.tree.box[2] ?? 1;
    this.zoom(Math.min(Math.max((this.view.clientWidth - 4) / width, 0.6), 1.4));
  }

  /**
   * Scroll to the node of the step, within the tree's own box.
   * @param {Tree} tree
   */
  centre({ nodes, steps, box: [left, top] }) {
    const { view } = this;
    const [x, y] = nodes[steps[this.step].node].place;
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    view.scrollTo({
      left: (x - left) * this.scale - view.clientWidth / 2,
      top: (y - top) * this.scale - view.clientHeight / 2, behavior,
    });
  }

  // ---- the steps

  /** @param {number} to */
  go(to) {
    if (!this.shown) return;
    const { tree, branches } = this.shown;
    const { steps, nodes } = tree;
    this.step = Math.min(Math.max(to, 0), steps.length - 1);
    const step = steps[this.step];
    /** @type {Texts} */
    const written = new Map();
    /** @type {Set<number>} */
    const cut = new Set();
    for (const past of steps.slice(0, this.step + 1)) {
      for (const [node, value, note] of past.changed) {
        const before = written.get(node);
        written.set(node, [value, note || before?.[1] || ""]);
      }
      for (const node of past.cut) cut.add(node);
    }
    const now = step.moves ? new Map(step.changed.map(([node, ...texts]) => [node, texts])) : written;
    this.mark(this.shown, step, now, cut);
    const last = this.step === steps.length - 1;
    nodes.forEach((node, i) => branches[i].classList.toggle("best", last && node.best && i > 0));
    $("said").textContent = step.said;
    $("window").textContent = [whereIs(tree, step.node), step.window].filter(Boolean).join("  ·  ");
    this.slider.value = String(this.step);
    this.slider.setAttribute("aria-valuetext", `step ${this.step + 1} of ${steps.length}`);
    $("count").textContent = `${this.step + 1} / ${steps.length}`;
    const focused = document.activeElement;
    button("first").disabled = button("previous").disabled = this.step === 0;
    button("last").disabled = button("next").disabled = last;
    if (focused?.matches("button:disabled")) this.view.focus({ preventScroll: true }); // the arrow keys go on
    if (step.moves) this.moves(step.moves, step.simulations ?? 1);
    this.centre(tree);
  }

  /**
   * Write what is known, and show what has been visited, cut, and is looked at.
   * @param {Shown} shown
   * @param {TreeStep} step
   * @param {Texts} written
   * @param {Set<number>} cut
   */
  mark({ tree, groups, branches }, step, written, cut) {
    const path = new Set(wayTo(tree, step.node));
    tree.nodes.forEach((node, i) => {
      const [value, note] = written.get(i) ?? ["", ""];
      const texts = groups[i].querySelectorAll(":scope > text");
      if (texts[0]) texts[0].textContent = value;
      if (texts[1]) texts[1].textContent = note;
      const seen = written.has(i) || cut.has(i) || (node.dots && written.has(node.parent ?? 0));
      for (const element of [groups[i], branches[i]]) {
        element.classList.toggle("unseen", !seen);
        element.classList.toggle("path", path.has(i));
      }
      groups[i].classList.toggle("here", i === step.node && !step.moves);
      branches[i].classList.toggle("struck", cut.has(i));
    });
    for (const [i, width] of step.thick ?? []) {
      const line = branches[i].querySelector("polyline");
      if (line) line.style.strokeWidth = `${width}px`;
    }
  }

  /**
   * The visits of the moves at the root, as bars.
   * @param {NonNullable<TreeStep["moves"]>} moves
   * @param {number} simulations
   */
  moves(moves, simulations) {
    const most = Math.max(...moves.map(([, visits]) => visits), 1);
    $("moves", HTMLTableElement).tBodies[0].replaceChildren(...moves.map(([name, visits, mean]) => {
      const bar = make("span", { className: "bar" });
      bar.style.width = `${(70 * visits) / most}%`;
      return make("tr", { title: `${Math.round((100 * visits) / simulations)}% of the simulations` },
        make("th", { scope: "row", textContent: name }),
        make("td", {}, bar, visits.toLocaleString("en")),
        make("td", { textContent: mean.toFixed(2).replace("-", "−") }));
    }));
  }

  toggle() {
    if (!this.shown) return;
    if (this.timer) {
      this.pause();
      return;
    }
    const end = this.shown.tree.steps.length - 1;
    if (this.step === end) this.go(0);
    $("play").textContent = "⏸";
    $("play").setAttribute("aria-label", "Pause");
    const tick = () => {
      this.go(this.step + 1);
      if (this.step === end) this.pause();
      else this.timer = setTimeout(tick, Number($("speed", HTMLSelectElement).value));
    };
    this.timer = setTimeout(tick, 300);
  }

  pause() {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    $("play").textContent = "▶▶";
    $("play").setAttribute("aria-label", "Play the steps");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.shown || event.altKey || event.ctrlKey || event.metaKey) return;
    if (isWithin(event, "select, input")) return; // they have the arrows for themselves
    /** @type {Record<string, number>} */
    const to = { ArrowRight: this.step + 1, ArrowLeft: this.step - 1, Home: 0, End: Infinity };
    if (event.key in to) {
      this.pause();
      this.go(to[event.key]);
    } else if (event.key === " " && !isWithin(event, "button, summary")) this.toggle();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // ---- positions of nodes

  /**
   * Show the position of a node on the board.
   * @param {number} i
   */
  async look(i) {
    const { shown, root } = this;
    const actions = shown?.tree.nodes[i].actions;
    if (!shown || !actions || !root) return;
    const gameState = this.screen.game.gameState(root);
    await this.screen.attempt(async () => {
      const state = await position({ ...gameState, line: [...gameState.line, ...actions] });
      if (this.shown !== shown) return;
      const { title } = state.board;
      this.screen.board.show(state.board);
      this.screen.board.enable(i === 0 && !state.over);
      this.screen.say(i === 0 ? title : `In the tree, after ${whereIs(shown.tree, i)}: ${title}`);
      this.looked(i);
    });
  }

  /**
   * Mark the node whose position is on the board.
   * @param {number} i
   */
  looked(i) {
    if (!this.shown) return;
    this.shown.groups.forEach((group, j) => group.classList.toggle("looked", i === j && i > 0));
    $("back").hidden = i === 0;
  }

  /**
   * The tree as nested lists, for those who do not see the picture.
   * @param {Tree} tree
   */
  list({ nodes }) {
    /** @type {number[][]} */
    const below = nodes.map(() => []);
    nodes.forEach((node, i) => {
      if (node.parent !== null) below[node.parent].push(i);
    });
    const item = (/** @type {number} */ i) => {
      const node = nodes[i];
      const label = this.label(node, i);
      label.classList.toggle("cut", node.cut);
      return make("li", {}, label, ...below[i].length ? [group(below[i])] : []);
    };
    /** @type {(children: number[]) => HTMLElement} */
    const group = (children) => make("ul", {}, ...children.map(item));
    $("list").replaceChildren(group([0]));
  }

  /**
   * A node in words; a button where its position can be shown.
   * @param {TreeNode} node
   * @param {number} i
   */
  label(node, i) {
    const words = [node.name, node.who, node.value, node.cut && !node.hidden ? "cut off" : ""];
    if (node.hidden && !node.cut) words.push(`${node.hidden} nodes below are not drawn`);
    const textContent = words.filter(Boolean).join(", ");
    if (!node.actions) return make("span", { textContent });
    const label = make("button", { type: "button", textContent });
    label.addEventListener("click", () => this.look(i));
    return label;
  }
}
