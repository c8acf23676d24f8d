"""Games on the page in a real browser: by clicks, by typing, by people and agents."""

import re

import pytest
from browser import open_page

from adv_envs.registry import GAMES

expect = pytest.importorskip("playwright.sync_api").expect

pytestmark = [pytest.mark.compiled, pytest.mark.needs("browser")]

SMALL = {
    "amazons": "size=6",
    "animal_shogi": "max_plies=12",
    "breakthrough": "height=5&width=3",
    "checkers": "size=6",
    "clobber": "height=3&width=4",
    "connect_four": "height=4&width=4&k=3",
    "domineering": "height=4&width=4",
    "dots_and_boxes": "rows=2&columns=2",
    "go": "size=3&max_plies=12",
    "gomoku": "height=5&width=5",
    "goofspiel": "cards=4",
    "havannah": "size=3",
    "hex": "size=4",
    "kalah": "pits=3&seeds=2",
    "lines_of_action": "size=4",
    "nim": "heaps=123",
    "nine_mens_morris": "men=3&draw_moves=5",
    "othello": "size=4",
    "pig": "target=10",
    "quoridor": "size=3",
    "rock_paper_scissors": "rounds=2",
    "thirty_one": "limit=12&num_players=3",
    "y": "size=4",
}
PLAYER = """
async (most) => {
  // Clicks what can be clicked, at random, until the game is over; resigns when it has gone on for
  // long, in one step, as the last move or its answer may be under way and end the game as well.
  let seed = 7;
  const below = (n) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
  const wait = () => new Promise((done) => setTimeout(done, 4));
  let clicks = 0;
  for (let waited = 0; waited < 30000; waited += 1) {
    if (!document.querySelector("#rematch").hidden) return -clicks;
    const resign = document.querySelector("#resign");
    if (clicks >= most && !resign.disabled) {
      resign.click();
      resign.click();
      return clicks;
    }
    const board = document.querySelector("#board");
    const offered = [...board.querySelectorAll(".target:not(.chosen), button:not(:disabled)")]
      .filter((each) => each.checkVisibility({ visibilityProperty: true }));
    if (clicks < most && offered.length) {
      offered[below(offered.length)].dispatchEvent(new MouseEvent("click", { bubbles: true }));
      clicks += 1;
      waited = 0;
    }
    await wait();
  }
  throw new Error("nothing happens: " + document.querySelector("#status").textContent);
}
"""


class Play:
    """The page of a game, and what a test does there."""

    def __init__(self, page, site):
        self.page, self.site = page, site

    def open(self, game, *seats, query=""):
        self.page.goto(self.site.at(f"/game/{game}?{query}"))
        self.page.locator(".seat").first.wait_for()
        for seat, who in enumerate(seats):
            self.seat(seat).select_option(who)
        return self

    def __getattr__(self, name):
        return self.page.locator("#" + name.replace("_", "-"))

    def seat(self, number):
        return self.page.locator(f"[data-seat='{number}'] select")

    def timer(self, number):
        return self.page.locator(f"[data-seat='{number}']").get_by_role("timer")

    def target(self, name):
        return self.page.locator("#board").get_by_role("button", name=name, exact=True).first

    def says(self, text):
        expect(self.status).to_contain_text(text)

    def has_moves(self, *names):
        """The moves of the list, without their numbers; the last name is where we are."""
        expect(self.moves.locator("button")).to_have_text(list(names))

    def is_at(self, name):
        expect(self.moves.locator("[aria-current]")).to_have_text(name)

    def play(self, *names):
        """Two people: click, and wait until each move is in the list."""
        for name in names:
            self.target(name).click()
            expect(self.moves.locator("[aria-current]")).to_have_text(name)


