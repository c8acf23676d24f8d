"""The page as a folder of files: built, served by a plain file server, and played in a browser."""

import functools
import gzip
import json
import os
import re
import shutil
from pathlib import Path

import pytest
from browser import open_page
from command_line import run, well
from file_server import Quiet, serving

pytest.importorskip("starlette")
pytest.importorskip("jinja2")

from adv_envs import TicTacToe
from agents.web import pages
from agents.web.site import site_builder
from agents.web.site.pyodide_core import LOCK_FILE, NEEDED, PYODIDE, SiteError, checked_core
from agents.web.site.site_builder import build_site, check_folder, remove_site

ROOT = Path(__file__).parents[2]
CORE = ROOT / "node_modules/pyodide"
GAMES = ("tic_tac_toe", "hex", "kuhn", "dark_hex")
ELSEWHERE = "school/games"
"""The folder of the host in which the site is."""


# ---- what is wrong with a folder


def test_a_folder_with_something_else_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("three years")
    with pytest.raises(SiteError, match="not of a site of adv-envs: name a new or an empty"):
        build_site(tmp_path)
    assert [*tmp_path.iterdir()] == [tmp_path / "thesis.txt"]
    with pytest.raises(SiteError, match="is a file: --out needs a folder"):
        check_folder(tmp_path / "thesis.txt")


def test_the_command_says_what_is_wrong(tmp_path):
    (tmp_path / "thesis.txt").write_text("three years")
    answer = run("site", "--out", str(tmp_path))
    assert answer.code == 2
    assert answer.err.startswith(f"Error: {tmp_path} has files that are not of a site")
    answer = run("site", "--out", str(tmp_path / "new"), "--pyodide", str(tmp_path))
    assert answer.code == 2
    assert f"unpacked npm package pyodide@{PYODIDE}" in answer.err
    assert not (tmp_path / "new").exists()


def test_a_site_has_no_games_of_others(tmp_path, monkeypatch):
    class Mine(TicTacToe):
        pass

    monkeypatch.setitem(site_builder.GAMES, "mine", Mine)
    with pytest.raises(SiteError, match="the games of the package alone, not mine"):
        build_site(tmp_path)


