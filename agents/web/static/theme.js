// Light or dark as was chosen before. It runs before the page is drawn, so that nothing flashes.

try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // a browser that keeps nothing: as the system says
}

// Within another page, such as one of the manual, it is the board alone.
if (window.parent !== window) document.documentElement.dataset.framed = "";
