// Games to and from text: saved in each format of the game, pasted, or opened from a file.

import { make } from "./dom.js";
import { ask } from "./server.js";

const $ = (name) => document.querySelector(`#analyse-${name}`);
const LONGEST = 50000;

export class GameTexts {
  constructor(screen) {
    this.screen = screen;
    $("texts").addEventListener("toggle", () => this.show());
    $("open").addEventListener("click", () => this.open({ text: $("text").value }));
    $("file").addEventListener("change", () => this.openFile());
  }

  say(text, wrong = false) {
    $("text-said").textContent = text;
    $("text-said").classList.toggle("wrong", wrong);
  }

  /** Offer the line to the end in every format. */
  async show() {
    if (!$("texts").open) return;
    const { game } = this.screen;
    const node = game.here;
    this.say(""); // now, as what is said while the server answers is to stay
    try {
      const { formats } = await ask("/api/texts", game.gameState(node));
      if (node !== game.here) return;
      $("saved").replaceChildren(...formats.flatMap((each) => this.offer(each)));
    } catch (error) {
      $("saved").replaceChildren();
      this.say(error.message, true);
    }
  }

  offer({ format, file, text }) {
    const copy = make("button", { type: "button", textContent: `Copy ${format}` });
    copy.addEventListener("click", async () => {
      $("text").value = text;
      try {
        await navigator.clipboard.writeText(text);
        this.say(`${format} copied`);
      } catch {
        $("text").select();
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
    const [file] = $("file").files;
    if (!file) return;
    if (file.size > LONGEST) this.say(`The file is too large: at most ${LONGEST} characters`, true);
    else {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const characters = Array.from(bytes, (byte) => String.fromCharCode(byte));
      await this.open({ file: btoa(characters.join("")) });
    }
    $("file").value = "";
  }

  /** Look at the game in { text } or { file }: in this tree, or on a page of its own start. */
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
      this.say(error.message, true);
    }
  }
}

/** The address where a line from another start is analysed. */
function addressOf({ game, parameters, set_up, text }) {
  const query = new URLSearchParams(parameters);
  if (set_up) query.set("set_up", set_up);
  return `/game/${game}?${query}#${text ? `moves=${encodeURIComponent(text)}` : "panel=analyse"}`;
}