@pytest.fixture
def play(chromium, site):
    """A page that has been let in; any error in its console fails the test."""
    with open_page(chromium, harmless="status of 400", reduced_motion="reduce") as page:
        page.goto(site.address)
        yield Play(page, site)


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_of_every_kind_by_clicks(play, name):
    play.open(name, query=SMALL.get(name, ""))
    for number in range(1, play.page.locator(".seat").count()):
        seat = play.seat(number)
        agents = seat.locator("option").evaluate_all("options => options.map((o) => o.value)")
        seat.select_option(next(agent for agent in agents if agent.startswith("random")))
    clicks = play.page.evaluate(PLAYER, 24)
    if clicks > 0:  # a long one
        assert clicks == 24
        play.says("You have resigned")
    expect(play.rematch).to_be_visible()
    expect(play.score).to_contain_text("After 1 game")
    expect(play.status).to_have_text(re.compile(r"wins?\b|Draw|points"))
    expect(play.page.locator("#board .target")).to_have_count(0)
    expect(play.moves).not_to_contain_text("?")


def test_moves_are_made_with_the_mouse_and_answered(play):
    play.open("tic_tac_toe")
    play.target("b2").click()
    expect(play.moves.locator("li")).to_have_count(2)
    play.says("Your move")
    expect(play.expects).to_be_visible()
    play.expects.locator("summary").click()
    expect(play.expects.locator("p")).to_contain_text("alpha_beta expects a draw")


RECORD = """() => {
  const shapes = [...document.querySelectorAll("#board svg > g:first-child > *")];
  window.known = new Map(shapes.map((shape) => [shape.outerHTML, shape]));
  window.moved = 0;
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...how) {
    window.moved += 1;
    return animate.apply(this, how);
  };
}"""
STAYED = """() => {
  const shapes = [...document.querySelectorAll("#board svg > g:first-child > *")];
  const both = shapes.filter((shape) => known.has(shape.outerHTML));
  const same = both.filter((shape) => known.get(shape.outerHTML) === shape);
  return [shapes.length, both.length, same.length];
}"""


def test_pieces_that_stay_keep_their_elements_and_nothing_moves_where_that_is_not_wished(play):
    play.open("hex", "human", "human", query="size=4")
    play.play("b2", "a1")
    play.page.evaluate(RECORD)
    play.play("c3")
    drawn, both, same = play.page.evaluate(STAYED)
    assert both > drawn / 2
    assert same == both
    assert play.page.evaluate("moved") == 0
    play.page.emulate_media(reduced_motion="no-preference")
    play.play("a3")
    assert play.page.evaluate("moved") > 0


def test_two_people_go_back_branch_and_come_again(play):
    play.open("tic_tac_toe", "human", "human")
    play.play("b2", "a1", "c3", "a3")
    play.page.keyboard.press("ArrowLeft")
    play.page.keyboard.press("ArrowLeft")
    play.is_at("a1")
    play.has_moves("b2", "a1", "c3", "a3")
    play.play("a2")
    play.has_moves("b2", "a1", "a2")
    expect(play.others).to_contain_text("c3")
    play.others.get_by_role("button", name="c3").click()
    play.is_at("c3")
    play.last.click()
    play.is_at("a3")
    expect(play.forward).to_be_disabled()
    play.first.click()
    expect(play.back).to_be_disabled()
    play.says("X to move")
    play.moves.get_by_role("button", name="a1").click()
    play.is_at("a1")


def test_undo_goes_back_to_the_persons_move(play):
    play.open("tic_tac_toe", "human", "random")
    play.target("b2").click()
    expect(play.moves.locator("li")).to_have_count(2)
    play.says("Your move")
    play.undo.click()
    expect(play.moves.locator("[aria-current]")).to_have_count(0)
    expect(play.undo).to_be_disabled()
    play.target("a1").click()
    expect(play.moves.locator("li").first).to_contain_text("a1")
    expect(play.moves.locator("li")).to_have_count(2)
    play.page.keyboard.press("u")
    expect(play.undo).to_be_disabled()


