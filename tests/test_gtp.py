"""GTP in every game: our agents as programs, and as the agents that such programs are."""

import random
import re
import sys
from typing import Any

import pytest
import twogtp
from command_line import refused, well
from hypothesis import given
from hypothesis import strategies as st
from small_games import Heap, Race

import agents
from adv_envs import ConnectFour, Go, Hex, Othello, Position, TicTacToe
from adv_envs.notation import play_line
from adv_envs.registry import GAMES, name_of, start_position
from adv_envs.testing import check_agent
from agents import Knowledge, Random, knowledge, play_game, register_knowledge
from agents.dialects import GtpGame
from agents.engine import Engine, EngineIncompatible, GtpClient, line_between
from agents.protocols.gtp import GtpServer, Moment

pytestmark = pytest.mark.plain

US = f"{sys.executable} -m adv_envs gtp"

STANDARD = """protocol_version name version known_command list_commands quit boardsize clear_board
komi play genmove undo showboard time_settings time_left final_score"""


def program(start: Position, agent: Any = "random(seed=1)") -> GtpServer:
    return GtpServer(agents.make(agent), start)


def ask(server: GtpServer, command: str) -> str:
    """The text of an answer that must be good."""
    answer = server.answer(command)
    assert answer.startswith("="), answer
    assert answer.endswith("\n\n")
    assert "\n\n" not in answer[:-2]
    return answer[1:-2].removeprefix(" ")


def talk(server: GtpServer, *commands: str) -> list[str]:
    return [ask(server, command) for command in commands]


def wrong(server: GtpServer, command: str) -> str:
    """The text of an answer that must be an error, which changes nothing."""
    before = list(server.history)
    answer = server.answer(command)
    assert answer.startswith("? "), answer
    assert answer.endswith("\n\n")
    assert server.history == before
    return answer[2:-2]


@pytest.fixture(autouse=True)
def records_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knowledge, "_records", knowledge._records.copy())


class Counted(TicTacToe):
    """Tic-tac-toe in the ways of Go: rows from below, no i, points for White, anybody's turn."""


def counted(**more: Any) -> None:
    """Give ``Counted`` its record."""

    def vertex(position: Counted, action: int) -> str:
        row, column = divmod(action, position.width)
        return f"{'ABCDEFGHJ'[column]}{position.height - row}"

    def action_of(position: Counted, word: str) -> int:
        for action in position.legal_actions():
            if vertex(position, action).lower() == word:
                return action
        return position.action("none of them")

    def turned(position: Counted, player: int) -> Counted:
        first, second = position.stones(0), position.stones(1)
        if second.bit_count() > first.bit_count() or player == 0:
            raise ValueError("too many stones")
        return Counted(3, 3, 3, 0, second, position.ply + 1)

    game = {"name": "Counted", "vertex": vertex, "action": action_of, **more}
    register_knowledge(Counted, Knowledge(gtp=GtpGame(**game)))


# ---- our agents as programs


def test_the_standard_commands() -> None:
    assert set(STANDARD.split()) <= {*program(Go()).commands}
    server = program(TicTacToe())
    for command, answer in [
        ("list_commands", "\n".join(server.commands)),
        ("protocol_version", "2"),
        ("known_command play", "true"),
        ("list_games", "tic_tac_toe"),
        ("komi 6.5", ""),
    ]:
        assert ask(server, command) == answer


