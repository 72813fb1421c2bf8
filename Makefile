.DEFAULT_GOAL := help
.PHONY: help run build quick test programs interop fmt lint check clean openapi panel sdk screenshots looks deny soak bench bench-full bench-smoke bench-report

help: ## Show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-12s %s\n", $$1, $$2 }'

run: ## Build, and serve on http://127.0.0.1:8080 with SQLite in ./data (the first build takes minutes)
	cargo build --package tidings-server
	exec $${CARGO_TARGET_DIR:-./target}/debug/tidings serve

build: ## Build the optimised program, ./target/release/tidings (half an hour on two cores)
	cargo build --release --locked --package tidings-server --features jemalloc

quick: ## Check the format, the unit tests, and the storage tests on SQLite (at most 90 seconds after a build)
	cargo fmt --all --check
	cargo test --workspace --lib --exclude tidings-storage --exclude tidings-storage-suite --quiet -- --skip on_postgresql
	cargo test --workspace --test sqlite --test memory --test cases --quiet

# All checks build with this command: one set of packages and features, so each crate is compiled once. It uses Clippy's
# compiler, as `cargo clippy` does, so the same build reports the lints, through `tests/bin/lints`.
BUILD = cargo build --workspace --lib --bins --tests --examples
STAGE = tests/bin/stage
test interop bench-smoke: export RUSTC_WORKSPACE_WRAPPER = $(CURDIR)/tests/bin/lints
test interop bench-smoke: export CLIPPY_ARGS = -Dwarnings__CLIPPY_HACKERY__
# Only a crash of the machine would lose data, so tests do without. Benchmarks refuse that.
test interop: export TEST_POSTGRES_FSYNC = off

test: ## Check the format, the lints, the crates' documentation, and all tests on SQLite and PostgreSQL
	$(STAGE) format cargo fmt --all --check
	$(STAGE) "build and lints" $(BUILD)
	@# Tests wait for much of their time, so more of them run at once than there are processors. This stage contains the
	@# stage of the crates' documentation.
	$(STAGE) tests env RUST_TEST_THREADS=$${RUST_TEST_THREADS:-4} tests/bin/in-memory tests/bin/with-redis tests/bin/with-postgres tests/bin/run-tests

# Runs a script of tests/soak with the given program.
SOAK = tests/bin/with-postgres python3 tests/soak
DEBUG = $${CARGO_TARGET_DIR:-target}/debug/tidings
RELEASE = $${CARGO_TARGET_DIR:-target}/release/tidings
CHANNELS = $(STAGE) "channels under load" $(SOAK)/channel_load.py $(DEBUG) --quick && \
  $(STAGE) channels tests/interop/run-channels
UNDER_KILLS = $(STAGE) "sequence under kills" $(SOAK)/steps.py $(DEBUG) --contacts 300 --kills 4 --delay 2 && \
  $(STAGE) "channels under kills" $(SOAK)/channels.py $(DEBUG) --kills 5 --every 2 && \
  $(STAGE) "unclear outcomes" $(SOAK)/unclear.py $(DEBUG) --messages 60 --types telegram

PROGRAMS = $(STAGE) "programs for interop" sh -ec 'for name in "" channels; do \
  tests/interop/tools $${CARGO_TARGET_DIR:-target}/interop $$name >/dev/null; done'

programs: ## Install the outside programs of `make interop` in target/ (needs Python and Node)
	$(PROGRAMS)

interop: ## Check the running server with outside programs and kills, and the panel in a browser (needs Python and Node)
	$(STAGE) "build for interop" $(BUILD)
	@# Two of the next stages share programs, so these are installed first.
	$(PROGRAMS)
	@# The runs under kills and the channels mostly wait, so they run in parallel with the outside programs and the browser.
	@# The load compares times, so it comes before the browser, which needs all processors.
	tests/bin/in-memory tests/bin/beside '$(CHANNELS) && $(UNDER_KILLS)' \
	  sh -ec '$(STAGE) "outside programs" tests/interop/run; $(STAGE) "panel in a browser" tests/panel/run browser'
	$(STAGE) "panel source and unit tests" tests/panel/run source

fmt: ## Format the source
	cargo fmt --all

lint: ## Check the format and the lints, without the tests
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings

check: ## Check that everything compiles, without building it
	cargo check --workspace --all-targets