def test_after_undo_the_same_move_is_answered(play):
    play.open("tic_tac_toe")
    expect(play.undo).to_be_disabled()
    for _ in range(2):
        play.target("b2").click()
        play.says("Your move")
        play.has_moves("b2", "a1")
        play.undo.click()
        expect(play.moves.locator("li")).to_have_count(0)
    play.target("b2").click()
    play.has_moves("b2", "a1")
    play.says("Your move")
    play.target("a2").click()
    play.has_moves("b2", "a1", "a2", "c2")
    play.says("Your move")
    play.undo.click()  # twice
    play.has_moves("b2", "a1")
    play.undo.click()
    expect(play.moves.locator("li")).to_have_count(0)
    expect(play.undo).to_be_disabled()
    play.target("b2").click()
    play.has_moves("b2", "a1")
    play.first.click()
    play.target("b2").click()  # what was looked at again is played again
    play.has_moves("b2", "a1")
    play.says("Your move")
    expect(play.go_on).to_be_hidden()


def test_a_move_is_taken_back_while_the_agent_thinks(play):
    play.open("connect_four")
    play.seat(1).select_option("other")
    play.page.get_by_placeholder("alpha_beta(depth=4)").fill("alpha_beta(seconds=500)")
    play.page.keyboard.press("Enter")
    for _ in range(2):
        play.target("4").click()
        expect(play.thinking).to_contain_text("alpha-beta thinks")
        play.undo.click()
        expect(play.thinking).to_be_hidden()
        expect(play.moves.locator("li")).to_have_count(0)


def test_the_second_player_takes_back_no_move_of_the_first(play):
    play.open("tic_tac_toe", "random", "human")
    play.says("Your move")
    expect(play.moves.locator("li")).to_have_count(1)
    expect(play.undo).to_be_disabled()
    first = play.moves.locator("button").text_content()
    play.page.locator("#board .target").first.click()
    expect(play.moves.locator("li")).to_have_count(3)
    play.undo.click()
    play.has_moves(first)
    play.says("Your move")
    expect(play.undo).to_be_disabled()
    play.page.locator("#board .target").first.click()
    expect(play.moves.locator("li")).to_have_count(3)


def test_the_end_of_a_game_is_taken_back(play):
    play.open("tic_tac_toe", "human", "human")
    play.play("a1", "a2", "b1", "b2", "c1")
    expect(play.score).to_have_text("After 1 game: X 1, O 0")
    play.undo.click()
    play.has_moves("a1", "a2", "b1", "b2")
    expect(play.score).to_be_hidden()
    expect(play.rematch).to_be_hidden()
    play.play("c3", "c2")
    expect(play.score).to_have_text("After 1 game: X 0, O 1")


def test_other_variations_stay_when_a_move_is_taken_back(play):
    play.open("tic_tac_toe", "human", "human")
    play.play("b2", "a1", "c3")
    play.back.click()
    play.play("a3", "c1")
    play.undo.click()
    play.undo.click()
    play.is_at("a1")
    play.has_moves("b2", "a1", "c3")
    play.play("a3")
    expect(play.others).to_have_text("Also played here: c3")


def test_moves_are_taken_back_and_dice_are_not(play):
    play.open("pig", "human", "random", query="target=30")
    before = []
    for _ in range(4):
        play.target("roll").click()
        play.says("Rolled: ")
        expect(play.moves.locator("button").nth(1)).to_be_visible()
        before.append(play.moves.locator("button").nth(1).text_content())
        play.undo.click()
        expect(play.moves.locator("li")).to_have_count(0)
    assert len(set(before)) == 1


def test_agents_go_on_from_a_move_that_was_taken_back(play):
    play.open("tic_tac_toe", "random", "random")
    play.pause.click()
    while play.moves.locator("li").count() < 2:
        number = play.moves.locator("li").count()
        play.step.click()
        expect(play.moves.locator("li")).to_have_count(number + 1)
    number = play.moves.locator("li").count()
    play.undo.click()
    expect(play.moves.locator("li")).to_have_count(number - 1)
    expect(play.pause).to_have_text("Play")
    play.speed.select_option("fast")
    play.pause.click()
    expect(play.rematch).to_be_visible()
    play.undo.click()
    expect(play.rematch).to_be_hidden()
    play.pause.click()
    expect(play.rematch).to_be_visible()


