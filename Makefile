.DEFAULT_GOAL := help
.PHONY: help run test interop fmt lint check clean openapi deny

help: ## Show this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-9s %s\n", $$1, $$2 }'

run: ## Build, and serve on http://127.0.0.1:8080 with SQLite in ./data (the first build takes minutes)
	cargo build --package tidings-server
	exec ./target/debug/tidings serve

test: ## Everything that the continuous integration runs: form, lints, tests on SQLite and PostgreSQL
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	tests/bin/with-redis tests/bin/with-postgres cargo test --workspace

interop: ## Hold the running server against outside programs (needs Python and Node)
	tests/interop/run

fmt: ## Format the source
	cargo fmt --all

lint: ## Check form and lints, without the tests
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings

check: ## Compile without building, for quick answers
	cargo check --workspace --all-targets

clean: ## Remove what was built; ./data stays
	cargo clean

openapi: ## Write docs/openapi.json anew, from the handlers
	cargo run --quiet --package tidings-server -- openapi > docs/openapi.json.new
	mv docs/openapi.json.new docs/openapi.json

deny: ## Check licences, advisories and banned crates (needs cargo-deny)
	@cargo deny --version >/dev/null 2>&1 || { echo "cargo-deny is not installed: cargo install cargo-deny --locked" >&2; exit 1; }
	cargo deny check
