// What engines of games take and give. The modules are described by engines.json.

/** A game as start(parameters) takes it: what is not said is as usual. */
export type Parameters = Record<string, number | string | boolean>;

/** What engines.json says of a module. */
export interface EngineInfo {
  game: string;
  /** The number of words of a position. */
  words: number;
  /** Whether chance moves in the game, and whether players do not see everything. */
  chance: boolean;
  hidden: boolean;
  /** The first of them is the usual game. */
  starts: { parameters: Parameters; words: string[] }[];
}

/** How an engine plays what an agent would: made by Python, see agents/engines/plans.py. */
export interface Plan {
  /** The name of the module, without ".wasm". */
  module: string;
  /** The game that it is for, and the words of its parameters: arrays have the size for these. */
  game?: string;
  parameters?: string[];
  /** The kind of search. */
  search: string;
  /** The prefix of the exports that it calls. */
  variant: string;
  /** What the agent is called. */
  name: string;
  /** The typical size of the evaluation; null where there is none. */
  scale: number | null;
  /** Limits: null is none. */
  seconds?: number | null;
  nodes?: number | null;
  /** Of alpha-beta it may be lowered, not raised: the arrays of the plan have the size for it. */
  depth?: number | null;
  /** What exact values are, of plans that find these. */
  unit?: "utilities" | "scores" | "amounts";
  /** The work of positions up to which all exact values take a second, and some seconds. */
  quick?: number;
  /** Of policies: the address of their table, from the folder of the modules, if it is a file. */
  table?: string;
  feasible?: number;
}

/** What a search has found so far. */
export interface Found {
  /** The best action. */
  action: number;
  /** The value for the player to move: a utility if proven, else on the scale of the evaluation. */
  value: number;
  /** Best play, beginning with the action. */
  line: number[];
  /** Positions visited or, by Monte Carlo, simulations. */
  nodes: number;
  leaves: number;
  /** Plies looked ahead. */
  depth: number;
  seconds: number;
  proven: boolean;
  /** The values of actions, and how often they were tried, as far as they are known. */
  values: Record<number, number>;
  visits: Record<number, number>;
  /** How likely actions are played, of agents that draw them; the action is one that was drawn. */
  probabilities?: Record<number, number>;
  /** Whether the values are exact, of exact solvers. */
  exact?: boolean;
}

/** A whole number: beyond 2**53 as text in decimal or as BigInt; null: none. */
export type Seed = number | bigint | string | null;

/** Limits beside those of the plan. */
export interface Limits {
  seconds?: number | null;
  /** Decides random choices; null: that of the plan or, without one, other ones each time. */
  seed?: Seed;
}

/** What a page asks a worker. */
export interface EngineQuestion {
  id: number;
  /** The address of the folder of the modules. */
  base: string;
  plan: Plan;
  /** The position, as whole numbers in decimal. */
  words: string[];
  seconds?: number | null;
  seed?: Seed;
  /** "load": nothing is searched yet, and nothing answered. */
  want: "best" | "values" | "load";
}

/** What it answers: what was found again and again, at last that it is done, or what is wrong. */
export type EngineAnswer =
  | { id: number; found: Found }
  | { id: number; done: true }
  | { id: number; error: string };

/** A position: its parameters and its state, in words of 64 bits. */
export type Words = BigInt64Array;

/** A game with its engine, as the package has it. */
export interface LoadedGame {
  engine: Engine;
  start: Words;
  /** The plans of the agents that suit the game, by their specs in Python. */
  plans: Record<string, Plan>;
}

/** Loads a game of the package; Error if it has none with such parameters. */
export function loadGame(game: string, parameters?: Parameters): Promise<LoadedGame>;

/** The address of a file, as text or as a URL has it. */
export type FileAddress = string | { readonly href: string };

/**
 * Plays and searches a game by its module. It makes one search at a time. Words that are no position
 * of the game may be searched without end: only terminate() ends a worker that does.
 */
export class Engine {
  readonly info: EngineInfo;
  /** Whether it has failed, as with positions that do not exist: then only another one helps. */
  readonly failed: boolean;
  private constructor();
  /** Makes an engine of the bytes of a module, or of what lies at its address. */
  static load(
    source: ArrayBuffer | ArrayBufferView | FileAddress, info: EngineInfo,
  ): Promise<Engine>;
  /** Returns the first position of a game; Error if the module has no game with such parameters. */
  start(parameters?: Parameters): Words;
  /** Returns the legal actions, increasing; none where the game is over. */
  legal(position: Words): number[];
  /** Returns the position after an action; Error if it is not legal. */
  play(position: Words, action: number): Words;
  isTerminal(position: Words): boolean;
  /** Returns the player to move; -1 is chance. */
  toMove(position: Words): number;
  /** Returns what a finished game was worth to each player; Error before its end. */
  utilities(position: Words): number[];
  /** Returns the probability of each legal action where chance is to move. */
  probabilities(position: Words): Map<number, number>;
  /** Returns what a player observes, and the shape of it; without a player, who is to move. */
  observe(position: Words, player?: number): { shape: number[]; data: Int32Array };
  /** Returns the position as a player sees it, in games in which not everything is seen. */
  hidden(position: Words, player: number): Words;
  /** Returns what the time to find exact values depends on: see quick and feasible of plans. */
  work(position: Words): number;
  /** Yields what a search has found, better and better. */
  analyse(position: Words, plan: Plan, limits?: Limits): Generator<Found, void, undefined>;
  /** Returns what a search has found at its end. */
  search(position: Words, plan: Plan, limits?: Limits): Found;
  /** Returns the value of each legal action; Error where a search values those of two players only. */
  values(position: Words, plan: Plan, limits?: Limits): Map<number, number>;
}