def test_a_move_of_a_hidden_game_is_taken_back(play):
    play.open("rock_paper_scissors", query="rounds=3")
    for _ in range(2):
        play.target("rock").click()
        expect(play.moves.locator("li")).to_have_count(2)
        play.says("Your move")
        play.undo.click()
        expect(play.moves.locator("li")).to_have_count(0)
        expect(play.undo).to_be_disabled()


def test_with_a_move_its_time_is_taken_back(play):
    play.open("tic_tac_toe", "human", "random")
    play.page.keyboard.press("n")
    dialog = play.page.get_by_role("dialog")
    dialog.get_by_text("Advanced").click()
    for label in ("X: minutes", "O: minutes"):
        dialog.get_by_label(label, exact=True).fill("10")
        dialog.get_by_label(label.replace("minutes", "seconds added"), exact=False).fill("60")
    dialog.get_by_role("button", name="Begin").click()
    clock = play.timer(0)
    for _ in range(2):
        expect(clock).to_have_text("10:00")
        play.target("b2").click()
        expect(play.moves.locator("li")).to_have_count(2)
        play.page.locator("#board .target").first.click()
        expect(clock).to_have_text(re.compile("^10:5|^11:00"))
        play.undo.click()
        play.undo.click()
        expect(play.moves.locator("li")).to_have_count(0)


def test_a_move_is_typed_and_a_wrong_one_is_answered(play):
    play.open("chess", "human", "human")
    typed = play.page.get_by_label("Type a move")
    typed.fill("e4")
    typed.press("Enter")
    expect(play.moves.locator("li")).to_have_count(1)
    expect(typed).to_have_value("")
    typed.fill("e4")
    play.page.get_by_role("button", name="Play it").click()
    expect(play.typed_wrong).to_contain_text("'e4' is not a legal move; legal: ")
    expect(play.page.get_by_text("is not a legal move")).to_have_count(1)
    expect(typed).to_have_attribute("aria-invalid", "true")
    expect(play.moves.locator("li")).to_have_count(1)
    typed.fill("Nf6")
    typed.press("Enter")
    expect(play.moves.locator("li")).to_have_count(2)
    expect(play.typed_wrong).to_be_empty()


def test_resign_and_rematch_with_seats_swapped(play):
    play.open("tic_tac_toe", "human", "random")
    play.resign.click()
    expect(play.resign).to_have_text("Really resign?")
    expect(play.rematch).to_be_hidden()
    play.resign.click()
    play.says("You have resigned: O wins.")
    expect(play.score).to_have_text("After 1 game: you 0, level 1 (beginner) 1")
    play.rematch.click()
    expect(play.seat(0)).to_have_value("random")
    expect(play.seat(1)).to_have_value("human")
    expect(play.moves.locator("li")).to_have_count(1)
    play.resign.click()
    play.resign.click()
    expect(play.score).to_have_text("After 2 games: level 1 (beginner) 2, you 0")


def test_whoever_resigns_does_not_move_any_more(play):
    """The answer to a move that was made just before comes late, and the game stays as it ended."""
    late = []

    def hold(route):  # Playwright 1.62 takes no method of a list
        late.append(route)

    play.open("tic_tac_toe", "human", "random")
    play.page.route("**/api/position", hold)
    play.target("b2").click()
    play.resign.click()
    play.resign.click()
    play.says("You have resigned: O wins.")
    with play.page.expect_response("**/api/position"):
        [route] = late
        route.continue_()
    play.page.wait_for_timeout(100)
    play.says("You have resigned: O wins.")
    expect(play.moves.locator("li")).to_have_count(0)
    expect(play.rematch).to_be_visible()
    expect(play.page.locator("#board .target")).to_have_count(0)


