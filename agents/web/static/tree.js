// The panel that steps through the tree of a search.
//
// The server sends the picture once, node by node, and what changes from step to step; a step is
// shown by putting together all changes up to it.

import { shortcut } from "./keyboard.js";
import { position, search } from "./server.js";

const SVG = "http://www.w3.org/2000/svg";
const NAMES = {
  minimax: "Minimax", alpha_beta: "Alpha-beta", expectiminimax: "Expectiminimax", mcts: "MCTS",
};
const $ = (name) => document.querySelector(`#tree-${name}`);

function make(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent?.append(element);
  return element;
}

function fill(select, choices) {
  select.replaceChildren(...choices.map(([value, text]) => new Option(text, value)));
}

export class TreePanel {
  constructor(screen) {
    this.screen = screen;
    this.tree = null;
    this.step = 0;
    this.scale = 1;
    this.choices(screen.catalogue);
    $("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.draw();
    });
    $("search").addEventListener("change", () => this.offer());
    const go = { first: () => 0, previous: () => this.step - 1, next: () => this.step + 1, last: () => Infinity };
    for (const [name, to] of Object.entries(go)) {
      $(name).addEventListener("click", () => {
        this.pause();
        this.go(to());
      });
    }
    $("play").addEventListener("click", () => this.toggle());
    $("slider").addEventListener("input", () => {
      this.pause();
      this.go(Number($("slider").value));
    });
    $("smaller").addEventListener("click", () => this.zoom(this.scale / 1.25));
    $("larger").addEventListener("click", () => this.zoom(this.scale * 1.25));
    $("fit").addEventListener("click", () => this.fit());
    $("back").addEventListener("click", () => this.look(0));
    document.querySelector("#tree").addEventListener("keydown", (event) => this.key(event));
    const active = () => this.tree && !document.querySelector("#tree").hidden;
    const keys = { ArrowRight: "next", ArrowLeft: "previous", Home: "first", End: "last" };
    for (const [key, name] of Object.entries(keys)) {
      const label = $(name).getAttribute("aria-label");
      shortcut("Search tree", key, label, () => $(name).click(), active);
    }
    shortcut("Search tree", " ", "Play the steps", null);
  }

  /** What there is to choose for the game. */
  choices({ chance, evaluations }) {
    const searches = chance ? ["expectiminimax", "mcts"] : ["alpha_beta", "minimax", "mcts"];
    fill($("search"), searches.map((name) => [name, NAMES[name]]));
    fill($("depth"), [["", "as deep as can be drawn"], ...[1, 2, 3, 4, 5, 6].map((n) => [n, n])]);
    fill($("evaluation"), [...(evaluations ?? []).map((name) => [name, name.split(".").pop()]), ["", "none"]]);
    fill($("simulations"), [16, 64, 256, 1024, 4096].map((n) => [n, n.toLocaleString("en")]));
    $("simulations").value = "256";
    fill($("nodes"), [["", "as fit"], ...[30, 60, 120, 240].map((n) => [n, `at most ${n}`])]);
    this.offer();
  }

  /** Show the choices that go with the search. */
  offer() {
    const sampling = $("search").value === "mcts";
    $("depth-label").hidden = sampling;
    $("evaluation-label").hidden = sampling || $("evaluation").options.length < 2;
    $("simulations-label").hidden = !sampling;
  }

  get spec() {
    const name = $("search").value;
    if (name === "mcts") return `mcts(simulations=${Number($("simulations").value)}, seed=0)`;
    const parameters = [];
    if ($("depth").value) parameters.push(`depth=${Number($("depth").value)}`);
    if ($("evaluation").value) parameters.push(`evaluate=${$("evaluation").value}`);
    return `${name}(${parameters.join(", ")})`;
  }

  // ---- the panel

  enter() {
    this.screen.show();
  }

  leave() {
    this.pause();
    this.stop?.();
    if (this.searching) this.root = null; // search again when we come back
  }

  /** Another position is looked at: its tree is another one. */
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
    this.stop?.();
    this.tree = null;
    $("shown").hidden = true;
  }

  /** Ask for the tree of the position. */
  draw() {
    this.clear();
    const options = { agent: this.spec };
    if ($("nodes").value) options.nodes = Number($("nodes").value);
    this.note("Searching …");
    this.searching = true;
    this.stop = search("tree", this.screen.game.gameState(this.root), options, (message) => {
      if (!message.waiting) this.searching = false;
      if (message.error) this.note(message.error, true);
      if (message.sorry) this.note(message.sorry);
      if (message.tree) this.open(message.tree);
    });
  }

  note(text, wrong = false) {
    $("note").textContent = text;
    $("note").classList.toggle("wrong", wrong);
  }

  open(tree) {
    this.tree = tree;
    this.note([`${tree.caption}.`, tree.left_out].join(" "));
    $("shown").hidden = false;
    $("slider").max = tree.steps.length - 1;
    $("moves").hidden = !tree.steps[0].moves;
    $("window").hidden = Boolean(tree.steps[0].moves);
    this.picture();
    this.list();
    this.looked(0);
    this.fit();
    this.go(0);
  }

  // ---- the picture

  picture() {
    const { box, levels, nodes, caption } = this.tree;
    const svg = make("svg", {
      class: "adv-envs", viewBox: box.join(" "), role: "img", "aria-label": caption,
    });
    make("g", {}, svg).innerHTML = levels; // written by the server, as all shapes
    const branches = make("g", {}, svg);
    this.branches = nodes.map((node) => {
      const group = make("g", { class: `tree-branch${node.cut ? " cut" : ""}` }, branches);
      group.innerHTML = node.branch;
      return group;
    });
    this.groups = nodes.map((node, i) => this.node(node, i, svg));
    svg.classList.toggle("visits", "simulations" in this.tree.steps[0]);
    this.svg = svg;
    $("view").replaceChildren(svg);
  }

  node(node, i, svg) {
    const group = make("g", { class: "tree-node", "data-node": i }, svg);
    const [x, y] = node.place;
    const [wide, high] = node.half;
    make("rect", {
      class: "halo", x: x - wide, y: y - high, width: 2 * wide, height: 2 * high, rx: wide > 20 ? 8 : wide,
    }, group);
    const frame = make("g", {}, group);
    frame.innerHTML = node.frame;
    const texts = make("g", {}, group);
    texts.innerHTML = node.texts;
    group.append(...texts.children); // so that they are next to each other
    texts.remove();
    group.classList.toggle("still", !node.actions);
    if (node.actions) group.addEventListener("click", () => this.look(i));
    return group;
  }

  zoom(scale) {
    this.scale = Math.min(Math.max(scale, 0.15), 3);
    const [, , width, height] = this.tree.box;
    this.svg.setAttribute("width", width * this.scale);
    this.svg.setAttribute("height", height * this.scale);
    this.centre();
  }

  /** As large as there is room for, but large enough to be read. */
  fit() {
    this.zoom(Math.min(Math.max(($("view").clientWidth - 4) / this.tree.box[2], 0.6), 1.4));
  }

  /** Scroll to the node of the step, within the tree's own box. */
  centre() {
    const view = $("view");
    const [x, y] = this.tree.nodes[this.tree.steps[this.step].node].place;
    const [left, top] = this.tree.box;
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    view.scrollTo({
      left: (x - left) * this.scale - view.clientWidth / 2,
      top: (y - top) * this.scale - view.clientHeight / 2, behavior,
    });
  }

  // ---- the steps

  go(to) {
    if (!this.tree) return;
    const { steps, nodes } = this.tree;
    this.step = Math.min(Math.max(to, 0), steps.length - 1);
    const step = steps[this.step];
    const written = new Map();
    const cut = new Set();
    for (const past of steps.slice(0, this.step + 1)) {
      for (const [node, value, note] of past.changed) {
        const before = written.get(node);
        written.set(node, [value, note || before?.[1] || ""]);
      }
      for (const node of past.cut) cut.add(node);
    }
    const now = step.moves ? new Map(step.changed.map(([node, ...rest]) => [node, rest])) : written;
    this.mark(step, now, cut);
    const last = this.step === steps.length - 1;
    nodes.forEach((node, i) => this.branches[i].classList.toggle("best", last && node.best && i > 0));
    $("said").textContent = step.said;
    $("window").textContent = [this.where(step.node), step.window].filter(Boolean).join("  ·  ");
    $("slider").value = this.step;
    $("slider").setAttribute("aria-valuetext", `step ${this.step + 1} of ${steps.length}`);
    $("count").textContent = `${this.step + 1} / ${steps.length}`;
    const focused = document.activeElement;
    $("first").disabled = $("previous").disabled = this.step === 0;
    $("last").disabled = $("next").disabled = last;
    if (focused.disabled) $("view").focus({ preventScroll: true }); // the arrow keys go on
    if (step.moves) this.moves(step);
    this.centre();
  }

  /** Write what is known, and show what has been visited, cut, and is looked at. */
  mark(step, written, cut) {
    const path = new Set();
    for (let i = step.node; i !== null; i = this.tree.nodes[i].parent) path.add(i);
    this.tree.nodes.forEach((node, i) => {
      const [value, note] = written.get(i) ?? ["", ""];
      const texts = this.groups[i].querySelectorAll(":scope > text");
      if (texts[0]) texts[0].textContent = value;
      if (texts[1]) texts[1].textContent = note;
      const seen = written.has(i) || cut.has(i) || (node.dots && written.has(node.parent));
      for (const element of [this.groups[i], this.branches[i]]) {
        element.classList.toggle("unseen", !seen);
        element.classList.toggle("path", path.has(i));
      }
      this.groups[i].classList.toggle("here", i === step.node && !step.moves);
      this.branches[i].classList.toggle("struck", cut.has(i));
    });
    for (const [i, width] of step.thick ?? []) {
      const line = this.branches[i].querySelector("polyline");
      if (line) line.style.strokeWidth = `${width}px`;
    }
  }

  /** The moves that lead to a node. */
  where(i) {
    const names = [];
    for (let at = i; this.tree.nodes[at].parent !== null; at = this.tree.nodes[at].parent) {
      names.unshift(this.tree.nodes[at].name);
    }
    return names.join(" ");
  }

  /** The visits of the moves at the root, as bars. */
  moves({ moves, simulations }) {
    const most = Math.max(...moves.map(([, visits]) => visits), 1);
    $("moves").tBodies[0].replaceChildren(...moves.map(([name, visits, mean]) => {
      const row = document.createElement("tr");
      const head = document.createElement("th");
      head.scope = "row";
      head.textContent = name;
      const cell = document.createElement("td");
      const bar = document.createElement("span");
      bar.className = "bar";
      bar.style.width = `${(70 * visits) / most}%`;
      cell.append(bar, visits.toLocaleString("en"));
      const value = document.createElement("td");
      value.textContent = mean.toFixed(2).replace("-", "−");
      row.append(head, cell, value);
      row.title = `${Math.round((100 * visits) / simulations)}% of the simulations`;
      return row;
    }));
  }

  toggle() {
    if (this.timer) return this.pause();
    if (this.step === this.tree.steps.length - 1) this.go(0);
    $("play").textContent = "⏸";
    $("play").setAttribute("aria-label", "Pause");
    const tick = () => {
      this.go(this.step + 1);
      if (this.step === this.tree.steps.length - 1) this.pause();
      else this.timer = setTimeout(tick, Number($("speed").value));
    };
    this.timer = setTimeout(tick, 300);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    $("play").textContent = "▶▶";
    $("play").setAttribute("aria-label", "Play the steps");
  }

  key(event) {
    if (!this.tree || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest("select, input")) return; // they have the arrows for themselves
    const to = { ArrowRight: this.step + 1, ArrowLeft: this.step - 1, Home: 0, End: Infinity };
    if (event.key in to) {
      this.pause();
      this.go(to[event.key]);
    } else if (event.key === " " && !event.target.closest("button, summary")) this.toggle();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // ---- positions of nodes

  /** Show the position of a node on the board. */
  async look(i) {
    const node = this.tree.nodes[i];
    const gameState = this.screen.game.gameState(this.root);
    const tree = this.tree;
    await this.screen.attempt(async () => {
      const line = [...gameState.line, ...node.actions];
      const state = await position({ ...gameState, line });
      if (this.tree !== tree) return;
      this.screen.board.show(state.board);
      this.screen.board.enable(i === 0 && !state.over);
      this.screen.say(i === 0 ? state.board.title : `In the tree, after ${this.where(i)}: ${state.board.title}`);
      this.looked(i);
    });
  }

  /** Mark the node whose position is on the board. */
  looked(i) {
    if (!this.tree) return;
    this.groups.forEach((group, j) => group.classList.toggle("looked", i === j && i > 0));
    $("back").hidden = i === 0;
  }

  /** The tree as nested lists, for those who do not see the picture. */
  list() {
    const { nodes } = this.tree;
    const below = nodes.map(() => []);
    nodes.forEach((node, i) => node.parent !== null && below[node.parent].push(i));
    const item = (i) => {
      const node = nodes[i];
      const entry = document.createElement("li");
      const words = [node.name, node.who, node.value, node.cut && !node.hidden ? "cut off" : ""];
      if (node.hidden && !node.cut) words.push(`${node.hidden} nodes below are not drawn`);
      const text = words.filter(Boolean).join(", ");
      const label = document.createElement(node.actions ? "button" : "span");
      label.textContent = text;
      label.classList.toggle("cut", node.cut);
      if (node.actions) {
        label.type = "button";
        label.addEventListener("click", () => this.look(i));
      }
      entry.append(label);
      if (below[i].length) entry.append(group(below[i]));
      return entry;
    };
    const group = (children) => {
      const list = document.createElement("ul");
      list.append(...children.map(item));
      return list;
    };
    $("list").replaceChildren(group([0]));
  }
}
