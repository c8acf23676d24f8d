// Draws a picture anew in place of another one: shapes that are in both keep their elements.

import { make } from "./area.js";

/**
 * How an element was written when it came, whatever has been changed about it since.
 * @type {WeakMap<Element, string>}
 */
const written = new WeakMap();

/**
 * Let an element have these shapes, which are SVG as text, and keep those that it has already.
 * @param {Element} parent
 * @param {string} shapes
 */
export function redraw(parent, shapes) {
  /** @type {Map<string, Element[]>} */
  const known = new Map();
  for (const child of parent.children) {
    const text = written.get(child) ?? "";
    known.set(text, [...known.get(text) ?? [], child]);
  }
  const fresh = make("g", {});
  fresh.innerHTML = shapes;
  const wanted = [...fresh.children].map((child) => {
    const text = child.outerHTML;
    const kept = known.get(text)?.shift();
    if (!kept) written.set(child, text);
    return kept ?? child;
  });
  const all = new Set(wanted);
  for (const child of [...parent.children]) {
    if (!all.has(child)) child.remove();
  }
  let here = parent.firstElementChild;
  for (const child of wanted) {
    if (child === here) here = here.nextElementSibling;
    else parent.insertBefore(child, here);
  }
}