def test_the_board_is_shown_from_the_other_side(play):
    play.open("chess", "human", "human")
    e2 = play.target(re.compile("^e2"))
    before = e2.bounding_box()["y"]
    play.page.keyboard.press("f")
    expect(play.flip).to_have_attribute("aria-pressed", "true")
    assert e2.bounding_box()["y"] < before - 100
    play.flip.click()
    expect(play.flip).to_have_attribute("aria-pressed", "false")
    assert e2.bounding_box()["y"] == before


def test_the_board_counts_as_flipped_when_it_is_seen_from_there(play):
    """Not before the answer comes, whatever else is shown meanwhile."""
    late = []

    def hold(route):
        late.append(route)

    play.open("hex", "human", "human", query="size=3")
    play.page.route("**/api/position", hold)
    with play.page.expect_request("**/api/position"):
        play.flip.click()
    play.seat(1).select_option("random")
    play.seat(1).select_option("human")
    expect(play.flip).to_have_attribute("aria-pressed", "false")
    [route] = late
    route.continue_()
    expect(play.flip).to_have_attribute("aria-pressed", "true")


def test_a_clock_that_runs_out_ends_the_game(play):
    play.open("tic_tac_toe", "human", "random")
    play.page.keyboard.press("n")
    dialog = play.page.get_by_role("dialog")
    dialog.get_by_text("Advanced").click()
    for label in ("X: minutes", "O: minutes"):
        dialog.get_by_label(label).fill("0.01")
    dialog.get_by_role("button", name="Begin").click()
    expect(play.timer(0)).to_have_text("0:00.6")
    play.target("b2").click()
    play.says("Your time is up: O wins.")
    expect(play.score).to_contain_text("level 1 (beginner) 1")
    expect(play.page.locator("#board .target")).to_have_count(0)


def test_another_size_is_another_page(play):
    play.open("hex", "human", "random", query="size=3")
    play.new.click()
    dialog = play.page.get_by_role("dialog")
    dialog.get_by_label("size").select_option("5")
    dialog.get_by_role("button", name="Begin").click()
    expect(play.page.locator("#board .target")).to_have_count(25)
    assert play.page.url.endswith("?size=5")
    expect(play.seat(1)).to_have_value("random")


def test_hidden_cards_are_shown_at_the_end(play):
    play.open("kuhn", "human", "random")
    play.says("Your move")
    expect(play.moves.locator("li").first).to_contain_text("?")
    play.resign.click()
    play.resign.click()
    expect(play.moves.locator("li").first).not_to_contain_text("?")
    expect(play.undo).to_be_disabled()


def test_two_people_at_one_screen_do_not_see_each_others_cards(play):
    play.open("kuhn", "human", "human")
    expect(play.cover).to_contain_text("Player 1: are you alone?")
    expect(play.board).not_to_be_visible()
    play.page.get_by_role("button", name="Show").click()
    first = play.moves.locator("li").first
    expect(first).to_have_text(re.compile(r"[JQK] \?"))
    play.target("pass").click()
    expect(play.cover).to_contain_text("Player 2: are you alone?")
    expect(play.board).not_to_be_visible()
    expect(play.moves).not_to_be_visible()
    expect(play.hint).to_be_disabled()
    expect(play.page.get_by_label("Type a move")).to_be_disabled()
    play.page.get_by_role("button", name="Show").click()
    expect(first).to_have_text(re.compile(r"\? [JQK]"))
    play.target("pass").click()
    expect(play.cover).to_be_hidden()
    expect(first).to_have_text(re.compile(r"[JQK] [JQK]"))


