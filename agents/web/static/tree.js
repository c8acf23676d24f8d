// The panel that steps through the tree of a search.

export class TreePanel {
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
