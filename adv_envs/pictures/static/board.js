// A board on a page: shows a position (see adv_envs/pictures/clickable.py) and says which move was made.
//
//     const board = new Board(element, {
//       onMove: (action, name) => ..., // the board is disabled until the next show or enable
//       onWrong: (text) => ...,        // what was clicked is no legal move, in words
//     });
//     board.show(data);                    // what was chosen and marked stays if the moves are the same
//     board.show(data, { animate: true }); // the last move is seen to happen: data follows upon the old one
//     board.enable(false);                 // nothing can be clicked
//     board.mark([{ action: 5, text: "+3", kind: "best" }]); // or "hint", "bad"; { target: 2 }; [] for none
//
// A move is made by clicking its targets one after the other, by dragging from the first to the
// last, by touch or pen, or with the keyboard: Tab goes to the board, arrows from target to target,
// Enter or Space clicks, Escape begins again. Actions without targets are buttons below; those that
// have the same targets are buttons beside the last one.

import { Area, make, polygon } from "./area.js";
import { Drag } from "./drag.js";
import { redraw } from "./redraw.js";

/** @import { Action, BoardData, Mark } from "../board_data" */

/**
 * The elements of a target: the one that is clicked, in the group that is hidden and shown.
 * @typedef {{ group: SVGGElement, target: SVGElement }} Spot
 */

const ILLEGAL = "That is not a legal move";

/** @type {BoardData} */
const NOTHING = { box: [0, 0, 0, 0], title: "", shapes: "", own: 0, last: null, targets: [], actions: [] };

export class Board {
  /**
   * @param {HTMLElement} element
   * @param {{
   *   onMove?: (action: number, name: string) => void,
   *   onWrong?: (text: string) => void,
   * }} [options]
   */
  constructor(element, { onMove = () => {}, onWrong = () => {} } = {}) {
    this.element = element;
    this.onMove = onMove;
    this.onWrong = onWrong;
    this.enabled = true;
    this.data = NOTHING;
    /** @type {Area[]} */
    this.areas = [];
    /** @type {Spot[]} */
    this.spots = [];
    /** @type {number[]} */
    this.chosen = []; // the targets that were clicked so far
    /** @type {Mark[]} */
    this.marks = [];
    /** @type {[x: number, y: number]} */
    this.focusedAt = [0, 0];
    /** @type {HTMLElement | null} */
    this.menu = null;
    element.classList.add("board");
    this.svg = make("svg", { class: "adv-envs", role: "group", tabindex: "-1" }, element);
    this.shapes = make("g", { "aria-hidden": "true" }, this.svg);
    this.targets = make("g", {}, this.svg);
    this.above = make("g", { class: "marks", "aria-hidden": "true", "pointer-events": "none" }, this.svg);
    this.buttons = document.createElement("div");
    this.buttons.className = "board-buttons";
    element.append(this.buttons);
    this.svg.addEventListener("keydown", (event) => this.key(event));
    this.svg.addEventListener("click", (event) => this.assisted(event));
    this.svg.addEventListener("mousedown", (event) => { // arrow keys go on doing what they did
      event.preventDefault();
      const { activeElement } = document;
      if (!this.focused && activeElement instanceof HTMLElement) activeElement.blur();
    });
    this.drag = new Drag(this);
  }

  /**
   * Show a position; what was chosen before is forgotten unless the same moves can be made. Pieces
   * that stay where they are keep their elements.
   * @param {BoardData} data
   */
  show(data, { animate = false } = {}) {
    const before = this.data;
    const same = movesOf(before) === movesOf(data);
    this.data = data;
    const [x, y, width, height] = data.box;
    this.svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    this.svg.setAttribute("aria-label", data.title);
    this.svg.style.setProperty("--width", `${width}px`);
    redraw(this.shapes, data.shapes); // written by the server, which escapes every text
    if (same) {
      this.drag.liftAgain();
      return;
    }
    this.drag.cancel();
    this.areas = data.targets.map((target) => new Area(target));
    const focused = Boolean(this.focused);
    this.targets.replaceChildren();
    this.spots = this.areas.map((area, index) => this.spot(area, index));
    if (focused) this.svg.focus({ preventScroll: true });
    this.chosen = [];
    this.marks = [];
    this.above.replaceChildren();
    this.offer();
    if (animate) this.animate(before);
  }

  /**
   * Whether moves can be made.
   * @param {boolean} enabled
   */
  enable(enabled) {
    if (this.enabled === enabled) return;
    this.enabled = enabled;
    this.chosen = [];
    this.drag.cancel();
    this.offer();
  }

  /**
   * Mark actions or targets: an arrow from its first target to its last, or a ring.
   * @param {Mark[]} marks
   */
  mark(marks) {
    this.marks = marks;
    this.above.replaceChildren();
    for (const mark of marks) this.draw(mark);
  }

