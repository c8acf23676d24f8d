// Shortcuts of the keyboard, and the dialog that lists them all.
//
//     shortcut("Play", "u", "Take a move back", () => this.undo());
//     shortcut("Analyse", "ArrowLeft", "One move back", () => this.back(), () => this.isOpen);
//     shortcut("The board", "Tab", "To the board", null); // only listed: something else does it

import { isWithin, make, openDialog } from "./dom.js";
import { keep, kept } from "./memory.js";

/**
 * @typedef {{
 *   group: string, key: string, label: string,
 *   action: ((event: KeyboardEvent) => void) | null, active: () => boolean,
 * }} Shortcut
 */

/** @type {Record<string, string>} */
const NAMES = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", " ": "Space", Escape: "Esc" };
/** @type {Shortcut[]} */
const shortcuts = [];

/**
 * Let a key do something, while `active` says so; a later shortcut goes before an earlier one.
 * @param {string} group
 * @param {string} key
 * @param {string} label
 * @param {Shortcut["action"]} action
 * @param {() => boolean} active
 */
export function shortcut(group, key, label, action, active = () => true) {
  shortcuts.push({ group, key, label, action, active });
}

const enabled = () => kept("shortcuts") !== "off";

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
  if (document.querySelector("dialog[open]") || !enabled()) return;
  if (isWithin(event, "input, select, textarea, [contenteditable]")) return;
  if ((event.key === "Enter" || event.key === " ") && event.target !== document.body) return;
  const key = event.key.length === 1 && !event.shiftKey ? event.key.toLowerCase() : event.key;
  const found = shortcuts.findLast((each) => each.action && each.key === key && each.active());
  if (!found?.action) return;
  event.preventDefault();
  found.action(event);
});

/** Open the dialog; Escape closes it. */
export function showShortcuts() {
  openDialog("shortcuts", "Keyboard", ...lists(), choice());
}

function* lists() {
  for (const group of new Set(shortcuts.map((each) => each.group))) {
    yield make("h3", { textContent: group });
    const list = make("dl", {});
    for (const { key, label } of shortcuts.filter((each) => each.group === group)) {
      const keys = key.split(/(?<=\S) (?=\S)/).map((one) =>
        make("kbd", { textContent: NAMES[one] ?? one }));
      list.append(make("dt", {}, ...keys), make("dd", { textContent: label }));
    }
    yield list;
  }
}

/** Shortcuts of a single character get in the way of those who speak to their computer. */
function choice() {
  const box = make("input", { type: "checkbox", checked: enabled() });
  box.addEventListener("change", () => keep("shortcuts", box.checked ? "on" : "off"));
  return make("label", { className: "choice" }, box, " Keys do this");
}
