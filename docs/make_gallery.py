"""Make the README's pictures of a tournament's page and of a report card, from real runs.

    python docs/make_gallery.py
    python docs/make_gallery.py --out /tmp/pictures

Plays a tournament of Hex and grades an agent at Connect Four, with the commands that anybody would
use, opens their pages in Chromium, without a window, and writes what is worth seeing as PNG. Needs
the extras `test` and `browser`, and `apt-get install chromium`.
"""

from __future__ import annotations

import argparse
import io
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browser import NoBrowserError, open_chromium, run, size  # noqa: E402

SCALE = 1.5
"""Pixels of the picture for one of the page."""


class Shown(NamedTuple):
    """A picture of a page: how the page is made, and what of it is seen."""

    command: list[str]
    """What writes the page, into the file that comes last."""
    hidden: str
    """The selector of what is left out."""
    width: int
    """Of the page, in its pixels."""
    dark: bool
    script: str = ""
    """What is done on the page first."""


PICTURES = {
    "tournament": Shown(
        [str(ROOT / "examples" / "hex_tournament.py"), "--games", "40", "--html"],
        "section:has(#numbers), .two:has(#seats), .two ~ section:not(#games), #games ~ section,"
        "#games > .muted, .filters, #theme, .note:not(#reason)",
        width=1100,
        dark=False,
        # a game of the two best, at its end
        script="document.querySelector('#cross tbody tr:nth-child(1) td:nth-child(3) button')"
        ".click(); document.getElementById('to-end').click();"
        "document.querySelector('.list').style.maxHeight = "
        "document.querySelector('.board').offsetHeight + 'px';",
    ),
    "report_card": Shown(
        [
            "-m",
            "adv_envs",
            "grade",
            "connect_four",
            "alpha_beta(depth=2)",
            "--games",
            "4",
            "--html",
        ],
        "section:has(table), section:has(.chart), .gallery ~ *, figure:nth-child(n + 4),"
        "section:has(.gallery) ~ section",
        width=1000,
        dark=True,
    ),
}


def main() -> None:
    """Write both."""
    words = __doc__ or ""
    parser = argparse.ArgumentParser(
        description=words, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "images", help="the folder")
    parser.add_argument("--only", choices=sorted(PICTURES), help="just this one")
    options = parser.parse_args()
    try:
        options.out.mkdir(parents=True, exist_ok=True)
        with open_chromium() as browser, tempfile.TemporaryDirectory() as folder:
            for name, shown in PICTURES.items():
                if options.only in (None, name):
                    page = Path(folder) / f"{name}.html"
                    made(shown, page)
                    picture = photographed(browser, page, shown)
                    save(picture, options.out / f"{name}.png")
    except (NoBrowserError, OSError) as error:
        sys.exit(f"make_gallery: {error}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"make_gallery: this failed: {' '.join(map(str, error.cmd))}")


def made(shown: Shown, page: Path) -> None:
    """Run what is shown, and have its page written."""
    subprocess.run([sys.executable, *shown.command, str(page)], check=True, cwd=ROOT)


def photographed(browser: Any, path: Path, shown: Shown) -> Image.Image:
    """The page without what is hidden, with more pixels than on a plain screen, to be sharp."""
    page = browser.new_page(device_scale_factor=SCALE)
    size(page, shown.width, shown.dark)
    page.goto(path.as_uri())
    run(
        page,
        "const style = document.createElement('style');"
        "style.textContent = `${arguments[0]} { display: none !important }"
        " ::-webkit-scrollbar { display: none } html { scroll-behavior: auto !important }"
        " body { padding-bottom: 1rem !important }`;"
        f"document.head.append(style); {shown.script}",
        shown.hidden,
    )
    height = run(page, "return document.body.offsetHeight")
    size(page, shown.width, shown.dark, height)
    picture = page.screenshot()
    page.close()
    return Image.open(io.BytesIO(picture)).convert("RGB")


def save(picture: Image.Image, path: Path) -> None:
    """As PNG with a palette, which for flat colours is a third of the size."""
    few = picture.quantize(256, Image.Quantize.MAXCOVERAGE, 1, dither=Image.Dither.NONE)
    few.save(path, optimize=True)
    print(f"{path}: {few.width} x {few.height}, {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
