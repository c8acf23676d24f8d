// What `clickable` (clickable.py) says of a position: the data of a board on a page.

export type Form = "box" | "disc" | "hexagon" | "diamond";

/** Where something is: its middle, half its width and half its height. */
export type Place = [x: number, y: number, wide: number, high: number, form: Form];

/** What can be clicked, and what is marked instead where that is something else. */
export type Target = [...Place, label: string, shown: Place | null];

/** A legal action: its targets, as indices, in the order of the clicks, and what is on its button. */
export type Action = [action: number, name: string, ways: number[], label: string];

export interface BoardData {
  /** Left, top, width and height of what is visible. */
  box: [left: number, top: number, width: number, height: number];
  title: string;
  /** SVG, of which the first `own` elements are the picture, and the others a heat map. */
  shapes: string;
  own: number;
  /** The action that led here. */
  last: number | null;
  targets: Target[];
  actions: Action[];
}

/** What is marked on a board: the clicks of an action, or a target. */
export interface Mark {
  action?: number;
  target?: number;
  text?: string;
  kind?: "best" | "hint" | "bad";
}
