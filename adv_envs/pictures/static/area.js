// Where something can be clicked on a board: a box, a disc, a hexagon or a diamond.

/** @import { Form, Place } from "../board_data" */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An SVG element with attributes, at the end of its parent.
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | number>} attributes
 * @param {Element} [parent]
 */
export function make(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  parent?.append(element);
  return element;
}

/**
 * A polygon of these corners.
 * @param {[x: number, y: number][]} corners
 * @param {Record<string, string | number>} attributes
 * @param {Element} [parent]
 */
export function polygon(corners, attributes, parent) {
  return make("polygon", { ...attributes, points: corners.map(([x, y]) => `${x},${y}`).join(" ") }, parent);
}

export class Area {
  /** @param {[...Place, label?: string, shown?: Place | null]} data */
  constructor([x, y, wide, high, form, label = "", shown = null]) {
    this.x = x;
    this.y = y;
    this.wide = wide;
    this.high = high;
    /** @type {Form} */
    this.form = form;
    this.label = label;
    /** @type {Area} */
    this.shown = shown ? new Area(shown) : this; // what is marked when a pointer is over it
  }

  /**
   * The same as a part of its size.
   * @param {number} part
   */
  smaller(part) {
    return new Area([this.x, this.y, part * this.wide, part * this.high, this.form]);
  }

  /**
   * Draw it.
   * @param {Record<string, string | number>} attributes
   * @param {Element} parent
   */
  element(attributes, parent) {
    const { x, y, wide, high, form } = this;
    if (form === "disc") return make("circle", { ...attributes, cx: x, cy: y, r: wide }, parent);
    if (form === "hexagon") {
      const corners = [0, 1, 2, 3, 4, 5].map((i) => i * Math.PI / 3)
        .map((angle) => /** @type {[number, number]} */ ([x + wide * Math.sin(angle), y - high * Math.cos(angle)]));
      return polygon(corners, attributes, parent);
    }
    if (form === "diamond") {
      return polygon([[x, y - high], [x + wide, y], [x, y + high], [x - wide, y]], attributes, parent);
    }
    const rx = 0.15 * Math.min(wide, high);
    return make("rect", { ...attributes, x: x - wide, y: y - high, width: 2 * wide, height: 2 * high, rx }, parent);
  }

  /**
   * How far a point is outside; at most 0 within.
   * @param {number} x
   * @param {number} y
   */
  distance(x, y) {
    const [across, along] = [Math.abs(x - this.x), Math.abs(y - this.y)];
    if (this.form === "disc") return Math.hypot(across, along) - this.wide;
    if (this.form === "hexagon") {
      const flat = Math.sqrt(3) / 2;
      return Math.max(across, 0.5 * across + flat * along) - flat * this.wide;
    }
    if (this.form === "diamond") {
      return (across / this.wide + along / this.high - 1) * Math.min(this.wide, this.high);
    }
    const [right, below] = [across - this.wide, along - this.high];
    return right > 0 && below > 0 ? Math.hypot(right, below) : Math.max(right, below);
  }

  /**
   * Where it is on the page.
   * @param {SVGSVGElement} svg
   */
  boxOn(svg) {
    const matrix = onScreen(svg);
    const from = new DOMPoint(this.x - this.wide, this.y - this.high).matrixTransform(matrix);
    const to = new DOMPoint(this.x + this.wide, this.y + this.high).matrixTransform(matrix);
    return new DOMRect(from.x, from.y, to.x - from.x, to.y - from.y);
  }
}

/**
 * What takes a point of a picture to its place on the page; as it is, where the picture is not drawn.
 * @param {SVGSVGElement} svg
 */
export function onScreen(svg) {
  return svg.getScreenCTM() ?? new DOMMatrix();
}
