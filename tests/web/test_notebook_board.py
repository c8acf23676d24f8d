"""The board in notebooks: what the front end is told and may do, and the widget in a browser."""

import json

import pytest
from browser import open_page

import adv_envs
from adv_envs import ConnectFour, Hex, IllegalMove, Kuhn, Pig, TicTacToe
from adv_envs.testing import ChatEndpoint, ScriptedModel
from agents import LanguageModel
from agents.language import NoAnswer

pytest.importorskip("anywidget")
pytestmark = pytest.mark.plain


def send(widget, message):
    """What happens when the front end sends a message."""
    widget._handle_custom_msg(message, [])


def first(position):
    return position.legal_actions()[0]


def last(position):
    return position.legal_actions()[-1]


def test_a_game_is_played_to_its_end_against_an_agent():
    board = adv_envs.widget(TicTacToe(), agent=first)
    assert board.board["title"]
    while not board.position.is_terminal():
        send(board, {"action": last(board.position)})
        assert board.position.is_terminal() or board.position.to_move == 0
    assert board.position == board.start.after(board.actions)
    assert board.moves == [TicTacToe().name(action) for action in board.actions]
    assert board.board["actions"] == []
    json.dumps(board.board)


@pytest.mark.parametrize(
    "message",
    [
        {"action": 9}, {"action": -1}, {"action": True}, {"action": "b2"}, {"action": 2**70}, {},
        {"do": "quit"}, {"do": 3}, [], "undo", None, {"action": None}, {"actions": [1]},
    ],
)  # fmt: skip
def test_garbage_from_the_front_end_changes_nothing(message):
    board = adv_envs.widget("tic_tac_toe", agent=first)
    before = board.position
    send(board, message)
    assert board.position == before
    assert board.said == "That is not a legal move."


def test_a_move_of_another_seat_is_refused():
    board = adv_envs.widget("tic_tac_toe", agent=first, seat=1)
    assert board.position.to_move == 1  # the agent has begun
    assert board.actions == [0]
    send(board, {"action": 0})
    assert board.actions == [0]


def test_undo_new_game_and_flip():
    board = adv_envs.widget("chess", agent=first)
    send(board, {"do": "undo"})
    assert board.actions == []
    white = board.board["shapes"]
    send(board, {"action": board.position.action("e4")})
    assert len(board.actions) == 2
    send(board, {"do": "undo"})
    assert board.actions == []
    assert board.board["shapes"] == white
    send(board, {"do": "flip"})
    assert board.board["shapes"] != white
    board.play("e4")
    send(board, {"do": "new game"})
    assert board.position == board.start


def test_an_agent_that_fails_is_reported_and_the_board_lives_on():
    def fails(position):
        raise RuntimeError("no idea")

    board = adv_envs.widget("tic_tac_toe", agent=fails)
    send(board, {"action": 4})
    assert "no idea" in board.said
    assert board.actions == [4]
    send(board, {"do": "undo"})
    assert board.actions == []


def test_a_language_model_plays_and_may_be_out_of_reach():
    pytest.importorskip("httpx")
    with ChatEndpoint(ScriptedModel(last)) as endpoint:
        model = LanguageModel("m", endpoint.base_url, board="json", retries=0)
        board = adv_envs.widget("tic_tac_toe", agent=model)
        send(board, {"action": 4})
        assert board.actions == [4, 8]
        endpoint.model = json.loads  # which refuses all messages
        send(board, {"action": 0})
        assert board.said.startswith("NoAnswer: http://127.0.0.1")
        assert board.said.endswith("Undo, and play again.")
        send(board, {"do": "undo"})
        endpoint.model = ScriptedModel(last)
        send(board, {"action": 0})
        assert board.actions == [4, 8, 0, 7]
        endpoint.model = json.loads
        with pytest.raises(NoAnswer):
            board.play(1)


def test_an_agent_that_cannot_begin_a_game_is_reported():
    class Once:
        games = 0

        def reset(self, seed):
            self.games += 1
            if self.games == 2:
                raise RuntimeError("only once")

        def act(self, position):
            return first(position)

    board = adv_envs.widget("tic_tac_toe", agent=Once())
    send(board, {"action": 4})
    send(board, {"do": "new game"})
    assert "only once" in board.said
    assert board.moves == board.actions == []
    send(board, {"action": 4})
    assert board.actions == [4, 0]
    assert not board.said


def test_a_second_click_on_a_board_that_has_changed_is_not_played():
    board = adv_envs.widget("connect_four", agent=first)
    click = {"action": 3, "turn": board.board["turn"]}
    send(board, click)
    send(board, click)
    assert board.actions == [3, 0]
    assert "changed" in board.said


