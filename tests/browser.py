"""A real browser without a window, for those who look at pages: tests, and scripts in docs/."""

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


PATIENCE = 120_000
"""Milliseconds that a page may take for anything: only what never happens is too late."""


class NoBrowserError(Exception):
    """There is none; it says what to install."""


@contextmanager
def open_chromium():
    """Chromium, driven by Playwright, until the block is left; NoBrowserError without them."""
    try:
        from playwright.sync_api import expect, sync_playwright
    except ImportError:
        raise NoBrowserError("needs playwright: pip install playwright") from None
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        raise NoBrowserError("needs Chromium: apt-get install chromium")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=program, args=list(FLAGS), chromium_sandbox=False
        )
        yield found
        found.close()


@contextmanager
def open_page(chromium, *, harmless="nothing", **options):
    """A page of a browser that remembers nothing.

    An exception of its scripts fails the test, and so does an error in its console, unless it
    contains the text ``harmless``.
    """
    context = chromium.new_context(**options)
    context.set_default_timeout(PATIENCE)
    page, errors = context.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    yield page
    context.close()
    errors = [error for error in errors if harmless not in error]
    assert not errors, errors


def size(page, width, dark, height=900):
    """Make the window so many pixels wide, in light or dark colours."""
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme="dark" if dark else "light")


def run(page, script, *arguments):
    """What the body of a function returns, which finds its ``arguments`` by that name."""
    return page.evaluate(
        f"(given) => (function () {{ {script} }}).apply(null, given)", list(arguments)
    )


def widths(page):
    """The room that the page has, and what it takes."""
    return run(page, "const e = document.documentElement; return [e.clientWidth, e.scrollWidth]")


def background(page):
    """The colour of the page."""
    return run(page, "return getComputedStyle(document.body).backgroundColor")


def find(page, selector):
    """The elements of a selector."""
    return page.query_selector_all(selector)


def click(page, selector):
    """Click what the selector finds first, wherever on the page it is."""
    run(page, "document.querySelector(arguments[0]).click()", selector)


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


def pale_texts(page):
    """Texts with less contrast than WCAG 2 asks for (4.5, criterion 1.4.3), SVG aside."""
    found = run(
        page,
        COLOURS
        + """
        const found = [];
        for (const e of document.querySelectorAll("body :not(svg *, script)")) {
          if (![...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
          found.push([hex(getComputedStyle(e).color), hex(ground(e)), e.textContent]);
        }
        return found;
        """,
    )
    return [(text, ink, paper) for ink, paper, text in found if contrast(ink, paper) < 4.5]


def marks_of_bars(page):
    """For each mark on the bars of a report card: its colour, its outline's, and those below."""
    return run(
        page,
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
        """,
    )
