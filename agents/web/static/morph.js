// Makes one tree of elements like another with as few changes as possible: what has the focus keeps it,
// what was scrolled or opened stays so, and nothing flickers. Elements with data-kept are left alone.

/**
 * Make `target` and what is in it like `fresh`, which is like it and used up.
 * @param {Node} target
 * @param {Node} fresh
 */
export function morph(target, fresh) {
  if (!(target instanceof Element && fresh instanceof Element)) {
    if (target.nodeValue !== fresh.nodeValue) target.nodeValue = fresh.nodeValue;
    return;
  }
  if (target.hasAttribute("data-kept")) return;
  for (const { name } of [...target.attributes]) {
    if (!fresh.hasAttribute(name) && name !== "open" && name !== "aria-sort") target.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (target.getAttribute(name) !== value && name !== "aria-sort") target.setAttribute(name, value);
  }
  children(target, fresh);
}

/**
 * What tells a node from others of its name: its id, or its data-key.
 * @param {Node} node
 */
const keyOf = (node) => (node instanceof Element ? node.id || node.getAttribute("data-key") || "" : "");

/**
 * @param {Node} one
 * @param {Node} other
 */
const like = (one, other) => one.nodeName === other.nodeName && keyOf(one) === keyOf(other);

/**
 * @param {Element} target
 * @param {Element} fresh
 */
function children(target, fresh) {
  const wanted = new Set([...fresh.children].map(keyOf).filter(Boolean));
  let here = target.firstChild;
  for (const child of [...fresh.childNodes]) {
    while (here && !like(here, child) && !wanted.has(keyOf(here)) && !later(child, here)) {
      const gone = here;
      here = here.nextSibling;
      gone.remove();
    }
    if (here && like(here, child)) {
      morph(here, child);
      here = here.nextSibling;
    } else {
      target.insertBefore(child, here);
    }
  }
  while (here) {
    const gone = here;
    here = here.nextSibling;
    gone.remove();
  }
}

/**
 * Whether something after `child` is like `here`.
 * @param {Node} child
 * @param {Node} here
 */
function later(child, here) {
  for (let next = child.nextSibling; next; next = next.nextSibling) {
    if (like(next, here)) return true;
  }
  return false;
}
