"""Games as text, the values of moves, and reviews: what the server answers those who analyse."""

import base64
import json
from itertools import count

import pytest
from web_client import ORIGIN, our_page

from adv_envs import Go, Hex, TicTacToe
from adv_envs.formats import game_texts, sgf
from adv_envs.notation import read_line
from adv_envs.registry import GAMES
from agents import make
from agents.move_values import typical_size, winning_of
from agents.web.analyse_jobs import (
    ValuedMove,
    analyst,
    severity,
    spec_of,
)
from agents.web.catalogue import catalogue
from agents.web.game_states import BadRequest, GameState, GameStates, read_text, saved_texts, shown
from agents.web.python_jobs import JOBS

analyse, review = JOBS["analyse"], JOBS["review"]

pytestmark = pytest.mark.plain

PAWN = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"
QUICK = {"agent": "alpha_beta(depth=2)"}


def game_state(game, moves="", **request):
    """The game after moves that are given as text."""
    found = GameStates().read({"game": game, **request})
    return GameStates().read({"game": game, **request, "line": read_line(found.start, moves)})


def messages(job, here, **options):
    found = list(job(here, {**QUICK, **options}))
    json.dumps(found)
    return found


def of_kind(found, kind):
    return [message[kind] for message in found if kind in message]


# ---- text


@pytest.mark.parametrize(
    ("game", "text", "moves"),
    [
        ("connect_four", "4455", "4455"),
        ("tic_tac_toe", " B2, a1 c3 ", "b2 a1 c3"),
        ("tic_tac_toe", "1. b2 a1 2. c3", "b2 a1 c3"),
        ("kalah", "123", "123"),
        ("chess", "1. e4 e5 2. Nf3 *", "e2e4 e7e5 g1f3"),
        ("chess", "e2e4 e7e5", "e2e4 e7e5"),
        ("hex", "", ""),
    ],
)
def test_moves_are_read_from_text(game, text, moves):
    found = read_text({"game": game, "text": text})
    assert found["text"] == moves
    state = shown(GameStates().read(found))
    assert [state[key] for key in ("line", "moves", "text")] == [
        found[key] for key in ("line", "moves", "text")
    ]


@pytest.mark.parametrize(
    ("game", "text", "why"),
    [
        ("connect_four", "4444444", "move 7, '4', is not legal"),
        ("tic_tac_toe", "b2 b2", "move 2, 'b2', is not legal"),
        ("tic_tac_toe", "b2 x9 a1", "move 2, 'x9', is not legal"),
        ("chess", "1. e4 e5 2. Nf6 *", "line 1: 2. Nf6 is not legal"),
        ("chess", "8/8/8/8/8/8/8/9 w - - 0 1", "cannot be the board of a FEN"),
        ("hex", "(;FF[4]GM[11]SZ[5];B[z9])", "is not a cell"),
        ("hex", "(;FF[4]GM[1]SZ[5];B[dd])", "another game"),
        ("pig", "(;FF[4]GM[1]SZ[5];B[dd])", "cannot be read from SGF"),
        ("hex", '[Event "x"]', "no tag 'Start'"),
        ("kuhn", "pass", "do not see everything"),
        ("connect_four", "4" * 60_000, "at most 50,000 characters"),
        ("hex", "a1 " * 5000, "at most 2000 moves"),
        ("connect_four", 44, "is a text"),
        ("connect_four", None, "is a text"),
        ("checkmate", "44", "no game 'checkmate'"),
    ],
)
def test_what_is_wrong_with_a_text_is_said(game, text, why):
    with pytest.raises(BadRequest, match=why):
        read_text({"game": game, "text": text})


def test_messages_do_not_repeat_long_texts():
    with pytest.raises(BadRequest) as error:
        read_text({"game": "connect_four", "text": "z" * 40_000})
    assert len(str(error.value)) < 400


def test_games_are_saved_and_read_again():
    for game, moves, request in (
        ("connect_four", "4455", {}),
        ("tic_tac_toe", "b2 b1 a1 c2 c3", {}),
        ("hex", "a1 b2 c3", {"parameters": {"size": 5}}),
        ("hex", "a1 swap b2", {"parameters": {"size": 4, "swap": True}}),
        ("go", "a1 b2 pass", {"parameters": {"size": 5}}),
        ("chess", "e2e4 e7e5", {}),
        ("chess", "e1d2 e5e4", {"set_up": PAWN}),
    ):
        here = game_state(game, moves, **request)
        for saved in saved_texts(here)["formats"]:
            assert saved["file"].startswith(f"{game}.")
            if saved["format"] != "FEN":
                context = request if saved["format"] == "Moves" else {"parameters": {}}
                again = read_text({"game": game, **request, **context, "text": saved["text"]})
                assert GameStates().read(again).position == here.position, saved["text"]


