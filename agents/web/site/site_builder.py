"""Writes a site: the same page as the server's, as files for any web host."""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from itertools import chain, combinations, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import adv_envs.pictures
import agents.engines
from adv_envs import Position
from adv_envs.pictures.svg import palette_rules
from adv_envs.registry import GAMES
from adv_envs.registry import game as game_class
from agents.engines.plans import FOLDER as MODULES
from agents.engines.plans import engine_info
from agents.grading.puzzles import LEVELS
from agents.reports.page import STATIC as REPORTS
from agents.web import pages
from agents.web.answers import STATES, answer_position
from agents.web.catalogue import catalogue
from agents.web.game_states import Message
from agents.web.python_jobs import JOBS

from .licences import write_licences
from .pyodide_core import SiteError, pyodide_core
from .python_bundle import write_python

STATIC = Path(__file__).parents[1] / "static"
BOARD = Path(adv_envs.pictures.__file__).parent / "static"
ENGINES = Path(agents.engines.__file__).parent / "static"
PUZZLES = 10
"""Puzzles of each level, or fewer where some are the same, if an engine knows exact values."""
LIST = "files.json"
"""Says what is in a site, by which it is also known as one."""
KEEPER = "service_worker.js"
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "style-src-attr 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
"""What pages may load: files of the site, no script within a page; Pyodide is WebAssembly."""
FINDER = STATIC / "site/find_start.js"
"""Is within the page for addresses where nothing is, which cannot know where its file would be."""
NOT_COPIED = ("follow.js", "follow.css", FINDER.name)
"""What only the server's pages have, and what is within a page."""

Step = Callable[[str], None]


class SiteSizes(NamedTuple):
    """Says how large a site is, in bytes as they lie on the host."""

    files: int
    """The number of files."""
    total: int
    python: int
    """Of it, Python."""


def build_site(folder: Path, pyodide: Path | None = None, on_step: Step = print) -> SiteSizes:
    """Writes the site of all registered games into a folder, which may have an older one.

    ``pyodide`` is the unpacked npm package; None: see ``pyodide_core``. ``on_step`` is told what is
    being done. SiteError says why there is no site: the folder is then as it was.
    """
    check_folder(folder)
    check_games()
    with (
        pyodide_core(pyodide) as core,
        TemporaryDirectory() as workshop,
        TemporaryDirectory() as temporary,
    ):
        new = Path(temporary) / "site"
        new.mkdir()
        on_step("Python")
        write_python(core, new / "python", Path(workshop))
        write_static(new)
        on_step("pages")
        write_pages(new, core)
        for name in GAMES:
            on_step(name)
            write_game(new / "game" / name, name)
        write_list(new)
        remove_site(folder)
        shutil.copytree(new, folder, dirs_exist_ok=True)
    sizes = {name: (folder / name).stat().st_size for name in listed_files(folder)}
    python = sum(size for name, size in sizes.items() if name.startswith("python/"))
    return SiteSizes(len(sizes), sum(sizes.values()), python)


# ---- the folder


def check_folder(folder: Path) -> None:
    """Raises SiteError unless a folder is new, empty, or has a site already."""
    if folder.exists() and not folder.is_dir():
        raise SiteError(f"{folder} is a file: --out needs a folder")
    if folder.is_dir() and any(folder.iterdir()):
        listed_files(folder)


def check_games() -> None:
    """Raises SiteError for games of others, whose modules a site does not have."""
    others = [name for name in GAMES if not game_class(name).__module__.startswith("adv_envs.")]
    if others:
        raise SiteError(f"a site has the games of the package alone, not {', '.join(others)}")


def listed_files(folder: Path) -> list[str]:
    """Returns the files of the site in a folder; SiteError if there is none."""
    try:
        found = json.loads((folder / LIST).read_text("utf-8"))
        return [*map(str, found["adv-envs site"])]
    except (OSError, ValueError, KeyError, TypeError):
        raise SiteError(
            f"{folder} has files that are not of a site of adv-envs: name a new or an empty folder"
        ) from None