def test_a_game() -> None:
    server = program(TicTacToe(), "alpha_beta()")
    assert ask(server, "play black a1") == ask(server, "play white b1") == ""
    assert ask(server, "reg_genmove b") in ask(server, "all_legal_moves").split()
    assert ask(server, "genmove b") in ("a2", "a3", "b2", "c3")
    assert "white to move" in ask(server, "showboard")
    ask(server, "undo")
    assert server.position == TicTacToe().after("a1 b1")
    assert wrong(server, "final_score") == "cannot score: the game is not over"
    talk(server, "play b a2", "play w b2", "play b a3")
    assert ask(server, "final_score") == "B+"
    assert "the game is over: black has won" in ask(server, "showboard")
    assert wrong(server, "play w c3") == "illegal move: the game is over: black has won"
    assert ask(server, "genmove w") == "resign"
    assert wrong(server, "genmove b") == "the game is over: black has won"
    ask(server, "clear_board")
    assert server.position == TicTacToe()


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("play white a1", "white is not to move: it is the other player's turn"),
        ("genmove w", "white is not to move"),
        ("play b d1", "illegal move: 'd1' is not a legal move; legal: a1, b1"),
        ("play b pass", "illegal move"),
        ("play red a1", "'red' is not a colour: black or white"),
        ("boardsize 40", "unacceptable size 40 x 40: height must be 1 to 31"),
        ("boardsize four", "unacceptable size four x four"),
        ("komi much", "komi cannot be much"),
        ("set_game chess", "unsupported game: chess (this program plays tic_tac_toe)"),
        ("set_game tic_tac_toe depth=3", "no parameter 'depth'; parameters: height, width, k"),
        ("set_game tic_tac_toe k=a", "cannot read k=a"),
        ("set_game tic_tac_toe k=9", "k must be 1 to 3"),
        ("set_game tic_tac_toe k=(1,2)", "k must be an integer"),
        ("set_game", "write set_game GAME [PARAMETER=VALUE ...]"),
    ],
)
def test_errors_say_what_is_wrong(command: str, why: str) -> None:
    assert why in wrong(program(TicTacToe()), command)


def test_a_game_with_other_parameters() -> None:
    server = program(TicTacToe())
    for command, position in [
        ("boardsize 4 5", TicTacToe(height=5, width=4, k=3)),
        ("set_game tic_tac_toe height=4 k=4", TicTacToe(height=4, k=4)),
        ("clear_board", TicTacToe(height=4, k=4)),
        ("set_game tic_tac_toe", TicTacToe()),
    ]:
        ask(server, command)
        assert server.position == position
    ask(server := program(Hex(5, swap=True)), "boardsize 6")
    assert server.position == Hex(6, swap=True)


def test_a_game_in_its_own_words() -> None:
    counted(colours=("red", "white"), score=lambda position: "B+2.5", board=lambda p: "a board")
    server = program(Counted())
    ask(server, "play r A1")
    assert server.position.cell(2, 0) == 0
    assert re.fullmatch("[ABC][123]", ask(server, "genmove w"))
    assert ask(server, "showboard") == "\na board\nred to move"
    assert "'b' is not a colour: red or white" in wrong(server, "genmove b")
    ask(server, "set_game counted")
    talk(server, "play r a1", "play w b1", "play r a2", "play w b2", "play r a3")
    assert ask(server, "final_score") == "B+2.5"


def test_points_for_white_and_moves_out_of_turn() -> None:
    def with_komi(position: Any, points: float) -> Any:
        if points != int(points):
            raise ValueError("whole points only")
        return position._replace(k=int(points))  # for want of another parameter

    counted(with_komi=with_komi, turned=lambda p, player: p._replace(own=p.opp, opp=p.own))
    server = program(Counted())
    ask(server, "play b a1")
    ask(server, "komi 2")
    assert server.position.k == server.start.k == 2
    assert wrong(server, "komi 2.5") == "komi cannot be 2.5: whole points only"
    assert not server.history[-1].position.is_terminal()


STARTS = {name: start_position(name) for name in GAMES}
HIDDEN = [name for name, start in STARTS.items() if not start.perfect_information]
TWO_PLAYERS = [
    name
    for name, start in STARTS.items()
    if start.num_players == 2 and not start.has_chance and name not in HIDDEN
]


