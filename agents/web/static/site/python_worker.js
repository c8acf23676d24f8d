// Python for the pages of a site: Pyodide's core with the modules that answer, and no other library.
//
// The page sends {id, path, data}; the answer is {id, found} or {id, error}.

const folder = new URL("../../python/", import.meta.url);
const fetchFile = self.fetch;

/**
 * A file that is compressed on the host, as what it is; other files as they are.
 * @param {RequestInfo | URL} request
 * @param {RequestInit} [options]
 */
async function unpacked(request, options) {
  const address = String(request instanceof Request ? request.url : request);
  if (!/\.(wasm|zip)$/.test(address)) return fetchFile(request, options);
  const answer = await fetchFile(`${address}.packed`);
  if (!answer.ok || !answer.body) throw new Error(`${address}.packed: status ${answer.status}`);
  const type = address.endsWith(".wasm") ? "application/wasm" : "application/zip";
  const body = answer.body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(body, { headers: { "Content-Type": type } });
}

async function start() {
  self.fetch = unpacked;
  const { loadPyodide } = await import(new URL("pyodide.mjs", folder).href);
  const python = await loadPyodide({
    indexURL: folder.href,
    stdLibURL: new URL("python.zip", folder).href,
  });
  return python.pyimport("agents.web.site.site_answers").reply;
}

/** @type {Promise<(path: string, text: string) => string>} */
const replies = start();
// An error of the start reaches the page, which says that there is no Python.
replies.catch((error) => setTimeout(() => { throw error; }));

self.addEventListener("message", async ({ data: { id, path, data } }) => {
  const reply = await replies;
  try {
    self.postMessage({ id, ...(path === "ready" ? { found: true } : JSON.parse(reply(path, JSON.stringify(data)))) });
  } catch (error) {
    self.postMessage({ id, error: "the page has failed here; its console says why" });
    console.error(error);
  }
});
