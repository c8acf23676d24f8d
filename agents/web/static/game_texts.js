// Games to and from text: saved in each format of the game, pasted, or opened from a file.

import { queryOf } from "./address.js";
import { finder, make } from "./dom.js";
import { ask, wordsOf } from "./server.js";

/** @import { Line, SavedText } from "../messages" */
/** @import { Screen } from "./screen.js" */

const $ = finder("analyse-");
const LONGEST = 50000;

export class GameTexts {
  /** @param {Screen} screen */
  constructor(screen) {
    this.screen = screen;
    this.details = $("texts", HTMLDetailsElement);
    this.text = $("text", HTMLTextAreaElement);
    this.file = $("file", HTMLInputElement);
    this.details.addEventListener("toggle", () => this.show());
    $("open").addEventListener("click", () => this.open({ text: this.text.value }));
    this.file.addEventListener("change", () => this.openFile());
  }

  /** @param {string} text */
  say(text, wrong = false) {
    $("text-said").textContent = text;
    $("text-said").classList.toggle("wrong", wrong);
  }

  /** Offer the line to the end in every format. */
  async show() {
    if (!this.details.open) return;
    const { game } = this.screen;
    const node = game.here;
    this.say(""); // now, as what is said while the server answers is to stay
    try {
      const { formats } = await ask("/api/texts", game.gameState(node));
      if (node !== game.here) return;
      $("saved").replaceChildren(...formats.flatMap((each) => this.offer(each)));
    } catch (error) {
      $("saved").replaceChildren();
      this.say(wordsOf(error), true);
    }
  }

  /** @param {SavedText} saved */
  offer({ format, file, text }) {
    const copy = make("button", { type: "button", textContent: `Copy ${format}` });
    copy.addEventListener("click", async () => {
      this.text.value = text;
      try {
        await navigator.clipboard.writeText(text);
        this.say(`${format} copied`);
      } catch {
        this.text.select();
        this.say("The browser does not let the page copy: the text is below");
      }
    });
    const save = make("button", { type: "button", textContent: `Save ${format}` });
    save.addEventListener("click", () => {
      const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
      make("a", { href: address, download: file }).click();
      setTimeout(() => URL.revokeObjectURL(address), 10000);
    });
    return [copy, save];
  }

  async openFile() {
    const file = this.file.files?.[0];
    if (!file) return;
    if (file.size > LONGEST) this.say(`The file is too large: at most ${LONGEST} characters`, true);
    else {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const characters = Array.from(bytes, (byte) => String.fromCharCode(byte));
      await this.open({ file: btoa(characters.join("")) });
    }
    this.file.value = "";
  }

  /**
   * Look at the game in { text } or { file }: in this tree, or on a page of its own start.
   * @param {{ text: string } | { file: string }} given
   */
  async open(given) {
    const { game } = this.screen;
    try {
      const found = await ask("/api/line", { ...game.gameState(game.root), ...given });
      const usual = { ...this.screen.catalogue.parameters, ...game.parameters };
      const same = found.set_up === game.setUp
        && Object.entries(found.parameters).every(([key, value]) => usual[key] === value);
      if (same) {
        game.go(game.follow(found.line, found.moves));
        this.say(`${found.line.length} moves`);
      } else location.assign(addressOf(found));
    } catch (error) {
      this.say(wordsOf(error), true);
    }
  }
}

/**
 * The address where a line from another start is analysed.
 * @param {Line} line
 */
function addressOf({ game, parameters, set_up, text }) {
  const query = queryOf(parameters);
  if (set_up) query.set("set_up", set_up);
  return `/game/${game}?${query}#${text ? `moves=${encodeURIComponent(text)}` : "panel=analyse"}`;
}