def test_whoever_sits_down_in_a_hidden_game_is_dealt_new_cards(play):
    play.open("leduc", "human", "random")
    play.says("Your move")
    play.target(re.compile("check|pass|call")).click()
    expect(play.moves.locator("li")).not_to_have_count(1)
    play.seat(1).select_option("human")
    expect(play.cover).to_contain_text("Player 1: are you alone?")
    play.page.get_by_role("button", name="Show").click()
    expect(play.moves.locator("li")).to_have_count(1)
    play.seat(0).select_option("random")  # and whoever stands up sees no more than before
    expect(play.moves).to_contain_text("?")


def test_a_game_is_left_and_goes_on(play):
    play.open("tic_tac_toe", "human", "random")
    play.target("b2").click()
    expect(play.moves.locator("li")).to_have_count(2)
    names = play.moves.locator("button").all_text_contents()
    play.page.get_by_role("link", name="Games", exact=True).click()
    play.page.get_by_role("link", name="Go on with your game").wait_for()
    play.page.go_back()
    play.has_moves(*names)
    play.says("Your move")
    expect(play.page.get_by_role("tab", name="Play")).to_have_attribute("aria-selected", "true")
    play.page.get_by_role("link", name="Games", exact=True).click()
    play.page.get_by_role("link", name="Go on with your game").click()
    play.has_moves(*names)
    expect(play.seat(1)).to_have_value("random")
    play.page.locator("#board .target").first.click()
    expect(play.moves.locator("li")).to_have_count(4)


def test_a_hidden_game_is_left_and_goes_on(play):
    play.open("leduc", "human", "random")
    play.says("Your move")
    play.target(re.compile("check|pass|call")).click()
    expect(play.moves.locator("li")).not_to_have_count(1)
    play.says("Your move")
    names = play.moves.locator("button").all_text_contents()
    play.page.reload()
    play.has_moves(*names)
    play.page.get_by_role("link", name="Games", exact=True).click()
    play.page.get_by_role("link", name="Go on with your game").click()
    play.has_moves(*names)
    assert "?" in names[0]


def test_whoever_sits_on_the_second_side_has_it_below(play):
    play.open("chess", "human", "random")
    play.seat(1).select_option("human")
    play.seat(0).select_option("random")
    expect(play.flip).to_have_attribute("aria-pressed", "true")
    play.page.reload()
    expect(play.flip).to_have_attribute("aria-pressed", "true")


def test_why_an_agent_answers_late_is_said_where_it_thinks(play):
    """As long as it is being compiled: here the server does not say that this is done."""
    play.page.add_init_script("""
        window.WebSocket = class extends EventTarget {
          static OPEN = 1;
          readyState = 0;
        };
    """)
    play.open("tic_tac_toe", "human", "policy(path='tic_tac_toe_q_learning')")
    play.target("b2").click()
    expect(play.thinking).to_contain_text("policy is being prepared, once")
    play.undo.click()
    expect(play.thinking).to_be_hidden()


def test_agents_play_and_are_stopped_and_stepped(play):
    play.open("tic_tac_toe", "random", "random")
    play.pause.click()
    expect(play.pause).to_have_text("Play")
    number = play.moves.locator("li").count()
    play.step.click()
    expect(play.moves.locator("li")).to_have_count(number + 1)
    play.speed.select_option("fast")
    play.pause.click()
    expect(play.rematch).to_be_visible()


def test_the_dice_are_rolled_by_hand(play):
    play.open("pig", "human", "human", query="target=10")  # an agent would roll next after a one
    play.target("roll").click()
    play.says("Rolled: ")
    expect(play.by_hand).to_be_visible()
    play.by_hand.locator("input").check()
    play.new.click()
    play.page.get_by_role("dialog").get_by_role("button", name="Begin").click()
    expect(play.moves.locator("li")).to_have_count(0)
    play.target("roll").click()
    expect(play.throw).to_be_focused()
    play.page.keyboard.press("Enter")
    expect(play.moves.locator("button")).not_to_have_count(1)
    expect(play.throw).to_be_hidden()


