// The moves of a game with their variations, and which of them is looked at.
//
// A node is a position: the move that led there, the state that the server sent, its parent and its
// children, of which the first is the main line. The page's address says which position it is.

export class Node {
  constructor(parent, code, move, state) {
    Object.assign(this, { parent, code, move, state, children: [] });
  }

  /** The nodes from the start to this one, the start left out. */
  get path() {
    return this.parent ? [...this.parent.path, this] : [];
  }

  get line() {
    return this.path.map((node) => node.code);
  }
}

export class Game extends EventTarget {
  constructor(name, parameters) {
    super();
    this.name = name;
    this.parameters = parameters;
    this.root = new Node(null, null, null, null);
    this.here = this.root;
    this.people = [0];
    this.over = false;
    this.flipped = false;
  }

  /** The situation of a node as requests have it. */
  situation(node = this.here) {
    return {
      game: this.name, parameters: this.parameters, line: node.line, people: this.people,
      over: this.over, flipped: this.flipped,
    };
  }

  /** Take what the server sent for a position: one more move, or the position we are at. */
  accept(state, from = this.here) {
    if (state.line.length > from.line.length) {
      const code = state.line.at(-1);
      let next = from.children.find((child) => child.code === code);
      if (!next) {
        next = new Node(from, code, state.moves.at(-1), state);
        from.children.push(next);
      }
      next.state = state;
      if (this.here === from) this.go(next);
      return next;
    }
    from.state = state;
    this.go(from);
    return from;
  }

  go(node) {
    this.here = node;
    this.dispatchEvent(new Event("change"));
  }
}
