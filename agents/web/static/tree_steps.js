// A search tree that is stepped through: its picture, node by node, and what changes from step to
// step; a step is shown by putting together all changes up to it. It asks nobody for anything.

import { draw, finder, isWithin, make } from "./dom.js";

/** @import { Tree, TreeNode, TreeStep } from "../messages" */

/**
 * A tree as it is on the page: what it is, and for each node its group and that of its branch.
 * @typedef {{ tree: Tree, svg: SVGSVGElement, groups: SVGGElement[], branches: SVGGElement[] }} Shown
 */

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

/** The elements that tree_steps.html.j2 writes, whose ids begin with a prefix, and what they do. */
export class TreeSteps {
  /**
   * @param {string} prefix
   * @param {((node: number) => void) | null} look Shows the position of a node, where there is a board.
   */
  constructor(prefix, look) {
    /** @type {Shown | null} */
    this.shown = null;
    this.step = 0;
    this.scale = 1;
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.timer = null; // of the next step, where they are played
    this.look = look;
    this.$ = finder(prefix);
    this.view = this.$("view");
    this.slider = this.$("slider", HTMLInputElement);
    const go = { first: () => 0, previous: () => this.step - 1, next: () => this.step + 1, last: () => Infinity };
    for (const [name, to] of Object.entries(go)) {
      this.$(name).addEventListener("click", () => {
        this.pause();
        this.go(to());
      });
    }
    this.$("play").addEventListener("click", () => this.toggle());
    this.slider.addEventListener("input", () => {
      this.pause();
      this.go(Number(this.slider.value));
    });
    this.$("smaller").addEventListener("click", () => this.zoom(this.scale / 1.25));
    this.$("larger").addEventListener("click", () => this.zoom(this.scale * 1.25));
    this.$("fit").addEventListener("click", () => this.fit());
    this.$("hint").hidden = look === null;
    if (look) this.$("back").addEventListener("click", () => look(0));
  }

  /** @param {string} name */
  button(name) {
    return this.$(name, HTMLButtonElement);
  }

  /**
   * Show a tree at a step; Infinity: at the last one, where all of it can be read.
   * @param {Tree} tree
   */
  open(tree, at = 0) {
    this.$("shown").hidden = false;
    this.slider.max = String(tree.steps.length - 1);
    this.$("moves").hidden = !tree.steps[0].moves;
    this.$("window").hidden = Boolean(tree.steps[0].moves);
    this.shown = this.picture(tree);
    this.list(tree);
    this.looked(0);
    this.fit();
    this.go(at);
  }

  clear() {
    this.pause();
    this.shown = null;
    this.$("shown").hidden = true;
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
    group.classList.toggle("still", !node.actions || !this.look);
    if (node.actions) group.addEventListener("click", () => this.look?.(i));
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
    this.$("said").textContent = step.said;
    this.$("window").textContent = [whereIs(tree, step.node), step.window].filter(Boolean).join("  ·  ");
    this.slider.value = String(this.step);
    this.slider.setAttribute("aria-valuetext", `step ${this.step + 1} of ${steps.length}`);
    this.$("count").textContent = `${this.step + 1} / ${steps.length}`;
    const focused = document.activeElement;
    this.button("first").disabled = this.button("previous").disabled = this.step === 0;
    this.button("last").disabled = this.button("next").disabled = last;
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
    this.$("moves", HTMLTableElement).tBodies[0].replaceChildren(...moves.map(([name, visits, mean]) => {
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
    this.$("play").textContent = "⏸";
    this.$("play").setAttribute("aria-label", "Pause");
    const tick = () => {
      this.go(this.step + 1);
      if (this.step === end) this.pause();
      else this.timer = setTimeout(tick, Number(this.$("speed", HTMLSelectElement).value));
    };
    this.timer = setTimeout(tick, 300);
  }

  pause() {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.$("play").textContent = "▶▶";
    this.$("play").setAttribute("aria-label", "Play the steps");
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

  /**
   * Mark the node whose position is on the board.
   * @param {number} i
   */
  looked(i) {
    if (!this.shown) return;
    this.shown.groups.forEach((group, j) => group.classList.toggle("looked", i === j && i > 0));
    this.$("back").hidden = i === 0;
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
    this.$("list").replaceChildren(group([0]));
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
    if (!node.actions || !this.look) return make("span", { textContent });
    const label = make("button", { type: "button", textContent });
    label.addEventListener("click", () => this.look?.(i));
    return label;
  }
}