def test_a_finished_game_has_a_pgn_of_tournaments():
    formats = {
        f["format"]: f["text"]
        for f in saved_texts(game_state("tic_tac_toe", "b2 b1 a1 c2 c3"))["formats"]
    }
    assert formats["PGN"].rstrip().endswith("1. b2 b1 2. a1 c2 3. c3 1-0")
    assert len(saved_texts(game_state("tic_tac_toe", "b2 b1"))["formats"]) == 1


def test_a_fen_is_the_position_that_was_reached():
    formats = {
        f["format"]: f["text"]
        for f in saved_texts(game_state("chess", "e1d2", set_up=PAWN))["formats"]
    }
    assert formats["FEN"] == "8/8/8/4k3/8/8/3KP3/8 b - - 1 1"
    found = read_text({"game": "chess", "text": formats["FEN"]})
    assert (found["set_up"], found["line"]) == (formats["FEN"], [])


def test_hidden_games_are_not_saved_before_they_are_over():
    room = GameStates()
    here = room.read({"game": "kuhn", "people": [0]})
    here = room.played(here, {"chance": True})
    with pytest.raises(BadRequest, match="players do not see everything"):
        saved_texts(here)
    for claim in ({"over": True}, {"people": []}):
        wanted = room.read({"game": "kuhn", "people": [0], "line": list(here.codes), **claim})
        with pytest.raises(BadRequest, match="players do not see everything"):
            saved_texts(wanted)
    assert shown(here)["text"] == ""
    assert saved_texts(room.played(here, {"reveal": True}))["formats"][0]["text"]


@pytest.mark.parametrize(
    "text", ["(;FF[4]GM[11]SZ[5]AB[a1][b2]AW[c3])", "(;FF[4]GM[1]SZ[9]KM[6.5]AB[aa][bb])", PAWN]
)
def test_set_ups_go_there_and_back(text):
    game = "chess" if text == PAWN else "hex" if "GM[11]" in text else "go"
    found = read_text({"game": game, "text": text})
    assert found["set_up"]
    here = GameStates().read(found)
    assert here.start != here.start.start()
    assert GameState.from_plain(json.loads(json.dumps(here.plain))).start == here.start
    assert shown(here)["set_up"] == found["set_up"]
    assert game_texts.write_set_up(here.start.start()) == ""


@pytest.mark.parametrize(
    ("game", "set_up", "why"),
    [
        ("chess", "nonsense", "cannot be the board"),
        ("pig", "nonsense", "cannot be set up"),
        ("hex", "(;FF[4]GM[11]SZ[5];B[a1])", "without moves"),
        ("hex", "(;FF[4]GM[11]SZ[6])", "the set-up is of"),
        ("chess", "8" * 9000, "at most 5000 characters"),
        ("chess", 7, "is a text"),
    ],
)
def test_what_is_wrong_with_a_set_up_is_said(game, set_up, why):
    with pytest.raises(BadRequest, match=why):
        GameStates().read({"game": game, "set_up": set_up})


def test_the_addresses_answer():
    page = our_page()

    def post(path, data, origin=ORIGIN):
        return page.post(path, json=data, headers={"Origin": origin})

    line = post("/api/line", {"game": "connect_four", "text": "44"}).json()
    assert line["line"] == [3, 3]
    assert post("/api/texts", line).json()["formats"][0]["text"] == "44"
    wrong = post("/api/line", {"game": "connect_four", "text": "49"})
    assert wrong.status_code == 400
    assert "move 2, '9', is not legal" in wrong.json()["error"]
    for path in ("/api/line", "/api/texts"):
        assert post(path, {}).status_code == post(path, [1]).status_code == 400
        assert post(path, line, "http://evil.example").status_code == 403
        assert page.get(path).status_code == 405


# ---- what is thrown away


def valued(winning, score=0.0, proven=True):
    return ValuedMove("a1", winning, winning, "", proven, score)


@pytest.mark.parametrize(
    ("best", "played", "chance", "name"),
    [
        (valued(1, 3), valued(1, 3), False, ""),
        (valued(1, 3), valued(1, 2), False, "inaccuracy"),
        (valued(-1, -2), valued(-1, -3), False, "inaccuracy"),
        (valued(1), valued(0), False, "mistake"),
        (valued(0), valued(-1), False, "mistake"),
        (valued(1), valued(-1), False, "blunder"),
        (valued(0.5, proven=False), valued(0.41, proven=False), False, ""),
        (valued(0.5, proven=False), valued(0.4, proven=False), False, "inaccuracy"),
        (valued(0.5, proven=False), valued(0.3, proven=False), False, "mistake"),
        (valued(0.5, proven=False), valued(0.2, proven=False), False, "blunder"),
        (valued(1), valued(0, proven=False), False, "blunder"),
        (valued(0.5), valued(0.3), True, "mistake"),
        (valued(1), valued(0), True, "blunder"),
        (valued(0.75), valued(0.25), False, "blunder"),
    ],
)
def test_severity(best, played, chance, name):
    assert severity(best, played, chance) == name


