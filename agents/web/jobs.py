"""What a page can ask of a search: functions that run in the processes of ``pool``.

A job is a generator. It is given a ``Situation`` and the options of the request, and yields plain
data for JSON as it goes on; what it finds for hidden games is what the viewer may know. It ends
early where ``Stopper`` stops its search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .analyse_jobs import analyse, review
from .play_jobs import hint, move
from .puzzle_jobs import puzzle, puzzle_move, puzzle_reply
from .situations import Situation
from .tree_jobs import tree
from .warm_jobs import warm

Message = dict[str, Any]


Job = Callable[[Situation, Mapping[str, Any]], Iterator[Message]]

JOBS: dict[str, Job] = {
    "move": move,
    "hint": hint,
    "analyse": analyse,
    "review": review,
    "tree": tree,
    "puzzle": puzzle,
    "puzzle_move": puzzle_move,
    "puzzle_reply": puzzle_reply,
    "warm": warm,
}
"""The jobs by the names that pages use."""
