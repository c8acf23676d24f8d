// The arrows that open parts of the menu have no text; name them for those who hear the page.
for (const arrow of document.querySelectorAll("nav summary")) {
  const part = arrow.closest("li")?.querySelector("a")?.textContent.trim();
  if (!arrow.textContent.trim() && part) arrow.setAttribute("aria-label", `Pages of ${part}`);
}

// A board to play on, where the site of games was built before the manual; it is loaded by a click.
const script = document.currentScript;
const { play = "" } = script instanceof HTMLScriptElement ? script.dataset : {};
const folder = script instanceof HTMLScriptElement ? script.src : "";

/** @param {HTMLElement} place */
function offerBoard(place) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "btn btn-outline-primary";
  button.textContent = "Play it here";
  button.addEventListener("click", () => place.replaceChildren(board(place.dataset.game ?? "")));
  place.append(button);
}

/** @param {string} game */
function board(game) {
  if (location.protocol === "file:") {
    const text = document.createElement("p");
    text.textContent = "A browser plays it from a server alone: python -m http.server --directory docs/_build/html";
    return text;
  }
  const frame = document.createElement("iframe");
  frame.src = new URL(`${play}game/${game}/`, folder).href;
  frame.title = `The board of ${game.replaceAll("_", " ")}`;
  return frame;
}

for (const place of play ? document.querySelectorAll(".play-here") : []) {
  if (place instanceof HTMLElement) offerBoard(place);
}