  /** What has the focus, if that is on the board. */
  get focused() {
    const { activeElement } = /** @type {Document | ShadowRoot} */ (this.element.getRootNode());
    if (!(activeElement instanceof HTMLElement || activeElement instanceof SVGElement)) return null;
    return this.element.contains(activeElement) ? activeElement : null;
  }

  /** Focus what can be clicked first, if there is anything. */
  focusFirst() {
    const first = this.targets.querySelector(".target[tabindex='0']") ?? this.buttons.querySelector("button");
    if (first instanceof SVGElement || first instanceof HTMLElement) first.focus();
  }

  // ---- what can be clicked

  /** The actions that begin with what was clicked. */
  get possible() {
    return this.data.actions.filter(([, , ways]) => this.chosen.every((t, i) => ways[i] === t));
  }

  /** The one target with which every move begins, where there is more to choose then; or null. */
  get forced() {
    const [first] = this.data.actions;
    if (!first || first[2].length < 2) return null;
    return this.data.actions.every(([, , ways]) => ways[0] === first[2][0]) ? first[2][0] : null;
  }

  /** The targets that can be clicked after what was chosen, each with the actions that it may lead to. */
  next(chosen = this.chosen) {
    /** @type {Map<number, Action[]>} */
    const found = new Map();
    for (const action of this.data.actions) {
      const ways = action[2];
      if (ways.length <= chosen.length || !chosen.every((t, i) => ways[i] === t)) continue;
      const target = ways[chosen.length];
      found.set(target, [...found.get(target) ?? [], action]);
    }
    return found;
  }

  /** Draw what can be clicked next. */
  offer() {
    const focused = Boolean(this.focused);
    this.closeMenu();
    this.spots.forEach((spot) => this.hide(spot)); // kept: a finger may be upon one
    this.buttons.replaceChildren();
    if (this.enabled) this.offerAll();
    if (!focused) return;
    this.goTo(this.nearest(this.focusedAt) ?? this.buttons.querySelector("button") ?? this.svg);
  }

  offerAll() {
    if (this.chosen.length === 0 && this.forced !== null) this.chosen = [this.forced];
    const next = this.next();
    if (this.chosen.length) {
      for (const first of this.next([]).keys()) {
        if (!next.has(first) && !this.chosen.includes(first)) this.target(first, "other", null);
      }
    }
    for (const target of this.chosen) this.target(target, "chosen", `${this.nameOf(target)}, chosen`);
    for (const [target, actions] of next) this.target(target, "next", this.labelOf(target, actions));
    for (const [action, name, ways, label] of this.data.actions) {
      if (ways.length === 0) this.buttons.append(this.button(action, name, label));
    }
    const first = this.targets.querySelector(".target.next") ?? this.targets.querySelector(".target.chosen");
    first?.setAttribute("tabindex", "0");
  }

  /** @param {number} target */
  nameOf(target) {
    return this.areas[target].label || this.next([]).get(target)?.[0][1] || "";
  }

  /**
   * @param {number} target
   * @param {Action[]} actions
   */
  labelOf(target, actions) {
    const ready = actions.length === 1 && actions[0][2].length === this.chosen.length + 1;
    if (ready) return actions[0][1];
    const name = this.areas[target].label || actions.map((action) => action[1]).join(", ");
    return `${name}, ${actions.length} ${actions.length === 1 ? "move" : "moves"}`;
  }

  /**
   * The elements of a target, hidden.
   * @param {Area} area
   * @param {number} index
   * @returns {Spot}
   */
  spot(area, index) {
    const group = make("g", { class: "spot", display: "none" }, this.targets);
    const target = area.element({ "data-target": index }, group);
    area.shown.element({ class: "shown", "pointer-events": "none" }, group);
    return { group, target };
  }

  /** @param {Spot} spot */
  hide({ group, target }) {
    group.setAttribute("display", "none");
    group.querySelector(".dot")?.remove();
    for (const name of ["class", "role", "tabindex", "aria-label", "aria-pressed", "aria-hidden"]) {
      target.removeAttribute(name);
    }
  }

  /**
   * Show a target; without a label only those who see it know.
   * @param {number} index
   * @param {"next" | "chosen" | "other"} kind
   * @param {string | null} label
   */
  target(index, kind, label) {
    const { group, target } = this.spots[index];
    const starts = this.data.actions.some(([, , ways]) => ways.length > 1 && ways[0] === index);
    /** @type {Record<string, string>} */
    const attributes = label === null
      ? { "aria-hidden": "true" } : { role: "button", tabindex: "-1", "aria-label": label };
    if (kind === "chosen") attributes["aria-pressed"] = "true";
    attributes.class = `target ${kind}${starts ? " draggable" : ""}`;
    for (const [name, value] of Object.entries(attributes)) target.setAttribute(name, value);
    group.removeAttribute("display");
    if (kind === "next" && this.chosen.length) this.dot(this.areas[index], group);
  }

