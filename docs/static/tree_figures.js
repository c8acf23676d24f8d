// Steps through the search trees of the manual. `make docs` puts what is imported here into this file.

import { TreeSteps } from "../../agents/web/static/tree_steps.js";

/** @import { Tree } from "../../agents/web/messages" */

/**
 * Shows a tree to be stepped through in place of its picture.
 * @param {string} name
 * @param {string} html The elements that step through it.
 * @param {Tree} tree
 */
function showTree(name, html, tree) {
  const figure = document.getElementById(`stepped-${name}`);
  const picture = figure?.querySelector(".wide-picture");
  if (!figure || !picture) throw new Error(`the page has no tree ${name}`);
  picture.outerHTML = html; // written by the manual
  const steps = new TreeSteps(`${name}-`, null);
  figure.addEventListener("keydown", (event) => steps.key(event));
  steps.open(tree);
  steps.view.focus({ preventScroll: true });
}

Reflect.set(window, "showTree", showTree);
