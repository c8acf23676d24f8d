// What pages and the server say to each other. The Python files named here say more about it.

import type { BoardData } from "../../adv_envs/pictures/board_data";
import type { EngineQuestion, Plan } from "../engines/engine";

// ---- games and positions (game_states.py)

export type Parameters = Record<string, string | number | boolean>;

/** A move of a line: an action, or where something is hidden a code that only the server can read. */
export type Code = number | string;

/** A move as the person who looks has seen it; the player of chance is -1. */
export interface Move {
  name: string;
  player: number;
  /** Of chance: whether it is a throw of whoever has moved before, in the same turn. */
  goes_on?: boolean;
}

/** A position that is asked about: the game, the moves from its start, and who looks. */
export interface GameState {
  game: string;
  parameters: Parameters;
  set_up?: string;
  line: Code[];
  people: number[];
  flipped: boolean;
}

/** The same as it may be asked for: what is missing is as usual. */
export type AskedState = Pick<GameState, "game" | "parameters"> & Partial<GameState>;

export interface Line {
  game: string;
  parameters: Parameters;
  set_up: string;
  line: Code[];
  moves: Move[];
  /** The line as it stands in addresses; "" where something is hidden. */
  text: string;
}

/** A position as a page shows it. */
export interface State extends Line {
  title: string;
  players: number;
  hidden: boolean;
  /** Whether all players share the result. */
  cooperative: boolean;
  /** The most that a player can win, and loses by resigning. */
  most: number;
  /** What the players are called, "White" and "Black". */
  sides: string[];
  tasks: string[];
  /** How the board turns: to the other side, to stand upright on narrow screens, or not at all. */
  turns: "sides" | "upright" | "";
  /** -1: chance. */
  to_move: number;
  /** null: everything is seen. */
  viewer: number | null;
  over: boolean;
  /** Whose turn it is; "" at the end. */
  turn_text: string;
  /** Both null before the end. */
  utilities: number[] | null;
  result: string | null;
  board: BoardData;
}

/** What can be done at a position. */
export type PlayedMove =
  | { action: Code }
  | { name: string }
  | { chance: true }
  | { reveal: true };

export interface SavedText {
  format: string;
  file: string;
  text: string;
}

/** What the server answers to data that is sent to these addresses. */
export interface Answers {
  "/api/position": State;
  "/api/line": Line;
  "/api/texts": { formats: SavedText[] };
  "/api/found": FoundAnswer;
  "/api/plan": { plan: Plan | null };
}

/** What is said of what engines have found (found_jobs.py). */
export interface FoundAnswer {
  messages: Message<Job>[];
  /** The search that the job needs next. */
  search: NextSearch | null;
  /** Whether the job is at its end. */
  done: boolean;
}

export type NextSearch = Pick<EngineQuestion, "plan" | "words" | "want" | "seed">;

/** A job that goes on: it is run, perhaps several times with other options, until it is stopped. */
export interface RunningJob {
  wanted: boolean;
  run(more?: object): Promise<void>;
  stop(): void;
}

// ---- what there is to choose (catalogue.py)

export interface Field {
  name: string;
  /** What people call it, and what it does in a sentence, which may be "". */
  label: string;
  about: string;
  type: string;
  usual: string | number | boolean;
  choices?: (string | number)[];
}

/** An opponent by how well it plays (agents/levels.py). */
export interface Level {
  number: number;
  spec: string;
  /** null: not measured in this game. */
  elo: number | null;
  words: string;
}

export interface Catalogue {
  game: string;
  title: string;
  summary: string;
  /** The rules in words, as HTML. */
  rules: string;
  players: number;
  /** The usual values. */
  parameters: Parameters;
  chosen: Parameters;
  form: Field[];
  /** The weakest first. */
  levels: Level[];
  opponent: string;
  analyst: string;
  /** Specs by what they are called in words. */
  agents: Record<string, string>;
  analysts: Record<string, string>;
  solver: string | null;
  /** How many puzzles of each level a site has, by level; a server makes them. */
  puzzles?: Record<string, number>;
  /** How engines in the browser play what a spec says, by spec. */
  engines: Record<string, Plan>;
  /** How an engine finds the exact value of each move; null where none does. */
  exact: Plan | null;
  /** Whether the server finds these values from the start on. */
  graded: boolean;
  /** Whether players see different things. */
  hidden: boolean;
  chance: boolean;
  evaluations: string[];
}

// ---- searches (analyse_jobs.py, play_jobs.py, tree_jobs.py)

/** A move of a line that a search has found. */
export type NamedMove = [action: number, name: string, player: number];

