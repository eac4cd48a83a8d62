# All that is needed is make and a Python of at least 3.11 with venv.
#   make demo    install arbitree into .venv and write report.html on generated loans
#   make test    install what developers need and run the tests
#   make docs    build the documentation as a site, docs/_build/html/index.html
#   make lint, make types, make test-oldest, make clean
# Another Python: make test PYTHON=/path/to/python3.12. Arguments for pytest: make test ARGS="-k csv".

VENV := .venv
BIN := $(VENV)/bin
OLDEST := .venv-oldest
PIP := python -m pip install --quiet --disable-pip-version-check

# The first of these that runs, is new enough and can make an environment. A name alone is not
# enough: version managers leave names behind that do not run.
CANDIDATES := python3.14 python3.13 python3.12 python3.11 python3 python
SUITS := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))
newest = $(shell for python in $(1); do \
	if "$$python" -c "$(SUITS)" >/dev/null 2>&1; then echo "$$python"; break; fi; done)
NEEDED := arbitree needs Python 3.11 or newer with its venv module

.PHONY: demo test docs lint types test-oldest clean
.DEFAULT_GOAL := demo

demo: $(VENV)/.installed-demo
	$(BIN)/arbitree demo

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n auto $(ARGS)

docs: $(VENV)/.installed-dev
	$(BIN)/python -m sphinx -W -q -b html docs docs/_build/html

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev
	$(BIN)/mypy

# Old releases of our dependencies use what their own newer dependencies deprecate.
test-oldest: $(OLDEST)/.installed
	$(OLDEST)/bin/python -m pytest -W ignore::DeprecationWarning $(ARGS)

clean:
	rm -rf $(VENV) $(OLDEST) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist docs/_build

$(VENV)/.installed-demo: pyproject.toml | $(BIN)/python
	$(BIN)/$(PIP) --editable ".[files,report,rules]"
	touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	$(BIN)/$(PIP) --editable ".[dev]"
	touch $@

$(BIN)/python:
	$(call make_environment,$(VENV),$(CANDIDATES),$(NEEDED))

# The oldest versions that pyproject.toml admits have no wheels for newer Pythons than these.
$(OLDEST)/.installed: pyproject.toml .ci/oldest.txt | $(OLDEST)/bin/python
	$(OLDEST)/bin/$(PIP) --editable ".[files,report,rules]" polars pytest hypothesis \
		--constraint .ci/oldest.txt
	touch $@

$(OLDEST)/bin/python:
	$(call make_environment,$(OLDEST),python3.11 python3.12,The oldest versions need Python 3.11 or 3.12 with its venv module)

define make_environment
	@python="$(or $(PYTHON),$(call newest,$(2)))"; \
	if [ -z "$$python" ]; then \
		echo "$(3), and none of these runs: $(2)." >&2; \
		echo "On Debian and Ubuntu: apt install python3-venv. Or name one: make PYTHON=/path/to/python3.13" >&2; \
		exit 1; \
	fi; \
	if ! "$$python" -c "$(SUITS)" >/dev/null 2>&1; then \
		echo "$(NEEDED); $$python does not run, is older or has no venv." >&2; \
		exit 1; \
	fi; \
	echo "$$python -m venv $(1)"; \
	"$$python" -m venv --clear "$(1)"
endef
