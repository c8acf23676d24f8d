"""A real browser without a window, for those who look at pages: tests, and docs/make_gallery.py."""

import shutil
from contextlib import contextmanager

from adv_envs.pictures.palette import contrast

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    # nothing of its own over the network
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class NoBrowserError(Exception):
    """There is none; it says what to install."""


@contextmanager
def open_browser():
    """Chromium, driven by selenium, until the block is left; NoBrowserError without them."""
    try:
        from selenium import webdriver
    except ImportError:
        raise NoBrowserError("needs selenium: pip install selenium") from None
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    driver = shutil.which("chromedriver")
    if chromium is None or driver is None:
        raise NoBrowserError(
            "needs Chromium and its driver: apt-get install chromium chromium-driver"
        )
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    try:
        yield browser
    finally:
        browser.quit()


def size(browser, width, dark, height=900, scale=1):
    """Make the window so many pixels wide, on a screen of ``scale``, in light or dark colours."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})


def widths(browser):
    """The room that the page has, and what it takes."""
    return browser.execute_script(
        "const e = document.documentElement; return [e.clientWidth, e.scrollWidth]"
    )


def background(browser):
    """The colour of the page."""
    return browser.execute_script("return getComputedStyle(document.body).backgroundColor")


def find(browser, selector):
    """The elements of a selector."""
    return browser.find_elements("css selector", selector)


def click(browser, selector):
    """Click what the selector finds first, wherever on the page it is."""
    browser.execute_script("document.querySelector(arguments[0]).click()", selector)


COLOURS = """
const parts = (colour) => {
  const numbers = colour.match(/[\\d.]+/g).map(Number);
  return colour.startsWith("color(") ? numbers.map((n, i) => (i < 3 ? 255 * n : n)) : numbers;
};
const hex = (colour) => "#" + parts(colour).slice(0, 3)
  .map((n) => Math.round(n).toString(16).padStart(2, "0")).join("");
const ground = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor;
    if ((parts(colour)[3] ?? 1) === 1) return colour;
  }
  return "rgb(255, 255, 255)";
};
"""


def pale_texts(browser):
    """Texts with less contrast than WCAG 2 asks for (4.5, criterion 1.4.3), SVG aside."""
    found = browser.execute_script(
        COLOURS
        + """
        const found = [];
        for (const e of document.querySelectorAll("body :not(svg *, script)")) {
          if (![...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
          found.push([hex(getComputedStyle(e).color), hex(ground(e)), e.textContent]);
        }
        return found;
        """
    )
    return [(text, ink, paper) for ink, paper, text in found if contrast(ink, paper) < 4.5]


def marks_of_bars(browser):
    """For each mark on the bars of a report card: its colour, its outline's, and those below."""
    return browser.execute_script(
        COLOURS
        + """
        return [...document.querySelectorAll(".bar")].flatMap((bar) => {
          const below = [bar, bar.querySelector(".fill")]
            .map((e) => hex(getComputedStyle(e).backgroundColor));
          return [...bar.querySelectorAll(".random, .interval")].map((e) => {
            const style = getComputedStyle(e);
            const outline = style.boxShadow.match(/^(rgb|color)[^)]*\\)/)?.[0];
            return [hex(style.backgroundColor), hex(outline ?? style.backgroundColor), below];
          });
        });
        """
    )
