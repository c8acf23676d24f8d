// Makes one tree of elements like another with as few changes as possible: what has the focus keeps it,
// what was scrolled or opened stays so, and nothing flickers. Elements with data-kept are left alone.

/** Make `target` and what is in it like `fresh`, which is used up. */
export function morph(target, fresh) {
  if (target.nodeType !== Node.ELEMENT_NODE) {
    if (target.data !== fresh.data) target.data = fresh.data;
    return;
  }
  if ("kept" in target.dataset) return;
  for (const { name } of [...target.attributes]) {
    if (!fresh.hasAttribute(name) && name !== "open" && name !== "aria-sort") target.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (target.getAttribute(name) !== value && name !== "aria-sort") target.setAttribute(name, value);
  }
  children(target, fresh);
}

const like = (one, other) => one.nodeName === other.nodeName && (one.id ?? "") === (other.id ?? "");

function children(target, fresh) {
  const wanted = new Set([...fresh.children].map((child) => child.id).filter(Boolean));
  let here = target.firstChild;
  for (const child of [...fresh.childNodes]) {
    while (here && !like(here, child) && !wanted.has(here.id) && !later(child, here)) {
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

/** Whether something after `child` is like `here`. */
function later(child, here) {
  for (let next = child.nextSibling; next; next = next.nextSibling) if (like(next, here)) return true;
  return false;
}
