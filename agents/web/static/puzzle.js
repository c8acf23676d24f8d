// The panel of puzzles: find the only move that wins.

export class PuzzlePanel {
  constructor(screen) {
    this.screen = screen;
  }

  /** The panel is shown now. */
  enter() {}

  /** Another panel is shown now. */
  leave() {}

  /** Another position is looked at. */
  show(state) {}
}
