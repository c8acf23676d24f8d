// The front page: find a game by its name, its description or its kind.

import { find, make } from "./dom.js";
import { shortcut } from "./keyboard.js";
import { keptGame } from "./memory.js";

const text = find("#find", HTMLInputElement);
const found = find("#found");
const kinds = elements("[data-kind]");
const games = elements(".games li");

/**
 * @param {string} selector
 * @returns {HTMLElement[]}
 */
function elements(selector) {
  return [...document.querySelectorAll(selector)].filter((each) => each instanceof HTMLElement);
}

/** @param {HTMLElement} game */
function fits(game) {
  const { kinds: own = "", name, names } = game.dataset;
  const known = `${name} ${names} ${game.querySelector(".tile")?.textContent}`.toLowerCase();
  const words = text.value.toLowerCase().split(/\s+/);
  return words.every((word) => known.includes(word)) && kinds.every((button) => {
    if (button.getAttribute("aria-pressed") === "false") return true;
    const { kind = "" } = button.dataset;
    return kind === "open" ? !own.split(" ").includes("hidden") : own.split(" ").includes(kind);
  });
}

function filter() {
  for (const game of games) game.hidden = !fits(game);
  const number = games.filter((game) => !game.hidden).length;
  found.textContent = number === 1 ? "1 game" : `${number || "no"} games`;
}

for (const game of games) {
  const href = keptGame(game.dataset.name ?? "");
  if (href) game.append(make("a", { href, className: "go-on", textContent: "Go on with your game" }));
}

text.addEventListener("input", filter);
text.addEventListener("keydown", (event) => {
  const shown = games.filter((game) => !game.hidden);
  if (event.key === "Enter") shown[0]?.querySelector("a")?.click();
});
for (const button of kinds) {
  button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") === "false"));
    filter();
  });
}
shortcut("Games", "/", "Find a game; Enter opens the first", () => text.focus());
filter(); // a browser may have kept what was typed before