def test_winning_chances_of_evaluations():
    start = TicTacToe()
    assert typical_size(start, lambda position: -30.0) == 30
    assert typical_size(start, lambda position: 0.0) == 1
    numbers = count(1)
    evaluate = lambda position: float(next(numbers))  # noqa: E731
    size = typical_size(start, evaluate)
    assert winning_of(start, size, False, size) == pytest.approx(0.462, abs=1e-3)
    assert winning_of(start, 0.0, False, size) == 0
    assert winning_of(start, -1e9, False, size) == -1
    assert winning_of(start, 1.0, True, size) == 1
    assert winning_of(start, 0.25, False, None) == 0.25


# ---- the value of every move


def test_exact_values_come_first_and_say_so():
    found = messages(analyse, game_state("tic_tac_toe", "b2 b1"))
    first = found[0]["values"]
    assert first["exact"]
    assert first["by"] == "a list of all positions, worked back from the ends"
    assert first["moves"][0]["text"].startswith("win")
    assert {move["text"].split()[0] for move in first["moves"]} == {"win", "draw"}
    assert first["winning"] == 1
    assert first["board"]["shapes"] != shown(game_state("tic_tac_toe", "b2 b1"))["board"]["shapes"]
    assert len(of_kind(found, "values")) == 1
    assert [row["depth"] for row in of_kind(found, "row")] == [1, 2]
    (lines,) = of_kind(found, "lines")
    assert [line["text"] for line in lines] == [move["text"] for move in first["moves"][:3]]


def test_winning_chances_are_those_of_the_first_player():
    (values, *_) = of_kind(messages(analyse, game_state("tic_tac_toe", "b2 b1 a1")), "values")
    assert {move["text"].split()[0] for move in values["moves"]} == {"loss"}
    assert values["winning"] == 1


def test_values_of_an_agent_are_not_called_exact():
    found = messages(
        analyse, game_state("hex", "d4", parameters={"size": 11}), agent="alpha_beta(depth=1)"
    )
    (values,) = of_kind(found, "values")
    assert not values["exact"]
    assert values["by"] == "alpha_beta(depth=1)"
    assert not any(move["proven"] for move in values["moves"])


def test_probabilities_are_exact_in_games_of_chance():
    here = game_state("pig", parameters={"target": 6})
    (values, *_) = of_kind(messages(analyse, here, agent="expectiminimax(depth=1)"), "values")
    assert values["exact"]
    assert all(move["text"].endswith("%") for move in values["moves"])
    assert 0 < values["winning"] < 1


def test_more_than_two_players_have_no_bar_and_no_exact_values():
    here = game_state("thirty_one", parameters={"num_players": 3})
    found = messages(analyse, here, agent="max_n(depth=2)")
    assert not any(values["exact"] or values["winning"] for values in of_kind(found, "values"))
    assert all(row["winning"] is None for row in of_kind(found, "row"))


def test_hidden_games_are_analysed_as_the_viewer_sees_them():
    room = GameStates()
    here = room.read({"game": "kuhn", "people": [0]})
    while here.position.to_move != 0:
        here = room.played(here, {"chance": True})
    found = messages(analyse, here, agent="cfr_plus(iterations=20)")
    (values,) = of_kind(found, "values")
    assert not values["exact"]
    assert not of_kind(found, "lines")


def test_more_time_is_a_deeper_search():
    asked = {"agent": "alpha_beta(nodes=100, depth=9)", "seconds": 3}
    assert repr(analyst(make(asked["agent"]), asked)) == "alpha_beta(depth=9, seconds=3.0)"
    assert analyst(make(asked["agent"]), asked, only_time=False).nodes == 100
    assert analyst(make(asked["agent"]), {**asked, "seconds": 1e9}).seconds == 600
    assert analyst(make(asked["agent"]), {**asked, "seconds": -1}).seconds > 0
    assert analyst(make(asked["agent"]), {**asked, "seconds": "x"}).nodes == 100
    assert analyst(make("mcts(simulations=9)"), {"seconds": 1}).simulations is None


@pytest.mark.parametrize("game", GAMES)
def test_every_agent_that_is_offered_can_be_given_time(game):
    for spec in catalogue(game)["analysts"].values():
        agent = analyst(make(spec), {"seconds": 1})
        assert getattr(agent, "seconds", 1) == 1
        assert "/" not in spec_of(agent, {"agent": spec})


def test_agents_that_do_not_search_are_refused():
    with pytest.raises(ValueError, match="does not search"):
        messages(analyse, game_state("tic_tac_toe"), agent="random")
    with pytest.raises(ValueError, match="cannot play with"):
        messages(review, game_state("tic_tac_toe", "b2"), agent="engine(command='ls')")


