# Every target works by itself on a fresh clone. All it needs is make and Python 3.11 or newer.

VENV := .venv
BIN := $(VENV)/bin

# The first of these that is new enough makes the environment; `make PYTHON=...` names another.
PYTHONS := python3.13 python3.12 python3.11 python3
SUITABLE := import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for python in $(PYTHONS); do \
	$$python -c '$(SUITABLE)' 2>/dev/null && echo $$python && break; done)

# What is installed: enough to play and to draw, or everything that work on the project needs.
PLAY := $(VENV)/.installed-play
DEV := $(VENV)/.installed-dev
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable

PYTEST := $(BIN)/python -m pytest

.DEFAULT_GOAL := help
.PHONY: help demo test test-slow check format bench clean
.NOTPARALLEL:
.DELETE_ON_ERROR:

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

demo: $(PLAY) ## watch agents play real games
	$(BIN)/python examples/demo.py

test: export SDL_VIDEODRIVER = dummy
test: $(DEV) ## run the tests twice, compiled and as plain Python; ARGS="-k hex" to choose
	$(PYTEST) -n 2 --dist worksteal $(ARGS)
	NUMBA_DISABLE_JIT=1 $(PYTEST) -n 2 --dist worksteal $(ARGS)

test-slow: export SDL_VIDEODRIVER = dummy
test-slow: $(DEV) ## run the tests that take more than a few seconds
	$(PYTEST) -n 2 --dist worksteal -m slow $(ARGS)

check: $(DEV) ## look for faults without running: style, types, who imports whom
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: $(DEV) ## let ruff format the code and mend what it safely can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(DEV) ## print every speed that the README claims
	@for script in benchmarks/*.py; do \
		echo "== $$script"; $(BIN)/python $$script || exit 1; done

clean: ## remove builds and caches; the environment in .venv stays
	rm -rf build dist *.egg-info .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
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
	@echo "Installing adv-envs into $(VENV)"
	@$(PIP_INSTALL) ".[lab,render]"
	@touch $@

$(DEV): pyproject.toml | $(BIN)/python
	@echo "Installing adv-envs and the tools of its developers into $(VENV)"
	@$(PIP_INSTALL) ".[dev]"
	@touch $(PLAY) $@
