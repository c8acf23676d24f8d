"""Writes the page as a folder of files for any web host: ``adv-envs site --out DIR``.

``site_builder`` writes the folder: the pages and what each game's page is told at its start.
``site_answers`` is the Python that runs in the browser, in Pyodide's core. ``python_bundle`` packs
the modules that it needs, which a ``rehearsal`` has imported and ``packed_modules`` compiles;
``pyodide_core`` finds Pyodide and Node.js.
"""
