"""The Hex text protocol: whole sessions typed in, as HexGui and match programs type them."""

import os
import re
import signal
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest
from children import LONGEST
from command_line import process, refused, run, well, words
from hypothesis import given, settings
from hypothesis import strategies as st
from test_gtp import ask, talk, wrong

import adv_envs
import agents
from adv_envs import Hex, Position
from adv_envs.formats import sgf
from adv_envs.formats.hex_sgf import set_up, stones, turned
from agents.protocols.agent_control import thinking_for
from agents.protocols.gtp import GtpClock
from agents.protocols.htp import HtpServer

pytestmark = pytest.mark.plain

FIELD = """name version protocol_version list_commands known_command boardsize clear_board play
genmove reg_genmove undo showboard all_legal_moves final_score time_left time_settings
hexgui-analyze_commands quit"""


def engine(agent: str | agents.Agent = "random(seed=1)", size: int = 5, **more: Any) -> HtpServer:
    return HtpServer(agents.make(agent), size, **more)


def rows(engine: HtpServer) -> list[str]:
    """The board as showboard draws it, row by row."""
    return ["".join(line.split()[1:]) for line in ask(engine, "showboard").split("\n")[2:-1]]


@dataclass(repr=False)
class Odd(agents.Agent):
    """Does what it is told, once the rules are none of its business."""

    does: Any = 0
    seconds: float | None = None
    name: ClassVar[str] = "odd"

    def act(self, position: Position) -> int:
        self.position = position
        self.thought = self.seconds
        if isinstance(self.does, BaseException):
            raise self.does
        print("thinking aloud")
        return self.does  # type: ignore[no-any-return]


# ---- the form of commands and answers


def test_names_and_commands() -> None:
    one = engine("rush")
    assert talk(one, "name", "version", "protocol_version") == [
        *("adv-envs rush", adv_envs.__version__, "2")
    ]
    known = ask(one, "list_commands").split("\n")
    assert known == list(one.commands)
    for name in FIELD.split():
        assert name in known
        assert ask(one, f"known_command {name}") == "true"
    assert ask(one, "known_command tea") == "false"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("17 protocol_version", "=17 2\n\n"),
        ("17 clear_board", "=17\n\n"),
        ("17", "?17 a number and no command\n\n"),
        *[
            (line, "")
            for line in ("", "\n", "   \t \n", "# interrupt\n", "  # 1 name\n", "\x00\x07")
        ],
        ("protocol_version # really", "= 2\n\n"),
        ("\tprotocol_version\r\n", "= 2\n\n"),
        ("proto\x07col_version  \n", "= 2\n\n"),
    ],
)
def test_lines_and_answers(line: str, answer: str) -> None:
    assert engine().answer(line) == answer
    assert engine().answer("17 tea").startswith("?17 unknown command: tea")


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("tea", "unknown command"),
        ("Play b a1", "unknown command"),
        ("play", "play COLOR MOVE"),
        ("play b", "play COLOR MOVE"),
        ("play b a1 a2", "play COLOR MOVE"),
        ("name please", "write name, and nothing after it"),
        ("boardsize", "boardsize WIDTH [HEIGHT]"),
        ("boardsize 1", "2 x 2 to 19 x 19"),
        ("boardsize 20", "2 x 2 to 19 x 19"),
        ("boardsize 5 6", "5 x 6"),
        ("boardsize five", "five"),
        ("boardsize -5", "-5"),
        ("boardsize ²", "²"),
        ("play green a1", "not a colour: black or white"),
        ("play b f1", "not a cell: a1 to e5"),
        ("play b a6", "not a cell"),
        ("play b a0", "not a cell"),
        ("play b 11", "not a cell"),
        ("play b ä1", "not a cell"),
        ("play b pass", "nobody passes"),
        ("play b swap", "swap-pieces or swap-sides"),
        ("play w swap-pieces", "answers the first stone"),
        ("genmove", "genmove COLOR"),
        ("genmove red", "not a colour"),
        ("undo", "cannot undo"),
        ("time_left b soon", "not a number of seconds"),
        ("time_left b -1", "not a number of seconds"),
        ("time_left b nan", "not a number of seconds"),
        ("time_left b inf", "not a number of seconds"),
        ("time_left b 1e30", "'1e30' is not a number of seconds from 0 to 10000000"),
        ("time_settings 1e30 0 0", "'1e30' is not a number of seconds"),
        ("time_settings 0 1e30 1", "'1e30' is not a number of seconds"),
        ("time_left b 1 1e30", "not a number of moves"),
        ("time_left b 1 x", "not a number of moves"),
        ("time_settings 1 2", "time_settings MAIN_SECONDS"),
        ("move_values", "random(seed=1) does not search"),
    ],
)
def test_errors_say_what_is_wrong(command: str, why: str) -> None:
    assert why in wrong(engine(), command)


