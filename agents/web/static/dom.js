// Elements of the page, found and made in one line.

/**
 * Attributes that are no properties.
 * @typedef {{ [name: `aria-${string}` | `data-${string}`]: string | number } & { role?: string }} Attributes
 */

/**
 * The element of a selector, which the page has; of a kind other than HTMLElement where it is named.
 * @template {Element} [Kind=HTMLElement]
 * @param {string} selector
 * @param {new () => Kind} [kind]
 * @returns {Kind}
 */
export function find(selector, kind) {
  const found = document.querySelector(selector);
  if (!(found instanceof (kind ?? HTMLElement))) throw new Error(`the page has no ${selector} of this kind`);
  return /** @type {Kind} */ (found);
}

/**
 * A function that finds the elements of a panel, whose ids begin with a prefix.
 * @param {string} prefix
 */
export function finder(prefix) {
  /**
   * @template {Element} [Kind=HTMLElement]
   * @param {string} name
   * @param {new () => Kind} [kind]
   */
  return (name, kind) => find(`#${prefix}${name}`, kind);
}

/** @param {string} selector */
export const findButton = (selector) => find(selector, HTMLButtonElement);

/**
 * An element with properties, attributes (data-, aria-, role) and children.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Partial<HTMLElementTagNameMap[Name]> & Attributes} properties
 * @param {...(Node | string)} children
 */
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element) Reflect.set(element, key, value);
    else element.setAttribute(key, String(value));
  }
  element.append(...children);
  return element;
}

/**
 * An element of SVG with attributes, at the end of its parent.
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | number>} attributes
 * @param {Element} [parent]
 */
export function draw(name, attributes, parent) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  parent?.append(element);
  return element;
}

/**
 * Show or hide an element, with a text if one is given.
 * @param {HTMLElement} element
 * @param {boolean} shown
 * @param {string} [text]
 */
export function reveal(element, shown, text) {
  element.hidden = !shown;
  if (text !== undefined) (element.querySelector("span") ?? element).textContent = text;
}

/**
 * Open a dialog with a title and a button that closes it, as do Escape and a click beside it.
 * @param {string} id
 * @param {string} title
 * @param {...Node} children
 */
export function openDialog(id, title, ...children) {
  document.querySelector(`#${id}`)?.remove();
  // It has the focus at first, so that a long dialog is read from its beginning.
  const heading = make("h2", { id: `${id}-title`, textContent: title, tabIndex: -1, autofocus: true });
  const close = make("button", { type: "button", textContent: "Close" });
  const dialog = make("dialog", { id }, heading, ...children, close);
  dialog.setAttribute("aria-labelledby", heading.id);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close(); // outside of it
  });
  close.addEventListener("click", () => dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * Whether an event is about something within a selector.
 * @param {Event} event
 * @param {string} selector
 */
export function isWithin({ target }, selector) {
  return target instanceof Element && target.closest(selector) !== null;
}