def remove_site(folder: Path) -> None:
    """Deletes the files of an older site, and nothing else."""
    if not (folder / LIST).exists():
        return
    root = folder.resolve()
    for name in listed_files(folder):
        path = (folder / name).resolve()
        if root in path.parents:
            path.unlink(missing_ok=True)


def write_list(folder: Path) -> None:
    """Writes what is in a site, for browsers to keep, and the worker that keeps it.

    Pages are listed by the address of their folder, as they are linked to.
    """
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    names = [path.relative_to(folder).as_posix() for path in paths]
    digest = hashlib.sha256()
    for name, path in zip(names, paths, strict=True):
        digest.update(name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    keeper = (folder / "static/site" / KEEPER).read_text("utf-8")
    (folder / "static/site" / KEEPER).unlink()
    names.remove(f"static/site/{KEEPER}")
    keeper = keeper.replace('"DIGEST"', f'"{digest.hexdigest()[:20]}"')
    (folder / KEEPER).write_text(keeper, "utf-8")
    kept = [name.removesuffix("index.html") or "./" for name in names]
    text = json.dumps({"adv-envs site": [*names, KEEPER, LIST], "files": kept}, indent=0)
    (folder / LIST).write_text(text, "utf-8")


# ---- what is in it


def write_static(folder: Path) -> None:
    """Writes styles and scripts, with addresses that hold in every folder of a host."""
    static = folder / "static"
    shutil.copytree(STATIC, static, ignore=shutil.ignore_patterns(*NOT_COPIED))
    shutil.copytree(BOARD, static / "board", ignore=shutil.ignore_patterns("widget.js"))
    shutil.copytree(ENGINES, static / "engines")
    for module in (*MODULES.glob("*.wasm"), MODULES / "engines.json"):
        shutil.copy(module, static / "engines")
    (static / "reports").mkdir()
    shutil.copy(REPORTS / "page.css", static / "reports")
    (static / "colours.css").write_text(palette_rules(), "utf-8")
    for script in static.glob("*.js"):
        text = script.read_text("utf-8")
        script.write_text(text.replace('from "/static/', 'from "./'), "utf-8")


def write_pages(folder: Path, core: Path) -> None:
    """Writes the front page, its picture, the page about the site, and that of wrong addresses."""
    (folder / "icon.svg").write_text(pages.icon_svg(), "utf-8")
    write_page(folder / "index.html", "gallery.html.j2", "./", games=pages.tiles())
    parts = write_licences(folder / "licences", core)
    write_page(folder / "about/index.html", "about.html.j2", "../", parts=parts)
    write_missing(folder / "404.html")


def write_page(path: Path, template: str, root: str, **values: Any) -> None:
    """Writes a page; ``root`` leads from it to the folder of the site."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = pages.page_text(template, root=root, site=True, policy=POLICY, **values)
    path.write_text(text, "utf-8")


def write_missing(path: Path) -> None:
    """Writes what hosts show where nothing is: in any folder, so that it names no other file."""
    script = FINDER.read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'"
    )
    path.write_text(pages.page_text("missing.html.j2", policy=policy, script=script), "utf-8")


def write_game(folder: Path, name: str) -> None:
    """Writes the page of a game, what there is to choose, and its start as each seat sees it."""
    offered = site_catalogue(name)
    write_tables(offered, folder)
    heading = pages.heading(name, game_class(name))
    page = folder / "index.html"
    write_page(page, "game.html.j2", "../../", engines=offered["engines"], **heading)
    puzzles = puzzles_of(name) if offered["exact"] else {}
    if puzzles:
        write_json(folder / "puzzles.json", puzzles)
    counts = {level: len(found) for level, found in puzzles.items()}
    write_json(folder / "catalogue.json", {**offered, "puzzles": counts})
    write_json(folder / "start.json", starts(name))


def write_json(path: Path, data: Any) -> None:
    """Writes data as JSON without spaces."""
    path.write_text(json.dumps(data, separators=(",", ":")), "utf-8")


def site_catalogue(name: str) -> Message:
    """Returns what there is to choose for a game where only engines play.

    "modules" has the same for parameters with which positions have other "widths" and, in games of
    hidden information, for other parameters with engines.
    """
    found = catalogue(name, hidden_engines=True)
    if found["solver"] not in found["engines"]:
        found["solver"] = None
    return {**found, **engine_choices(found), "modules": [*modules_of(name, found["hidden"])]}


def modules_of(name: str, hidden: bool) -> Iterator[Message]:
    """Yields what the modules of a game offer; where something is ``hidden``, for each start."""
    for told in engine_info().values():
        if told["game"] != name:
            continue
        for start in told["starts"] if hidden else told["starts"][:1]:
            known = {"parameters": start["parameters"]} if hidden else {}
            found = catalogue(name, start["parameters"], hidden_engines=True)
            yield {"widths": told["widths"], **known, **engine_choices(found)}


def write_tables(offered: Message, folder: Path) -> None:
    """Writes what plans of policies say of views, each to a file, and puts its address there.

    Addresses are as from the folder of the modules.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for part in (offered, *offered["modules"]):
        for plan in part["engines"].values():
            if "views" not in plan:
                continue
            text = json.dumps(plan.pop("views"), separators=(",", ":"))
            name = f"policy-{hashlib.sha256(text.encode()).hexdigest()[:12]}.json"
            (folder / name).write_text(text, "utf-8")
            plan["table"] = f"../../game/{folder.name}/{name}"


def engine_choices(found: Message) -> Message:
    """Returns the keys of a catalogue that are about agents, for engines alone.

    Where those that suit the game have no engine, the last that has one takes their place: the
    first ones are weak.
    """
    engines = found["engines"]
    levels = [level for level in found["levels"] if level["spec"] in engines]
    numbered = [{**level, "number": i} for i, level in enumerate(levels, 1)]
    chosen: dict[str, Any] = {"engines": engines, "levels": numbered}
    for usual, offered in (("opponent", "agents"), ("analyst", "analysts")):
        kept = {label: spec for label, spec in found[offered].items() if spec in engines}
        spec = found[usual] if found[usual] in engines else next(reversed(kept.values()), "")
        chosen |= {offered: kept, usual: spec}
    return chosen


def puzzles_of(name: str) -> dict[str, list[Message]]:
    """Returns puzzles of a game by level, each once; none if there are none of some level.

    Each has the "task", "player" and "legal" of a page's puzzle, and the "request" for its state.
    """
    state = STATES.read({"game": name})
    found: dict[str, list[Message]] = {}
    known = set[tuple[str, Position]]()
    for level, seed in product(LEVELS, range(PUZZLES)):
        first = next(JOBS["puzzle"](state, {"level": level, "seed": seed}))
        if "puzzle" not in first:
            return {}
        shown = first["puzzle"].pop("state")
        request = {key: shown[key] for key in ("set_up", "line")}
        of_level = found.setdefault(level, [])
        key = (level, STATES.read({"game": name, **request}).position)
        if key not in known:
            known.add(key)
            of_level.append({**first["puzzle"], "request": request})
    return found


def starts(name: str) -> list[Message]:
    """Returns the start of a game for all who may look, a list of {"people", "state"}.

    Where nothing is hidden there is one for everybody, whose "people" are None.
    """
    start, request = game_class(name)(), {"game": name, "parameters": {}}
    if start.perfect_information:
        return [{"people": None, "state": answer_position(request)}]
    seats = range(start.num_players)
    groups = chain.from_iterable(combinations(seats, n) for n in range(len(seats) + 1))
    return [
        {"people": people, "state": answer_position({**request, "people": people})}
        for people in map(list, groups)
    ]
