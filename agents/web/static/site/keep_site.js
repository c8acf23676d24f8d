// Keeps the site for when there is no connection: a page that imports this has all that it needs now.

const root = new URL("../../", import.meta.url);

async function keepSite() {
  if (!("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register(new URL("service_worker.js", root), { scope: root.href });
}

await keepSite().catch((error) => console.warn("the site is not kept for when there is no connection:", error));
