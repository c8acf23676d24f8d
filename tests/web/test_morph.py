"""What a page becomes when it is drawn anew: elements that stay are the same ones as before."""

from pathlib import Path

import pytest

import agents.web

HOME = "http://morph.test/"
PAGE = """<!doctype html><html lang="en"><title>Morph</title><link rel="icon" href="data:,">
<div id="here"></div>
<script type="module">
import { morph } from "./morph.js";
window.draw = (html) => {
  const fresh = document.createElement("div");
  fresh.id = "here";
  fresh.innerHTML = html;
  morph(document.querySelector("#here"), fresh);
};
window.number = () => [...document.querySelectorAll("#here *")].forEach((each, i) => {
  each.number = i;
});
window.numbers = () => [...document.querySelectorAll("#here *")].map((each) => each.number ?? null);
document.body.dataset.ready = "";
</script></html>"""


@pytest.fixture
def page(browser):
    """A page with ``draw``, which draws it anew, and numbers by which elements are known again."""
    script = (Path(agents.web.__file__).parent / "static" / "morph.js").read_text("utf-8")

    def serve(route):
        if route.request.url == HOME:
            route.fulfill(body=PAGE, content_type="text/html")
        else:
            route.fulfill(body=script, content_type="text/javascript")

    browser.route(HOME + "**", serve)
    browser.goto(HOME)
    browser.wait_for_selector("[data-ready]", state="attached")
    return browser


def drawn(page, before, after):
    """The numbers of the elements after both were drawn, None for new ones; and what is there."""
    page.evaluate("html => { draw(html); number(); }", before)
    page.evaluate("html => draw(html)", after)
    return page.evaluate("numbers()"), page.evaluate("document.querySelector('#here').innerHTML")


@pytest.mark.parametrize(
    ("before", "after", "numbers"),
    [
        ("<p>a</p><p>b</p>", "<p>a</p><p>c</p>", [0, 1]),
        ("<p>a</p>", "<p>a</p>text<b>new</b>", [0, None]),
        ("<p>a</p><b>c</b>", "<b>c</b>", [1]),
        # by id or data-key, in another order and with others between them
        ('<p id="a"></p><p id="b"></p>', '<p id="b"></p><p id="a"></p>', [1, 0]),
        (
            '<i data-key="1"></i><i data-key="2"></i><i data-key="3"></i>',
            '<i data-key="3"></i>, <i data-key="4"></i><i data-key="1"></i>',
            [2, None, 0],
        ),
        ('<i data-key="1"></i>', '<b data-key="1"></b>', [None]),
        ('<i data-key="1"></i><i></i>', "<i></i>", [1]),
        ('<i></i><i data-key="1"></i>', '<i data-key="1"></i><i></i>', [1, 0]),
        (
            '<ul><li data-key="a"><b>1</b></li><li data-key="b"><b>2</b></li></ul>',
            '<ul><li data-key="b"><b>3</b></li><li data-key="a"><b>1</b></li></ul>',
            [0, 3, 4, 1, 2],
        ),
    ],
)
def test_what_stays_is_the_same_element(page, before, after, numbers):
    assert drawn(page, before, after) == (numbers, after)


def test_any_list_becomes_any_other(page):
    wrong = page.evaluate("""() => {
      let seed = 5;
      const below = (n) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
      const some = () => [..."abcdefg"].sort(() => below(3) - 1).slice(below(8)).map((key) => [
        `<i data-key="${key}">${below(9)}</i>`, `<i>${below(9)}</i>`, `${key} `,
      ][below(3)]).join("");
      for (let i = 0; i < 500; i += 1) {
        const html = some();
        draw(html);
        const found = document.querySelector("#here").innerHTML;
        if (found !== html) return [html, found];
      }
      return null;
    }""")
    assert wrong is None


def test_the_focus_stays_where_it_is(page):
    before = '<button data-key="a">a</button><button data-key="b">b</button>'
    page.evaluate("html => draw(html)", before)
    page.locator("[data-key=b]").focus()
    page.evaluate("html => draw(html)", '<p>news</p><button data-key="b">B</button>')
    assert page.evaluate("document.activeElement.textContent") == "B"


def test_what_is_kept_is_left_alone(page):
    numbers, html = drawn(page, "<p data-kept>a</p>", "<p data-kept>b</p>")
    assert (numbers, html) == ([0], '<p data-kept="">a</p>')
