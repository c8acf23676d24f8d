// A board on a page: shows a position (see adv_envs/pictures/clickable.py) and says which move was made.
//
//     const board = new Board(element, { onMove: (action, name) => ... });
//     board.show(data);
//
// A move is made by clicking its targets one after the other, by dragging from the first to the
// last, by touch, or with the keyboard: Tab goes to the board, arrows from target to target, Enter
// or Space clicks, Escape begins again. Actions without targets are buttons below.

const SVG = "http://www.w3.org/2000/svg";

function make(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent?.append(element);
  return element;
}

export class Board {
  constructor(element, { onMove = () => {} } = {}) {
    this.element = element;
    this.onMove = onMove;
    this.enabled = true;
    this.chosen = []; // the targets that were clicked so far
    element.classList.add("board");
    this.svg = make("svg", { class: "adv-envs", role: "group" }, element);
    this.shapes = make("g", { "aria-hidden": "true" }, this.svg);
    this.targets = make("g", {}, this.svg);
    this.buttons = document.createElement("div");
    this.buttons.className = "board-buttons";
    element.append(this.buttons);
    this.svg.addEventListener("keydown", (event) => this.key(event));
  }

  /** Show a position; what was clicked before is forgotten. */
  show(data) {
    this.data = data;
    this.chosen = [];
    const [x, y, width, height] = data.box;
    this.svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    this.svg.setAttribute("aria-label", data.title);
    this.svg.style.setProperty("--width", `${width}px`);
    this.shapes.innerHTML = data.shapes; // written by the server, which escapes every text
    this.offer();
  }

  /** Whether moves can be made. */
  enable(enabled) {
    this.enabled = enabled;
    if (this.data) this.offer();
  }

  /** The actions that begin with what was clicked. */
  get possible() {
    return this.data.actions.filter(([, , ways]) => this.chosen.every((t, i) => ways[i] === t));
  }

  /** Draw what can be clicked next. */
  offer() {
    const focused = this.targets.contains(document.activeElement);
    this.targets.replaceChildren();
    this.buttons.replaceChildren();
    if (!this.enabled) return;
    const step = this.chosen.length;
    const next = new Map();
    for (const [, name, ways] of this.possible) {
      if (ways.length > step) next.set(ways[step], [...(next.get(ways[step]) ?? []), name]);
    }
    for (const target of this.chosen) this.target(target, "chosen", "take it back");
    for (const [target, names] of next) this.target(target, "", names.join(", "));
    for (const [action, name, ways] of this.data.actions) {
      if (ways.length === 0) this.button(action, name);
    }
    const first = this.targets.querySelector(".target:not(.chosen)") ?? this.targets.firstChild;
    first?.setAttribute("tabindex", "0");
    if (focused) first?.focus();
  }

  target(index, kind, label) {
    const [x, y, wide, high, form] = this.data.targets[index];
    const attributes = {
      class: `target ${kind}`, role: "button", tabindex: "-1", "aria-label": label,
      "data-target": index,
    };
    const element = form === "disc"
      ? make("circle", { ...attributes, cx: x, cy: y, r: wide }, this.targets)
      : make("rect", {
        ...attributes, x: x - wide, y: y - high, width: 2 * wide, height: 2 * high, rx: high / 4,
      }, this.targets);
    element.addEventListener("click", () => this.click(index));
  }

  button(action, name) {
    const element = document.createElement("button");
    element.type = "button";
    element.textContent = name;
    element.addEventListener("click", () => this.move(action, name));
    this.buttons.append(element);
  }

  click(index) {
    if (this.chosen.includes(index)) {
      this.chosen = this.chosen.slice(0, this.chosen.indexOf(index));
      this.offer();
      return;
    }
    this.chosen.push(index);
    const complete = this.possible.filter(([, , ways]) => ways.length === this.chosen.length);
    if (complete.length === 1 && this.possible.length === 1) this.move(...complete[0]);
    else {
      this.offer();
      if (complete.length) this.choose(complete);
    }
  }

  /** Several moves have the same clicks: let the person choose by name. */
  choose(actions) {
    for (const [action, name] of actions) this.button(action, name);
    this.buttons.firstChild.focus();
  }

  move(action, name) {
    this.chosen = [];
    this.enable(false);
    this.onMove(action, name);
  }

  key(event) {
    const steps = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
    const here = event.target.closest?.(".target");
    if (!here) return;
    if (event.key === "Enter" || event.key === " ") this.click(Number(here.dataset.target));
    else if (event.key === "Escape") {
      this.chosen = [];
      this.offer();
    } else if (event.key in steps) this.focusFrom(here, ...steps[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Go to the nearest target in a direction. */
  focusFrom(here, right, down) {
    const [x, y] = this.data.targets[here.dataset.target];
    let best = null;
    let least = Infinity;
    for (const other of this.targets.children) {
      const [a, b] = this.data.targets[other.dataset.target];
      const along = (a - x) * right + (b - y) * down;
      const across = Math.abs((a - x) * down) + Math.abs((b - y) * right);
      if (along > 1 && along + 2 * across < least) [best, least] = [other, along + 2 * across];
    }
    if (!best) return;
    here.setAttribute("tabindex", "-1");
    best.setAttribute("tabindex", "0");
    best.focus();
  }
}