/** What a search has found at one depth. */
export interface Row {
  depth: number;
  text: string;
  winning: number | null;
  nodes: number;
  rate: number | null;
  seconds: number;
  best: number;
  moves: NamedMove[];
}

export interface ValuedMove {
  action: number;
  name: string;
  text: string;
  proven: boolean;
}

/** The values of all moves, the best first. */
export interface Values {
  moves: ValuedMove[];
  by: string;
  exact: boolean;
  winning: number | null;
  /** From whose view the numbers are: a side, or "" for that of who moves. */
  view: string;
  /** The board on which they stand, those of the best alone where there are many. */
  board: BoardData | null;
  /** The board on which all stand, where that is another. */
  full: BoardData | null;
}

export interface BestLine {
  text: string;
  moves: NamedMove[];
}

export type Severity = "inaccuracy" | "mistake" | "blunder";

/** What a review says of a move. */
export interface Review {
  ply: number;
  player: number;
  move: string;
  best: string;
  text: string;
  best_text: string;
  before: number;
  after: number;
  severity: Severity | "";
  exact: boolean;
}

/** What an agent would play, while it thinks. */
export interface Thought {
  action: number;
  depth: number;
  nodes: number;
}

export interface Puzzle {
  state: State;
  player: number;
  task: string;
  legal: number;
}

export interface TreeNode {
  parent: number | null;
  name: string;
  who: string;
  value: string;
  cut: boolean;
  dots: boolean;
  hidden: number;
  best: boolean;
  place: [x: number, y: number];
  half: [wide: number, high: number];
  /** Shapes, written as SVG. */
  frame: string;
  texts: string;
  branch: string;
  /** The moves from the root; null where the node stands for several. */
  actions: number[] | null;
}

export interface TreeStep {
  node: number;
  said: string;
  changed: [node: number, value: string, note: string][];
  cut: number[];
  window: string;
  /** Of Monte Carlo tree search. */
  simulations?: number;
  thick?: [node: number, width: number][];
  moves?: [name: string, visits: number, mean: number][];
}

export interface Tree {
  box: [left: number, top: number, width: number, height: number];
  levels: string;
  nodes: TreeNode[];
  steps: TreeStep[];
  caption: string;
  left_out: string;
}

/** The searches that a page can ask for: their options, and what their messages may have. */
export interface Jobs {
  analyse: {
    options: { agent: string; seconds: number };
    message: { row: Row; values: Values; lines: BestLine[] };
  };
  review: { options: { agent: string; ply?: number }; message: Review & { sorry: string } };
  move: {
    options: { agent: string; seconds?: number };
    message: { thought: Thought; state: State; said: string };
  };
  hint: {
    options: { agent: string };
    message: { hint: { action: number; name: string; said: string } };
  };
  warm: { options: { agent: string }; message: { compiling: true; ready: number } };
  tree: {
    options: { agent: string; nodes?: number };
    message: { tree: Tree; sorry: string };
  };
  puzzle: {
    options: { seed: number; level: string };
    message: {
      puzzle: Puzzle;
      sorry: string;
      smaller: { parameters: Parameters; title: string };
    };
  };
  puzzle_move: {
    options: { action?: Code };
    message: { right: boolean; said: string; line: string; plies: number };
  };
  puzzle_reply: { options: object; message: { state: State } };
}

export type Job = keyof Jobs;

/** What comes of a search: {waiting} if it cannot begin at once, {done} or {error} at last. */
export type Message<Name extends Job> =
  Partial<Jobs[Name]["message"]> & { waiting?: boolean; done?: boolean; error?: string };

// ---- files that are followed (follow.py)

/** What the page of a tournament shows of a game. */
export interface PlayedGame {
  number: number;
  players: string[];
  points: number[];
  opening: number;
  plies: number;
  reason: string;
  /** As text, where the page is a file. */
  moves?: string;
}

/** The changes of a picture: what stands at a place goes, and other shapes come, by number. */
export type Changes = [at: number, gone: number, ...come: number[]][];

/** A game that is stepped through (agents/arena/game_files.py). */
export interface Replay {
  box: number[];
  shapes: string[];
  moves: string[];
  changes: Changes[];
}

/** What has changed in a file since a version. */
export interface Followed {
  version: number;
  problem: string;
  state: "reading" | "running" | "complete" | "ended" | "stopped" | "missing" | "unreadable" | "graded";
  html?: string;
  /** Whether `games` are all there are. */
  all: boolean;
  games: PlayedGame[];
  names?: string[];
  address?: string | null;
  done?: number;
  total?: number | null;
  left: number | null;
  at?: number;
}
