# Two commands matter: `make demo` shows the main job, `make test` runs the tests. Each makes what it needs in .venv.
# On Windows, see "Windows" in docs/development.md for the twins.
PYTHON ?= python3
PY = $(shell $(PYTHON) tools/env.py $(VENV))
VENV ?= .venv

.PHONY: demo test test-hosts check audit bench soak docs lock clean

demo:            ## install, simulate, rehearse, measure and undo in a scratch home
	@$(PY) tools/demo.py

test:            ## all tests that need no host program
	@$(PY) -m pytest -q -m "not real and not soak" $(ARGS)

test-hosts:      ## install the real host programs into .hosts and rehearse each
	@$(PY) tools/hosts.py
	@$(PY) -m pytest -q -m real tests/real $(ARGS)

check:           ## style, strict types, import rules
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m pyright
	@$(PY) tools/imports.py

audit:           ## known vulnerabilities of the locked packages (needs the registry's database)
	@$(PY) -m pip_audit -r requirements.lock --require-hashes --disable-pip

bench:           ## what bench/ measures, as ratios
	@$(PY) -m bench

soak:            ## long faults at full size, and the laws on twenty times as many files
	@$(PY) -m pytest -q -m soak $(ARGS)
	@SOAK=20 $(PY) -m pytest -q tests/laws tests/chaos $(ARGS)

docs:            ## write the generated pages again
	@$(PY) tools/docs.py

lock:            ## write requirements.lock again (needs uv)
	uv pip compile -q pyproject.toml --group dev --all-extras --universal --generate-hashes --no-emit-index-url \
	  --no-annotate --custom-compile-command "make lock" -o requirements.lock

clean:           ## remove what was made
	rm -rf .venv .hosts .pytest_cache .ruff_cache .hypothesis build dist