def test_only_the_files_of_a_site_are_deleted(tmp_path):
    folder = tmp_path / "site"
    for name in ("index.html", "CNAME"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(name)
    outside = tmp_path / "outside.txt"
    outside.write_text("not of the site")
    files = ["index.html", "../outside.txt", "gone.js", "files.json"]
    (folder / "files.json").write_text(json.dumps({"adv-envs site": files, "files": []}))
    check_folder(folder)
    remove_site(folder)
    assert [path.name for path in folder.iterdir()] == ["CNAME"]
    assert outside.exists()


def test_the_package_must_be_whole_and_of_the_version(tmp_path):
    with pytest.raises(SiteError, match=rf"has no pyodide.mjs: .* pyodide@{PYODIDE}"):
        checked_core(tmp_path)
    for name in NEEDED:
        (tmp_path / name).write_text('{"version": "0.29.0"}')
    with pytest.raises(SiteError, match=rf"is Pyodide 0.29.0; .* needs {PYODIDE}"):
        checked_core(tmp_path)


def test_package_json_pins_the_same_version():
    tools = json.loads((ROOT / "package.json").read_text("utf-8"))
    assert tools["devDependencies"]["pyodide"] == PYODIDE


def test_the_place_of_an_agent_without_an_engine_is_taken_by_a_good_one():
    offered = {"usual": "threats()", "random": "random()", "Monte Carlo": "mcts(seconds=1)"}
    found = {"opponent": "threats()", "analyst": "threats()"}
    found |= {
        "agents": offered,
        "analysts": offered,
        "levels": [{"number": 1, "spec": "threats()"}, {"number": 2, "spec": "random()"}],
        "engines": {"random()": 1, "mcts(seconds=1)": 2},
    }
    chosen = site_builder.engine_choices(found)
    assert (chosen["opponent"], chosen["analyst"]) == ("mcts(seconds=1)", "mcts(seconds=1)")
    assert [*chosen["agents"]] == ["random", "Monte Carlo"]
    assert chosen["levels"] == [{"number": 1, "spec": "random()"}]
    nothing = site_builder.engine_choices({**found, "engines": {}})
    assert (nothing["opponent"], nothing["agents"]) == ("", {})


# ---- the whole


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A host's folder with a site of four games, which the first process builds for all."""
    fcntl = pytest.importorskip("fcntl")
    if not (CORE / LOCK_FILE).exists():
        pytest.skip("needs pyodide: npm ci")
    mine = tmp_path_factory.getbasetemp()
    shared = mine.parent if "PYTEST_XDIST_WORKER" in os.environ else mine
    with (shared / "host.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / "host").exists():
            built = tmp_path_factory.mktemp("built")
            build_small(built / ELSEWHERE)
            built.rename(shared / "host")
    return shared / "host"


def build_small(site):
    """Builds a site of four games."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (pages, site_builder):
            patch.setattr(module, "GAMES", dict.fromkeys(GAMES))
        steps = []
        sizes = build_site(site, on_step=steps.append)
    assert steps == ["Python", "pages", *GAMES]
    assert sizes.python < sizes.total
    assert compressed(site) < 8e6


def compressed(folder):
    """The bytes of a site as hosts send them, which compress its files."""
    return sum(len(gzip.compress(p.read_bytes(), 6)) for p in folder.rglob("*") if p.is_file())


@pytest.fixture
def address(folder):
    with serving(folder) as host:
        yield f"{host}{ELSEWHERE}/"


@pytest.fixture
def page(chromium, address):
    """A page that may ask for nothing outside of the site's folder, and does not."""
    with open_page(chromium, harmless="a status of 404") as found:
        asked = []
        found.context.on("request", lambda request: asked.append(request.url))
        found.context.route(lambda url: not url.startswith(address), lambda route: route.abort())
        yield found
        outside = [url for url in asked if not url.startswith(address)]
        assert not outside


def expect(found):
    from playwright.sync_api import expect as expected

    return expected(found)


def type_move(page, move):
    expect(page.locator("#board svg")).to_be_visible()
    page.fill("#typed-move", move)
    page.press("#typed-move", "Enter")


def type_moves(page, *moves, first=1):
    for count, move in enumerate(moves, first):
        type_move(page, move)
        expect(page.locator("#moves button")).to_have_count(count)


in_browser = [pytest.mark.compiled, pytest.mark.thorough, pytest.mark.needs("browser")]


def marked(test):
    return functools.reduce(lambda found, mark: mark(found), in_browser, test)


@marked
def test_two_people_play_without_a_server(page, address):
    page.goto(address)
    page.click("text=Tic-tac-toe")
    page.select_option("[data-seat='1'] select", "human")
    type_moves(page, "b2", "a2", "b1")
    page.fill("#typed-move", "b1")
    page.press("#typed-move", "Enter")
    expect(page.locator("#typed-wrong")).to_contain_text("b1")
    page.fill("#typed-move", "")
    page.click("#undo")
    expect(page.locator("#moves button")).to_have_count(2)
    type_moves(page, "b1", "a1", "b3", first=3)
    expect(page.locator("#status")).to_contain_text("wins")


@marked
def test_cards_are_dealt_and_only_shown_to_their_owner(page, address):
    page.goto(f"{address}game/kuhn/")
    page.select_option("[data-seat='1'] select", "human")
    expect(page.locator("#cover")).to_contain_text("Player 1: are you alone?")
    assert not page.locator("#board svg").is_visible()
    page.click("#cover button")
    expect(page.locator("#board svg")).to_be_visible()


@marked
def test_an_address_is_a_position_of_a_game_of_any_size(page, address):
    page.goto(f"{address}game/hex/?size=5#moves=c3%20a1")
    expect(page.locator("#status")).to_have_text("Red to move")
    expect(page.locator("#analyse-moves button")).to_have_count(2)
    page.click("summary:has-text('Save and open games')")
    expect(page.locator("#analyse-saved")).to_contain_text("SGF")
    page.click("#how-to-play")
    expect(page.locator("dialog .rules")).to_contain_text("e5")


@marked
def test_what_is_wrong_with_an_address_is_said(page, address):
    page.goto(f"{address}game/hex/?size=99")
    expect(page.locator("#status")).to_contain_text("size")
    expect(page.locator("#status a")).to_have_attribute("href", "/school/games/game/hex/")


@marked
def test_engines_play_and_analyse(page, address):
    page.goto(f"{address}game/tic_tac_toe/")
    type_move(page, "b2")
    expect(page.locator("#moves button")).to_have_count(2)
    page.click("#hint")
    expect(page.locator("#hint-said")).to_contain_text("Hint: ")
    page.click("[data-panel=analyse]")
    expect(page.locator("#analyse-values tr").first).to_be_visible()
    expect(page.locator("#rows tr").first).to_be_visible()


@marked
def test_puzzles_are_solved_by_exact_values(page, address):
    page.goto(f"{address}game/tic_tac_toe/#panel=puzzle")
    page.fill("#puzzle-seed", "1")
    page.click("text=Show it")
    expect(page.locator("#puzzle-task")).to_contain_text("find the only move that")
    page.click("#puzzle-solution")
    expect(page.locator("#puzzle-said")).to_contain_text("The solution: ")


TOLD = """
window.told = [];
window.started = [];
const Real = Worker;
window.Worker = class extends Real {
  constructor(address, options) {
    super(address, options);
    window.started.push(String(address));
    this.addEventListener("message", ({ data }) => window.told.push(data));
  }
};
"""
"""Keeps which workers the page has started, and all that they tell it."""

READY = """() => {
  const open = document.querySelector("#board [role=button]:not([aria-disabled=true])");
  const said = document.querySelector("#status").textContent;
  return /(win|lose)[.!]/.test(said) ? "over" : open && "move";
}"""
"""Whether the game is over or the person is to move."""


def play_to_the_end(page):
    """The person makes the first move that there is, again and again."""
    while page.wait_for_function(READY).json_value() == "move":
        target = page.locator("#board [role=button]:not([aria-disabled=true])").first
        moves = page.locator("#moves button").count()
        target.press("Enter")
        page.wait_for_function(
            "moves => document.querySelectorAll('#moves button').length > moves", arg=moves
        )


def told_in_play(page):
    """What the page was told until the game was over; it only starts the worker of Python."""
    (worker,) = page.evaluate("started")
    assert worker.endswith("static/site/python_worker.js")
    told = page.evaluate("told")
    states = [one.get("message", one).get("state", one.get("found")) for one in told]
    shown = [state for state in states if isinstance(state, dict)]
    assert all(set(one) <= {"id", "found", "message"} for one in told)
    assert {key for one in told for key in one.get("message", {})} <= {"state", "said", "hint"}
    return told, [state for state in shown if not state["over"]], shown[-1]


@marked
def test_an_agent_plays_cards_and_the_page_does_not_learn_its_card(page, address):
    page.add_init_script(TOLD)
    page.goto(f"{address}game/kuhn/")
    expect(page.locator("[data-seat='1'] select")).to_have_value("cfr_plus(iterations=300)")
    play_to_the_end(page)
    told, during, end = told_in_play(page)
    (card,) = set(end["moves"][0]["name"].split()) - set(during[-1]["moves"][0]["name"].split())
    assert any("message" in one for one in told)
    assert f">{card}<" in json.dumps(end)
    for state in during:
        assert state["viewer"] == 0
        assert f">{card}<" not in json.dumps(state)
        assert "words" not in state


@marked
def test_an_agent_plays_in_the_dark_until_the_end(page, address):
    page.add_init_script(TOLD)
    page.goto(f"{address}game/dark_hex/")
    expect(page.locator("[data-seat='1'] select")).to_have_value("ismcts(simulations=1000)")
    page.click("#hint")
    expect(page.locator("#hint-said")).to_contain_text("Hint: ")
    play_to_the_end(page)
    told, during, end = told_in_play(page)
    assert sum("state" in one.get("message", {}) for one in told) >= 3
    for state in during:
        assert {move["name"] for move in state["moves"] if move["player"] == 1} <= {"?"}
    assert all(move["name"] != "?" for move in end["moves"])


@marked
def test_what_a_player_sees_is_analysed(page, address):
    page.goto(f"{address}game/kuhn/")
    expect(page.locator("#status")).to_contain_text("Your move")
    page.click("[data-panel=analyse]")
    expect(page.locator("#analyse-values tr")).to_have_count(2)
    expect(page.locator("#analyse")).to_contain_text("by cfr_plus(iterations=300), not proven")
    assert page.locator("[data-panel=puzzle]").is_disabled()


@marked
def test_parameters_without_an_engine_are_for_people(page, address):
    page.goto(f"{address}game/dark_hex/?size=5")
    expect(page.locator(".seats option")).to_have_text(["A person"] * 2)
    page.click("[data-panel=analyse]")
    assert not page.locator("#analyse-search").is_visible()
    assert not page.locator("#analyse-whole").is_visible()
    assert page.locator("[data-panel=puzzle]").is_disabled()
    expect(page.locator("#people-only")).to_contain_text("adv-envs serve dark_hex")
    page.goto(f"{address}game/dark_hex/")
    expect(page.locator("#status")).to_contain_text("Your move")
    assert not page.locator("#people-only").is_visible()


@marked
def test_puzzles_are_numbered_as_many_as_there_are(page, address, folder):
    game = folder / ELSEWHERE / "game/tic_tac_toe"
    puzzles = json.loads((game / "puzzles.json").read_text("utf-8"))
    for kept in puzzles.values():
        lines = [json.dumps(each["request"]) for each in kept]
        assert len(lines) == len(set(lines)) > 1
    page.goto(f"{address}game/tic_tac_toe/#panel=puzzle")
    expect(page.locator("#puzzle-task")).to_contain_text("find the only move that")
    last = len(puzzles["medium"]) - 1
    assert page.locator("#puzzle-seed").get_attribute("max") == str(last)
    page.fill("#puzzle-seed", str(last))
    page.click("#puzzle-next")
    expect(page.locator("#puzzle-seed")).to_have_value("0")


@marked
def test_after_the_front_page_it_needs_no_connection(page, address):
    page.goto(address)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    for name in ("hex?size=5", "hex/index.html?size=5"):
        page.goto(f"{address}game/{name}#a1")
        assert page.url.startswith(f"{address}game/hex/?size=5")
        expect(page.locator("#board svg")).to_be_visible()
    page.goto(f"{address}index.html")
    expect(page.locator("#found")).to_have_text("4 games")


@marked
@pytest.mark.parametrize("wrong", ["nothing", "game/nothing/", "game/hex/a/b/c"])
def test_from_where_nothing_is_a_link_leads_to_the_start(chromium, folder, wrong):
    missing = (folder / ELSEWHERE / "404.html").read_text("utf-8")

    class Host(Quiet):
        error_message_format = missing.replace("%", "%%")

    with serving(folder, Host) as host, open_page(chromium, harmless="a status of 404") as page:
        page.goto(f"{host}{ELSEWHERE}/{wrong}")
        start = f"{host}{ELSEWHERE}/"
        expect(page.locator("a")).to_have_attribute("href", start)
        page.click("a")
        expect(page.locator("#found")).to_have_text("4 games")


@marked
def test_after_the_first_visit_it_needs_no_connection(page, address):
    page.goto(f"{address}game/tic_tac_toe/")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    for name, move in (("tic_tac_toe", "b2"), ("hex", "a1")):
        page.goto(f"{address}game/{name}/")
        type_move(page, move)
        expect(page.locator("#moves button").first).to_have_text(move)
    page.goto(address)
    expect(page.locator("#found")).to_have_text("4 games")


KEPT_ICON = """async () => {
  const registration = await navigator.serviceWorker.ready;
  await registration.update();
  const began = registration.installing ?? registration.waiting;
  while (began.state === "installing") {
    await new Promise((resolve) => began.addEventListener("statechange", resolve, { once: true }));
  }
  const [name] = (await caches.keys()).filter((name) => name.endsWith(" new"));
  return (await (await caches.open(name)).match("../../icon.svg")).text();
}"""
"""Has the worker of a site that was built anew keep its files; returns the icon among them."""


@marked
def test_a_new_site_is_kept_though_its_host_lets_browsers_use_old_files(chromium, folder, tmp_path):
    site = shutil.copytree(folder / ELSEWHERE, tmp_path / "site")
    patient = type("Patient", (Quiet,), {"seconds": 3600})
    with serving(site, patient) as host, open_page(chromium) as page:
        page.goto(f"{host}game/tic_tac_toe/")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        (site / "icon.svg").write_text("<svg>new</svg>")
        worker = (site / "service_worker.js").read_text()
        (site / "service_worker.js").write_text(worker.replace(read_digest(site), "new"))
        assert page.evaluate(KEPT_ICON) == "<svg>new</svg>"


@marked
def test_the_board_is_there_before_the_rules_are(page, address):
    held = []

    def hold(route):
        held.append(route)

    page.context.route("**/python.zip.packed", hold)
    page.goto(f"{address}game/tic_tac_toe/")
    expect(page.locator("#board svg")).to_be_visible()
    page.fill("#typed-move", "b2")
    page.press("#typed-move", "Enter")
    expect(page.locator("#compiling")).to_contain_text("Loading the rules")
    held[0].continue_()
    expect(page.locator("#moves button").first).to_have_text("b2")
    expect(page.locator("#compiling")).not_to_contain_text("Loading")


@marked
def test_what_needs_the_rules_waits_for_them(page, address):
    held = []

    def hold(route):
        held.append(route)

    page.context.route("**/python.zip.packed", hold)
    page.goto(f"{address}game/hex/?size=5")
    expect(page.locator("#compiling")).to_contain_text("Loading the rules")
    for name in ("hint", "undo", "resign", "typed-move"):
        assert page.locator(f"#{name}").is_disabled()
    held[0].continue_()
    expect(page.locator("#hint")).to_be_enabled()


@marked
def test_it_says_when_the_rules_cannot_be_loaded_and_tries_again(page, address):
    broken = "**/python.zip.packed"
    page.context.route(broken, lambda route: route.fulfill(status=404))
    page.goto(f"{address}game/tic_tac_toe/")
    expect(page.locator("#board svg")).to_be_visible()
    page.fill("#typed-move", "b2")
    page.press("#typed-move", "Enter")
    expect(page.locator("#typed-wrong")).to_contain_text("Python could not be loaded")
    page.context.unroute(broken)
    page.press("#typed-move", "Enter")
    expect(page.locator("#moves button").first).to_have_text("b2")


@marked
def test_an_engine_that_could_not_be_loaded_is_tried_again(page, address):
    broken = "**/*.wasm"
    page.context.route(broken, lambda route: route.fulfill(status=404))
    page.goto(f"{address}game/tic_tac_toe/")
    type_move(page, "b2")
    expect(page.locator("#trouble")).to_contain_text("has not moved: ")
    page.context.unroute(broken)
    page.click("#again")
    expect(page.locator("#moves button")).to_have_count(2)


@marked
def test_the_licences_of_all_parts_are_there(page, address, folder):
    page.goto(f"{address}about/")
    for part in ("adv-envs", "sgfmill", "markdown-it-py", "CPython", "Pyodide"):
        expect(page.locator("main")).to_contain_text(part)
    for link in page.locator("main a").all():
        href = link.get_attribute("href")
        if not href.startswith("https://"):
            assert (folder / ELSEWHERE / "about" / href).read_text("utf-8").strip()


@marked
def test_a_site_is_built_again_over_the_old_one(folder, tmp_path, monkeypatch):
    site = folder / ELSEWHERE
    old = site_builder.listed_files(site)
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in old:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_bytes((site / name).read_bytes())
    (copy / "CNAME").write_text("games.example")
    for module in (pages, site_builder):
        monkeypatch.setattr(module, "GAMES", {"tic_tac_toe": ""})
    pack_no_more(monkeypatch, site)
    build_site(copy)
    assert (copy / "CNAME").exists()
    assert not (copy / "game/hex/index.html").exists()
    digests = {read_digest(site), read_digest(copy)}
    assert len(digests) == 2


@marked
def test_the_command_writes_the_pages_of_every_game(folder, tmp_path, monkeypatch):
    pack_no_more(monkeypatch, folder / ELSEWHERE)
    monkeypatch.setattr(site_builder, "PUZZLES", 1)
    site = tmp_path / "site"
    told = well("site", "--out", str(site), "--pyodide", str(CORE))
    assert re.match(rf"{re.escape(str(site))}: \d+\.\d MB in \d+ files, \d+\.\d MB of them", told)
    assert {path.name for path in (site / "game").iterdir()} == {*site_builder.GAMES}
    for name in site_builder.GAMES:
        for file in ("index.html", "catalogue.json", "start.json"):
            assert f"game/{name}/{file}" in site_builder.listed_files(site)


def pack_no_more(monkeypatch, site):
    """Has sites take the packed Python of this one: it is the same for all games."""

    def copied(core, folder, workshop):
        shutil.copytree(site / "python", folder)

    monkeypatch.setattr(site_builder, "write_python", copied)


def read_digest(site):
    (line,) = [x for x in (site / "service_worker.js").read_text().splitlines() if "DIGEST =" in x]
    return line.split('"')[1]
