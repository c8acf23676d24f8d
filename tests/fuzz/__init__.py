"""Feeds made-up texts, files and lines of protocols to everything that reads them.

``make fuzz`` runs ``__main__``, which starts processes and prints a table. ``mutations`` changes
valid samples, ``texts``, ``files`` and ``protocols`` have the samples and what is asked about them.
An input is made from the seed, the name of its kind and its number alone, so it can be made again.
"""

from . import files, protocols, texts
from .kinds import KINDS, made

__all__ = ["KINDS", "files", "made", "protocols", "texts"]
