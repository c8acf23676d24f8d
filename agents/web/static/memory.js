// What the browser keeps from one visit to the next; nothing, where it may not.

/**
 * Keep something for the next visit.
 * @param {string} key
 * @param {string} value
 */
export function keep(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // it is forgotten when the page is closed
  }
}

/**
 * Keep something until the page is closed, also while it is loaded again.
 * @param {string} key
 * @param {string} value
 */
export function keepHere(key, value) {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    // it is forgotten when the page is loaded again
  }
}

/**
 * What was kept until the page is closed, or null.
 * @param {string} key
 */
export function keptHere(key) {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * What was kept, or null.
 * @param {string} key
 */
export function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * Keep where a game that is under way goes on, until the page is closed; "": it is over.
 * @param {string} game
 * @param {string} address
 */
export const keepGame = (game, address) => keepHere(`under way ${game}`, address);

/**
 * Where a game goes on that is under way, or null.
 * @param {string} game
 */
export const keptGame = (game) => keptHere(`under way ${game}`) || null;
