"""Keeps the answers of models in a folder, a file each, so that no request is made twice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from adv_envs.files import CHECKSUM, with_checksum, without_checksum, write_file

from .endpoint import Completion, NoAnswer


class AnswerCache:
    """Stores answers by all that was asked. NoAnswer, which stops a run, where files fail."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)

    def path(self, query: Mapping[str, Any]) -> Path:
        """Returns the file of the answer to ``query``, which JSON can hold."""
        digest = hashlib.sha256(json.dumps(query, sort_keys=True).encode()).hexdigest()
        return self.folder / f"{digest}.json"

    def find(self, query: Mapping[str, Any]) -> Completion | None:
        """Returns the answer to ``query``; None if there is none.

        NoAnswer for a file that is damaged, which is not taken for a missing one.
        """
        path = self.path(query)
        try:
            return read_answer(path.read_text(encoding="utf-8"), query)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise NoAnswer(f"cannot read the stored answer {path}: {error.strerror}") from error
        except (ValueError, LookupError, RecursionError) as error:
            why = f"the stored answer {path} is damaged: {error}; delete it to ask again"
            raise NoAnswer(why) from error

    def store(self, query: Mapping[str, Any], answer: Completion) -> None:
        """Writes the answer to ``query``, in one step."""
        took = {name: getattr(answer, name) for name in ("tokens_in", "tokens_out", "seconds")}
        data = with_checksum({"query": dict(query), "text": answer.text, **took})
        path = self.path(query)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_file(path, json.dumps(data, indent=1))
        except OSError as error:
            raise NoAnswer(f"cannot write the answer {path}: {error.strerror}") from error


def read_answer(text: str, query: Mapping[str, Any]) -> Completion:
    """Returns the answer to ``query`` from the text of its file; ValueError or KeyError if none."""
    data = json.loads(text)
    if not isinstance(data, dict) or CHECKSUM not in data:
        raise ValueError("it has no checksum")
    data = without_checksum(data)
    if data["query"] != query:
        raise ValueError("it answers another request")
    took = data["tokens_in"], data["tokens_out"]
    return Completion(data["text"], *took, seconds=data.get("seconds", 0.0))
