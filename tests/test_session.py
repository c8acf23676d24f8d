"""A game that is played: who looks, what each player has seen of it, and going back."""

import pytest
from hidden_games import STARTS, observed, random_game

from adv_envs import CHANCE, ConnectFour, Goofspiel, Kuhn, TicTacToe
from adv_envs.games.rock_paper_scissors import RockPaperScissors
from adv_envs.notation import write_line
from adv_envs.position import NEVER
from adv_envs.registry import start_position
from adv_envs.session import Session

pytestmark = pytest.mark.plain


def names(session, viewer):
    return [move.name for move in session.seen(viewer)]


# ---- what a player has seen


@pytest.mark.parametrize(("name", "parameters"), STARTS, ids=str)
def test_what_is_seen_is_a_function_of_what_was_observed(name, parameters):
    start = start_position(name, **parameters)
    told, repeated = {}, 0
    for seed in range(60):
        actions = random_game(start, seed)
        for player in range(start.num_players):
            for ply in range(min(len(actions), 9)):
                session = Session(start, actions[:ply], (player,))
                if session.ended:
                    continue
                noticed = [move for move in session.seen(player) if move.name]
                key = player, observed(start, actions[:ply], player)
                shown = session.view, noticed, session.text(player)
                repeated += key in told
                assert told.setdefault(key, shown) == shown
    assert repeated


@pytest.mark.parametrize(("name", "parameters"), STARTS, ids=str)
def test_names_are_right_or_unknown(name, parameters):
    start = start_position(name, **parameters)
    unknown = 0
    for seed in range(10):
        session = Session(start, random_game(start, seed)[:-1])
        true = session.seen(None)
        assert [(move.action, move.player) for move in true] == [
            (action, before.to_move)
            for action, before in zip(session.actions, session.positions, strict=False)
        ]
        for player in range(start.num_players):
            views = [position.hidden(player) for position in session.positions]
            for i, move in enumerate(session.seen(player)):
                if move == true[i]:
                    continue
                assert move.player == true[i].player != player
                assert move.action is None
                assert move.name == ("" if views[i] == views[i + 1] else "?")
                unknown += 1
    assert unknown


def test_who_is_told_of_an_action():
    dealing, dealt = Kuhn().after("Q"), Kuhn().after("Q K")
    assert [Kuhn().seen_after(player, 1) for player in (0, 1)] == [0, NEVER]
    assert [dealing.seen_after(player, 2) for player in (0, 1)] == [NEVER, 0]
    assert [dealt.seen_after(player, 0) for player in (0, 1)] == [0, 0]
    assert TicTacToe().seen_after(1, 4) == 0


def test_what_a_player_cannot_rule_out_is_not_seen():
    # player 0 bid 5 and 3, and lost neither prize: whether 4 or 1 was bid is not seen
    session = Session(Goofspiel(5, -1, secret=True).after("5 4 3"))
    session.play(4)
    assert names(session, 0) == ["?"]


@pytest.mark.parametrize("start", [RockPaperScissors(2), Goofspiel(4, -1)], ids=["rps", "open"])
def test_a_choice_made_at_the_same_time_is_seen_after_the_answer(start):
    session = Session(start, [0])
    first, second = start.name(0), start.play(0).name(1)
    assert (names(session, 0), names(session, 1)) == ([first], ["?"])
    assert session.last_seen(1) is None
    session.play(1)
    assert names(session, 0) == names(session, 1) == [first, second]
    assert session.last_seen(0) == 1


# ---- who looks


def test_the_viewer_is_the_person_to_move_until_the_game_has_ended():
    dealt = [0, 2]
    assert Session(Kuhn(), dealt).viewer is None
    assert Session(Kuhn(), [], (1,)).viewer == 1
    assert Session(Kuhn(), dealt, (1,)).viewer == 1
    assert [Session(Kuhn(), [*dealt, *more], (0, 1)).viewer for more in ([], [0])] == [0, 1]
    assert Session(Kuhn(), [*dealt, 1, 0], (0, 1)).viewer is None
    assert Session(Kuhn(), dealt, (0, 1), over=True).viewer is None
    assert Session(TicTacToe(), people=(0, 1)).viewer is None


def test_the_view_is_that_of_the_viewer():
    session = Session(Kuhn(), [0, 2], (1,))
    assert session.view == session.position.hidden(1)
    assert session.text(session.viewer) == "? K"
    session.over = True
    assert session.view == session.position
    assert session.text(session.viewer) == "JK"


# ---- going on, and back


def test_undo_goes_back_to_before_a_move_of_these_players():
    session = Session(TicTacToe(), [4, 0, 8])
    assert not session.undo([CHANCE])
    assert session.undo([1])
    assert session.actions == [4]
    assert session.position == TicTacToe().after("b2")
    assert not session.undo([1])
    assert session.undo([0, 1])
    assert session == Session(TicTacToe())


def test_a_session_has_its_own_actions():
    given = [4]
    session = Session(TicTacToe(), given)
    session.play(0)
    assert (given, session.actions) == ([4], [4, 0])
    assert session.text() == write_line(TicTacToe(), [4, 0]) == "b2 a1"


def test_moves_that_are_not_legal_are_refused():
    with pytest.raises(ValueError, match="move 2 is not legal"):
        Session(TicTacToe(), [4, 4])
    with pytest.raises(ValueError, match="move 8 is not legal"):
        Session(ConnectFour(), [0, 1, 0, 1, 0, 1, 0, 1])


def test_short_names_run_together():
    assert Session(ConnectFour(), [3, 3]).text() == "44"
    wide = ConnectFour(height=4, width=11)
    assert Session(wide, [3, 10]).text() == write_line(wide, [3, 10]) == "4 11"
