// Python for the pages of a site: Pyodide's core with the modules that answer, and no other library.
//
// The page sends {id, path, data}; the answer is {id, found} or {id, error}. {failed} says that there will
// be no answers, and why.

const folder = new URL("../../python/", import.meta.url);
const fetchFile = self.fetch;

/** Files that are compressed on the host, with what they are. */
const PACKED = { "pyodide.asm.wasm": "application/wasm", "python.zip": "application/zip" };

/**
 * A compressed file as what it is; throws Error if it is not there.
 * @param {string} name
 * @param {string} type
 */
async function unpacked(name, type) {
  const answer = await fetchFile(new URL(`${name}.packed`, folder));
  if (!answer.ok || !answer.body) throw new Error(`${name}.packed: status ${answer.status}`);
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": type } });
}

async function start() {
  const begun = Object.entries(PACKED).map(([name, type]) => unpacked(name, type));
  const names = Object.keys(PACKED).map((name) => new URL(name, folder).href);
  const found = await Promise.all(begun); // their contents are still being read
  self.fetch = async (request, options) => {
    const known = found[names.indexOf(String(request instanceof Request ? request.url : request))];
    return known ?? fetchFile(request, options);
  };
  const { loadPyodide } = await import(new URL("pyodide.mjs", folder).href);
  const python = await loadPyodide({ indexURL: folder.href, stdLibURL: names[1] });
  return python.pyimport("agents.web.site.site_answers").reply;
}

/** @type {Promise<(path: string, text: string) => string>} */
const replies = start();
replies.catch((error) => self.postMessage({ failed: String(error) }));

self.addEventListener("message", async ({ data: { id, path, data } }) => {
  const reply = await replies.catch(() => null);
  if (!reply) return; // the page knows
  try {
    self.postMessage({ id, ...(path === "ready" ? { found: true } : JSON.parse(reply(path, JSON.stringify(data)))) });
  } catch (error) {
    self.postMessage({ id, error: "the page has failed here; its console says why" });
    console.error(error);
  }
});
