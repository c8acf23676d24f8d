// The dialog that begins a new game: of which size, who plays, and with how much time.

import { queryOf } from "./address.js";
import { find, make } from "./dom.js";
import { Opponents } from "./opponents.js";
import { whoSelect } from "./seats.js";
import { position, wordsOf } from "./server.js";

/** @import { Field, Parameters } from "../messages" */
/** @import { Time } from "./clock.js" */
/** @import { PlayPanel } from "./play.js" */

/**
 * A parameter of the game, and what reads the choice.
 * @typedef {{ name: string, usual: Value, label: HTMLElement, read: () => Value }} Choice
 * @typedef {string | number | boolean} Value
 * @typedef {{ labels: HTMLElement[], read: () => [spec: string, time: Time | null], who: HTMLSelectElement }} Row
 */

export class NewGame {
  /**
   * `onBegin` begins a game of the same size; another size is another page.
   * @param {PlayPanel} panel
   * @param {(specs: string[], times: (Time | null)[]) => void} onBegin
   */
  constructor(panel, onBegin) {
    this.panel = panel;
    this.onBegin = onBegin;
    /** @type {Choice[]} */
    this.fields = [];
    /** @type {Row[]} */
    this.rows = [];
    this.dialog = find("#new-game", HTMLDialogElement);
    this.wrong = find("#new-wrong");
    find("#new-close").addEventListener("click", () => this.dialog.close());
    find("#new-game form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.begin();
    });
  }

  get catalogue() {
    return this.panel.screen.catalogue;
  }

  open() {
    this.wrong.textContent = "";
    const { parameters } = this.panel.screen.game;
    this.fields = this.catalogue.form.map((form) => this.field(form, parameters[form.name] ?? form.usual));
    find("#new-parameters").replaceChildren(...this.fields.map((field) => field.label));
    this.rows = this.panel.seats.specs.map((spec, seat) => this.seat(spec, seat));
    const legend = find("#new-seats legend");
    legend.textContent = "Who plays";
    const opponents = new Opponents(this.catalogue.levels, this.panel.seats.symbols, this.rows.map(({ who }) => who));
    const advanced = make("details", { className: "new-advanced" },
      make("summary", { textContent: "Advanced: each seat, and clocks" }),
      make("div", { className: "new-rows" }, ...this.rows.flatMap((row) => row.labels)));
    const seats = find("#new-seats");
    seats.replaceChildren(legend, ...opponents.elements, advanced);
    find("#new-parameters").before(seats);
    this.dialog.showModal();
  }

  /**
   * @param {Field} field
   * @param {Value} value
   * @returns {Choice}
   */
  field({ name, label: words, about, type, choices, usual }, value) {
    const note = make("small", { className: "muted", id: `new-about-${name}`, textContent: about });
    const described = /** @type {const} */ ({ "aria-describedby": note.id });
    if (type === "bool") {
      const input = make("input", { type: "checkbox", checked: Boolean(value), name, ...described });
      const label = make("div", {}, make("label", { className: "choice" }, input, words), note);
      return { name, usual, label, read: () => input.checked };
    }
    const input = choices
      ? make("select", { name, ...described },
        ...choices.map((n) => make("option", { value: String(n), textContent: String(n) })))
      : make("input", { name, type: type === "str" ? "text" : "number", step: "any", required: true, ...described });
    input.value = String(value);
    const read = () => (type === "str" ? input.value : Number(input.value));
    return { name, usual, label: make("div", {}, make("label", {}, words, input), note), read };
  }

  /**
   * The row of a seat: who plays, and with how much time.
   * @param {string} spec
   * @param {number} seat
   * @returns {Row}
   */
  seat(spec, seat) {
    const symbol = this.panel.seats.symbols[seat];
    const own = this.panel.play.times?.[seat];
    const who = whoSelect(this.catalogue, spec, `${symbol}: who plays`);
    who.querySelector("[value=other]")?.remove();
    const amount = (/** @type {number | undefined} */ value, /** @type {string} */ title) => make("input", {
      type: "number", min: "0", max: "600", step: "any", value: String(value ?? ""), placeholder: "–",
      "aria-label": `${symbol}: ${title}`,
    });
    const minutes = amount(own ? own.main / 60 : undefined, "minutes");
    const increment = amount(own?.increment, "seconds added for each move");
    const read = () => /** @type {[string, Time | null]} */ ([who.value, minutes.value || increment.value
      ? { main: 60 * Number(minutes.value) || Number(increment.value), increment: Number(increment.value) } : null]);
    return {
      labels: [make("label", {}, symbol, who), make("label", {}, "minutes", minutes), make("label", {}, "+ seconds", increment)],
      read,
      who,
    };
  }

  async begin() {
    /** @type {Parameters} */
    const chosen = Object.fromEntries(this.fields.map((field) => [field.name, field.read()]));
    const rows = this.rows.map((row) => row.read());
    const specs = rows.map(([spec]) => spec);
    const times = rows.map(([, time]) => time);
    const { game } = this.panel.screen;
    const changed = this.fields.some(({ name, usual }) => chosen[name] !== (game.parameters[name] ?? usual));
    try {
      if (changed) await position({ game: game.name, parameters: chosen });
    } catch (error) {
      this.wrong.textContent = wordsOf(error);
      return;
    }
    this.dialog.close();
    if (!changed) {
      this.onBegin(specs, times);
      return;
    }
    this.panel.keep(specs, times);
    const unusual = this.fields.filter(({ name, usual }) => chosen[name] !== usual);
    const query = queryOf(Object.fromEntries(unusual.map(({ name }) => [name, chosen[name]])));
    location.assign(`${location.pathname}?${query}`);
  }
}
