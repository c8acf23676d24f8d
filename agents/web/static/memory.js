// What the browser keeps from one visit to the next; nothing, where it may not.

export function keep(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // it is forgotten when the page is closed
  }
}

/** What was kept, or null. */
export function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
