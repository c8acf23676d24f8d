// Leads from an address where nothing is to the start of the site. The page may stand for any address,
// so it does not know in which folder of the host the site is: the list of its files tells.

/** @param {URL} folder */
async function isSite(folder) {
  const answer = await fetch(new URL("files.json", folder)).catch(() => null);
  return answer?.ok === true && "adv-envs site" in (await answer.json().catch(() => ({})));
}

async function findStart() {
  const parts = location.pathname.split("/").slice(0, 20);
  while (parts.pop() !== undefined && parts.length) {
    const folder = new URL(`${parts.join("/")}/`, location.origin);
    if (!(await isSite(folder))) continue;
    document.querySelector("a")?.setAttribute("href", folder.href);
    return;
  }
}

await findStart();
export {}; // as a module it may wait
