// The arrows that open parts of the menu have no text; name them for those who hear the page.
for (const arrow of document.querySelectorAll("nav summary")) {
  const part = arrow.closest("li")?.querySelector("a")?.textContent.trim();
  if (!arrow.textContent.trim() && part) arrow.setAttribute("aria-label", `Pages of ${part}`);
}
