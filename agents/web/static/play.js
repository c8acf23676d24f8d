// The panel to play: who sits where, and what can be done in a game.

import { search } from "./server.js";

export class PlayPanel {
  constructor(screen) {
    this.screen = screen;
    this.seats = Array(screen.catalogue.players).fill(screen.catalogue.opponent);
    this.seats[0] = "human";
    screen.game.people = this.seats.flatMap((spec, i) => (spec === "human" ? [i] : []));
    document.querySelector("#undo").addEventListener("click", () => this.undo());
  }

  enter() {
    if (this.screen.game.here.state) this.screen.show();
  }

  leave() {
    this.stop?.();
  }

  show(state) {
    this.stop?.();
    const person = this.screen.game.people.includes(state.to_move);
    this.screen.board.enable(person && !state.over);
    if (state.over || person) return;
    if (state.to_move < 0) this.screen.play({ chance: true });
    else this.ask(this.seats[state.to_move]);
  }

  /** Let an agent move. */
  ask(agent) {
    const from = this.screen.game.here;
    this.screen.say(`${agent} thinks …`);
    this.stop = search("move", this.screen.game.situation(from), { agent }, (message) => {
      if (message.error) this.screen.say(message.error, true);
      if (message.state) this.screen.game.accept(message.state, from);
    });
  }

  /** Back to before the person's last move. */
  undo() {
    let node = this.screen.game.here.parent;
    while (node?.parent && !this.screen.game.people.includes(node.state.to_move)) node = node.parent;
    if (node) this.screen.game.go(node);
  }
}
