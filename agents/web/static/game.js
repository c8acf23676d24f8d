// The moves of a game with their variations, and which of them is looked at.
//
// A node is a position: the move that led there, the state that the server sent, its parent and its
// children, of which the first is the main line. The page's address says which position it is, see
// address.js. A node that was not visited has no state yet: whoever shows it asks for it.

import { turnsOf } from "./turn_list.js";

/** @import { BestLine, Code, GameState, Move, Parameters, Review, Row, State, Values } from "../messages" */

/**
 * What a search has found at a position.
 * @typedef {{ rows: Row[], values: Values | null, lines: BestLine[], done: boolean }} Found
 */

export class Node {
  /**
   * A node after a move; without a parent it is the root of a game, to which no move has led.
   * @param {Node | null} parent
   * @param {Code} code
   * @param {Move} move
   */
  constructor(parent = null, code = -1, move = { name: "", player: -1 }) {
    this.parent = parent;
    this.code = code;
    this.move = move;
    /** @type {State | null} */
    this.state = null;
    this.stale = false; // whether the state was asked for by somebody who looked in another way
    /** @type {Node[]} */
    this.children = [];
    /** @type {Node | null} */
    this.latest = null; // the child that was looked at last
    /** @type {number[] | null} */
    this.times = null; // what the clocks said when it was reached
    /** @type {Map<string, Found>} */
    this.found = new Map(); // what searches have found here, by what was asked
    /** @type {Review | null} */
    this.review = null; // what a review says of the move that led here
    this.said = ""; // what the agent expects that has moved here
  }

  /** The nodes from the start to this one, the start left out. */
  get path() {
    /** @type {Node[]} */
    const path = [];
    for (let node = /** @type {Node} */ (this); node.parent; node = node.parent) path.push(node);
    return path.reverse();
  }

  get line() {
    return this.path.map((node) => node.code);
  }

  /**
   * Whether a node is this one or below it.
   * @param {Node} node
   */
  holds(node) {
    return node === this || node.path.includes(this);
  }
}

export class Game extends EventTarget {
  /**
   * @param {string} name
   * @param {Parameters} parameters
   */
  constructor(name, parameters, setUp = "") {
    super();
    this.name = name;
    this.parameters = parameters;
    this.setUp = setUp;
    this.root = new Node();
    this.here = this.root;
    this.made = false;
    /** @type {number[]} */
    this.people = [0];
    this.over = false; // a hidden game has ended, and all of it is shown
    this.flipped = false;
  }

  /**
   * A node as requests have it: the game, its line and who looks.
   * @returns {GameState}
   */
  gameState(node = this.here) {
    const gameState = {
      game: this.name, parameters: this.parameters, line: node.line, people: this.people,
      flipped: this.flipped,
    };
    return this.setUp ? { ...gameState, set_up: this.setUp } : gameState;
  }

  /**
   * Take what the server sent for a position: one more move, or the position we are at.
   * @param {State} state
   */
  accept(state, from = this.here) {
    if (state.line.length > from.line.length) {
      const next = this.after(from, state);
      next.state = state;
      if (this.here === from) this.go(next, true);
      return next;
    }
    from.state = state;
    this.go(from);
    return from;
  }

  /**
   * The node after the last move of a state.
   * @param {Node} node
   * @param {State} state
   */
  after(node, { line, moves }) {
    return this.child(node, line[line.length - 1], moves[moves.length - 1]);
  }

  /**
   * Look at a node; `made`: it was reached by a move that somebody has made there.
   * @param {Node} node
   */
  go(node, made = false) {
    this.here = node;
    this.made = made;
    node.path.forEach((each) => {
      if (each.parent) each.parent.latest = each;
    });
    this.dispatchEvent(new Event("change"));
  }

  // ---- the tree

  /**
   * The node after a move, which is made if it is not there yet.
   * @param {Node} node
   * @param {Code} code
   * @param {Move} move
   */
  child(node, code, move) {
    let next = node.children.find((each) => each.code === code);
    if (!next) {
      next = new Node(node, code, move);
      node.children.push(next);
      this.dispatchEvent(new Event("tree"));
    }
    return next;
  }

  /**
   * The node at the end of a line from `from`; its nodes are made where they are missing.
   * @param {Code[]} codes
   * @param {Move[]} moves
   */
  follow(codes, moves, from = this.root) {
    return codes.reduce((node, code, i) => this.child(node, code, moves[i]), from);
  }

  /** The last node of the main line below a node. */
  end(node = this.root) {
    while (node.children.length) node = node.children[0];
    return node;
  }

  /**
   * The move that follows: the one that was looked at last, else that of the main line, if any.
   * @returns {Node | undefined}
   */
  next(node = this.here) {
    return node.children.find((each) => each === node.latest) ?? node.children[0];
  }

  /**
   * Another variation in place of this move, `step` places on; at an end there is none.
   * @param {number} step
   * @returns {Node | undefined}
   */
  sibling(step, node = this.here) {
    const all = node.parent?.children ?? [];
    return all[all.indexOf(node) + step];
  }

  /**
   * Whether a node is on the main line.
   * @param {Node} node
   */
  isMain(node) {
    return node.path.every((each) => each.parent?.children[0] === each);
  }

  /**
   * Put the variation that a node is of before the one it is a variation of.
   * @param {Node} node
   */
  promote(node) {
    const first = node.path.findLast((each) => each.parent?.children[0] !== each);
    const all = first?.parent?.children;
    if (!first || !all) return;
    all.splice(all.indexOf(first), 1);
    all.unshift(first);
    this.dispatchEvent(new Event("tree"));
  }

  /**
   * Make the line of a node the main line.
   * @param {Node} node
   */
  makeMain(node) {
    while (!this.isMain(node)) this.promote(node);
  }

  /**
   * Delete a node with all that is below it.
   * @param {Node} node
   */
  remove(node) {
    if (!node.parent) return;
    const all = node.parent.children;
    all.splice(all.indexOf(node), 1);
    this.dispatchEvent(new Event("tree"));
    if (node.holds(this.here)) this.go(node.parent);
  }

  // ---- numbers

  /**
   * The number before a move: "3." where a round begins, with the first player's turn, "3…" within one.
   * @param {Node} node
   */
  number(node) {
    const path = node.path;
    if (!this.inTurns) return this.round(node);
    const plies = path.length - (path[0].move.player === 1 ? 0 : 1);
    return `${Math.floor(plies / 2) + 1}${plies % 2 ? "…" : "."}`;
  }

  /**
   * The number of a move where turns have several moves, or more than two players have turns.
   * @param {Node} node
   */
  round(node) {
    const line = this.end(node).path.map(({ move }) => move);
    const turns = turnsOf(line, this.here.state?.hidden ?? false);
    const at = node.path.length - 1;
    const until = turns.filter(({ moves }) => moves[0] <= at);
    const begins = until.at(-1)?.moves[0] === at && until.at(-1)?.round !== null;
    return `${until.findLast(({ round }) => round !== null)?.round ?? 1}${begins ? "." : "…"}`;
  }

  /** Whether two players move in turns on the line that is looked at. */
  get inTurns() {
    const path = this.end(this.here).path;
    return path.every(({ move }, i) =>
      (move.player === 0 || move.player === 1) && (!i || move.player !== path[i - 1].move.player));
  }
}