clean: ## Remove all build output, but not ./data
	cargo clean

openapi: ## Generate docs/openapi.json from the handlers
	cargo run --quiet --package tidings-server -- openapi > docs/openapi.json.new
	mv docs/openapi.json.new docs/openapi.json

panel: ## Rebuild the panel from crates/panel/web (needs Node)
	npm install --no-save --no-audit --no-fund --ignore-scripts --prefix crates/panel/web
	npm run --silent --prefix crates/panel/web types
	npm run --silent --prefix crates/panel/web build

sdk: ## Generate the clients in sdk/ from docs/openapi.json (needs Python and Node)
	tests/interop/tools target/interop
	target/interop/venv/bin/python sdk/generate.py
	npm install --no-save --no-audit --no-fund --ignore-scripts --prefix crates/panel/web
	npm run --silent --prefix crates/panel/web types

screenshots: ## Take the pictures of docs/panel again (needs Node)
	TEST_SCREENSHOTS=$(CURDIR)/docs/panel tests/panel/run pictures.mjs

looks: ## Take pictures of every page in both languages, schemes and sizes, to check them by eye (needs Node)
	TEST_SCREENSHOTS=$(CURDIR)/target/panel/looks tests/panel/run pictures.mjs all

soak: ## Run the long tests, then a mixed load with kills for an hour (SOAK_SECONDS=300 for five minutes)
	INTEROP_LONG=1 tests/interop/run
	cargo test --release --package tidings-domain --lib -- --ignored --nocapture milliseconds
	PROPTEST_CASES=10000 cargo test --release --package tidings-domain --lib -- every_run_ends conditions_that_hold_for_a_contact accepted_flows_meet simulations_match
	TIDINGS_TEST_FIGURES=1 tests/bin/with-postgres cargo test --release --package tidings-server --features jemalloc --test under_load -- --nocapture --test-threads 1
	cargo build --release --package tidings-server --features jemalloc
	TEST_TIDINGS=$$(realpath $${CARGO_TARGET_DIR:-target})/release/tidings tests/panel/run page-changes.mjs
	$(SOAK)/everything.py $(RELEASE)
	$(SOAK)/steps.py $(RELEASE)
	$(SOAK)/broadcast.py $(RELEASE)
	$(SOAK)/channels.py $(RELEASE)
	$(SOAK)/unclear.py $(RELEASE) --silent 0.01
	$(SOAK)/channel_load.py $(RELEASE)
	TIDINGS_TEST_KILLS=20 tests/bin/with-postgres cargo test --package tidings-server --test service crash::
	TIDINGS_TEST_RACES=1000 tests/bin/with-postgres cargo test --package tidings-server --test service races::
	PROPTEST_CASES=20000 cargo test --package tidings-server --test service fuzz::
	TEST_LEASE=60 tests/bin/with-postgres cargo test --package tidings-server --test service frozen_engine

deny: ## Check licences, advisories and banned crates (needs cargo-deny)
	@cargo deny --version >/dev/null 2>&1 || { echo "cargo-deny is not installed: cargo install cargo-deny --locked" >&2; exit 1; }
	cargo deny check

# BENCH adds options: make bench BENCH="--only reads --set storage.pool_size=16", or BENCH="--only wild --against PATH"
# to compare the speed of flows with an earlier program.
BUILD_BENCH = cargo build --release --package tidings-server --package tidings-bench --features tidings-server/jemalloc
RUN_BENCH = mkdir -p target/bench && tests/bin/with-postgres $${CARGO_TARGET_DIR:-target}/release/tidings-bench

bench: ## Measure the service, and the limits of its machine and database (an hour on an idle machine)
	$(BUILD_BENCH)
	$(RUN_BENCH) $(BENCH)

bench-full: ## Run the benchmarks with a million contacts
	$(BUILD_BENCH)
	$(RUN_BENCH) --full $(BENCH)

bench-smoke: ## Run small benchmarks without optimisation in minutes, to check that they work
	$(BUILD)
	mkdir -p target/bench
	tests/bin/with-postgres $${CARGO_TARGET_DIR:-target}/debug/tidings-bench --smoke --rounds 1 --results target/bench/smoke.json $(BENCH)

bench-report: ## Write docs/benchmarks.md and its charts from the results of the last run
	$${CARGO_TARGET_DIR:-target}/release/tidings-bench report
