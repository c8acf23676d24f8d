// Who sits where: for each seat a person or an agent, which can be changed at any time.

import { timeText } from "./clock.js";
import { make } from "./dom.js";
import { onSite } from "./host.js";
import { keepHere, keptHere } from "./memory.js";

/** @import { Catalogue, Level, State } from "../messages" */
/** @import { Clock, Time } from "./clock.js" */

/**
 * The agents that a game offers, some of them as levels, the weakest first.
 * @typedef {Pick<Catalogue, "opponent" | "agents" | "levels">} Offer
 */

const OTHER = "other";
const MOST_ABOVE = 2; // seats above the board

/**
 * The agents of a game as [label, spec].
 * @param {Offer} catalogue
 * @returns {[label: string, spec: string][]}
 */
export function agentChoices(catalogue) {
  const found = new Map(catalogue.opponent ? [[catalogue.opponent, "usual"]] : []);
  for (const [label, spec] of Object.entries(catalogue.agents)) {
    if (!found.has(spec)) found.set(spec, label);
  }
  return [...found].map(([spec, label]) => [label, spec]);
}

/**
 * What an agent is called, by its spec: "alpha-beta", and the model of a language model.
 * @param {string} spec
 */
export const agentName = (spec) =>
  modelOf(spec) ?? (spec.split("(")[0] ?? "").replaceAll("_", "-");

