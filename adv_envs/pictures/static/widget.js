// The board in a notebook: an anywidget, whose model is in adv_envs/notebook.py.

import { Board } from "./board.js";

/** @import { BoardData } from "../board_data" */

/**
 * What the notebook's kernel and this page share; `turn` says which board was clicked.
 * @typedef {{ board: BoardData & { turn: number } | {}, said: string, moves: string[] }} Shared
 */

/**
 * The model of an anywidget.
 * @typedef {{
 *   get<Key extends keyof Shared>(key: Key): Shared[Key],
 *   send(message: { action: number, turn: number } | { do: string }): void,
 *   on(event: string, listener: () => void): void,
 *   off(event: string, listener: () => void): void,
 * }} Model
 */

/** @param {{ model: Model, el: HTMLElement }} given */
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
  const shown = () => { // nothing before the kernel has spoken
    const data = model.get("board");
    return "box" in data ? data : null;
  };
  const board = new Board(place, {
    onMove: (action) => {
      const data = shown();
      if (data) model.send({ action, turn: data.turn });
    },
  });
  for (const name of ["undo", "new game", "flip"]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = name;
    button.addEventListener("click", () => model.send({ do: name }));
    bar.append(button);
  }
  bar.prepend(said);

  const show = () => {
    const data = shown();
    if (!data) return;
    board.show(data);
    board.enable(data.actions.length > 0);
  };
  const say = () => {
    const data = shown();
    said.textContent = model.get("said") || (data?.title ?? "");
    board.enable(data !== null && data.actions.length > 0);
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
