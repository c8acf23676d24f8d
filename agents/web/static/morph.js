// Makes one tree of elements like another with as few changes as possible: what has the focus keeps it,
// what was scrolled or opened stays so, and nothing flickers. Elements with an id or a data-key, which no
// other beside them has, stay the same wherever they go; those with data-kept are left alone.

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
 * What tells an element from those beside it: its id or its data-key, with its name; "" without.
 * @param {Node} node
 */
function keyOf(node) {
  const key = node instanceof Element ? node.id || node.getAttribute("data-key") : null;
  return key ? `${node.nodeName} ${key}` : "";
}

/**
 * @param {Node} one
 * @param {Node} other
 */
const like = (one, other) => one.nodeName === other.nodeName && keyOf(one) === keyOf(other);

/**
 * Match children: those with a key by it, wherever they stood, others in their order.
 * @param {Element} target
 * @param {Element} fresh
 */
function children(target, fresh) {
  const wanted = new Set([...fresh.children].map(keyOf));
  /** @type {Map<string, Element>} */
  const keyed = new Map();
  for (const child of [...target.children]) {
    const key = keyOf(child);
    if (key && !wanted.has(key)) child.remove();
    else if (key) keyed.set(key, child);
  }
  let here = target.firstChild;
  for (const child of [...fresh.childNodes]) {
    const kept = keyed.get(keyOf(child));
    while (here && !kept && !keyOf(here) && !like(here, child) && !later(child, here)) here = removed(here);
    const same = kept ?? (here && like(here, child) ? here : null);
    if (!same) target.insertBefore(child, here);
    else {
      if (same === here) here = here.nextSibling;
      else target.insertBefore(same, here);
      morph(same, child);
    }
  }
  while (here) here = removed(here);
}

/**
 * Remove a node. Returns the next one.
 * @param {ChildNode} node
 */
function removed(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
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