@pytest.mark.parametrize(
    ("start", "why"),
    [
        *[(STARTS[name], "players do not see everything|dice") for name in HIDDEN],
        (Race(), "plays games without chance"),
    ],
    ids=[*HIDDEN, "race"],
)
def test_games_of_hidden_information_or_chance_are_refused(start: Position, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        program(start)


@pytest.mark.parametrize("name", TWO_PLAYERS)
def test_every_game_of_two_players(name: str) -> None:
    position, rng = start_position(name), random.Random(1)
    server, plies = program(position), 0
    colours, other = server.game.colours, program(position)
    while not position.is_terminal() and plies < 60:
        to_move, action = position.to_move, rng.choice(position.legal_actions())
        word = server.game.vertex(position, action) or position.name(action)
        position, plies = position.play(action), plies + 1
        assert ask(server, f"play {colours[to_move]} {word}") == ""
        assert server.position == position
        assert ask(other, f"genmove {colours[to_move]}")
        ask(other, "undo")
        ask(other, f"play {colours[to_move]} {word.upper()}")
    assert other.position == position
    if position.is_terminal():
        winner = ask(server, "final_score")[0].lower()
        assert (winner == "0") == (position.utility(0) == 0)
        assert (winner == colours[0][0]) == (position.utility(0) > 0)
    assert ask(server, "showboard")


def test_go() -> None:
    server = program(Go(5, komi=0.5))
    assert wrong(server, "komi nan").startswith("komi cannot be nan")
    talk(server, "boardsize 7", "komi 6.5")
    assert server.position == Go(7, komi=6.5)
    assert ask(server, "list_games") == "Go"
    for move in ("b A1", "b b1", "w J9", "w pass"):  # handicap stones are set in succession
        answer = server.answer(f"play {move}")
        assert answer.startswith("?") == (move == "w J9")
    assert server.position.cell(6, 0) == server.position.cell(6, 1) == 0
    assert "cannot score" in wrong(server, "final_score")
    ask(server, "play b pass")
    assert ask(server, "final_score") == "B+42.5"


def test_othello() -> None:
    server = program(Othello())
    position = Othello().after("c4 c3 d3 e3 f2")
    for player, move in enumerate(["c4", "c3", "d3", "e3", "f2"]):
        ask(server, f"play {'bw'[player % 2]} {move}")
    assert server.position == position
    position = must_pass(Othello())
    server.new_game(position)
    colours = "bw"[position.to_move], "bw"[1 - position.to_move]
    assert ask(server, f"genmove {colours[0]}") == "pass"
    ask(server, "undo")
    assert ask(server, f"genmove {colours[1]}") in map(position.play(64).name, range(64))


def must_pass(position: Othello) -> Othello:
    """A position in which there is nothing but to pass."""
    rng = random.Random(1)
    start = position
    while position.is_terminal() or not position.legal(64):
        position = start if position.is_terminal() else position
        position = position.play(rng.choice(position.legal_actions()))
    return position


SIMPLE = st.sampled_from(
    [TicTacToe(), ConnectFour(4, 4, 3), Hex(2, swap=True), Heap(12, 2), Go(3), Othello(4)]
)
SAID = "b w black white a1 b2 1 2 7 pass resign set_game tic_tac_toe k=3 nan -1e400 0.5 # 9"
WORD = st.sampled_from([*STANDARD.split(), *SAID.split(), "\t", "\x00"])


@given(SIMPLE, st.lists(st.lists(WORD, max_size=4).map(" ".join) | st.text(), max_size=30))
def test_every_line_gets_one_answer(start: Position, lines: list[str]) -> None:
    server = program(start)
    for line in lines:
        before, answer = [*server.history], server.answer(line)
        assert re.fullmatch(r"([=?]\d*( .*)?(\n.+)*\n\n)?", answer), answer
        if answer.startswith("?"):
            assert server.history == before
        assert server.position.start() == server.start
        server.position.check()


# ---- our own programs as agents


@pytest.mark.parametrize("start", [TicTacToe(4, 3, 3), ConnectFour(4, 5, 3)])
def test_whole_games(start: Position) -> None:
    engine = Engine(f"{US} {name_of(start)} random --seed 1")
    check_agent(engine, start, games=2, make=agents.make)
    game = play_game(start, [engine, Random(3)], seed=4)
    assert game.reason == ""
    engine.close()


def test_positions_that_moves_lead_to() -> None:
    engine = Engine(f"{US} connect_four random --seed 1")
    start = ConnectFour(5, 5, 4)
    for position in (start.after("12341"), start, start.after("33")):
        assert engine.act(position) in position.legal_actions()
        assert isinstance(engine._client, GtpClient)
        shown = engine._client.ask("showboard")
        assert shown.count("X") + shown.count("O") >= position.ply
    engine.close()


def test_another_game_than_the_programs_own() -> None:
    engine = Engine(f"{US} connect_four random")
    with pytest.raises(EngineIncompatible, match="unsupported game: tic_tac_toe"):
        engine.act(TicTacToe())


# ---- a referee between programs


@pytest.mark.parametrize(
    ("start", "black", "white"),
    [(TicTacToe(), "alpha_beta(depth=2)", "random"), (Hex(4), "random", "rush")],
)
def test_a_match_under_a_referee(start: Any, black: str, white: str) -> None:
    name = name_of(start)
    size = f"boardsize {start.height}"
    moves, results = twogtp.play(f"{US} {name} '{black}'", f"{US} {name} '{white}'", size)
    end = start.after(moves)
    assert end.is_terminal()
    assert results == ["0" if not end.utility(0) else "B+" if end.utility(0) > 0 else "W+"] * 2


# ---- lines of moves


def test_lines_between_positions() -> None:
    start = TicTacToe()
    assert line_between(start, start) == []
    assert line_between(start, start.after("b2 a1 c3")) == [4, 0, 8]
    after = start.after("b2")
    assert line_between(after, start) is None
    assert line_between(after, start.after("a1 b2")) is None
    assert line_between(start, TicTacToe(4).after("b2")) is None
    assert line_between(start, Hex(3)) is None
    assert line_between(ConnectFour(), ConnectFour().after("1234567"), 100) is None


def test_lines_where_players_do_not_alternate_and_plies_are_not_counted() -> None:
    start = Heap(12, 2)
    after = play_line(start, [1, 1, 0, 2])
    assert play_line(start, line_between(start, after) or []) == after


# ---- the command


def test_a_session() -> None:
    typed = "1 play b b2\n2 genmove w\nquit\nname\n"
    said = well("gtp", "tic_tac_toe", "random", "--seed", "1", typed=typed)
    assert [answer[:2] for answer in said.split("\n\n")] == ["=1", "=2", "=", ""]


def test_the_strongest_agent_whose_time_can_be_limited() -> None:
    typed = "name\nparam_agent\n"
    said = well("gtp", "hex", "--size", "2", typed=typed)
    assert said.startswith("= adv-envs ")
    assert "adv-envs strong" not in said
    assert said == well("gtp", "hex", "strong", "--size", "2", typed=typed)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("hex human", "an agent is needed"),
        ("hex nobody", "no agent 'nobody'"),
        ("tic_tac_toe rush", "rush plays hex"),
        ("pig", "plays games without chance"),
    ],
)
def test_errors_of_the_command(line: str, why: str) -> None:
    assert why in refused("gtp", *line.split())


