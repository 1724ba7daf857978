# Python on the Fly: `make help` lists the targets.
SHELL := /bin/bash
.SHELLFLAGS := -e -u -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help book read pdf notebooks course check lint test lab env \
    interpreters claims tidy clean lock

PYTHON ?= python3
PRESET ?= S
DEVICE ?= auto
GPU ?=
UPGRADE ?=
OF ?=
ROUTE ?= day
# One more than two cores: each page waits at times, for its kernel or a disk.
JOBS ?= 3
MACHINE ?= amd-epyc-2c

# GPU=1 stands for the second environment, with a lock file of its own.
VENV := .venv$(if $(GPU),-gpu)
LOCK := requirements$(if $(GPU),-gpu).lock
PY := $(VENV)/bin/python
# Written last: a .venv without it was interrupted and is made anew.
STAMP := $(VENV)/.installed

export PIP_DISABLE_PIP_VERSION_CHECK := 1
# What is given reaches a command whole: the shell sees variables alone.
export PYTHON PRESET DEVICE JOBS MACHINE OF ROUTE

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' \
	    $(MAKEFILE_LIST)

# Chapters that time nothing run JOBS at once; all others run alone.
# A page that failed (status 1) is missing in the book, and make says so.
book: $(STAMP) ## run the chapters and build _build/html [PRESET=S DEVICE=auto]
	@$(PY) scripts/run.py --preset "$$PRESET" --device "$$DEVICE" \
	    --jobs "$$JOBS" || [ $$? = 1 ]
	@$(PY) scripts/build_book.py

read: $(STAMP) ## build the book as it was recorded: nothing is measured [JOBS=3]
	@$(PY) scripts/run.py --data "$$MACHINE" --jobs "$$JOBS" || [ $$? = 1 ]
	@$(PY) scripts/build_book.py

pdf: $(STAMP) ## print the built book, or a part or page of it [OF=threads]
	@$(PY) scripts/pdf.py $${OF:+"$$OF"}

notebooks: $(STAMP) ## write the pages to _build/notebooks, to take away
	@$(PY) scripts/run.py --preset "$$PRESET" --device "$$DEVICE" \
	    --jobs "$$JOBS"
	@$(PY) scripts/build_book.py --notebooks _build/notebooks

course: $(STAMP) ## slides, notebooks and solutions to teach with [ROUTE=day]
	@$(PY) scripts/course.py "$$ROUTE"

check: $(STAMP) ## what takes a minute: style, lint, layers, the lab's tests
	@$(MAKE) --no-print-directory lint
	@$(PY) -m pytest -n 2 --dist worksteal -m "not slow" \
	    tests/lab tests/scripts tests/commands tests/diagnose

lint: $(STAMP)
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) scripts/tidy.py
	@PYTHONPATH=scripts $(VENV)/bin/lint-imports --no-logo

test: $(STAMP) ## style, lint, layers, and all tests but the nightly ones
	@$(MAKE) --no-print-directory lint
	@$(PY) -m pytest -n "$$JOBS" --dist loadgroup --no-loadscope-reorder \
	    -m "not calibration"

# Its settings keep all cells in the page: jupyterlab-myst asks for no number
# of a cell that has never been in sight.
lab: export JUPYTER_CONFIG_PATH := $(CURDIR)/scripts/jupyter$(if \
    $(JUPYTER_CONFIG_PATH),:$(JUPYTER_CONFIG_PATH))
lab: $(STAMP) ## open JupyterLab on the chapters
	@$(VENV)/bin/jupyter-lab --notebook-dir=notebooks

env: $(STAMP) ## try every library and say what is missing [GPU=1]
	@$(PY) -m onthefly env

interpreters: $(STAMP) ## get Pythons without the lock, and PyPy
	@$(PY) scripts/interpreters.py

claims: $(STAMP) ## print the verdict of every claim
	@$(PY) scripts/claims.py

tidy: $(STAMP) ## repair the style of code and notebooks
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .
	@$(PY) scripts/tidy.py --fix

clean: ## remove what can be made again; measurements stay
	@if [ -d _build ]; then \
	    find -H _build -mindepth 1 -maxdepth 1 ! -name data \
	        ! -name results ! -name repeats ! -name against \
	        ! -name sweep ! -name baseline -exec rm -rf {} +; fi
	@rm -rf .pytest_cache .ruff_cache .hypothesis
	@echo "cleaned; kept: $(VENV) and what was measured: data, results," \
	    "repeats, against, sweep, baseline"

# uv reads descriptions only, and keeps the versions of a lock unless it is
# told to upgrade.
COMPILE = $(PY) -m uv pip compile pyproject.toml --quiet --no-annotate \
    --custom-compile-command "make lock" $(if $(UPGRADE),--upgrade) \
    --python-version 3.11 --python-platform linux
# The index describes torch's build for CUDA.  The build for the processor has
# the same version, and asks for none of these.
OF_CUDA := cuda-bindings cuda-toolkit nvidia-cudnn-cu13 \
    nvidia-cusparselt-cu13 nvidia-nccl-cu13 nvidia-nvshmem-cu13 triton

# The extra gpu has a torch of its own.  The last line: does the third extra
# agree with the first one's lock, as book/gpu_box.md says?
lock: $(STAMP) ## write both lock files from pyproject.toml [UPGRADE=]
	@$(COMPILE) --extra book --extra cpu --extra test -o requirements.lock \
	    --excludes <(printf '%s\n' $(OF_CUDA))
	@$(COMPILE) --extra book --extra gpu --extra test -o requirements-gpu.lock \
	    --constraints <(grep -v '^torch==' requirements.lock)
	@$(COMPILE) --extra book --extra gpu-cuda13 -c requirements.lock >/dev/null

# An unfinished .venv is emptied; a finished one is brought up to date.  One
# that is a link is another checkout's, whose commands would then run this one.
$(STAMP): $(LOCK) pyproject.toml
	@if [ -L $(VENV) ]; then echo "$(VENV) leads to" \
	    "$$(readlink -f $(VENV)), which is not brought up to date from" \
	    "here; repair: rm $(VENV)"; exit 1; fi
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
