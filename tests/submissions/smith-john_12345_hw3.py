"""Is named as a learning platform names files, and holds a class."""

import random


class MyAgent:
    """Plays random moves, the same for the same seed."""

    def reset(self, seed=None):
        """Begins a game."""
        self.rng = random.Random(seed)

    def act(self, position):
        """Returns a random legal action."""
        return self.rng.choice(position.legal_actions())
