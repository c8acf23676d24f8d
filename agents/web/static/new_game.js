// The dialog that begins a new game: of which size, who plays, and with how much time.

import { find, make } from "./dom.js";
import { whoSelect } from "./seats.js";
import { position } from "./server.js";

export class NewGame {
  /** onBegin(specs, times) begins a game of the same size; another size is another page. */
  constructor(panel, onBegin) {
    Object.assign(this, { panel, onBegin });
    this.dialog = find("#new-game");
    this.wrong = find("#new-wrong");
    find("#new-close").addEventListener("click", () => this.dialog.close());
    this.dialog.querySelector("form").addEventListener("submit", (event) => {
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
    this.fields = this.forms().map((form) => this.field(form, parameters[form.name] ?? form.usual));
    find("#new-parameters").replaceChildren(...this.fields.map((field) => field.label));
    const seats = this.panel.seats.specs.map((spec, seat) => this.seat(spec, seat));
    this.rows = seats;
    const legend = find("#new-seats legend");
    find("#new-seats").replaceChildren(legend, ...seats.flatMap((row) => row.labels));
    this.dialog.showModal();
  }

  /** What can be chosen of the game. */
  forms() {
    if (this.catalogue.form) return this.catalogue.form;
    return Object.entries(this.catalogue.parameters).map(([name, usual]) =>
      ({ name, usual, type: { boolean: "bool", number: "float" }[typeof usual] ?? "str" }));
  }

  field({ name, type, choices, usual }, value) {
    const words = name.replaceAll("_", " ");
    if (type === "bool") {
      const input = make("input", { type: "checkbox", checked: value, name });
      return { name, usual, label: make("label", { className: "choice" }, input, words), read: () => input.checked };
    }
    const input = choices
      ? make("select", { name }, ...choices.map((n) => make("option", { value: n, textContent: n })))
      : make("input", { name, type: type === "str" ? "text" : "number", step: "any", required: true });
    input.value = value;
    const read = () => (type === "str" ? input.value : Number(input.value));
    return { name, usual, label: make("label", {}, words, input), read };
  }

  seat(spec, seat) {
    const symbol = this.panel.seats.symbols[seat];
    const own = this.panel.times?.[seat];
    const who = whoSelect(this.catalogue, spec, `${symbol}: who plays`);
    who.querySelector("[value=other]").remove();
    const amount = (value, title) => make("input", {
      type: "number", min: 0, max: 600, step: "any", value: value ?? "", placeholder: "–", "aria-label": `${symbol}: ${title}`,
    });
    const minutes = amount(own && own.main / 60, "minutes");
    const increment = amount(own?.increment, "seconds added for each move");
    return {
      labels: [make("label", {}, symbol, who), make("label", {}, "minutes", minutes), make("label", {}, "+ seconds", increment)],
      read: () => [who.value, minutes.value || increment.value
        ? { main: 60 * Number(minutes.value) || Number(increment.value), increment: Number(increment.value) } : null],
    };
  }

  async begin() {
    const chosen = Object.fromEntries(this.fields.map((field) => [field.name, field.read()]));
    const rows = this.rows.map((row) => row.read());
    const specs = rows.map(([spec]) => spec);
    const times = rows.map(([, time]) => time);
    const { game } = this.panel.screen;
    const changed = this.fields.some(({ name, usual }) => chosen[name] !== (game.parameters[name] ?? usual));
    try {
      if (changed) await position({ game: game.name, parameters: chosen });
    } catch (error) {
      this.wrong.textContent = error.message;
      return;
    }
    this.dialog.close();
    if (!changed) {
      this.onBegin(specs, times);
      return;
    }
    this.panel.keep(specs, times);
    const query = this.fields.filter(({ name, usual }) => chosen[name] !== usual)
      .map(({ name }) => [name, chosen[name]]);
    location.assign(`${location.pathname}?${new URLSearchParams(query)}`);
  }
}