/** @param {string} spec */
const modelOf = (spec) => /^llm\(model=(['"])(.+?)\1/.exec(spec)?.[2];

/**
 * A list to choose who sits in a seat, with `spec` chosen.
 * @param {Offer} catalogue
 * @param {string} spec
 * @param {string} label
 */
export function whoSelect(catalogue, spec, label) {
  const select = make("select", { "aria-label": label });
  select.append(make("option", { value: "human", textContent: "A person" }));
  const agents = agentChoices(catalogue);
  if (spec !== "human" && !agents.some(([, known]) => known === spec)) agents.push([spec, spec]);
  const group = make("optgroup", { label: "Advanced" });
  for (const [name, value] of agents) {
    const text = name === value ? (modelOf(value) ?? value) : `${agentName(value)} (${name})`;
    group.append(make("option", { value, textContent: text, title: value }));
  }
  if (!onSite) group.append(make("option", { value: OTHER, textContent: "Another agent …" }));
  if (group.children.length) select.append(group);
  select.value = spec;
  return select;
}

/**
 * Offer levels before other agents; an agent that is one is called by its level.
 * @param {HTMLSelectElement} select
 * @param {Level[]} levels
 */
export function offerLevels(select, levels) {
  if (!levels.length) return;
  const { value } = select;
  const group = make("optgroup", { label: "Levels" });
  for (const { number, spec, words } of levels) {
    [...select.options].find((option) => option.value === spec)?.remove();
    group.append(make("option", { value: spec, textContent: `Level ${number}: ${words}`, title: spec }));
  }
  select.querySelector("optgroup")?.before(group);
  select.value = value;
}

/**
 * The row of a seat on the page, above or below the board.
 * @typedef {{ row: HTMLLIElement, clock: HTMLElement, note: HTMLElement }} Row
 */

export class Seats {
  /**
   * Seats stand in the lists `above` and `below` the board.
   * @param {{ above: HTMLElement, below: HTMLElement }} lists
   * @param {Offer} catalogue
   * @param {(seat: number) => void} onChange
   */
  constructor({ above, below }, catalogue, onChange) {
    this.above = above;
    this.below = below;
    /** @type {(spec: string) => boolean} */
    this.isPrepared = () => true; // whether an agent is compiled
    this.catalogue = catalogue;
    this.onChange = onChange;
    /** @type {string[]} */
    this.specs = []; // who sits there: "human", or the spec of an agent
    /** @type {string[]} */
    this.symbols = [];
    /** @type {string[] | null} */
    this.tasks = null; // of each seat, as the board is seen; null before they are known
    /** @type {Row[]} */
    this.rows = [];
  }

  /**
   * Seats for so many players; those that are new get a person first, then the usual opponent, if any.
   * @param {number} number
   */
  resize(number) {
    while (this.specs.length < number) {
      this.specs.push((this.specs.length && this.catalogue.opponent) || "human");
    }
    this.specs.length = number;
  }

  get people() {
    return this.specs.flatMap((spec, i) => (spec === "human" ? [i] : []));
  }

  /** @param {number} seat */
  isPerson(seat) {
    return this.specs[seat] === "human";
  }

  /**
   * Who sits there, in words.
   * @param {number} seat
   */
  nameOf(seat) {
    if (!this.isPerson(seat)) {
      const name = this.opponent(this.specs[seat]);
      const twins = this.specs.filter((spec) => this.opponent(spec) === name).length > 1;
      return twins ? `${this.symbols[seat]} (${name.replace(/ \(.*/, "")})` : name;
    }
    return this.people.length === 1 ? "you" : this.symbols[seat];
  }

  /**
   * What an agent is called that sits here: its level if it is one, as its seat says.
   * @param {string} spec
   */
  opponent(spec) {
    const level = this.catalogue.levels.find((each) => each.spec === spec);
    return level ? `level ${level.number} (${level.words.toLowerCase()})` : agentName(spec);
  }

  /**
   * Make the rows, for a game with these sides and tasks.
   * @param {Pick<State, "sides" | "tasks">} state
   */
  draw({ sides, tasks }) {
    this.symbols = sides;
    this.tasks = tasks;
    this.rows = sides.map((side, seat) => this.row(side, tasks[seat], seat));
    this.note();
  }

  /**
   * Put the seat of the side below the board there, and the others above it: many of them folded,
   * so that the board keeps its room.
   * @param {number} seat
   */
  place(seat) {
    const rows = this.rows.map(({ row }) => row);
    const [own] = rows.splice(seat, 1);
    if (this.below.firstElementChild === own) return;
    this.below.replaceChildren(own);
    this.above.replaceChildren(...(rows.length > MOST_ABOVE ? [folded(rows)] : rows));
  }

  /** Say at the seats of agents that are being compiled that they are. */
  note() {
    for (const [seat, { note }] of this.rows.entries()) {
      note.textContent = this.isPrepared(this.specs[seat]) ? "" : "Preparing, once …";
    }
  }

  /**
   * @param {string} symbol
   * @param {string | undefined} task
   * @param {number} seat
   * @returns {Row}
   */
  row(symbol, task, seat) {
    const who = make("span", { className: `side-name ${symbol.toLowerCase()}` }, symbol);
    if (task) who.append(make("small", { textContent: task }));
    const select = whoSelect(this.catalogue, this.specs[seat], `Who plays ${symbol}`);
    offerLevels(select, this.catalogue.levels);
    select.addEventListener("change", () => this.choose(seat, select));
    const clock = make("span", { className: "clock", role: "timer", "aria-label": `Time of ${symbol}` });
    const note = make("small", { className: "preparing" });
    return { row: make("li", { className: "seat", "data-seat": seat }, who, select, note, clock), clock, note };
  }

  /**
   * @param {number} seat
   * @param {HTMLSelectElement} select
   */
  choose(seat, select) {
    if (select.value !== OTHER) {
      this.set(seat, select.value);
      return;
    }
    const input = make("input", {
      placeholder: "alpha_beta(depth=4)", "aria-label": "The agent, as adv-envs writes it",
      spellcheck: false, autocapitalize: "off",
    });
    input.addEventListener("change", () => this.set(seat, input.value.trim() || "human"));
    select.after(input);
    input.focus();
  }

  /**
   * @param {number} seat
   * @param {string} spec
   */
  set(seat, spec) {
    this.specs[seat] = spec;
    this.onChange(seat);
  }

  /**
   * Say whose turn it is, and what the clocks say.
   * @param {number | null} toMove
   * @param {Clock} clock
   */
  mark(toMove, clock) {
    for (const [seat, { row }] of this.rows.entries()) {
      if (seat === toMove) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
    this.markTimes(clock);
    this.note();
  }

  /** @param {Clock} clock */
  markTimes(clock) {
    for (const [seat, { clock: shown }] of this.rows.entries()) {
      const left = clock.of(seat);
      shown.textContent = left === null ? "" : timeText(left);
      shown.classList.toggle("low", left !== null && left < 20_000);
    }
  }
}

/**
 * Seats as one row, which opens.
 * @param {HTMLLIElement[]} rows
 */
function folded(rows) {
  const summary = make("summary", { textContent: `${rows.length} other players` });
  return make("li", {}, make("details", {}, summary, make("ul", { className: "seats" }, ...rows)));
}

/**
 * Keep who sits where, and the clocks, until the page is closed.
 * @param {string} game
 * @param {string[]} specs
 * @param {(Time | null)[] | null} times
 */
export function keepSeats(game, specs, times) {
  keepHere(`seats of ${game}`, JSON.stringify({ specs, times }));
}

/**
 * What was kept of a game, or null.
 * @param {string} game
 * @returns {{ specs: string[], times: (Time | null)[] | null } | null}
 */
export function keptSeats(game) {
  try {
    const { specs, times } = JSON.parse(keptHere(`seats of ${game}`) ?? "{}");
    return Array.isArray(specs) ? { specs: specs.map(String), times: times ?? null } : null;
  } catch {
    return null;
  }
}
