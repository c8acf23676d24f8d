# Every target works by itself on a fresh clone. All it needs is make and Python 3.11 or newer.

VENV := .venv
BIN := $(VENV)/bin

# The first of these that is new enough makes the environment; `make PYTHON=...` names another.
PYTHONS := python3.13 python3.12 python3.11 python3
SUITABLE := import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for python in $(PYTHONS); do \
	$$python -c '$(SUITABLE)' 2>/dev/null && echo $$python && break; done)

# What is installed, by the targets that need it: each of these files says that it has been.
PLAY := $(VENV)/.installed-play
TEST := $(VENV)/.installed-test
DEV := $(VENV)/.installed-dev
DOCS := $(VENV)/.installed-docs
MUTANTS := $(VENV)/.installed-mutants
WASM := $(VENV)/.installed-wasm
ALL := $(VENV)/.installed-all
# What checks the pages' JavaScript, and Python for browsers; what runs them, Node.js, is a package of
# the environment.
NODE := $(BIN)/node
TSC := $(NODE) node_modules/typescript/bin/tsc
JS := node_modules/.installed
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable

PYTEST := $(BIN)/python -m pytest -n 2 --dist worksteal --durations 10 --durations-min 1

.DEFAULT_GOAL := help
.PHONY: help demo docs site engines test test-adapters test-all test-extras test-slow engines-check fuzz mutants check format bench clean announce
.NOTPARALLEL:
.DELETE_ON_ERROR:

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

demo: $(PLAY) ## watch agents play real games (0.5 GB in .venv)
	$(BIN)/python examples/demo.py
	$(BIN)/adv-envs warm connect_four hex

test: export SDL_VIDEODRIVER = dummy
test: $(TEST) ## run the tests, compiled and as plain Python (0.7 GB); ARGS="-k hex" to choose
	$(PYTEST) --light -m "not (slow or thorough or plain)" $(ARGS)
	NUMBA_DISABLE_JIT=1 $(PYTEST) --light -m "not (slow or thorough or compiled)" $(ARGS)

test-all: announce test test-extras ## the same, and those of training, browser and Ray (3 GB)

test-extras: export SDL_VIDEODRIVER = dummy
test-extras: $(ALL) ## run only what `make test` leaves out: for want of a library, or of time
	$(PYTEST) -m "(needs or thorough or again) and not slow" $(ARGS)

test-slow: export SDL_VIDEODRIVER = dummy
test-slow: $(TEST) ## run the long proofs: half an hour and more
	$(PYTEST) -m slow $(ARGS)

test-adapters: | $(BIN)/python ## play the same games in other frameworks, each in an environment of its own
	$(BIN)/python tests/adapters/environments.py $(ARGS)

engines-check: $(ALL) ## compare engines with Python over a million plies, in Node.js and Chromium
	PYTHONPATH=tests $(BIN)/python -m engine_check $(ARGS)

fuzz: export SDL_VIDEODRIVER = dummy
fuzz: export NUMBA_DISABLE_JIT = 1
fuzz: $(TEST) ## feed a million odd texts, files and commands to what reads them; ARGS="--seed 1"
	PYTHONPATH=tests $(BIN)/python -m fuzz $(ARGS)

mutants: $(MUTANTS) ## plant faults and count those that the tests find; ARGS="--only rules --count 5"
	$(BIN)/python tests/mutants.py $(ARGS)

engines: $(WASM) ## make the engines for browsers that are out of date; ARGS="--games hex" to choose
	$(BIN)/python -m agents.engines $(ARGS)

check: $(DEV) $(JS) ## look for faults: style, types, who imports whom; all of the JavaScript
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(TSC) --project .
	$(TSC) --project tests/js
	$(TSC) --project tests/js/types
	$(NODE) node_modules/eslint/bin/eslint.js --max-warnings 0
	$(NODE) --test --test-reporter=dot "tests/js/*.test.js"

docs: $(DOCS) ## build the manual, as web pages in docs/_build, and follow its links (0.1 GB more)
	@began=$$(date +%s) && \
	$(BIN)/python -m sphinx --builder html --nitpicky --fail-on-warning --keep-going --quiet \
		--doctree-dir docs/_build/doctrees docs docs/_build/html && \
	$(BIN)/python docs/check_site.py docs/_build/html --since $$began
	@echo "The manual: docs/_build/html/index.html"

site: $(JS) ## write the page as files for any web host, into build/site; `make docs` then plays, too
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/adv-envs site --out build/site