def test_a_game_that_cannot_be_says_why_and_leads_to_the_usual_one(play):
    play.page.goto(play.site.at("/game/hex?size=99"))
    play.says("size must be 2 to 19, not 99. Play it as it usually is.")
    expect(play.page.locator("#status.wrong")).to_be_visible()
    assert play.page.locator("#screen").locator("button:enabled, input:enabled").count() == 0
    play.status.get_by_role("link").click()
    play.says("Your move")


def test_a_hint_is_given_when_it_is_asked_for(play):
    play.open("tic_tac_toe", "human", "human")
    play.play("a1", "b1", "b2", "c1")
    play.page.keyboard.press("h")
    expect(play.hint_said).to_have_text(re.compile(r"^Hint: \w\d \(alpha-beta: .*win"))


def test_an_agent_that_cannot_play_is_replaced(play):
    play.open("tic_tac_toe")
    play.seat(1).select_option("other")
    play.page.get_by_placeholder("alpha_beta(depth=4)").fill("nobody(level=3)")
    play.page.keyboard.press("Enter")
    play.target("b2").click()
    expect(play.trouble).to_contain_text("nobody has not moved")
    play.again.click()
    expect(play.trouble).to_contain_text("nobody has not moved")
    play.seat(1).select_option("random")
    expect(play.moves.locator("li")).to_have_count(2)
    expect(play.trouble).to_be_hidden()


def test_an_agent_that_thinks_for_long_is_stopped_or_moves_at_once(play):
    play.open("connect_four")
    play.seat(1).select_option("other")
    play.page.get_by_placeholder("alpha_beta(depth=4)").fill("alpha_beta(seconds=500)")
    play.page.keyboard.press("Enter")
    play.target("4").click()
    expect(play.thinking).to_contain_text("alpha-beta thinks")
    play.halt.click()
    expect(play.trouble).to_contain_text("alpha-beta was stopped")
    play.again.click()
    expect(play.thinking).to_contain_text("depth")
    play.now.click()
    expect(play.moves.locator("li")).to_have_count(2)
    play.says("Your move")


def test_everything_can_be_done_with_the_keyboard(play):
    play.open("tic_tac_toe", "human", "random")
    page = play.page
    play.seat(0).focus()  # the board is before the seat of the side below
    page.keyboard.press("Shift+Tab")
    expect(page.locator("#board .target:focus")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(play.moves.locator("li")).to_have_count(2)
    page.keyboard.press("m")
    expect(page.get_by_label("Type a move")).to_be_focused()


def test_the_game_is_analysed_afterwards(play):
    play.open("tic_tac_toe", "human", "human")
    play.play("a1", "a2", "b1", "b2", "c1")
    play.says("X wins")
    play.page.get_by_role("button", name="Analyse this game").click()
    expect(play.page.get_by_role("tab", name="Analyse")).to_have_attribute("aria-selected", "true")
    expect(play.analyse).to_be_visible()


def test_a_game_goes_on_when_the_server_was_started_again(chromium):
    from local_page import Site

    context = chromium.new_context()
    page = context.new_page()
    with Site(NUMBA_DISABLE_JIT="1") as first:
        page.goto(first.address)
        play = Play(page, first).open("tic_tac_toe", "human", "human")
        play.play("b2")
        hidden = context.new_page()
        hidden.goto(first.at("/game/kuhn"))
        game = Play(hidden, first)
        game.says("Your move")
        port = first.origin.rpartition(":")[2]
        token = first.address.partition("token=")[2]
    play.target("a1").click()
    play.says("the server does not answer")
    with Site("--port", port, NUMBA_DISABLE_JIT="1") as second:
        assert token not in second.address
        context.new_page().goto(second.address)
        play.play("a1", "c3")
        game.target("pass").click()
        game.says("begin a new game")
        game.new.click()
        hidden.get_by_role("button", name="Begin").click()
        game.says("Your move")
    context.close()