# ---- reviews


def test_a_review_finds_the_mistake():
    found = messages(review, game_state("tic_tac_toe", "b2 b1 a1 c2 c3"))
    assert [each["severity"] for each in found] == ["", "mistake", "", "inaccuracy", ""]
    mistake = found[1]
    assert (mistake["move"], mistake["best"], mistake["best_text"]) == ("b1", "a1", "draw")
    assert mistake["text"].startswith("loss")
    assert [each["after"] for each in found] == [0, 1, 1, 1, 1]
    assert [each["before"] for each in found] == [0, 0, 1, 1, 1]
    assert all(each["exact"] for each in found)


def test_a_review_finds_the_blunder_of_who_had_won():
    here = GameStates().read(
        {"game": "nim", "line": [game_state("nim").position.legal_actions()[0]]}
    )
    (values, *_) = of_kind(messages(analyse, here), "values")
    texts = {move["action"]: move["text"].split()[0] for move in values["moves"]}
    assert set(texts.values()) == {"win", "loss"}
    lost = next(action for action, text in texts.items() if text == "loss")
    found = messages(review, GameState(here.start, (*here.actions, lost)))[-1]
    assert (found["severity"], found["before"], found["after"]) == ("blunder", -1, 1)


def test_a_review_by_evaluations_finds_a_lost_queen():
    here = game_state("chess", "e2e4 e7e5 d1h5 b8c6 h5f7")
    found = messages(review, here, agent="alpha_beta(depth=2, evaluate=chess.material)")
    assert [each["severity"] for each in found] == ["", "", "", "", "blunder"]
    assert not found[-1]["exact"]
    assert found[-1]["after"] < -0.5


def test_a_review_leaves_chance_out():
    start = game_state("pig", parameters={"target": 6}).start
    position, moves = start, []
    while len(moves) < 6 and not position.is_terminal():
        moves.append(position.legal_actions()[0])
        position = position.play(moves[-1])
    here = GameStates().read({"game": "pig", "parameters": {"target": 6}, "line": moves})
    found = messages(review, here, agent="expectiminimax(depth=1)")
    players = [GameState(start, tuple(moves[:i])).position.to_move for i in range(len(moves))]
    assert -1 in players
    assert [each["ply"] for each in found] == [i for i, p in enumerate(players) if p >= 0]


@pytest.mark.parametrize(
    ("game", "request_", "why"),
    [
        ("kuhn", {}, "do not see everything"),
        ("thirty_one", {"parameters": {"num_players": 3}}, "two players"),
        ("tic_tac_toe", {}, "no move yet"),
    ],
)
def test_where_there_is_no_review_it_is_said(game, request_, why):
    (found,) = messages(review, game_state(game, **request_))
    assert why in found["sorry"]


def test_formats_of_other_programs_are_read_by_their_own_modules():
    text = game_texts.write_game(Hex(5), [0, 7])["SGF"]
    assert sgf.read(text).actions == (0, 7)
    assert game_texts.write_game(TicTacToe(), [0]) == {}


def test_games_of_go_that_went_on_are_opened():
    text = "\ufeff(;SZ[5]KM[375];B[cc];W[];B[];W[aa](;B[bb])(;%%))"
    found = read_text({"game": "go", "text": text})
    assert found["parameters"]["passes_to_end"] == 3
    assert found["parameters"]["komi"] == 7.5
    here = GameStates().read(found)
    assert here.position == Go(5, passes_to_end=3).after("c3 pass pass a5 b4")
    assert read_text({"game": "go", "text": saved(here)})["line"] == found["line"]
    later = read_text({"game": "go", "text": "(;SZ[5];B[cc];W[aa];AE[aa]AW[bb];B[dd])"})
    assert GameStates().read(later).position.cell(1, 1) == 1
    assert len(later["line"]) == 1


def test_files_are_decoded_as_they_say():
    data = "(;SZ[5]CA[Shift_JIS];B[cc]C[表];W[aa]C[ソ];B[bb])".encode("cp932")
    found = read_text({"game": "go", "file": base64.b64encode(data).decode()})
    assert found["text"] == "c3 a5 b4"
    moves = base64.b64encode("\ufeff1. e4 {é} e5".encode()).decode()
    assert read_text({"game": "chess", "file": moves})["text"] == "e2e4 e7e5"
    for file in (3, "?", "A" * 200_000, base64.b64encode(b"(;SZ[5];C[\x95\\];B[aa])").decode()):
        with pytest.raises(BadRequest, match=r"base ?64|Base64|Incorrect padding|CA\["):
            read_text({"game": "go", "file": file})


def saved(game_state):
    (text,) = (f["text"] for f in saved_texts(game_state)["formats"] if f["format"] == "SGF")
    return text
