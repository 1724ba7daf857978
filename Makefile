# Python on the Fly: `make help` lists the targets.
SHELL := /bin/bash
.SHELLFLAGS := -e -u -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help book check test lab env claims tidy clean lock wheelhouse

PYTHON ?= python3
PRESET ?= S
DEVICE ?= auto
EXTRA ?= gpu
GPU ?=
JOBS ?= 3

# GPU=1 stands for the second environment, with a lock file of its own.
VENV := .venv$(if $(GPU),-gpu)
LOCK := requirements$(if $(GPU),-gpu).lock
PY := $(VENV)/bin/python
# Written last: a .venv without it was interrupted and is made anew.
STAMP := $(VENV)/.installed

export PIP_DISABLE_PIP_VERSION_CHECK := 1
# What is given reaches a command whole: the shell sees variables alone.
export PYTHON PRESET DEVICE EXTRA JOBS

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' \
	    $(MAKEFILE_LIST)

# Chapters that time nothing run two at once; all others run alone.
book: $(STAMP) ## run the chapters and build _build/html [PRESET=S DEVICE=auto]
	@$(PY) scripts/run.py --preset "$$PRESET" --device "$$DEVICE" --jobs 2
	@$(PY) scripts/build_book.py

check: $(STAMP) ## what takes a minute: style, form, floors, the lab's tests
	@$(MAKE) --no-print-directory form
	@$(PY) -m pytest -n 2 --dist loadfile -m "not slow and not alone" \
	    tests/lab tests/scripts

form: $(STAMP)
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) scripts/tidy.py
	@PYTHONPATH=scripts $(VENV)/bin/lint-imports --no-logo

test: $(STAMP) ## everything: style, form, floors, and every test
	@$(MAKE) --no-print-directory form
	@$(PY) -m pytest -m alone $$(grep -rl --include='*.py' mark.alone tests)
	@$(PY) -m pytest -n "$$JOBS" --dist loadgroup --no-loadscope-reorder \
	    -m "not alone"

# Its settings keep all cells in the page: jupyterlab-myst asks for no number
# of a cell that has never been in sight.
lab: export JUPYTER_CONFIG_PATH := $(CURDIR)/scripts/jupyter$(if \
    $(JUPYTER_CONFIG_PATH),:$(JUPYTER_CONFIG_PATH))
lab: $(STAMP) ## open JupyterLab on the chapters
	@$(VENV)/bin/jupyter-lab --notebook-dir=notebooks

env: $(STAMP) ## try every library and say what is missing [GPU=1]
	@$(PY) scripts/check_env.py

claims: $(STAMP) ## print the verdict of every claim
	@$(PY) scripts/claims.py

tidy: $(STAMP) ## repair the form of code and notebooks
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .
	@$(PY) scripts/tidy.py --fix

clean: ## remove what can be made again; measurements stay
	@if [ -d _build ]; then \
	    find -H _build -mindepth 1 -maxdepth 1 ! -name results \
	        ! -name repeats ! -name against -exec rm -rf {} +; fi
	@rm -rf .pytest_cache .ruff_cache .hypothesis
	@echo "cleaned; kept: $(VENV) and what was measured: results," \
	    "repeats, against"

lock: ## resolve pyproject.toml anew and write both lock files
	@rm -rf _build/lock
	@"$$PYTHON" -m venv _build/lock
	@_build/lock/bin/python -m pip install --quiet -e '.[cpu,test]'
	@{ grep '^#' requirements.lock; \
	    _build/lock/bin/python -m pip freeze --all \
	        --exclude pip --exclude onthefly \
	        | sed 's/==\([^+]*\)+.*/==\1/'; } > _build/requirements.lock
	@mv _build/requirements.lock requirements.lock
	@_build/lock/bin/python -m pip install --quiet --upgrade pip
	@_build/lock/bin/python scripts/lock.py
	@rm -rf _build/lock

wheelhouse: ## fetch the wheels for a machine without a network [EXTRA=gpu]
	@PYTHONPATH=notebooks "$$PYTHON" scripts/wheelhouse.py fetch --extra "$$EXTRA"

# An unfinished .venv is emptied; a finished one is brought up to date.
$(STAMP): $(LOCK) pyproject.toml
	@"$$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "Python 3.11 or newer is needed, and $$PYTHON is older or" \
	    "missing; repair: make PYTHON=/path/to/python3.11"; exit 1; }
	@echo "$(VENV): installing $$(grep -c "^[^#]" $(LOCK)) packages" \
	    "from $(LOCK); the first time takes some minutes"
	@[ -e $@ ] || "$$PYTHON" -m venv --clear $(VENV)
	@rm -f $@
	@$(PY) -m pip install --progress-bar off -r $(LOCK) | awk \
	    '/^Collecting/ && ++n % 25 == 0 { print "  found " n; fflush() } \
	    /^Installing collected/ { print "  unpacking"; fflush() }'
	@$(PY) -m pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@
	@echo "$(VENV): ready"
