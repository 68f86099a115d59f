# Two commands matter: `make demo` shows the main job, `make test` runs the tests. Each makes what it needs in .venv.
# On Windows, see "Windows" in docs/development.md for the twins.
PYTHON ?= python3
PY = $(shell $(PYTHON) tools/env.py $(VENV))
VENV ?= .venv
# processes of `make test`, which mostly waits for programs
WORKERS ?= 4
PATIENT = --timeout 600 -o faulthandler_timeout=700  # real programs take their time on a slow machine
# rehearsals of whole files that share no host's run with another file
APART = tests/real/drive tests/real/guard tests/real/worker tests/real/worker_sandbox

.PHONY: demo demo-byoa test test-hosts test-services check audit bench soak docs lock clean

demo:            ## install, simulate, rehearse, measure and undo in a scratch home
	@$(PY) tools/demo.py

demo-byoa:       ## a notes app that an agent joins: pair, approve, chat; leaves a page to look at (ARGS=--once does not)
	@$(PY) tools/demo_byoa.py $(ARGS)

test:            ## all tests that need no host program and no service
	@$(PY) -m pytest -q -m "not real and not soak and not services" -n $(WORKERS) --dist worksteal --ignore tests/rehearse $(ARGS)
	@$(PY) -m pytest -q -m "not real and not soak and not services" tests/rehearse $(ARGS) || test $$? -eq 5  # 5: ARGS chose none

test-hosts:      ## install the real host programs into .hosts and rehearse each
	@$(PY) tools/hosts.py
	@$(PY) -m pytest -q -m real $(PATIENT) tests/real $(APART:%=--ignore %) $(ARGS)
	@$(PY) -m pytest -q -m real $(PATIENT) $(APART) -n 2 --dist loadfile $(ARGS)

test-services:   ## the tests against a real PostgreSQL and a real Chromium
	@$(PY) tools/services.py
	@$(PY) -m pytest -q -m "services and not real and not soak" $(PATIENT) tests $(ARGS)

check:           ## style, strict types, import rules
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m pyright
	@$(PY) tools/imports.py

audit:           ## known vulnerabilities of the locked packages (needs the registry's database)
	@$(PY) -m pip_audit -r requirements.lock --require-hashes --disable-pip

bench:           ## what bench/ measures, as ratios
	@$(PY) -m bench

soak:            ## long faults at full size, and the laws on forty times as many files
	@$(PY) -m pytest -q -m soak --timeout 0 -o faulthandler_timeout=0 $(ARGS)
	@SOAK=40 $(PY) -m pytest -q tests/laws tests/chaos $(ARGS)

docs:            ## write the generated pages again
	@$(PY) tools/docs.py

lock:            ## write requirements.lock again (needs uv)
	uv pip compile -q pyproject.toml --group dev --all-extras --universal --generate-hashes --no-emit-index-url \
	  --no-annotate --custom-compile-command "make lock" -o requirements.lock

clean:           ## remove what was made
	rm -rf .venv .hosts .pytest_cache .ruff_cache .hypothesis build dist