  /**
   * What says that a piece may go there: a dot, or a ring around another piece.
   * @param {Area} area
   * @param {SVGGElement} group
   */
  dot(area, group) {
    const { x, y, wide, high } = area.shown;
    const small = Math.min(wide, high);
    const attributes = { class: "dot", cx: x, cy: y, "pointer-events": "none" };
    if (this.drag.pieces(area).length === 0) make("circle", { ...attributes, r: 0.3 * small }, group);
    else make("circle", { ...attributes, class: "dot ring", r: 0.86 * small, "stroke-width": 0.13 * small }, group);
  }

  /**
   * @param {number} action
   * @param {string} name
   * @param {string} label
   */
  button(action, name, label) {
    const element = document.createElement("button");
    element.type = "button";
    element.textContent = label;
    element.addEventListener("click", () => this.move(action, name));
    return element;
  }

  // ---- clicks

  /**
   * Click a target. Returns whether that makes sense.
   * @param {number} index
   */
  click(index) {
    if (this.chosen.includes(index)) {
      if (index !== this.forced) this.choose(this.chosen.slice(0, this.chosen.indexOf(index)));
      return true;
    }
    if (!this.next().has(index)) {
      if (!this.next([]).has(index)) return false;
      this.chosen = [];
    }
    this.chosen = [...this.chosen, index];
    const complete = this.possible.filter(([, , ways]) => ways.length === this.chosen.length);
    if (complete.length === 1 && this.possible.length === 1) {
      const [[action, name]] = complete;
      this.move(action, name);
    } else {
      this.choose(this.chosen);
      if (complete.length) this.openMenu(index, complete);
    }
    return true;
  }

  /**
   * Go on with these targets clicked.
   * @param {number[]} chosen
   */
  choose(chosen) {
    const last = chosen.at(-1) ?? this.chosen.at(-1);
    this.chosen = chosen;
    if (last !== undefined) this.focusedAt = [this.areas[last].x, this.areas[last].y];
    this.offer();
  }

  wrong() {
    if (this.chosen.length) this.choose([]);
    this.onWrong(ILLEGAL);
  }

  /**
   * @param {number} action
   * @param {string} name
   */
  move(action, name) {
    const last = this.chosen.at(-1);
    if (last !== undefined) this.focusedAt = [this.areas[last].x, this.areas[last].y];
    this.enable(false);
    this.onMove(action, name);
  }

  /**
   * A click that no pointer made, such as that of a screen reader.
   * @param {MouseEvent} event
   */
  assisted(event) {
    const target = targetOf(event);
    if (event.detail === 0 && target) this.click(indexOf(target));
  }

  // ---- several moves with the same clicks

  /**
   * Let the person choose by name, beside the target.
   * @param {number} index
   * @param {Action[]} actions
   */
  openMenu(index, actions) {
    const menu = document.createElement("div");
    menu.className = "board-menu";
    menu.setAttribute("role", "group");
    menu.setAttribute("aria-label", "Which move?");
    const buttons = actions.map(([action, name, , label]) => this.button(action, name, label));
    menu.append(...buttons);
    menu.addEventListener("keydown", (event) => this.menuKey(event, buttons));
    this.element.append(menu);
    const place = this.areas[index].boxOn(this.svg);
    const board = this.element.getBoundingClientRect();
    const left = place.left + place.width / 2 - board.left - menu.offsetWidth / 2;
    const most = board.width - menu.offsetWidth;
    menu.style.left = `${Math.max(0, Math.min(left, most))}px`;
    menu.style.top = `${place.bottom - board.top + 4}px`;
    this.menu = menu;
    buttons[0].focus({ preventScroll: true });
  }

  closeMenu() {
    this.menu?.remove();
    this.menu = null;
  }

