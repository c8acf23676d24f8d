// Elements of the page, made in one line.

export const find = (selector) => document.querySelector(selector);

/** An element with properties, attributes (data-, aria-, role) and children. */
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element) element[key] = value;
    else if (value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** Show or hide an element, with a text if one is given. */
export function reveal(element, shown, text) {
  element.hidden = !shown;
  if (text !== undefined) (element.querySelector("span") ?? element).textContent = text;
}