# ---- the board


def test_a_game_black_joins_top_and_bottom() -> None:
    one = engine(size=3)
    talk(one, "play b b1", "play w a1", "play black B2", "play WHITE c1")
    assert rows(one) == ["WBW", ".B.", "..."]
    assert ask(one, "final_score") == "cannot score"
    assert "black to move (top to bottom)" in ask(one, "showboard")
    assert ask(one, "all_legal_moves") == "a2 c2 a3 b3 c3"
    ask(one, "play b a3")
    assert ask(one, "final_score") == "B+"
    assert "the game is over: black has joined top and bottom" in ask(one, "showboard")
    assert ask(one, "all_legal_moves") == ""
    assert "illegal move: the game is over" in wrong(one, "play w c3")
    assert ask(one, "genmove w") == "resign"
    assert ask(one, "reg_genmove w") == "resign"
    assert "the game is over: black has" in wrong(one, "genmove b")
    ask(one, "undo")
    assert ask(one, "final_score") == "cannot score"


def test_white_joins_left_and_right() -> None:
    one = engine(size=2)
    talk(one, "play b a1", "play w a2", "play b b1")
    assert wrong(one, "play w a1") == "illegal move: there is a stone on a1"
    assert talk(one, "play w b2", "final_score")[1] == "W+"
    assert "white has joined left and right" in ask(one, "showboard")


def test_sizes() -> None:
    one = engine()
    talk(one, "play b a1", "boardsize 7 7")
    assert rows(one) == ["." * 7] * 7
    talk(one, "play b g7", "clear_board")
    assert rows(one) == ["." * 7] * 7
    assert "not a cell" in wrong(one, "play b h1")
    ask(one, "boardsize 19")
    ask(one, "play w s19")


def test_undo_goes_back_over_everything() -> None:
    one = engine(size=4)
    seen = [rows(one)]
    for command in ("play b a1", "play w swap-pieces", "play b b2", "play b c2", "genmove w"):
        ask(one, command)
        seen.append(rows(one))
    for board in reversed(seen[:-1]):
        ask(one, "undo")
        assert rows(one) == board
    assert "cannot undo" in wrong(one, "undo")


def test_genmove_plays_and_reg_genmove_does_not() -> None:
    one = engine("rush(seed=1)")
    move = ask(one, "reg_genmove b")
    assert rows(one) == ["....."] * 5
    assert move in ask(one, "all_legal_moves").split()
    move = ask(one, "genmove b")
    assert move not in ask(one, "all_legal_moves").split()
    assert one.position.to_move == 1


# ---- set-ups


def test_stones_in_any_order() -> None:
    one = engine("alpha_beta(depth=1)", size=3)
    talk(one, "play b b1", "play w a1", "play w c1", "play b b2", "play w c2")
    assert rows(one) == ["WBW", ".BW", "..."]
    assert set(ask(one, "all_legal_moves").split()) == {"a2", "a3", "b3", "c3"}
    assert ask(one, "reg_genmove w") in ("a2", "a3", "b3", "c3")
    assert ask(one, "reg_genmove b") in ("a3", "b3")  # either wins


