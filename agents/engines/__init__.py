"""Makes engines of games as WebAssembly, and says which agents they can play.

An engine is a module (``agents/data/engines``) with the kernels of a game's rules and of the
searches that are offered for it, and JavaScript that calls them (``static/engine.js``), in browsers
and Node. ``plan_of(agent, start)`` says how an engine plays what an agent would: the same moves,
values and numbers of nodes. A kind of search is a Python file here that says which kernels it needs
and how an agent is written as a plan, and a JavaScript file of its name in ``static`` that
allocates arrays and loops: to add one, write both and list them in ``kinds.py`` and
``static/kinds.js``. What is done around kernels is a kernel, too, so that nothing is written twice.
``python -m agents.engines`` makes the modules, which needs the extra ``wasm``; who plays them needs
nothing.
"""

from .exact_plans import exact_plan
from .plans import engine_info, plan_of

__all__ = ["engine_info", "exact_plan", "plan_of"]