@pytest.mark.parametrize("agent", [lambda position: -1, lambda position: "b2"])
def test_an_agent_that_answers_with_no_legal_action_is_reported(agent):
    board = adv_envs.widget("tic_tac_toe", agent=agent)
    send(board, {"action": 4})
    assert "not a legal action" in board.said


def test_both_sides_by_hand_and_positions_that_are_set():
    board = adv_envs.widget(Hex(3))
    board.play("b2")
    board.play(0)
    assert board.moves == ["b2", "a1"]
    with pytest.raises(IllegalMove, match="legal"):
        board.play("b2")
    board.position = Hex(3).after("c1")
    assert board.start == Hex(3).after("c1")
    assert board.actions == []
    with pytest.raises(TypeError):
        board.position = "c1"
    with pytest.raises(ValueError, match="2 players"):
        board.position = Kuhn(players=3)


def test_chance_is_thrown_and_repeated_by_its_seed():
    def rolls(seed):
        board = adv_envs.widget(Pig(), agent=last, seed=seed)
        for _ in range(5):
            if not board.position.is_terminal():
                send(board, {"action": 0})
        return board.actions

    assert rolls(1) == rolls(1)
    assert any(rolls(seed) != rolls(1) for seed in range(2, 6))


def test_a_person_sees_no_more_than_the_player():
    shown = {}
    for seed in range(40):
        board = adv_envs.widget(Kuhn(), agent=first, seed=seed)
        view = board.position.hidden(0)
        told = json.dumps([board.board, board.moves, board.said])
        assert shown.setdefault(view, told) == told
        assert board.moves.count("?") == 1  # the card of the other player
    assert len(shown) == 3  # one for each card


def test_everything_is_seen_at_the_end():
    board = adv_envs.widget(Kuhn(), agent=last, seed=3)
    while not board.position.is_terminal():
        send(board, {"action": last(board.position)})
    assert "?" not in board.moves


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"seat": 2, "agent": first}, ValueError, "seats are 0 to 1"),
        ({"seat": 0}, ValueError, "name an agent"),
        ({"agent": "nobody"}, ValueError, "no agent"),
        ({"agent": 3}, TypeError, "opponent"),
        ({"size": 3}, TypeError, "parameter"),
    ],
)
def test_wrong_arguments_are_refused(arguments, error, words):
    with pytest.raises(error, match=words):
        adv_envs.widget("tic_tac_toe", **arguments)


def test_viewers_without_widgets_get_a_picture():
    bundle = adv_envs.widget(ConnectFour())._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert data["image/svg+xml"].startswith("<svg")
    assert "application/vnd.jupyter.widget-view+json" in data


def test_changes_can_be_observed():
    board, seen = adv_envs.widget("tic_tac_toe"), []
    board.observe(lambda change: seen.append(change["new"]), "moves")
    board.play("b2")
    assert seen == [["b2"]]


PAGE = """
<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="/widget.css">
<div id="here"></div><p id="sent"></p>
<script type="module">
import widget from "/widget.js";
const listeners = {}, values = BOARD;
const model = {
  get: (key) => values[key],
  on: (event, listener) => { listeners[event] = listener; },
  off: () => {},
  send: (message) => { document.querySelector("#sent").textContent += JSON.stringify(message); },
};
widget.render({ model, el: document.querySelector("#here") });
</script>
"""


@pytest.mark.needs("browser")
def test_the_front_end_sends_what_is_clicked(chromium):
    from playwright.sync_api import expect

    board = adv_envs.widget("tic_tac_toe", agent=first)
    values = {name: getattr(board, name) for name in ("board", "said", "moves")}
    answers = {
        "http://board/": ("text/html", PAGE.replace("BOARD", json.dumps(values))),
        "http://board/widget.js": ("text/javascript", str(board._esm)),
        "http://board/widget.css": ("text/css", str(board._css)),
    }

    def answer(route):
        kind, body = answers.get(route.request.url, ("text/plain", ""))
        route.fulfill(content_type=kind, body=body)

    with open_page(chromium) as page:
        page.route("**/*", answer)
        page.goto("http://board/")
        page.get_by_role("button", name="b2").click()
        expect(page.locator("#sent")).to_have_text('{"action":4,"turn":0}')
        page.get_by_role("button", name="undo").click()
        expect(page.locator("#sent")).to_have_text('{"action":4,"turn":0}{"do":"undo"}')