@pytest.mark.parametrize("command", ["genmove w", "play w b2"])
def test_white_may_begin(command: str) -> None:
    one = engine("alpha_beta(depth=1)", size=3)
    ask(one, command)
    assert len(stones(one.position, 1)) == 1
    assert one.position.to_move == 0
    assert len(ask(one, "all_legal_moves").split()) == 8


def test_a_won_board_can_be_set_up_row_by_row() -> None:
    one = engine(size=3)
    for row, line in enumerate(["WBW", "WBW", ".BW"], 1):
        for letter, stone in zip("abc", line, strict=True):
            if stone != ".":
                ask(one, f"play {stone} {letter}{row}")
    assert rows(one) == ["WBW", "WBW", ".BW"]
    assert ask(one, "final_score") == "B+"


@pytest.mark.parametrize("seed", range(20))
def test_set_ups_are_the_positions_of_games(seed: int) -> None:
    rng = Random(seed)
    position = Hex(rng.randint(2, 5), bool(seed % 2))
    while not position.is_terminal():
        again = set_up(
            position.size, stones(position, 0), stones(position, 1), position.to_move, position.swap
        )
        assert again == position
        other = turned(position, 1 - position.to_move)
        assert [stones(other, p) for p in (0, 1)] == [stones(position, p) for p in (0, 1)]
        assert other.to_move != position.to_move
        position = position.play(rng.choice(position.legal_actions()))
    both = stones(position, 0), stones(position, 1)
    assert set_up(position.size, *both, swap=position.swap) == position
    with pytest.raises(ValueError, match="has won"):
        turned(position, 1 - position.to_move)


@pytest.mark.parametrize("seed", range(5))
def test_searches_find_wins_in_set_ups_no_game_leads_to(seed: int) -> None:
    rng = Random(seed)
    cells = [(row, column) for row in range(4) for column in range(4)]
    rng.shuffle(cells)
    while set_up(4, cells[:2], cells[2:9]).is_terminal():
        rng.shuffle(cells)
    position = set_up(4, cells[:2], cells[2:9], seed % 2)
    search = agents.make("alpha_beta(depth=16)")
    assert isinstance(search, agents.SearchAgent)
    assert search.analyse(position).value == solved(position)


def solved(position: Hex) -> float:
    if position.is_terminal():
        return position.utility(position.to_move)
    return max(-solved(position.play(a)) for a in position.legal_actions())


