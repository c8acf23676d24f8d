"""Make the pictures in docs/browser.md, from the page that ``adv-envs serve`` shows.

    python docs/make_screens.py
    python docs/make_screens.py --only tree --out /tmp/pictures
    python docs/make_screens.py --boards --out /tmp/boards

The last one writes the boards of eight games on phones, tablets, laptops and large screens, light
and dark, and a sheet of each width with all of them, to be looked at.

Starts the server, goes to each screen in Chromium, without a window, does there what a person
would do, and writes what is seen as PNG. A screen that cannot be made ends the script with an
error. Needs the extra `browser`, and `apt-get install chromium`.
"""

from __future__ import annotations

import argparse
import io
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from PIL import Image

from adv_envs.registry import start_position

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browser import NoBrowserError, open_chromium  # noqa: E402
from local_page import Site  # noqa: E402
from make_gallery import save  # noqa: E402

SCALE = 1.5
"""Pixels of a picture for one of the page."""
LARGEST = 150_000
"""Bytes of a picture."""
PATIENCE = 180_000
"""The longest time that anything is waited for, in ms; searches may have to be compiled."""
MATCH = "connect_four#moves=443225443536"
"""A game that is analysed."""
AGENTS = ("random", "alpha_beta(depth=1)", "alpha_beta(depth=2)", "alpha_beta(depth=4)")
"""Those of the tournament that is followed."""
PLAYED = "connect_four.db"
"""The file of that tournament."""


BOARDS = "tic_tac_toe", "connect_four", "hex", "chess", "go", "backgammon", "kalah", "leduc"
"""The games whose boards are seen at all widths."""
SIZES = {390: 844, 820: 1180, 1280: 800, 1920: 1080}
"""The widths, and the heights that go with them."""
PLIES = 6
"""Random moves on these boards, of games without chance."""
THUMB, ACROSS = 480, 4
"""The width of a picture on a sheet, and how many are in a row."""


class Screen(NamedTuple):
    """A picture: where it is, what is done there first, and on what it is seen."""

    path: str
    steps: Callable[[Any], None]
    width: int = 1200
    height: int = 820
    dark: bool = False


def front_page(page: Any) -> None:
    """All games."""
    page.locator(".games svg").first.wait_for()


def moves(*names: str) -> Callable[[Any], None]:
    """Moves against the agent that the page offers, which answers each of them."""

    def play(page: Any) -> None:
        for name in names:
            page.locator(f'.target.next[aria-label="{name}"]').first.click()
            page.locator(".target.next").first.wait_for(state="attached")
        page.mouse.move(0, 0)

    return play


def analysis(page: Any) -> None:
    """The values of all moves, and the curve of the game."""
    open_panel(page, "analyse")
    page.locator("#analyse-values td").first.wait_for()
    page.locator("#analyse-review").click()
    page.locator("#analyse-summary:visible").wait_for()
    page.get_by_role("button", name="Review the game", disabled=False).wait_for()
    page.wait_for_timeout(5000)
    page.locator("#analyse-values td").first.wait_for()


def tree(page: Any) -> None:
    """The tree of a search, some steps on."""
    open_panel(page, "tree")
    page.get_by_role("button", name="Draw the tree").click()
    page.locator("#tree-view svg").wait_for()
    slider = page.locator("#tree-slider")
    slider.evaluate("(e) => { e.value = e.max * 0.6; e.dispatchEvent(new Event('input')); }")


def puzzle(page: Any) -> None:
    """A puzzle that is not solved yet."""
    open_panel(page, "puzzle")
    page.locator(".target.next").first.wait_for(state="attached")


def tournament(page: Any) -> None:
    """The table of a tournament."""
    page.locator("#shown table").first.wait_for()


def open_panel(page: Any, name: str) -> None:
    """Open one of the panels beside the board."""
    page.locator("#board svg :is(rect, circle)").first.wait_for(state="attached")
    page.locator(f"[role=tab][data-panel={name}]").click()
    page.locator(f"#{name}").wait_for()