format: $(DEV) ## let ruff format the code and mend what it safely can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(TEST) ## print every speed that the documentation claims
	@failed= lacking= asking=; for script in benchmarks/*.py; do \
		echo "== $$script"; $(BIN)/python $$script; \
		case $$? in 0) ;; 2) asking="$$asking $$script" ;; 77) lacking="$$lacking $$script" ;; \
			130) exit 130 ;; *) failed="$$failed $$script" ;; esac; done; \
	test -z "$$asking" || echo "These ask what to measure; see their --help:$$asking"; \
	test -z "$$lacking" || echo "These were left out for want of a library, as they say:$$lacking"; \
	test -z "$$failed" || { echo "These ended with an error:$$failed"; exit 1; }

clean: ## remove builds and caches; the environment in .venv stays
	rm -rf build dist docs/_build docs/reference *.egg-info .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -path ./$(VENV) -prune -o -name __pycache__ -type d -exec rm -rf {} +

# `--clear` mends an environment whose Python is gone; one that works is never touched.
$(BIN)/python:
	@"$(PYTHON)" -c '$(SUITABLE)' 2>/dev/null || { \
		echo "adv-envs needs Python 3.11 or newer, with its venv module."; \
		echo "Tried without success: $(or $(PYTHON),$(PYTHONS))"; \
		echo "Install one (on Debian and Ubuntu: python3 and python3-venv),"; \
		echo "or say where it is: make PYTHON=/path/to/python3"; \
		exit 1; } >&2
	"$(PYTHON)" -m venv --clear $(VENV)

$(PLAY): pyproject.toml | $(BIN)/python
	@echo "Installing adv-envs into $(VENV): 0.5 GB with the compiler, SciPy, pygame and a web server"
	@$(PIP_INSTALL) ".[lab,render,web]"
	@touch $@

$(TEST): pyproject.toml | $(BIN)/python
	@echo "Installing adv-envs and what its tests need into $(VENV): 0.7 GB, without PyTorch"
	@$(PIP_INSTALL) ".[test]"
	@touch $(PLAY) $@

$(MUTANTS): pyproject.toml | $(BIN)/python
	@echo "Installing adv-envs, what its tests need and Cosmic Ray into $(VENV): 0.7 GB"
	@$(PIP_INSTALL) ".[mutants]"
	@touch $(PLAY) $(TEST) $@

$(DOCS): pyproject.toml | $(BIN)/python
	@echo "Installing adv-envs and Sphinx into $(VENV)"
	@$(PIP_INSTALL) ".[docs]"
	@touch $@

$(WASM): pyproject.toml | $(BIN)/python
	@echo "Installing adv-envs and a linker for WebAssembly into $(VENV): 0.9 GB"
	@$(PIP_INSTALL) ".[lab,web,wasm]"
	@touch $@

$(DEV): pyproject.toml | $(BIN)/python
	@echo "Installing adv-envs, its tests, ruff, mypy, import-linter and Node.js into $(VENV): 1.1 GB"
	@$(PIP_INSTALL) ".[dev]"
	@touch $(PLAY) $(TEST) $@

# Exactly what the lock file names, and none of its scripts is run. npm looks for node in PATH, and
# trusts the certificates that the system trusts, as pip does.
$(JS): package.json package-lock.json $(DEV)
	@echo "Installing TypeScript, ESLint and Pyodide into node_modules: 0.07 GB"
	@NODE_USE_SYSTEM_CA=1 PATH="$(abspath $(BIN)):$$PATH" $(BIN)/npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# Said before anything is installed or run.
announce:
	@test -e $(ALL) || printf '%s\n' \
		"make test-all installs into $(VENV), 3 GB in all:" \
		"  adv-envs and what its tests need, without PyTorch   0.7 GB" \
		"  PyTorch, its build for CPUs where it can be had     0.9 GB (with CUDA: 6 GB)" \
		"  Stable-Baselines3, Tianshou, TorchRL, matplotlib    0.3 GB" \
		"  Ray                                                 0.3 GB" \
		"  Playwright; Chromium is yours to install             0.2 GB" \
		"  Node.js, and ziglang, which links WebAssembly        0.6 GB"

$(ALL): pyproject.toml | $(BIN)/python announce
	@$(BIN)/python .ci/install_torch.py
	@$(PIP_INSTALL) ".[test,all,browser,js,wasm]"
	@touch $(PLAY) $(TEST) $@
