# make demo    demonstration on synthetic games
# make test    all tests
# make lint    formatting, clippy, documentation
# make web     the page of ign serve: web/ to crates/ign-server/assets/, which is committed
# make web-check  lints and types of the page, and whether the committed build is current
# make web-test   the page in a browser, with generated games
# make check   everything that CI runs: tests, lints, demonstration, the page
# make bench   sizes and times compared with zstd, xz and bzip2; then cargo bench
# make endgames slow tests of endgames, positions and board representations (minutes)
# make corpora complete round trips over all files of real games (slow)
# make queries 20,000 random queries about 20,000 real games against an independent model, and
#              python-chess as a second one (minutes; installs it below target/ if it can)
# make explorer berserk, Lichess's client for Python, pointed at ign serve (installs it below target/)
# make machines identical archives without AVX2, unoptimized, and on another architecture (emulated)
# make fuzz    fuzzing with arbitrary text, blocks, SGF and indexes, TIME seconds per target
#              (needs cargo-fuzz and a nightly toolchain)
#
# demo and test install the build requirements of GMP (m4, a C compiler, make) if they are missing.
# web, web-check and web-test install Node.js if it is missing, web-test also Chromium. The program is built
# without them. DATA is the folder of real games.

SHELL := /bin/sh
CARGO ?= cargo
IGN := target/release/ign
DATA ?= $(or $(IGN_DATA),../shared/data)
# Number of games in the demonstration.
GAMES ?= 20000
# Seconds of fuzzing per target.
TIME ?= 600

.PHONY: all check demo test lint bench corpora endgames queries explorer machines fuzz setup build
.PHONY: web web-check web-test

all: build

setup:
	@sh tools/setup.sh

build: setup
	$(CARGO) build --release --locked

demo: build
	@sh tools/demo.sh $(IGN) $(GAMES)

test: setup
	IGN_DATA="$(abspath $(DATA))" $(CARGO) test --locked --workspace --no-fail-fast

check:
	@bash .ci/run

lint: setup
	$(CARGO) fmt --all --check
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings
	$(CARGO) clippy --locked -p ign-archive --no-default-features -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --workspace --no-deps

bench: build
	@sh tools/bench.sh $(IGN) "$(DATA)"
	$(CARGO) bench --locked --workspace

corpora: setup
	IGN_DATA="$(abspath $(DATA))" IGN_FULL=1 $(CARGO) test --locked --release -p ign-cli --test corpora -- --nocapture

endgames: setup
	$(CARGO) test --locked --release -p ign-cli -p ign-notation --test endgames --test board_representations --test proof_games -- --ignored --nocapture

queries: setup
	@python3 -m venv target/python && target/python/bin/pip install --quiet chess \
		|| echo "python-chess cannot be installed; its test is skipped"
	IGN_DATA="$(abspath $(DATA))" IGN_PYTHON="$(abspath target/python/bin/python)" \
		$(CARGO) test --locked --release -p ign-archive --test query_oracle --test python_chess -- \
		--include-ignored --nocapture --test-threads 1

explorer: build
	@python3 -m venv target/python && target/python/bin/pip install --quiet berserk chess \
		|| echo "berserk cannot be installed"
	target/python/bin/python tools/explorer_client.py $(IGN)

machines: build
	@sh tools/machines.sh $(IGN)

fuzz: setup
	cd fuzz && RUSTFLAGS="--cfg fuzzing" $(CARGO) run --release --locked --example seeds
	cd fuzz && for target in text block sgf index; do \
		$(CARGO) +nightly fuzz run -s none $$target -- -max_total_time=$(TIME) -timeout=30 || exit 1; \
	done

web: web/node_modules/.package-lock.json
	cd web && npm run --silent build

web-check: web/node_modules/.package-lock.json
	cd web && npm run --silent check

web-test: build web/node_modules/.package-lock.json
	@sh tools/web-setup.sh chromium
	cd web && npm run --silent test -- ../$(IGN)

# The packages of the page, of exactly the versions and contents of the lock file.
web/node_modules/.package-lock.json: web/package.json web/package-lock.json
	@sh tools/web-setup.sh node
	cd web && npm ci --no-audit --no-fund --ignore-scripts
	@touch $@
