// What pointers do on a board: clicks, and pieces that are dragged from their place to another.

import { make, onScreen } from "./area.js";

/** @import { Area } from "./area.js" */
/** @import { Board } from "./board.js" */

/**
 * A pointer that is down: where it began and on which target; `fresh`: that was not chosen before.
 * While it holds a piece, `piece` is the target where that stands; once it is dragged, its picture
 * is `ghost`, and its shapes are `lifted`.
 * @typedef {{
 *   pointer: number, x: number, y: number, target: number | null, fresh: boolean,
 *   piece: number | null, ghost: SVGGElement | null, lifted: SVGGraphicsElement[],
 * }} Press
 */

/** @type {Record<string, number>} */
const REACH = { mouse: 3, pen: 12, touch: 20 }; // pixels around the middle of a target, however small it is
/** @type {Record<string, number>} */
const FAR = { mouse: 5, pen: 6, touch: 9 }; // pixels after which a press is a drag

export class Drag {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    /** @type {Press | null} */
    this.press = null;
    const { svg } = board;
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.moved(event));
    svg.addEventListener("pointerup", (event) => this.up(event));
    svg.addEventListener("touchstart", (event) => this.touched(event), { passive: false });
    svg.addEventListener("contextmenu", (event) => { // a long press
      if (this.press) event.preventDefault();
    });
    svg.addEventListener("pointercancel", () => this.cancel());
    svg.addEventListener("lostpointercapture", (event) => {
      if (event.target === svg) this.cancel();
    });
  }

  /** @param {PointerEvent} event */
  down(event) {
    const { board } = this;
    if (event.button !== 0 || !event.isPrimary || !board.enabled) return;
    const target = this.under(event);
    const fresh = target !== null && !board.chosen.includes(target);
    const press = this.press = /** @type {Press} */ ({
      pointer: event.pointerId, x: event.clientX, y: event.clientY, target, fresh,
      piece: null, ghost: null, lifted: [],
    });
    if (target === null || !this.starts(target)) return;
    if (fresh && !board.next().has(target)) board.click(target); // another piece, or the first
    else if (fresh && board.chosen.length === 0) board.click(target);
    if (board.chosen.at(-1) !== target) return;
    press.piece = target;
    board.svg.setPointerCapture(event.pointerId);
    board.svg.classList.add("holding");
  }

  /**
   * The page stays where it is while a piece is dragged.
   * @param {TouchEvent} event
   */
  touched(event) {
    if (this.press && this.press.piece !== null && event.cancelable) event.preventDefault();
  }

  /** @param {PointerEvent} event */
  moved(event) {
    const { press, board } = this;
    if (press?.pointer !== event.pointerId || press.piece === null) return;
    const [right, down] = [event.clientX - press.x, event.clientY - press.y];
    if (!press.ghost && Math.hypot(right, down) < (FAR[event.pointerType] ?? FAR.mouse)) return;
    press.ghost ??= this.lift(press, press.piece);
    const scale = onScreen(board.svg).a;
    press.ghost.setAttribute("transform", `translate(${right / scale} ${down / scale})`);
    this.light(this.under(event));
  }

  /** @param {PointerEvent} event */
  up(event) {
    const { press, board } = this;
    if (press?.pointer !== event.pointerId) return;
    const target = this.under(event);
    const dragged = press.ghost !== null;
    this.cancel();
    if (dragged) {
      if (target === press.piece) return; // put back
      if (target !== null && board.next().has(target)) board.click(target);
      else board.wrong();
    } else if (target === null) this.beside(event);
    else if (target === press.target && !(press.fresh && board.chosen.at(-1) === target)) board.click(target);
  }

  /**
   * A click on no target: wrong if it is on the board.
   * @param {PointerEvent} event
   */
  beside(event) {
    const { board } = this;
    const { x, y } = this.point(event);
    const within = this.shapes().some((shape) => {
      const box = shape.getBBox();
      return !shape.matches("text")
        && box.x <= x && x <= box.x + box.width && box.y <= y && y <= box.y + box.height;
    });
    if (within) board.wrong();
    else if (board.chosen.length) board.choose([]);
  }

  /** Let go, without a move. */
  cancel() {
    const { press, board } = this;
    this.press = null;
    board.svg.classList.remove("holding");
    if (!press) return;
    this.light(null);
    press.ghost?.remove();
    for (const shape of press.lifted) shape.classList.remove("lifted");
    if (board.svg.hasPointerCapture(press.pointer)) board.svg.releasePointerCapture(press.pointer);
  }

  // ---- what is where

  /** The shapes of the picture, without those of a heat map. */
  shapes() {
    const all = /** @type {SVGGraphicsElement[]} */ ([...this.board.shapes.children]);
    return all.slice(0, this.board.data.own);
  }

  /**
   * Whether pieces are dragged from there.
   * @param {number} target
   */
  starts(target) {
    return this.board.data.actions.some(([, , ways]) => ways.length > 1 && ways[0] === target);
  }

  /**
   * A pointer's place in the picture's units.
   * @param {PointerEvent} event
   */
  point(event) {
    return new DOMPoint(event.clientX, event.clientY)
      .matrixTransform(onScreen(this.board.svg).inverse());
  }

  /**
   * The target under a pointer, or close to it; those that can be clicked next go first.
   * @param {PointerEvent} event
   */
  under(event) {
    const { board } = this;
    const { x, y } = this.point(event);
    const reach = (REACH[event.pointerType] ?? REACH.mouse) / onScreen(board.svg).a;
    const groups = [[...board.next().keys()], board.chosen, [...board.next([]).keys()]];
    let best = null;
    let least = Infinity;
    for (const target of groups.flat()) {
      const area = board.areas[target];
      const away = area.distance(x, y);
      if (away <= 0) return target;
      if (away < Math.min(least, reach - Math.min(area.wide, area.high))) [best, least] = [target, away];
    }
    return best;
  }

  /**
   * Show where a piece would be put.
   * @param {number | null} target
   */
  light(target) {
    for (const [index, spot] of this.board.spots.entries()) {
      spot.group.classList.toggle("over", index === target && spot.target.matches(".next"));
    }
  }

  /**
   * Lift the piece that stands on a target; returns its picture, which follows the pointer.
   * @param {Press} press
   * @param {number} target
   */
  lift(press, target) {
    const { board } = this;
    press.lifted = this.pieces(board.areas[target]);
    const ghost = make("g", { class: "ghost", "aria-hidden": "true", "pointer-events": "none" }, board.svg);
    for (const shape of press.lifted) {
      ghost.append(shape.cloneNode());
      shape.classList.add("lifted");
    }
    return ghost;
  }

  /** The picture was drawn anew while a piece is in the air. */
  liftAgain() {
    const { press, board } = this;
    if (!press?.ghost || press.piece === null) return;
    for (const shape of press.lifted) shape.classList.remove("lifted");
    press.lifted = this.pieces(board.areas[press.piece]);
    for (const shape of press.lifted) shape.classList.add("lifted");
  }

  /**
   * The shapes of the piece that stands on an area, of several the last one.
   * @param {Area} area
   */
  pieces(area) {
    const room = Math.min(area.wide, area.high);
    /** @type {[shape: SVGGraphicsElement, x: number, y: number][]} */
    const found = [];
    for (const shape of this.shapes().reverse()) {
      if (shape.matches("text, polyline, [fill=none]")) continue;
      const box = shape.getBBox();
      if (Math.max(box.width, box.height) > 1.96 * room) continue;
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      if (area.distance(x, y) > 0) continue;
      const away = found.length ? Math.hypot(x - found[0][1], y - found[0][2]) : 0;
      if (away < 1.5 * room) found.push([shape, x, y]);
    }
    return found.map(([shape]) => shape).reverse();
  }
}