SCREENS = {
    "games": Screen("/", front_page),
    "play": Screen("/game/connect_four", moves("4", "3", "5")),
    "analyse": Screen(f"/game/{MATCH}", analysis, height=1160),
    "tree": Screen("/game/tic_tac_toe#moves=b2%20a1%20c3%20a3", tree),
    "puzzle": Screen("/game/connect_four", puzzle, dark=True),
    "follow": Screen("/follow/0", tournament, dark=True),
    "phone": Screen("/game/hex?size=5", moves("c3", "b4"), 390, 844),
}


def main() -> None:
    """Write all of them, or one."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "images", help="the folder")
    parser.add_argument("--only", choices=sorted(SCREENS), help="just this one")
    parser.add_argument("--boards", action="store_true", help="eight games at all widths")
    options = parser.parse_args()
    if options.boards and options.out == parser.get_default("out"):
        parser.error("--boards needs --out: these pictures are to be looked at, not kept")
    options.out = options.out.resolve()
    try:
        options.out.mkdir(parents=True, exist_ok=True)
        if options.boards:
            with open_chromium() as browser, Site() as site:
                write_boards(browser, site, options.out)
            return
        with tempfile.TemporaryDirectory() as folder, open_chromium() as browser:
            played = play_tournament(Path(folder)) if options.only in (None, "follow") else []
            with chdir(folder), Site(*played) as site:
                for name, screen in SCREENS.items():
                    if options.only in (None, name):
                        path = options.out / f"browser_{name}.png"
                        save(seen(browser, site, screen), path)
                        if path.stat().st_size > LARGEST:
                            sys.exit(f"make_screens: {path} is larger than {LARGEST} bytes")
    except (NoBrowserError, OSError) as error:
        sys.exit(f"make_screens: {error}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"make_screens: this failed: {' '.join(map(str, error.cmd))}")


def write_boards(browser: Any, site: Site, out: Path) -> None:
    """Write every board at every width, light and dark, and a sheet for each of these."""
    for width, height in SIZES.items():
        for dark in (False, True):
            pictures = []
            for game in BOARDS:
                screen = Screen(path_of(game), board, width, height, dark)
                pictures.append(seen(browser, site, screen, scale=1))
                kind = f"{width}_{'dark' if dark else 'light'}"
                pictures[-1].save(out / f"{game}_{kind}.png")
            sheet(pictures).save(out / f"sheet_{kind}.png")


def path_of(name: str) -> str:
    """The page of a game, some moves on where there is no chance."""
    rng, position, names = random.Random(1), start_position(name), []
    while len(names) < PLIES and not position.has_chance:
        action = rng.choice(position.legal_actions())
        names.append(position.name(action))
        position = position.play(action)
    return f"/game/{name}" + f"#moves={quote(' '.join(names))}" * bool(names)


def board(page: Any) -> None:
    """The board, on which it is a person's turn."""
    open_panel(page, "play")  # an address with moves opens the analysis
    page.locator(".target.next").first.wait_for(state="attached")


def sheet(pictures: list[Image.Image]) -> Image.Image:
    """One picture of all, small."""
    small = [each.resize((THUMB, each.height * THUMB // each.width)) for each in pictures]
    height = max(each.height for each in small)
    rows = -(-len(small) // ACROSS)
    found = Image.new("RGB", (THUMB * ACROSS, height * rows), "grey")
    for number, each in enumerate(small):
        found.paste(each, (number % ACROSS * THUMB, number // ACROSS * height))
    return found


def play_tournament(folder: Path) -> list[str]:
    """A tournament that is over; what the server is told to follow."""
    command = [sys.executable, "-m", "adv_envs", "tournament", "connect_four", *AGENTS]
    subprocess.run([*command, "--games", "20", "--out", PLAYED], check=True, cwd=folder)
    return ["--db", PLAYED]


def seen(browser: Any, site: Site, screen: Screen, scale: float = SCALE) -> Image.Image:
    """What a person sees of a screen."""
    context = browser.new_context(
        viewport={"width": screen.width, "height": screen.height},
        device_scale_factor=scale,
        color_scheme="dark" if screen.dark else "light",
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(site.address)
    page.goto(site.at(screen.path))
    screen.steps(page)
    for noted in page.locator("#compiling").all():
        noted.locator("xpath=self::*[not(text())]").wait_for(state="attached")
    picture = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
    context.close()
    return picture


if __name__ == "__main__":
    main()