@pytest.mark.parametrize(
    ("black", "white", "why"),
    [
        ([(0, 3)], [], "off the board, which ends at c3"),
        ([], [(-1, 0)], "off the board"),
        ([(1, 2)], [(1, 2)], "c2 cannot hold a black and a white stone"),
    ],
)
def test_impossible_stones(black: Any, white: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        set_up(3, black, white)


# ---- as programs do it


def test_as_hexgui_does_it() -> None:
    one = engine("rush(seed=1)", size=11)
    talk(one, "name", "version", "hexgui-analyze_commands", "boardsize 5 5", "clear_board")
    talk(one, "clear_board", "showboard")  # a program is connected
    talk(one, "play black c1", "showboard", "genmove white", "undo", "showboard")
    talk(one, "clear_board", "play white a3", "showboard")  # White swaps: the stone is set anew
    move = ask(one, "genmove black")
    assert rows(one)[2][0] == "W"
    assert one.position.to_move == 1
    # a stone is set up: all of them are sent, row by row
    talk(one, "clear_board", f"play black {move}", "play white a3", "play white e5", "showboard")
    assert re.fullmatch("[a-e][1-5]", ask(one, "genmove white"))
    assert wrong(one, "vc-build white").startswith("unknown command: vc-build")
    assert engine().answer("# interrupt\n") == ""
    ask(one, "quit")
    assert not one.running


@pytest.mark.parametrize("seed", range(3))
def test_as_match_programs_do_it(seed: int) -> None:
    """Benzene's plays on until somebody resigns, and tells both programs everything."""
    seats = [engine("random", 4, seed=seed), engine("rush", 4, seed=seed)]
    talk(seats[0], "boardsize 4 4")
    talk(seats[1], "boardsize 4 4")
    colour, move = 0, ""
    while move != "resign":
        move = ask(seats[colour], f"genmove {'bw'[colour]}")
        ask(seats[1 - colour], f"play {'bw'[colour]} {move}")
        colour = 1 - colour
    winner = "BW"[colour]
    assert [ask(one, "final_score") for one in seats] == [f"{winner}+"] * 2
    assert seats[0].position == seats[1].position


def test_loadsgf(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    sgf.save(path, Hex(4), [0, 5, 10])
    one = engine()
    ask(one, f"loadsgf {path}")
    assert one.position == Hex(4).after([0, 5, 10])
    talk(one, "undo", "undo", "undo")
    ask(one, f"loadsgf {path} 1")
    assert one.position == Hex(4).after([0])
    path.write_text("(;GM[11]SZ[3]AB[a1][b2]PL[B])")
    ask(one, f"loadsgf {path}")
    assert re.fullmatch("[a-c][1-3]", ask(one, "genmove b"))
    path.write_text("(;GM[11]SZ[3]AB[a1")
    assert "line 1, column 16" in wrong(one, f"loadsgf {path}")
    assert "cannot load the file" in wrong(one, f"loadsgf {tmp_path}")
    assert "not a number of moves" in wrong(one, f"loadsgf {path} x")


@pytest.mark.parametrize("said", [b"undefined", b"\0", b"\xed\xa0\x80", b"a" * 5000, b"punycode"])
def test_odd_encodings_do_not_end_a_session(said: bytes, tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(b"(;GM[11]CA[" + said + b"]SZ[3];B[a1])")
    one = engine(size=4)
    ask(one, f"loadsgf {path}")
    assert one.position == Hex(3).after("a1")
    path.write_bytes(b"(;GM[11]CA[" + said + b"]SZ[3]C[\x95\\];B[a1])")
    assert "say what it is, such as CA[" in wrong(one, f"loadsgf {path}")
    for line in (f"set_game hex size={'-' * 3000}1", "param_agent seed {[]:1}", "boardsize 1e400"):
        assert wrong(one, line)
    assert one.position == Hex(3).after("a1")


# ---- any session at all

SAID = "b w white a1 b2 c3 d4 swap-pieces resign 3 0.5 x"
WORDS = st.sampled_from([*HtpServer(agents.Random(), 5).commands, *SAID.split()])
LIKELY = st.sampled_from(
    ["undo", "genmove b", "genmove w", "clear_board", "showboard", "play w swap-pieces", "undo"]
) | st.builds("play {} {}".format, st.sampled_from("bw"), st.sampled_from(["a1", "b1", "c2", "b3"]))


@settings(deadline=None, derandomize=True, max_examples=100)
@given(st.lists(LIKELY | st.lists(WORDS, max_size=4).map(" ".join) | st.text(), max_size=30))
def test_every_line_gets_one_answer_and_the_board_is_the_moves(lines: list[str]) -> None:
    one = engine("random(seed=1)", size=3)
    for line in lines:
        command = line.partition("#")[0].split()
        before, answer = [*one.history], one.answer(line)
        assert re.fullmatch(r"([=?]\d*( .*)?(\n.+)*\n\n)?", answer), answer
        if answer.startswith("?"):
            assert one.history == before
        if answer.startswith("=") and command[0] == "play" and "swap" not in line:
            was = {cell: before[-1].position.cell(*cell) for cell in CELLS}
            now = {cell: one.position.cell(*cell) for cell in CELLS}
            changed = [cell for cell in CELLS if was[cell] != now[cell]]
            assert len(changed) == ("resign" not in line)
            assert all(was[cell] is None for cell in changed)
        both = stones(one.position, 0), stones(one.position, 1)
        assert one.position.is_terminal() == set_up(one.position.size, *both).is_terminal()


CELLS = [(row, column) for row in range(3) for column in range(3)]


# ---- the pie rule


def test_swap_pieces_mirrors_the_stone() -> None:
    one = engine(size=3)
    talk(one, "play b a3", "play w swap-pieces")
    assert rows(one) == ["..W", "...", "..."]
    assert one.position.to_move == 0
    assert "at once or never" in wrong(one, "play b swap-pieces")
    talk(one, "play b b2", "play w a1")
    assert "at once or never" in wrong(one, "play b swap-pieces")
    two = engine(size=3, swap=True)  # the game's own rule
    talk(two, "play b a3", "play w swap-pieces", "play b b2")
    assert two.position == Hex(3, swap=True).after("a3 swap b2")


def test_swap_sides_leaves_the_board() -> None:
    one = engine(size=3)
    talk(one, "play b a3", "play w swap-sides")
    assert rows(one) == ["...", "...", "B.."]
    ask(one, "play w b2")
    assert rows(one) == ["...", ".W.", "B.."]


def test_an_agent_swaps_only_where_that_was_agreed() -> None:
    ask(one := engine(Odd(9), size=3, swap=True), "play b a3")
    assert ask(one, "all_legal_moves").endswith("swap-pieces")
    assert ask(one, "genmove w") == "swap-pieces"
    assert rows(one) == ["..W", "...", "..."]
    assert one.position == Hex(3, swap=True).after("a3 swap")
    ask(two := engine(Odd(9), size=3), "play b a3")
    assert "9, which is not legal" in wrong(two, "genmove w")
    assert "swap" not in ask(two, "all_legal_moves")


# ---- agents that fail


@pytest.mark.parametrize(
    ("does", "why"),
    [
        (RuntimeError("no\n\nidea"), "failed: RuntimeError: no idea"),
        (99, "answers 99, which is not legal"),
        ("a1", "answers 'a1', which is not legal"),
        (None, "answers None, which is not legal"),
    ],
)
def test_failures_are_answers(does: Any, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    one = engine(Odd(does))
    assert why in wrong(one, "genmove b")
    assert ask(one, "protocol_version") == "2"
    assert capsys.readouterr().out == ""  # what it prints is no answer


def test_agents_may_resign() -> None:
    assert ask(engine(Odd(agents.Resign())), "genmove b") == "resign"
    ask(one := engine(), "play b a1")
    ask(one, "play w resign")  # which changes nothing
    assert rows(one)[0] == "B...."


# ---- time


def test_time_left_bounds_the_thinking() -> None:
    agent = Odd(0)
    one = engine(agent, size=10)
    ask(one, "time_left b 50 0")
    assert ask(one, "time_left b") == "50.0"
    assert ask(one, "time_left") == "black: 50.0, white: no limit"
    ask(one, "genmove b")
    assert agent.thought == pytest.approx(50 / 25, abs=0.1)  # a quarter of 100 cells
    assert agent.seconds is None
    agent.does = 1
    ask(one, "genmove w")
    assert agent.thought is None
    ask(one, "time_left b 0")
    agent.does = 2
    ask(one, "genmove b")
    assert 0 < agent.thought < 0.05


def test_the_agents_own_limit_holds_too() -> None:
    agent = Odd(0, seconds=0.5)
    one = engine(agent)
    ask(one, "time_settings 1000 0 0")
    ask(one, "genmove b")
    assert agent.thought == 0.5
    ask(one, "time_settings 0 0.2 1")
    agent.does = 1
    ask(one, "genmove w")
    assert agent.thought == pytest.approx(0.15)
    ask(one, "time_settings 0 0 0")
    assert ask(one, "time_left w") == "no limit"
    ask(one, "time_settings 0 10 0")  # GTP: a period without moves is no limit
    assert ask(one, "time_left w") == "no limit"


def test_clocks() -> None:
    clock = GtpClock(10, 0, (5, 2))
    clock.spend(4)
    assert (clock.seconds, clock.moves) == (6, 0)
    clock.spend(6.5)  # into the periods
    assert (clock.seconds, clock.moves) == (5, 2)
    clock.spend(3)
    assert (clock.seconds, clock.moves) == (2, 1)
    assert clock.share(100) == pytest.approx(1.95)
    clock.spend(1)
    assert (clock.seconds, clock.moves) == (5, 2)
    flag = GtpClock(1)
    flag.spend(3)
    assert flag.share(100) > 0


def test_looking_costs_no_time() -> None:
    one = engine("alpha_beta(depth=2)", size=3)
    ask(one, "time_left b 50")
    talk(one, "reg_genmove b", "search_report b", "move_values b")
    assert one.clocks[0].seconds == 50
    ask(one, "genmove b")
    assert one.clocks[0].seconds < 50


def test_agents_without_seconds_do_not_mind() -> None:
    agent = agents.make("random")
    with thinking_for(agent, 1.0):
        assert not hasattr(agent, "seconds")


# ---- what HexGui shows


def test_analyze_commands_are_commands() -> None:
    one = engine("alpha_beta(depth=2)", size=3)
    labels = []
    for line in ask(one, "hexgui-analyze_commands").split("\n"):
        kind, label, command = line.split("/")
        assert kind in ("string", "plist", "pspairs", "gfx", "var", "param")
        labels.append(label)
        if command != "dfpn-solve-state %m":  # two plies prove nothing here
            ask(one, command.replace("%m", "b"))
            ask(one, command.replace("%m", "w"))
    assert len({*labels}) == len(labels)


@pytest.fixture
def decided() -> HtpServer:
    """Black to move wins, but not with every move: White stands on the other end of a bridge."""
    one = engine("alpha_beta(depth=9)", size=3)
    talk(one, "play b b1", "play w a1", "play b b2", "play w a3")
    return one


def test_parameters_of_the_agent() -> None:
    one = engine("alpha_beta(depth=2)", size=3)
    lines = ask(one, "param_agent").split("\n")
    assert {"[string] depth 2", "[string] seconds None"} <= {*lines}
    assert talk(one, "param_agent depth 4", "param_agent depth") == ["", "4"]
    assert one.agent == agents.AlphaBeta(depth=4)
    ask(one, "param_agent depth None")
    assert one.agent == agents.AlphaBeta()
    for line, why in [
        ("depth -1", "depth must be at least 1"),
        ("depth tea", "depth cannot be tea"),
        ("seconds 1e30", "seconds must be at most 10000000"),
        ("tea 1", "no parameter 'tea'; parameters: depth"),
    ]:
        assert why in wrong(one, f"param_agent {line}")
    assert ask(engine("rush"), "param_agent") == "\n[string] seed None"


def test_move_values(decided: HtpServer) -> None:
    pairs = ask(decided, "move_values b").split()
    values = dict(zip(pairs[::2], map(float, pairs[1::2]), strict=True))
    position = decided.position
    assert values == {position.name(a): -solved(position.play(a)) for a in position.legal_actions()}
    assert ask(decided, "move_values") == ask(decided, "move_values black")


def test_a_heat_map_goes_from_0_to_1(decided: HtpServer) -> None:
    influence, _, text = ask(decided, "heat_map b").partition(" TEXT ")
    word, *pairs = influence.split()
    assert word == "INFLUENCE"
    colours = dict(zip(pairs[::2], map(float, pairs[1::2]), strict=True))
    assert min(colours.values()) >= 0
    assert max(colours.values()) <= 1
    position = decided.position
    wins = [a for a in position.legal_actions() if solved(position.play(a)) < 0]
    assert 0 < len(wins) < len(position.legal_actions())
    assert [cell for cell, colour in colours.items() if colour == 1] == [*map(position.name, wins)]
    assert text.startswith("values from")


def test_a_heat_map_where_all_moves_are_alike(decided: HtpServer) -> None:
    ask(decided, "undo")
    assert set(ask(decided, "heat_map b").partition(" TEXT")[0].split()[2::2]) == {"1.000"}
    assert set(ask(decided, "heat_map w").partition(" TEXT")[0].split()[2::2]) == {"0.000"}


def test_boards_of_values(decided: HtpServer) -> None:
    lines = ask(decided, "value_board b").split("\n")
    assert lines[0] == ""
    assert lines[1].split() == ["a", "b", "c"]
    assert lines[2].split()[:3] == ["1", "W", "B"]
    assert lines[4].split()[:3] == ["3", "W", "1"]


def test_search_report_and_variation(decided: HtpServer) -> None:
    report = ask(decided, "search_report b")
    assert "value +1 (proven)" in report
    variation = ask(decided, "principal_variation b").split()
    assert {"b3", *variation} <= {"b3", "c2", "c3"}


def white_wins(one: HtpServer) -> bool:
    return solved(turned(one.position, 1)) > 0


def test_the_solve_button_of_hexgui(decided: HtpServer) -> None:
    assert ask(decided, "dfpn-solve-state b") == "black"
    assert ask(decided, "dfpn-solve-state w") == ("white" if white_wins(decided) else "black")
    hasty = engine("alpha_beta(depth=1)")
    assert "has not proven who wins" in wrong(hasty, "dfpn-solve-state b")
    report = ask(decided, "gogui-gfx-analyze b")
    assert "value +1 (proven), depth" in report
    assert "\n" not in report


def test_no_analysis_of_finished_games(decided: HtpServer) -> None:
    talk(decided, "play b b3")
    for command in ("move_values w", "heat_map", "search_report b"):
        assert "the game is over" in wrong(decided, command)


def test_values_of_the_moves_share_the_time() -> None:
    one = engine(agents.AlphaBeta(seconds=0.3), size=4)
    talk(one, "reg_genmove b", "move_values b")  # compiled by the first


# ---- the command


def test_a_session() -> None:
    typed = "boardsize 5\n1 play b c3\n2 genmove w\n# a comment\n\n3 tea\n4 quit\nname\n"
    answers = well("htp", "--agent", "random", "--seed", "1", typed=typed).split("\n\n")
    assert [answer[:2] for answer in answers] == ["=", "=1", "=2", "?3", "=4", ""]


def test_the_session_in_the_documentation_is_one() -> None:
    page = Path(__file__).parent.parent / "docs" / "formats-and-protocols.md"
    rest = page.read_text(encoding="utf-8").partition("```text\n$ adv-envs htp ")[2]
    args, _, talk = rest.partition("```")[0].partition("\n")
    commands, answers = zip(*re.findall(r"^(\w.*)\n([=?](?:.*\n)+?)\n", talk, re.M), strict=True)
    assert len(commands) > 3
    said = run("htp", *args.split(), typed="\n".join(commands)).out
    spoken = [re.sub(" +\n", "\n", answer) for answer in said.split("\n\n")]
    assert spoken == [*(answer.strip() for answer in answers), ""]


@pytest.mark.parametrize(
    ("typed", "end"),
    [("name", "= adv-envs random\n\n"), (b"\xff\xfe\nprotocol_version\n", "= 2\n\n")],
)
def test_the_end_of_input_and_bytes_that_are_no_text(typed: str | bytes, end: str) -> None:
    assert well("htp", "--agent", "random", typed=typed).endswith(end)


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["--agent", "human"], "an agent is needed"),
        (["--agent", "nobody"], "no agent 'nobody'"),
        (["--size", "1"], "--size"),
    ],
)
def test_refusals(args: list[str], why: str) -> None:
    assert why in refused("htp", *args)


def test_help_teaches() -> None:
    text = words(well("htp", "--help"))
    for part in ("HexGui", "list_commands", "a1 is the top left cell", "--swap", "'boardsize 5"):
        assert part in text


def test_each_answer_comes_at_once_and_ctrl_c_ends_it() -> None:
    with process("htp", "--agent", "random") as program:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdin.write("protocol_version\n")
        program.stdin.flush()
        assert program.stdout.readline() == "= 2\n"
        assert program.stdout.readline() == "\n"
        if os.name == "posix":
            program.send_signal(signal.SIGINT)
            assert program.wait(LONGEST) == 130
            assert program.stderr.read().strip() == "Interrupted."
        else:
            program.kill()
