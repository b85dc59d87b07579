# Every target first sets up what it needs in .venv. All that must be there is make and Python 3.11 or newer.

PYTHON ?= python3
PYTEST_ARGS ?= -n 2 --dist loadgroup

VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
READY := $(VENV)/.stamp-ready
READY_DEV := $(VENV)/.stamp-ready-dev

# Memory is kept instead of being given back and asked for again at each step.
ONE_CORE := OMP_NUM_THREADS=1 MALLOC_MMAP_THRESHOLD_=1073741824 MALLOC_TRIM_THRESHOLD_=1073741824 MALLOC_TOP_PAD_=268435456

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: demo test check screenshots toys format format-check lint types contracts wheel clean help

demo: $(READY)  ## measure the built-in model with the built-in engine
	$(BIN)/specui demo

test: $(READY_DEV)  ## run the tests (PYTEST_ARGS="-k journal" narrows them)
	$(BIN)/pytest $(PYTEST_ARGS)

check: format-check lint types contracts test  ## run every check there is, the tests last

screenshots: $(READY_DEV)  ## draw screenshots/ anew: look at them before they are committed
	env -u NO_COLOR $(BIN)/python -m tests.tui.screenshots

format: $(READY_DEV)  ## format the code and mend what ruff can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

format-check: $(READY_DEV)
	$(BIN)/ruff format --check .

lint: $(READY_DEV)
	$(BIN)/ruff check .

types: $(READY_DEV)
	$(BIN)/mypy

contracts: $(READY_DEV)
	$(BIN)/lint-imports --no-logo

toys: $(READY)  ## train the built-in models anew into build/toys (PyTorch; under an hour on one core)
	@$(INSTALL) --editable '.[embedded,recipe]'
	env $(ONE_CORE) $(BIN)/python -m specui.builtin.recipe build/toys

wheel: $(READY_DEV)  ## build the wheel and the source archive into dist/
	$(BIN)/python -m build --no-isolation --outdir dist

clean:  ## remove .venv, build, dist and every cache
	rm -rf $(VENV) build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find specui tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1	\2/p' Makefile | expand -t 14

$(VENV)/.stamp-made:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "specui needs Python 3.11 or newer, and there is no '$(PYTHON)': install it, or name yours: make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "specui needs Python 3.11 or newer, and '$(PYTHON)' is $$($(PYTHON) --version 2>&1): name a newer one: make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "'$(PYTHON)' cannot make a virtual environment: install its venv package (python3-venv on Debian and Ubuntu)." >&2; exit 1; }
	@echo "Setting up $(VENV) (the first time only, a minute or two)" >&2
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(READY): $(VENV)/.stamp-made pyproject.toml
	@$(INSTALL) --editable '.[embedded]'
	@touch $@

$(READY_DEV): $(VENV)/.stamp-made pyproject.toml
	@$(INSTALL) --editable '.[embedded,dev]'
	@touch $(READY) $@
