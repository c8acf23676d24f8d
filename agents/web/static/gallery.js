// The front page: find a game by its name, its description or its kind.

import { make } from "./dom.js";
import { shortcut } from "./keyboard.js";
import { keptGame } from "./memory.js";

const find = document.querySelector("#find");
const found = document.querySelector("#found");
const kinds = [...document.querySelectorAll("[data-kind]")];
const games = [...document.querySelectorAll(".games li")];

function fits(game) {
  const own = game.dataset.kinds.split(" ");
  const { name, names } = game.dataset;
  const text = `${name} ${names} ${game.querySelector(".tile").textContent}`.toLowerCase();
  const words = find.value.toLowerCase().split(/\s+/);
  return words.every((word) => text.includes(word)) && kinds.every((button) => {
    if (button.getAttribute("aria-pressed") === "false") return true;
    const { kind } = button.dataset;
    return kind === "open" ? !own.includes("hidden") : own.includes(kind);
  });
}

function filter() {
  for (const game of games) game.hidden = !fits(game);
  const number = games.filter((game) => !game.hidden).length;
  found.textContent = number === 1 ? "1 game" : `${number || "no"} games`;
}

for (const game of games) {
  const href = keptGame(game.dataset.name);
  if (href) game.append(make("a", { href, className: "go-on", textContent: "Go on with your game" }));
}

find.addEventListener("input", filter);
find.addEventListener("keydown", (event) => {
  const shown = games.filter((game) => !game.hidden);
  if (event.key === "Enter" && shown.length) shown[0].querySelector("a").click();
});
for (const button of kinds) {
  button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") === "false"));
    filter();
  });
}
shortcut("Games", "/", "Find a game; Enter opens the first", () => find.focus());
filter(); // a browser may have kept what was typed before