  /**
   * @param {KeyboardEvent} event
   * @param {HTMLButtonElement[]} buttons
   */
  menuKey(event, buttons) {
    /** @type {Record<string, number>} */
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    if (event.key === "Escape") this.choose([]);
    else if (event.key in steps) {
      const at = buttons.findIndex((each) => each === this.focused) + steps[event.key] + buttons.length;
      buttons[at % buttons.length].focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // ---- the keyboard

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, [right: number, down: number]>} */
    const steps = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
    const here = targetOf(event);
    if (!here || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") this.click(indexOf(here));
    else if (event.key === "Escape" && this.chosen.length > (this.forced === null ? 0 : 1)) this.choose([]);
    else if (event.key in steps) this.focusFrom(here, ...steps[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The targets that can be clicked, by a selector. */
  offered(selector = "[role=button]") {
    return /** @type {SVGElement[]} */ ([...this.targets.querySelectorAll(selector)]);
  }

  /**
   * Go to the nearest target in a direction.
   * @param {SVGElement} here
   * @param {number} right
   * @param {number} down
   */
  focusFrom(here, right, down) {
    const { x, y } = this.areas[indexOf(here)];
    let best = null;
    let least = Infinity;
    for (const other of this.offered()) {
      const { x: a, y: b } = this.areas[indexOf(other)];
      const along = (a - x) * right + (b - y) * down;
      const across = Math.abs((a - x) * down) + Math.abs((b - y) * right);
      const away = Math.hypot(along, across) + across;
      if (along > 1 && away < least) [best, least] = [other, away];
    }
    if (best) this.goTo(best);
  }

  /**
   * The target nearest to a point: one that can be clicked next, if there is any.
   * @param {[x: number, y: number]} point
   * @returns {SVGElement | null}
   */
  nearest([x, y]) {
    let best = null;
    let least = Infinity;
    const next = this.offered(".target.next");
    for (const each of next.length ? next : this.offered()) {
      const area = this.areas[indexOf(each)];
      const away = Math.hypot(area.x - x, area.y - y);
      if (away < least) [best, least] = [each, away];
    }
    return best;
  }

  /**
   * Focus a target, a button or the board itself.
   * @param {HTMLElement | SVGElement} element
   */
  goTo(element) {
    if (element.dataset.target !== undefined) {
      const area = this.areas[indexOf(element)];
      this.focusedAt = [area.x, area.y];
      this.targets.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
      element.setAttribute("tabindex", "0");
    }
    element.focus({ preventScroll: element === this.svg });
  }

  // ---- marks and movement

  /** @param {Mark} mark */
  draw({ action, target, text = "", kind = "hint" }) {
    const ways = target === undefined
      ? this.data.actions.find((each) => each[0] === action)?.[2] ?? [] : [target];
    if (ways.length === 0) return;
    const group = make("g", { class: `mark ${kind}` }, this.above);
    const [first, last] = [ways[0], ways[ways.length - 1]].map((i) => this.areas[i].shown);
    if (first === last) last.smaller(0.9).element({ class: "ring" }, group);
    else arrow(first, last, group);
    if (!text) return;
    const [x, y] = [last.x + 0.7 * last.wide, last.y - 0.7 * last.high];
    const wide = 4.5 * text.length + 7;
    make("rect", { x: x - wide, y: y - 10, width: 2 * wide, height: 20, rx: 10 }, group);
    const label = make("text", { x, y: y + 4.5, "font-size": 13, "text-anchor": "middle" }, group);
    label.textContent = text;
  }

  /**
   * Let the last move be seen: its piece comes from where it was, or appears.
   * @param {BoardData} before
   */
  animate(before) {
    const ways = before.actions.find(([action]) => action === this.data.last)?.[2] ?? [];
    if (!ways.length || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const [from, to] = [ways[0], ways[ways.length - 1]].map((i) => new Area(before.targets[i]).shown);
    const steps = ways[0] === ways[ways.length - 1]
      ? [{ opacity: 0 }, { opacity: 1 }]
      : [{ transform: `translate(${from.x - to.x}px, ${from.y - to.y}px)` }, { transform: "none" }];
    for (const piece of this.drag.pieces(to)) piece.animate(steps, { duration: 160, easing: "ease-out" });
  }
}

/**
 * The target that an event is about.
 * @param {Event} event
 * @returns {SVGElement | null}
 */
function targetOf(event) {
  return event.target instanceof Element ? event.target.closest(".target") : null;
}

/**
 * The number of a target.
 * @param {HTMLElement | SVGElement} element
 */
const indexOf = (element) => Number(element.dataset.target);

/**
 * The moves of a position, to be compared.
 * @param {BoardData} data
 */
function movesOf({ box, targets, actions, last }) {
  return JSON.stringify([box.slice(0, 3), targets, actions, last]);
}

/**
 * An arrow from the middle of one area to that of another.
 * @param {Area} first
 * @param {Area} last
 * @param {Element} parent
 */
function arrow(first, last, parent) {
  const [right, down] = [last.x - first.x, last.y - first.y];
  const length = Math.hypot(right, down) || 1;
  const [u, v] = [right / length, down / length];
  const width = 0.2 * Math.min(last.wide, last.high, first.wide, first.high, 30);
  const head = Math.min(4 * width, length);
  const [x, y] = [last.x - u * head, last.y - v * head];
  make("line", { x1: first.x, y1: first.y, x2: x, y2: y, "stroke-width": 2 * width }, parent);
  /** @type {[number, number][]} */
  const corners = [[last.x, last.y], [x - 2 * v * width, y + 2 * u * width], [x + 2 * v * width, y - 2 * u * width]];
  polygon(corners, { class: "head" }, parent);
}