# ---- Go as other programs ask for it


def go(size: int = 9, komi: float = 7.5) -> GtpServer:
    return program(Go(size, komi))


@pytest.mark.parametrize(
    ("size", "stones", "vertices"),
    [
        (19, 2, "d4 q16"),
        (19, 3, "d4 q16 d16"),
        (19, 4, "d4 q16 d16 q4"),
        (19, 5, "d4 q16 d16 q4 k10"),
        (19, 6, "d4 q16 d16 q4 d10 q10"),
        (19, 7, "d4 q16 d16 q4 d10 q10 k10"),
        (19, 8, "d4 q16 d16 q4 d10 q10 k16 k4"),
        (19, 9, "d4 q16 d16 q4 d10 q10 k16 k4 k10"),
        (12, 2, "d4 j9"),
        (9, 4, "c3 g7 c7 g3"),
    ],
)
def test_fixed_handicaps(size: int, stones: int, vertices: str) -> None:
    """They are those of GNU Go 3.8."""
    server = go(size)
    assert ask(server, f"fixed_handicap {stones}") == vertices
    assert server.position.to_move == 1
    assert server.position.own == 0
    assert {server.position.cell(*cell_of(word, size)) for word in vertices.split()} == {0}
    assert "board not empty" in wrong(server, f"fixed_handicap {stones}")
    ask(server, "genmove w")
    ask(server, "clear_board")
    assert server.position == Go(size)


def cell_of(word: str, size: int) -> tuple[int, int]:
    return size - int(word[1:]), "abcdefghjklmnopqrst".index(word[0])


def test_other_handicaps() -> None:
    assert "invalid number of stones: on this board 2 to 4" in wrong(go(8), "fixed_handicap 5")
    assert "invalid number of stones" in wrong(go(9), "fixed_handicap 10")
    assert "invalid number of stones" in wrong(go(5), "place_free_handicap 2")
    assert len(ask(go(9), "place_free_handicap 20").split()) == 9
    for command in ("fixed_handicap", "place_free_handicap"):
        assert wrong(go(9), f"{command} two") == "'two' is not a number of stones"
    server = go(5)
    for words in ("a1", "a1 a1", "a1 pass", "a1 z9", "a1 a2 b1 b2 c1 pass"):
        assert wrong(server, f"set_free_handicap {words}")
    assert ask(server, "set_free_handicap A1 B2 c3") == ""
    assert server.position == Go.from_text(
        ". . . . .\n. . . . .\n. . X . .\n. X . . .\nX . . . .", 1
    )
    full = " ".join(f"{letter}{row}" for letter in "abcde" for row in range(1, 6))
    assert "joined to a liberty" in wrong(go(5), f"set_free_handicap {full}")


