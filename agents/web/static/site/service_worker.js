// Keeps the files of a site, so that all games can be played without a connection after the first
// visit. A site that was built anew has another digest: it is kept as a whole, then the old one goes.

/**
 * What types of pages do not know: how a worker says what it waits for.
 * @typedef {Event & { waitUntil(work: Promise<unknown>): void }} Lasting
 * @typedef {Event & { request: Request, respondWith(answer: Promise<Response>): void }} Asked
 * @typedef {{
 *   registration: { scope: string }, clients: { claim(): Promise<void> },
 *   addEventListener(type: "install" | "activate", listener: (event: Lasting) => void): void,
 *   addEventListener(type: "fetch", listener: (event: Asked) => void): void,
 * }} Keeper
 */

const keeper = /** @type {Keeper} */ (/** @type {unknown} */ (self));
const DIGEST = "DIGEST"; // of the contents; written when the site is built
const CACHE = `adv-envs ${keeper.registration.scope} ${DIGEST}`;
const OURS = `adv-envs ${keeper.registration.scope} `;

async function keepFiles() {
  const list = await fetch("files.json", { cache: "no-cache" });
  /** @type {string[]} */
  const files = (await list.json()).files;
  const cache = await caches.open(CACHE);
  // hosts let browsers use a file again for a while without asking: the one of an older site
  await cache.addAll(files.map((name) => new Request(name, { cache: "no-cache" })));
}

async function forgetOthers() {
  for (const name of await caches.keys()) {
    if (name.startsWith(OURS) && name !== CACHE) await caches.delete(name);
  }
  await keeper.clients.claim();
}

/** @param {Request} request */
async function answer(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept) return kept;
  if (request.mode === "navigate") {
    const folder = folderOf(request.url);
    if (await cache.match(folder, { ignoreSearch: true })) return Response.redirect(folder.href);
  }
  return fetch(request);
}

/**
 * The folder of a page, by which it is kept: hosts, too, lead there, as its addresses are relative.
 * @param {string} page
 */
function folderOf(page) {
  const folder = new URL(page);
  folder.pathname = folder.pathname.replace(/\/(index\.html)?$/, "").concat("/");
  return folder;
}

keeper.addEventListener("install", (event) => event.waitUntil(keepFiles()));
keeper.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
keeper.addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});
