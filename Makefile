# Every target makes .venv itself, and again when a lock or pyproject.toml changed.

VENV := .venv
BIN := $(VENV)/bin
RUN_STAMP := $(VENV)/.installed-run
DEV_STAMP := $(VENV)/.installed-dev
PACKAGES := runtime/comal_runtime renderers/comal_renderers bot/comal_bot
MEASUREMENTS := $(basename $(notdir $(wildcard bench/[a-z]*.py)))

# The interpreter that makes .venv: the first that runs; name another with `make PYTHON=...`.
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && exit; \
	done; echo python3)
ARGS ?=

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore
# Errors only: warnings tell of the machine's own pip settings.
PIP := $(BIN)/python -m pip --quiet --quiet --no-input
COMPILE := CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/pip-compile --quiet --strip-extras \
	--no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options

# A Chat Completions server that is not ours, for one test.
FOREIGN_MODEL := npm install --silent --no-audit --no-fund --prefix $(VENV)/aimock \
	@copilotkit/aimock@1.43.0 >/dev/null 2>&1

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run test check format bench fuzz docs lock clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
	@echo
	@echo "  ARGS=\"...\" goes to the command behind run, test, fuzz and bench;"
	@echo "  PYTHON=... names the interpreter that makes .venv (3.11 or newer)."

run: $(RUN_STAMP) ## Start the demo and open its page (no account, no questions)
	@$(BIN)/comal demo $(ARGS)

test: $(DEV_STAMP) ## Run the tests
	@$(BIN)/python -m pytest $(ARGS)

check: $(DEV_STAMP) ## Check format, lint, types, import contracts, sizes, dependencies
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m tests.support.check_sizes
	$(BIN)/deptry $(PACKAGES)

format: $(DEV_STAMP) ## Format the code and mend what lint can mend
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

fuzz: $(DEV_STAMP) ## Run the tests marked fuzz, which are long, and change what was shown 100,000 times
	@$(BIN)/python -m pytest tests -m fuzz $(ARGS) || { status=$$?; [ $$status -eq 5 ] || exit $$status; }  # 5: none is marked
	@$(BIN)/python -m tests.runtime.consent.mutating

bench: $(DEV_STAMP) ## Run each measurement in bench/; prints ratios
	@set -e; for name in $(MEASUREMENTS); do $(BIN)/python -m bench.$$name $(ARGS); done
	@test -n "$(MEASUREMENTS)" || echo "bench/ holds no measurement yet"

docs: $(DEV_STAMP) ## Build the reference of the public names into build/docs
	@$(BIN)/python -m tests.docs.reference build/docs

lock: ## Write the lock files anew from pyproject.toml (ARGS=--upgrade for newer releases)
	$(VENV_READY)
	@test -x $(BIN)/pip-compile || $(PIP) install "pip-tools>=7.5"
	$(COMPILE) $(ARGS) --extra dev --extra fast --output-file requirements-dev.lock pyproject.toml
	$(COMPILE) $(ARGS) --constraint requirements-dev.lock --output-file requirements.lock pyproject.toml

clean: ## Remove .venv, what was built, and caches
	rm -rf $(VENV) build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

# A .venv that was left half made, or whose interpreter went away, is made anew.
define VENV_READY
@$(BIN)/python -m pip --version >/dev/null 2>&1 || { \
	python="$(PYTHON)"; \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		found=$$("$$python" --version 2>&1 | tail -n 1); \
		echo "comal needs Python 3.11 or newer; $$python is: $$found; name another: make PYTHON=python3.12" >&2; \
		exit 1; }; \
	echo "making $(VENV) with $$python"; \
	"$$python" -m venv --clear $(VENV) || { \
		echo "$$python cannot make a virtual environment; on Debian or Ubuntu: apt-get install python3-venv" >&2; \
		exit 1; }; }
endef

$(RUN_STAMP): requirements.lock pyproject.toml
	$(VENV_READY)
	@echo "installing what comal runs on"
	@$(PIP) install --requirement requirements.lock
	@$(PIP) install --no-deps --editable .
	@touch $@

$(DEV_STAMP): requirements-dev.lock requirements.lock pyproject.toml
	$(VENV_READY)
	@echo "installing what comal is built and tested with"
	@$(PIP) install --requirement requirements-dev.lock
	@$(PIP) install --no-deps --editable .
	@$(FOREIGN_MODEL) || echo "without node 20 and npm, the test with a foreign model server is skipped"
	@touch $(RUN_STAMP) $@