def test_a_game_of_go_is_resumed() -> None:
    server = go(3, 0.5)
    talk(server, "play b b2", "play w pass", "play b pass")
    assert ask(server, "final_score") == "B+8.5"
    assert ask(server, "final_status_list alive") == "b2"
    assert ask(server, "final_status_list dead") == ask(server, "final_status_list seki") == ""
    assert "invalid status" in wrong(server, "final_status_list tea")
    ask(server, "play w pass")
    assert ask(server, "final_score") == "B+8.5"
    ask(server, "play b a1")
    assert "the game is not over" in wrong(server, "final_score")
    assert "the game is not over" in wrong(server, "final_status_list alive")
    talk(server, "play w pass", "play b pass")
    assert ask(server, "final_status_list alive") in ("a1\nb2", "b2\na1")
    assert ask(server, "kgs-genmove_cleanup w")
    ask(server, "undo")
    assert server.position.is_terminal()
    long = program(Go(2, max_plies=10_000))
    long.history.append(Moment(long.position.after([4, 4])._replace(ply=10_000)))
    assert "a game has at most 10,000 plies" in wrong(long, "play b pass")


def test_games_of_go_are_loaded(tmp_path: Any) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[5]KM[0.5]AB[aa][ee];W[cc];B[dd];W[];B[];W[bb])")
    server = go()
    ask(server, f"loadsgf {path}")
    assert (server.position.komi, server.position.cell(1, 1)) == (0.5, 1)
    ask(server, "undo")
    assert server.position.passes == 2
    ask(server, f"loadsgf {path} 2")  # the position before the second move
    assert len(server.history) == 2
    ask(server, "clear_board")
    assert server.position.size == 5
    for line in ("loadsgf", f"loadsgf {tmp_path}", "loadsgf none.sgf", f"loadsgf {path} x"):
        assert wrong(server, line)
    path.write_text("(;GM[11]SZ[5];B[a1])")
    assert "it is of another game" in wrong(server, f"loadsgf {path}")
    for bad in (b"CA[undefined]", b"CA[\0]", b"CA[\xed\xa0\x80]"):
        path.write_bytes(b"(;GM[1]SZ[3]" + bad + b";B[aa])")
        ask(server, f"loadsgf {path}")


def test_only_commands_that_mean_something_are_listed() -> None:
    listed = ask(program(TicTacToe()), "list_commands").split()
    assert not {"fixed_handicap", "final_status_list", "loadsgf", "kgs-genmove_cleanup"} & {*listed}
    for server in (go(), program(TicTacToe())):
        known = ask(server, "list_commands").split()
        for entry in ask(server, "gogui-analyze_commands").split("\n"):
            kind, label, command = entry.split("/")
            assert kind in {"param", "string", "plist"}
            assert label
            assert command.split()[0] in known


class Breaking(Random):
    """An agent that cannot be reset."""

    def reset(self, seed: int | None = None) -> None:
        if self.seed == 7:
            raise RuntimeError("no more")
        super().reset(seed)


@pytest.mark.parametrize(
    "line",
    [
        "set_game go size={[]:1}",
        f"set_game go komi=1{'0' * 400}",
        f"set_game go komi={'-' * 3000}1",
        f"set_game go size={'(' * 300}",
        "set_game go size=5 size=7",
        f"komi 1{'0' * 400}",
        "komi inf",
        f"boardsize {'9' * 5000}",
        f"param_agent seed {'-' * 3000}1",
        "param_agent seed [1]",
        "param_agent seed {[]:1}",
        "param_agent seed 'x'",
        "param_agent seed 7",
        "loadsgf /dev/null",
        f"loadsgf {'a' * 5000}",
        f"time_settings {'9' * 5000} 1 1",
        "time_left b -1",
        f"undo {'1' * 5000}",
    ],
)
def test_a_command_that_fails_changes_nothing(line: str) -> None:
    server = program(Go(5), Breaking(seed=1))
    ask(server, "play b c3")
    agent, clocks, start = server.agent, dict(server.clocks), server.start
    assert wrong(server, line)
    assert (server.agent, server.clocks, server.start) == (agent, clocks, start)
    assert server.running
