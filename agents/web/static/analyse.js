// The panel to analyse: a search that goes on, and the value of every move on the board.

import { search } from "./server.js";

export class AnalysePanel {
  constructor(screen) {
    this.screen = screen;
    this.rows = document.querySelector("#rows");
  }

  enter() {
    this.screen.show();
  }

  leave() {
    this.stop?.();
  }

  show(state) {
    this.stop?.();
    this.screen.board.enable(!state.over);
    this.rows.replaceChildren();
    if (state.over) return;
    const agent = this.screen.catalogue.analyst;
    this.stop = search("analyse", this.screen.game.situation(), { agent }, (message) => {
      if (message.error) this.screen.say(message.error, true);
      if (message.row) this.add(message.row);
      if (message.board) this.screen.board.show(message.board);
    });
  }

  add(row) {
    const line = document.createElement("tr");
    for (const text of [row.depth, row.value.toPrecision(3), row.nodes, row.line]) {
      line.append(Object.assign(document.createElement("td"), { textContent: text }));
    }
    this.rows.prepend(line);
  }
}
