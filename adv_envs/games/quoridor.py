"""Quoridor: be the first to bring a pawn across the board, and put walls in the way of the others.

Cells are numbered row by row from the top left, with a bit after each row that is no cell, so that
no step can wrap around an edge. A wall is as long as two cells; it is known by the point in its
middle, which has the bit of the cell above it and to its left. Actions number cells and points
without gaps. On 3 x 3, with the pawns of White and Black, and bits in brackets::

    3  . B .      (0)  (1)  (2)       actions: 0-8 move the pawn to a cell,
    2  . . .      (4)  (5)  (6)       9-12 put a horizontal wall on the points 0, 1, 4, 5,
    1  . W .      (8)  (9) (10)       13-16 a vertical one
       a b c

A horizontal wall on point p lies below the cells p and p + 1, a vertical one on p to the right of
the cells p and p + 4 here. The walls are two sets of points. A step down or to the right is a shift
to the left by 4 or 1 bits, unless the cell that is left has a wall there.

The law that a wall must leave everybody a path to their goal is tested where it can be broken only:
a wall that touches others, or the edge, with at most one of its two ends and its middle closes
nothing off, and one that does not cross the path that a player has leaves that path. For the rest
the cells that can be reached are flooded, all at once.

Invented by Mirko Marchesi; rules: Gigamic, Quoridor (1997).
"""

from __future__ import annotations

import re
from typing import Any, ClassVar, Self

from adv_envs.bits import lowest, repeated, single
from adv_envs.position import Example, Position, Wide, counted, reflowed, require_between

CELL_BITS, LEFT_BITS = 7, 8
"""How many bits a pawn's cell takes in ``pawns``, and a number of walls in ``left``."""

UP, RIGHT, DOWN, LEFT = range(4)
"""Directions; the player who begins on the far side of one of them, clockwise, goes there."""

SIZES = 3, 11
"""The smallest and the largest board."""

MOST_PLIES = 100_000
"""The highest limit of plies."""


