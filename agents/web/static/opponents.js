// Choosing an opponent by a level, and which side a person plays, in place of agents for each seat.

import { make } from "./dom.js";
import { offerLevels } from "./seats.js";

/** @import { Level } from "../messages" */

const PERSON = "human";

/**
 * A group of buttons of which one at most is chosen.
 * @param {string} name
 * @param {{ value: string, text: string, title?: string }[]} choices
 * @param {(value: string) => void} onChoose
 */
function radios(name, choices, onChoose) {
  const group = make("div", { className: "new-choices", role: "radiogroup", "aria-label": name });
  for (const { value, text, title = "" } of choices) {
    const input = make("input", { type: "radio", name: `new-${name}`, value });
    input.addEventListener("change", () => onChoose(value));
    group.append(make("label", { title }, input, make("span", { textContent: text })));
  }
  return group;
}

/**
 * Choose one of a group, or none.
 * @param {HTMLElement} group
 * @param {string | undefined} value
 */
function check(group, value) {
  for (const input of group.querySelectorAll("input")) input.checked = input.value === value;
}

export class Opponents {
  /**
   * `selects` say who plays in each seat: what is chosen here is written there, and what is chosen there is
   * shown here.
   * @param {Level[]} levels
   * @param {string[]} sides
   * @param {HTMLSelectElement[]} selects
   */
  constructor(levels, sides, selects) {
    this.levels = levels;
    this.selects = selects;
    for (const select of selects) offerLevels(select, levels);
    const people = [{ value: "all", text: sides.length > 2 ? "All are people" : "Two people" },
      { value: "none", text: "Only watch" }];
    this.who = radios("You play", [...sides.map((text, seat) => ({ value: String(seat), text })), ...people],
      (value) => this.sit(value));
    this.level = radios("Level", levels.map(({ number, words, elo }) => ({
      value: String(number), text: String(number),
      title: elo === null ? words : `${words}: ${Math.round(elo)} Elo above random moves`,
    })), (value) => this.play(Number(value)));
    this.words = make("span", { className: "muted", role: "status" });
    for (const select of selects) select.addEventListener("change", () => this.show());
    this.show();
  }

  get elements() {
    const choose = (/** @type {string} */ text, /** @type {HTMLElement[]} */ ...parts) =>
      make("div", { className: "new-group" }, make("strong", { textContent: text }), ...parts);
    const level = this.levels.length > 1 ? [choose("Level", this.level, this.words)] : [];
    return [choose("You play", this.who), ...level];
  }

  /** The level of the first seat of an agent, if it has one. */
  get chosen() {
    const spec = this.selects.map(({ value }) => value).find((value) => value !== PERSON);
    return this.levels.find((level) => level.spec === spec);
  }

  /**
   * Take a seat, or all of them, or none; the other seats have the opponent that there was, or a middle level.
   * @param {string} value
   */
  sit(value) {
    const others = this.selects.map((select) => select.value).filter((spec) => spec !== PERSON);
    const usual = others[0] ?? this.levels[Math.floor(this.levels.length / 2)]?.spec ?? PERSON;
    this.selects.forEach((select, seat) => {
      if (value === "all" || value === String(seat)) select.value = PERSON;
      else if (select.value === PERSON) select.value = usual;
    });
    this.show();
  }

  /**
   * All agents play on this level; where there are none yet, a person keeps the first seat.
   * @param {number} number
   */
  play(number) {
    const level = this.levels.find((each) => each.number === number);
    const allPeople = this.selects.every(({ value }) => value === PERSON);
    this.selects.forEach((select, seat) => {
      if (level && (select.value !== PERSON || (allPeople && seat))) select.value = level.spec;
    });
    this.show();
  }

  show() {
    const people = this.selects.flatMap(({ value }, seat) => (value === PERSON ? [String(seat)] : []));
    const one = people.length === 1 ? people[0] : undefined;
    check(this.who, people.length ? (people.length === this.selects.length ? "all" : one) : "none");
    const level = this.chosen;
    check(this.level, level && String(level.number));
    this.words.textContent = level ? level.words : "";
  }
}
