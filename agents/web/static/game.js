// The moves of a game with their variations, and which of them is looked at.
//
// A node is a position: the move that led there, the state that the server sent, its parent and its
// children, of which the first is the main line. The page's address says which position it is, see
// address.js. A node that was not visited has no state yet: whoever shows it asks for it.

export class Node {
  constructor(parent, code, move, state) {
    Object.assign(this, { parent, code, move, state, children: [] });
    this.found = new Map(); // what searches have found here, by what was asked
    this.review = null; // what a review says of the move that led here
  }

  /** The nodes from the start to this one, the start left out. */
  get path() {
    const path = [];
    for (let node = this; node.parent; node = node.parent) path.push(node);
    return path.reverse();
  }

  get line() {
    return this.path.map((node) => node.code);
  }

  /** Whether a node is this one or below it. */
  holds(node) {
    while (node && node !== this) node = node.parent;
    return node === this;
  }
}

export class Game extends EventTarget {
  constructor(name, parameters, setUp = "") {
    super();
    this.name = name;
    this.parameters = parameters;
    this.setUp = setUp;
    this.root = new Node(null, null, null, null);
    this.here = this.root;
    this.made = false;
    this.people = [0];
    this.over = false; // a hidden game has ended, and all of it is shown
    this.flipped = false;
  }

  /** A node as requests have it: the game, its line and who looks. */
  gameState(node = this.here) {
    const gameState = {
      game: this.name, parameters: this.parameters, line: node.line, people: this.people,
      flipped: this.flipped,
    };
    return this.setUp ? { ...gameState, set_up: this.setUp } : gameState;
  }

  /** Take what the server sent for a position: one more move, or the position we are at. */
  accept(state, from = this.here) {
    if (state.line.length > from.line.length) {
      const next = this.child(from, state.line.at(-1), state.moves.at(-1));
      next.state = state;
      if (this.here === from) this.go(next, true);
      return next;
    }
    from.state = state;
    this.go(from);
    return from;
  }

  /** Look at a node; `made`: it was reached by a move that somebody has made there. */
  go(node, made = false) {
    this.here = node;
    this.made = made;
    for (let up = node; up.parent; up = up.parent) up.parent.latest = up;
    this.dispatchEvent(new Event("change"));
  }

  // ---- the tree

  /** The node after a move, which is made if it is not there yet. */
  child(node, code, move) {
    let next = node.children.find((each) => each.code === code);
    if (!next) {
      next = new Node(node, code, move, null);
      node.children.push(next);
      this.dispatchEvent(new Event("tree"));
    }
    return next;
  }

  /** The node at the end of a line from `from`; its nodes are made where they are missing. */
  follow(codes, moves, from = this.root) {
    return codes.reduce((node, code, i) => this.child(node, code, moves[i]), from);
  }

  /** The last node of the main line below a node. */
  end(node = this.root) {
    while (node.children.length) node = node.children[0];
    return node;
  }

  /** The move that follows: the one that was looked at last, else that of the main line. */
  next(node = this.here) {
    return node.children.includes(node.latest) ? node.latest : node.children[0];
  }

  /** Another variation in place of this move, `step` places on; at an end there is none. */
  sibling(step, node = this.here) {
    const all = node.parent?.children ?? [];
    return all[all.indexOf(node) + step];
  }

  /** Whether a node is on the main line. */
  isMain(node) {
    return node.path.every((each) => each.parent.children[0] === each);
  }

  /** Put the variation that a node is of before the one it is a variation of. */
  promote(node) {
    while (node.parent && node.parent.children[0] === node) node = node.parent;
    if (!node.parent) return;
    const all = node.parent.children;
    all.splice(all.indexOf(node), 1);
    all.unshift(node);
    this.dispatchEvent(new Event("tree"));
  }

  /** Make the line of a node the main line. */
  makeMain(node) {
    while (!this.isMain(node)) this.promote(node);
  }

  /** Delete a node with all that is below it. */
  remove(node) {
    if (!node.parent) return;
    const all = node.parent.children;
    all.splice(all.indexOf(node), 1);
    this.dispatchEvent(new Event("tree"));
    if (node.holds(this.here)) this.go(node.parent);
  }

  // ---- numbers

  /** The number before a move: "3." for the first player, "3…" for the second, "5." elsewhere. */
  number(node) {
    const path = node.path;
    if (!this.inTurns) return `${path.length}.`;
    const plies = path.length - (path[0].move.player === 1 ? 0 : 1);
    return `${Math.floor(plies / 2) + 1}${plies % 2 ? "…" : "."}`;
  }

  /** Whether two players move in turns on the line that is looked at. */
  get inTurns() {
    const path = this.end(this.here).path;
    return path.every(({ move }, i) =>
      (move.player === 0 || move.player === 1) && (!i || move.player !== path[i - 1].move.player));
  }
}
