// The board in a notebook: an anywidget, whose model is in adv_envs/notebook.py.

import { Board } from "./board.js";

function render({ model, el }) {
  el.classList.add("adv-envs-widget");
  const place = document.createElement("div");
  const bar = document.createElement("div");
  bar.className = "bar";
  const said = document.createElement("span");
  said.className = "said";
  said.setAttribute("role", "status");
  const moves = document.createElement("div");
  moves.className = "moves";
  el.append(place, bar, moves);
  const board = new Board(place, { onMove: (action) => model.send({ action, turn: model.get("board").turn }) });
  for (const name of ["undo", "new game", "flip"]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = name;
    button.addEventListener("click", () => model.send({ do: name }));
    bar.append(button);
  }
  bar.prepend(said);

  const show = () => {
    const data = model.get("board");
    if (!data.box) return;
    board.show(data);
    board.enable(data.actions.length > 0);
  };
  const say = () => {
    said.textContent = model.get("said") || (model.get("board").title ?? "");
    board.enable((model.get("board").actions ?? []).length > 0);
  };
  const list = () => {
    moves.textContent = model.get("moves").join(" ");
  };
  const listeners = { "change:board": () => (show(), say()), "change:said": say, "change:moves": list };
  for (const [event, listener] of Object.entries(listeners)) model.on(event, listener);
  show();
  say();
  list();
  return () => {
    for (const [event, listener] of Object.entries(listeners)) model.off(event, listener);
  };
}

export default { render };