class Quoridor(Position):
    """Represents a position; ``Quoridor(size=9, walls=-1, players=2, max_plies=0)`` is the start.

    ``walls`` is how many each player has: -1 for the usual number, 10 on 9 x 9, and half of it with
    four players. The game is a draw after ``max_plies`` plies; 0 stands for four for each cell.
    Raises ValueError unless size is 3 to 11, walls at most (size - 1) ** 2, players 2 or 4 and
    max_plies at most 100,000.
    """

    size: int = 9
    walls: int = -1
    players: int = 2
    max_plies: int = 0
    pawns: int = -1  # CELL_BITS for each player's cell; -1: see set_up
    left: int = -1  # LEFT_BITS for each player's number of walls that are left
    horizontal: Wide = 0  # the points of walls
    vertical: Wide = 0
    ply: int = 0
    parameters = ("size", "walls", "players", "max_plies")
    parameter_words = (
        ("Size", "How many rows and columns the board has."),
        ("Walls", "How many walls each player has; -1 for the usual number."),
        ("Players", "How many play: 2 or 4."),
        ("Longest game", "After how many moves of all players the game is a draw; 0: 4 a cell."),
    )
    letters: ClassVar[str] = "WBRY"

    def set_up(self) -> Quoridor:
        """Returns the position with pawns in the middle of their sides, where none were given."""
        self.check_parameters()
        pawns, left = self.pawns, self.left
        if pawns == -1:
            pawns = sum(self.first_cell(p) << CELL_BITS * p for p in range(self.players))
        if left == -1:
            left = sum(self.walls_each << LEFT_BITS * p for p in range(self.players))
        sizes = self.size, self.walls, self.players, self.max_plies
        return Quoridor(*sizes, pawns, left, self.horizontal, self.vertical, self.ply)

    # ---- the board

    @property
    def num_players(self) -> int:
        return self.players

    @property
    def walls_each(self) -> int:
        """Returns how many walls each player begins with."""
        if self.walls >= 0:
            return self.walls
        return max(1, self.size * self.size // 8 // (self.players // 2))

    @property
    def last_ply(self) -> int:
        """Returns the ply at which the game is a draw."""
        return self.max_plies if self.max_plies > 0 else 4 * self.size * self.size

    @property
    def stride(self) -> int:
        """Returns how many bits a cell is further than the one above it."""
        return self.size + 1

    @property
    def board_bits(self) -> int:
        """Returns a bit for every cell and one after every row."""
        return self.size * self.stride

    @property
    def num_actions(self) -> int:
        """Returns one action for each cell, and two for each point between four cells."""
        return self.size * self.size + 2 * (self.size - 1) * (self.size - 1)

    @property
    def to_move(self) -> int:
        """Returns the player to move: players take turns, clockwise."""
        return self.ply % self.players

    def heading(self, player: int) -> int:
        """Returns the direction of a player's goal: UP and DOWN for two players."""
        return player * (4 // self.players)

    def first_cell(self, player: int) -> int:
        """Returns the number of the cell on which a player's pawn begins."""
        last, middle, heading = self.size - 1, self.size // 2, self.heading(player)
        row = last if heading == UP else 0 if heading == DOWN else middle
        column = last if heading == LEFT else 0 if heading == RIGHT else middle
        return row * self.size + column

    def cell_of(self, player: int) -> int:
        """Returns the number of the cell of a player's pawn, without gaps."""
        return self.pawns >> CELL_BITS * player & (1 << CELL_BITS) - 1

    def walls_of(self, player: int) -> int:
        """Returns how many walls a player has left."""
        return self.left >> LEFT_BITS * player & (1 << LEFT_BITS) - 1

    def pawn(self, player: int) -> Wide:
        """Returns the set with the cell of a player's pawn."""
        cell = self.cell_of(player)
        return single(cell + cell // self.size, self.horizontal)

    def all_cells(self) -> Wide:
        """Returns the set of all cells."""
        row = single(self.size, self.horizontal) - 1
        return repeated(row, self.size, self.stride)

    def goal(self, player: int) -> Wide:
        """Returns the cells of the row or column that a player has to reach."""
        heading, corner = self.heading(player), single(0, self.horizontal)
        if heading in (UP, DOWN):
            row = single(self.size, self.horizontal) - 1
            return row if heading == UP else row << (self.size - 1) * self.stride
        column = repeated(corner, self.size, self.stride)
        return column if heading == LEFT else column << self.size - 1

    def closed_below(self) -> Wide:
        """Returns the cells with a wall below them."""
        return self.horizontal | self.horizontal << 1

    def closed_right(self) -> Wide:
        """Returns the cells with a wall to their right."""
        return self.vertical | self.vertical << self.stride

    # ---- paths

    def reaches(self, cells: Wide, goal: Wide, below: Wide, right: Wide, board: Wide) -> bool:
        """Tests whether a way leads from ``cells`` to ``goal``, with these walls."""
        while cells & goal == 0:
            more = spread(cells, below, right, self.stride) & board
            if more == cells:
                return False
            cells = more
        return True

    def distance(self, player: int) -> int:
        """Returns how many steps a pawn needs to its goal, jumps and other pawns left aside.

        -1 if there is no way.
        """
        below, right, board = self.closed_below(), self.closed_right(), self.all_cells()
        cells, goal, steps = self.pawn(player), self.goal(player), 0
        while cells & goal == 0:
            more = spread(cells, below, right, self.stride) & board
            if more == cells:
                return -1
            cells, steps = more, steps + 1
        return steps

    def path(self, player: int) -> tuple[Wide, Wide]:
        """Returns one of a player's shortest paths: the cells left by steps between two rows.

        Those are the upper cells of the steps up and down, and the left cells of the steps to the
        sides. There must be a path.
        """
        below, right, stride = self.closed_below(), self.closed_right(), self.stride
        front, goal, new = self.pawn(player), self.goal(player), self.all_cells()
        one, two, three, steps = front, front & 0, front & 0, 0
        while front & goal == 0:  # the sets of every third distance, the latest one in ``one``
            new &= ~front
            front = spread(front, below, right, stride) & new
            one, two, three, steps = three | front, one, two, steps + 1
        cell = front & goal
        cell &= ~cell + 1
        down, across = front & 0, front & 0
        for _ in range(steps):
            one, two, three = two, three, one
            above, under = cell >> stride & ~below & one, (cell & ~below) << stride & one
            if above != 0:
                cell, down = above, down | above
            elif under != 0:
                cell, down = under, down | cell
            else:
                before = cell >> 1 & ~right & one
                across |= before if before != 0 else cell
                cell = before if before != 0 else (cell & ~right) << 1 & one
        return down, across

    # ---- moves

    def ahead(self, cells: Wide, direction: int) -> Wide:
        """Returns the cells one step further, without those behind a wall or the edge."""
        if direction == UP:
            return cells >> self.stride & ~self.closed_below()
        if direction == DOWN:
            return (cells & ~self.closed_below()) << self.stride & self.all_cells()
        if direction == LEFT:
            return cells >> 1 & ~self.closed_right() & self.all_cells()
        return (cells & ~self.closed_right()) << 1 & self.all_cells()

    def targets(self) -> Wide:
        """Returns the cells to which the pawn of the player to move may go."""
        here, pawns = self.pawn(self.to_move), self.pawn(0)
        for player in range(1, self.players):
            pawns |= self.pawn(player)
        found = here & 0
        for direction in range(4):
            beside = self.ahead(here, direction)
            if beside & pawns == 0:
                found |= beside
                continue
            behind = self.ahead(beside, direction)
            if behind == 0:  # a wall or the edge: to either side of the other pawn
                behind = self.ahead(beside, (direction + 1) % 4)
                behind |= self.ahead(beside, (direction + 3) % 4)
            found |= behind & ~pawns
        return found

    def points(self) -> Wide:
        """Returns the set of all points between four cells."""
        row = single(self.size - 1, self.horizontal) - 1
        return repeated(row, self.size - 1, self.stride)

    def open_points(self, upright: bool) -> Wide:
        """Returns the points where a wall would neither cross nor overlap another."""
        if upright:
            along, across, step = self.vertical, self.horizontal, self.stride
        else:
            along, across, step = self.horizontal, self.vertical, 1
        return self.points() & ~(along | along << step | along >> step | across)

    def touched(self) -> Wide:
        """Returns the points on which some wall lies, with its middle or an end."""
        horizontal, vertical, stride = self.horizontal, self.vertical, self.stride
        ends = horizontal << 1 | horizontal >> 1 | vertical << stride | vertical >> stride
        return (horizontal | vertical | ends) & self.points()

    def risky_points(self, upright: bool) -> Wide:
        """Returns the points where a wall would touch others or the edge in two places at least."""
        step, last = (self.stride if upright else 1), self.size - 2
        touched, first = self.touched(), single(0, self.horizontal)
        if upright:
            edge = single(self.size - 1, first) - 1
        else:
            edge = repeated(first, self.size - 1, self.stride)
        low, high = touched << step | edge, touched >> step | edge << last * step
        return touched & (low | high) | low & high

    def open_walls(self, upright: bool) -> Wide:
        """Returns the points where a horizontal, or an upright, wall may be put."""
        found = self.open_points(upright)
        risky = found & self.risky_points(upright)
        if risky == 0:
            return found
        for player in range(self.players):
            down, across = self.path(player)
            crossed = across | across >> self.stride if upright else down | down >> 1
            doubtful = risky & crossed & found
            while doubtful != 0:
                point = doubtful & ~doubtful + 1
                doubtful ^= point
                if self.cuts_off(player, point, upright):
                    found ^= point
        return found

    def cuts_off(self, player: int, point: Wide, upright: bool) -> bool:
        """Tests whether a wall on ``point`` would leave a player without a path."""
        below, right, board = self.closed_below(), self.closed_right(), self.all_cells()
        if upright:
            right |= point | point << self.stride
        else:
            below |= point | point << 1
        return not self.reaches(self.pawn(player), self.goal(player), below, right, board)

    def legal(self, action: int) -> bool:
        """Allows steps and jumps, walls that leave everybody a path, and else to stay."""
        cells, points = self.size * self.size, (self.size - 1) * (self.size - 1)
        if action < cells:
            if action == self.cell_of(self.to_move):
                return self.must_pass()
            return self.targets() >> action + action // self.size & 1 != 0
        if self.walls_of(self.to_move) == 0:
            return False
        upright = action >= cells + points
        place = action - cells - (points if upright else 0)
        point = single(place + 2 * (place // (self.size - 1)), self.horizontal)
        if point & self.open_points(upright) == 0:
            return False
        if point & self.risky_points(upright) == 0:
            return True
        for player in range(self.players):
            if self.cuts_off(player, point, upright):
                return False
        return True

    def must_pass(self) -> bool:
        """Tests whether the player to move can neither move the pawn nor put a wall."""
        if self.targets() != 0:
            return False
        return self.walls_of(self.to_move) == 0 or (
            self.open_walls(False) == 0 and self.open_walls(True) == 0
        )

    def write_legal(self, actions: Any) -> int:
        """Writes the legal actions: moves of the pawn, horizontal walls, upright ones."""
        size, number = self.size, 0
        number = self.write_rows(self.targets(), size, 0, actions, number)
        if self.walls_of(self.to_move) > 0:
            cells, points = size * size, (size - 1) * (size - 1)
            number = self.write_rows(self.open_walls(False), size - 1, cells, actions, number)
            cells += points
            number = self.write_rows(self.open_walls(True), size - 1, cells, actions, number)
        if number == 0:
            actions[0] = self.cell_of(self.to_move)
            number = 1
        return number

    def write_rows(self, places: Wide, width: int, first: int, actions: Any, number: int) -> int:
        """Writes the numbers of ``places``, in rows of ``width``, counted from ``first``."""
        for row in range(width):
            line = places >> row * self.stride & (1 << width) - 1
            while line != 0:
                actions[number] = first + row * width + lowest(line)
                line &= line - 1
                number += 1
        return number

    def play(self, action: int) -> Quoridor:
        """Moves the pawn to a cell, or puts a wall; the next player is to move."""
        player, cells = self.to_move, self.size * self.size
        pawns, left = self.pawns, self.left
        horizontal, vertical = self.horizontal, self.vertical
        if action < cells:
            pawns += action - self.cell_of(player) << CELL_BITS * player
        else:
            points = (self.size - 1) * (self.size - 1)
            upright = action >= cells + points
            place = action - cells - (points if upright else 0)
            point = single(place + 2 * (place // (self.size - 1)), horizontal)
            left -= 1 << LEFT_BITS * player
            if upright:
                vertical |= point
            else:
                horizontal |= point
        return Quoridor(
            self.size, self.walls, self.players, self.max_plies,
            pawns, left, horizontal, vertical, self.ply + 1,
        )  # fmt: skip

    # ---- the end

    def has_arrived(self, player: int) -> bool:
        """Tests whether a pawn stands on its goal."""
        return self.pawn(player) & self.goal(player) != 0

    @property
    def latest(self) -> int:
        """Returns the player who moved last."""
        return (self.ply + self.players - 1) % self.players

    def is_terminal(self) -> bool:
        """Tests whether the last move brought a pawn to its goal, or was the last one allowed."""
        return self.has_arrived(self.latest) or self.ply >= self.last_ply

    def utility(self, player: int) -> float:
        """Returns 1 for the winner, what the others lose in equal shares; 0 in a draw."""
        if not self.has_arrived(self.latest):
            return 0.0
        return 1.0 if player == self.latest else -1.0 / (self.players - 1)

    # ---- what players see

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """Returns (size, size, 2 * players + 3): pawns, the own goal, walls, walls left."""
        return self.size, self.size, 2 * self.players + 3

    @property
    def observation_high(self) -> tuple[int, ...]:
        """Returns 1 for pawns, goal and walls, the first number of walls for those left."""
        return (1,) * (self.players + 3) + (max(1, self.walls_each),) * self.players

    def observe(self, player: int, planes: Any) -> None:
        """Writes the pawns, the own first and the others in turn, into planes 0 .. players - 1.

        Then the cells of the own goal, those with a wall below and those with one to the right, and
        the number of walls that are left, for the players in the same order.
        """
        below, right = self.closed_below(), self.closed_right()
        goal, players = self.goal(player), self.players
        for row in range(self.size):
            for column in range(self.size):
                cell = row * self.stride + column
                planes[row, column, players] = goal >> cell & 1 != 0
                planes[row, column, players + 1] = below >> cell & 1 != 0
                planes[row, column, players + 2] = right >> cell & 1 != 0
                for i in range(players):
                    planes[row, column, players + 3 + i] = self.walls_of((player + i) % players)
        for i in range(players):
            cell = self.cell_of((player + i) % players)
            planes[cell // self.size, cell % self.size, i] = 1

    # ---- not needed by the rules

    @property
    def side_names(self) -> tuple[str, ...]:
        """Returns White and Black, or White, Black, Red and Yellow, clockwise."""
        return ("White", "Black", "Red", "Yellow")[: self.players]

    def result_text(self) -> str:
        if not self.has_arrived(self.latest):
            return f"Draw: {counted(self.last_ply, 'move')} without a winner"
        return f"{self.side_names[self.latest]} wins"

    def rules(self) -> str:
        sides = {UP: "bottom", DOWN: "top", LEFT: "right", RIGHT: "left"}
        names, players = self.side_names, range(self.players)
        starts = ", ".join(
            f"player {player}, {names[player]}, on {self.cell_name(self.first_cell(player))} at "
            f"the {sides[self.heading(player)]}"
            for player in players
        )
        others = "the other gets -1"
        if self.players > 2:
            others = "each of the others gets -1/3"
        return reflowed(f"""
            **Goal.** Be the first to bring your pawn to any cell of the side of the board that is
            opposite to the one where it began. The board has {self.size} rows of {self.size} cells.
            The {self.players} pawns begin in the middle of their sides: {starts}. Each player has
            {counted(self.walls_each, "wall")}.

            **Moves.** The players take turns in this order. A move is one of two:

            - Move the pawn one cell up, down, left or right, to an empty cell, not through a wall.
              Over a pawn that stands there you jump, straight on to the next cell. If a wall or the
              edge of the board is right behind that pawn, go to the cell to its left or its right
              instead, not through a wall. If another pawn is right behind it, you cannot jump. The
              cell where you go must be empty.
            - Put one of your walls between the cells. A wall is two cells long and stays there. It
              may touch other walls, but not cross or overlap one, and it must leave every pawn some
              way to its goal, other pawns left aside.

            Who can do neither passes, which is otherwise not allowed.

            **End.** The first player whose pawn reaches its goal wins and gets 1, {others}. If
            nobody has won after {self.last_ply} moves of all players together, the game is a draw,
            worth 0.

            {NOTATION}
            """)

    example = Example(
        """
        c2 player 0, White, moves up
        c4
        c3
        b2h a horizontal wall right above b2 and c2
        c3v an upright wall to the right of c3 and c4
        b3 a jump to the left: a wall is right behind the pawn on c3, and another one to its right
        """,
        size=5,
    )

    def cell_name(self, cell: int) -> str:
        """Returns the column letter and row number of a cell: "a1" is the bottom left."""
        row, column = divmod(cell, self.size)
        return f"{'abcdefghijk'[column]}{self.size - row}"

    def wall_of(self, action: int) -> tuple[int, int, bool] | None:
        """Returns (row, column, upright) of the point of a wall; None for moves of a pawn."""
        place, points = action - self.size * self.size, (self.size - 1) * (self.size - 1)
        if place < 0:
            return None
        row, column = divmod(place % points, self.size - 1)
        return row, column, place >= points

    def name(self, action: int) -> str:
        """Returns "e2", where the pawn goes, "e3h" for a wall above e3 and f3, "e3v", or "pass"."""
        wall = self.wall_of(action)
        if wall is None:
            own = action == self.cell_of(self.to_move)
            return "pass" if own else self.cell_name(action)
        row, column, upright = wall
        return self.cell_name((row + 1) * self.size + column) + "hv"[upright]

    def check_parameters(self) -> None:
        """Raises ValueError, saying what is allowed, for other games."""
        require_between("size", self.size, *SIZES)
        require_between("walls", self.walls, -1, (self.size - 1) ** 2)
        if self.players not in (2, 4):
            raise ValueError(f"players must be 2 or 4, not {self.players}")
        require_between("max_plies", self.max_plies, 0, MOST_PLIES)

    def check(self) -> None:
        self.check_parameters()
        require_between("ply", self.ply, 0, self.last_ply)
        require_between("pawns", self.pawns, 0, (1 << CELL_BITS * self.players) - 1)
        require_between("left", self.left, 0, (1 << LEFT_BITS * self.players) - 1)
        self.check_pawns()
        self.check_walls()
        for player, name in enumerate(self.side_names):
            if self.distance(player) < 0:
                raise ValueError(f"walls must leave {name} a way to the goal")

    def check_pawns(self) -> None:
        """Raises ValueError unless the pawns stand on cells of their own, none on its goal yet."""
        cells = [self.cell_of(player) for player in range(self.players)]
        if max(cells) >= self.size * self.size or len(set(cells)) < self.players:
            raise ValueError(
                f"pawns must stand on different cells, 0 to {self.size**2 - 1}, not {cells}"
            )
        for player, name in enumerate(self.side_names):
            if self.has_arrived(player) and (player != self.latest or self.ply == 0):
                raise ValueError(f"{name} has arrived: the game ended with it")

    def check_walls(self) -> None:
        """Raises ValueError unless the walls are on points, do not overlap, and are all used."""
        both, points = (self.horizontal, self.vertical), self.points()
        if min(both) < 0 or (self.horizontal | self.vertical) & ~points:
            raise ValueError("horizontal and vertical must be sets of points, given as bits")
        beside = (
            self.horizontal & self.horizontal << 1,
            self.vertical & self.vertical << self.stride,
        )
        if self.horizontal & self.vertical or any(beside):
            raise ValueError("walls must not cross or overlap")
        left = [self.walls_of(player) for player in range(self.players)]
        for player, name in enumerate(self.side_names):
            require_between(f"the walls left to {name}", left[player], 0, self.walls_each)
        put = self.players * self.walls_each - sum(left)
        if sum(walls.bit_count() for walls in both) != put:
            raise ValueError(f"{counted(put, 'wall')} must be on the board, with {left} left")
        if put > self.ply:
            raise ValueError(f"{counted(put, 'wall')} cannot have been put in {self.ply} plies")

    def state_space(self) -> int:
        """Counts boards: pawns on any cells, each point with a wall or none, walls left, plies."""
        points, cells = (self.size - 1) ** 2, self.size**2
        left = (self.walls_each + 1) ** self.players
        return cells**self.players * 3**points * left * (self.last_ply + 1)  # type: ignore[no-any-return]

    @classmethod
    def from_text(cls, text: str, **given: Any) -> Self:
        """Returns the position that ``text`` shows, as ``str(position)`` writes it.

        Parameters that do not show, ``walls`` and ``max_plies``, are given by name, and so may be
        ``left``, the list of how many walls each player has left, and ``ply``. Where the text does
        not tell, the walls on the board were put in turn and nothing else was done. Raises
        ValueError for what is no position.
        """
        cells, between = read_lines(text)
        pawns, size = read_pawns(cells, cls.letters), len(cells)
        horizontal, vertical = read_walls(between)
        players, put = len(pawns), horizontal.bit_count() + vertical.bit_count()
        parameters = {name: given[name] for name in cls.parameters if name in given}
        start = cls(**{"size": size, "players": players, **parameters})
        if (start.size, start.players) != (size, players):
            raise ValueError(f"the board shows size {size} and players {players}")
        numbers = re.search(r"walls left: (.*)", text, re.IGNORECASE)
        moves = re.search(r"after (\d+) of \d+ moves", text)
        each = [start.walls_each - (put + players - 1 - p) // players for p in range(players)]
        if numbers:
            each = [int(number) for number in re.findall(r"\d+", numbers[1])]
        each = given.get("left", each)
        if len(each) != players or not all(0 <= n < 1 << LEFT_BITS for n in each):
            raise ValueError(f"left must be how many walls each of {players} players has: {each}")
        return cls(
            **dict(zip(cls.parameters, start, strict=False)),
            pawns=sum(cell << CELL_BITS * player for player, cell in enumerate(pawns)),
            left=sum(number << LEFT_BITS * player for player, number in enumerate(each)),
            horizontal=horizontal, vertical=vertical,
            ply=given.get("ply", int(moves[1]) if moves else put),
        )  # fmt: skip

    def rows(self) -> list[list[str]]:
        """Returns the cells as characters, top row first: the letter of a pawn, or a dot."""
        rows = [["."] * self.size for _ in range(self.size)]
        for player in range(self.players):
            row, column = divmod(self.cell_of(player), self.size)
            rows[row][column] = self.letters[player]
        return rows

    def __str__(self) -> str:
        size, stride, lines = self.size, self.stride, []
        below, right, joints = self.closed_below(), self.closed_right(), self.vertical
        for row, cells in enumerate(self.rows()):
            gaps = ["|" if right >> row * stride + i & 1 else " " for i in range(size - 1)] + [""]
            text = "".join(f"{cell} {gap} " for cell, gap in zip(cells, gaps, strict=True))
            lines.append(f"{size - row:2} {text.rstrip()}")
            if row < size - 1:
                lines.append(self._between(row * stride, below, joints).rstrip())
        letters = "   ".join("abcdefghijk"[:size])
        left = ", ".join(f"{n} {self.walls_of(p)}" for p, n in enumerate(self.side_names))
        outcome = self.result_text() if self.is_terminal() else self.turn_text()
        moves = f"{outcome}, after {self.ply} of {self.last_ply} moves"
        return "\n".join([*lines, f"   {letters}", moves, f"Walls left: {left}"])

    def _between(self, first: int, below: int, joints: int) -> str:
        """Returns the line below a row, given the bit of its first cell."""
        text = "   "
        for i in range(first, first + self.size):
            across = self.horizontal >> i & 1
            text += "-" if below >> i & 1 else " "
            text += "---" if across else " | " if joints >> i & 1 else "   "
        return text


def spread(cells: Wide, below: Wide, right: Wide, stride: int) -> Wide:
    """Returns ``cells`` and those one step from them, perhaps off the board."""
    down = (cells & ~below) << stride | cells >> stride & ~below
    return cells | down | (cells & ~right) << 1 | cells >> 1 & ~right


def read_lines(text: str) -> tuple[list[str], list[str]]:
    """Returns the rows of a printed board, and the lines between them, without what is at the left.

    Rows begin with their numbers; ValueError unless there are 3 to 11 of them.
    """
    lines = text.splitlines()
    found = {i: match for i, line in enumerate(lines) if (match := re.match(r"\s*\d+ ", line))}
    least, most = SIZES
    if not least <= len(found) <= most:
        raise ValueError(f"a board has {least} to {most} rows, which begin with their numbers")
    wide = 4 * len(found) - 3
    rows = [lines[i][match.end() :].ljust(wide) for i, match in found.items()]
    between = [lines[i + 1][match.end() :].ljust(wide) for i, match in [*found.items()][:-1]]
    return rows, between


def read_pawns(rows: list[str], letters: str) -> list[int]:
    """Returns the cells of two or four pawns; ValueError for other characters and numbers."""
    found = [-1] * len(letters)
    for row, line in enumerate(rows):
        for column, character in enumerate(line[: 4 * len(rows)][::4]):
            if character in letters and found[letters.index(character)] == -1:
                found[letters.index(character)] = row * len(rows) + column
            elif character != ".":
                raise ValueError(
                    f"cells are dots, and one each of {letters}; not {character!r} in row "
                    f"{len(rows) - row}"
                )
    pawns = [cell for cell in found if cell != -1]
    if len(pawns) not in (2, 4) or -1 in found[: len(pawns)]:
        raise ValueError(f"there must be the pawns {letters[:2]} or {letters}")
    return pawns


def read_walls(lines: list[str]) -> tuple[int, int]:
    """Returns the points of horizontal and of upright walls, by the lines between the rows."""
    horizontal = vertical = 0
    for row, line in enumerate(lines):
        for column, character in enumerate(line[2::4][: len(lines)]):
            point = 1 << row * (len(lines) + 2) + column
            horizontal |= point if character == "-" else 0
            vertical |= point if character == "|" else 0
    return horizontal, vertical


NOTATION = """
    **Notation.** A move of the pawn is written as the cell where it goes, the letter of its column
    and the number of its row, counted from the bottom: `a1` is the bottom left cell. A wall is
    written as the cell at its lower left, with h or v: `b1h` is the horizontal wall right above b1
    and c1, `b1v` the upright wall to the right of b1 and b2. To pass is the word pass.

    **Board.** The pawns are the first letters of the players' names, a dot is an empty cell, and
    walls are lines of - and |. The numbers of the rows are at the left, the letters of the columns
    below. The last two lines tell who is to move, or who has won, how many moves were made, and how
    many walls each player has left.
"""
"""How moves are written and boards are printed, for ``rules``."""
