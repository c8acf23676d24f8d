"""Monte Carlo tree search in preallocated arrays; ``agents.mcts.agent`` is the agent made of it.

- ``tree.py``: the arrays, expansion, what is proven and how it is backed up, keeping a subtree;
- ``choice.py``: which child to try next: UCT, RAVE and GRAVE, PUCT, the dice;
- ``simulation.py``: the compiled loop: descend, play out, back up;
- ``batches.py``: the same tree with leaves that Python values in batches, for networks.
"""
