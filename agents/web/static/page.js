// What every page has: the button for light and dark, and the shortcuts.

import { findButton } from "./dom.js";
import { shortcut, showShortcuts } from "./keyboard.js";
import { keep } from "./memory.js";

function changeTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  keep("theme", root.dataset.theme);
}

findButton("#theme").addEventListener("click", changeTheme);
findButton("#keys").addEventListener("click", showShortcuts);
for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("header nav a"))) {
  if (link.pathname === location.pathname) link.setAttribute("aria-current", "page");
}

shortcut("Everywhere", "?", "Show these shortcuts", showShortcuts);
shortcut("Everywhere", "t", "Light or dark", changeTheme);
