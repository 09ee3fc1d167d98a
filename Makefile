# make demo    see the whole thing work on made-up games
# make test    all tests
# make lint    formatting, clippy, documentation
# make check   everything that CI runs: tests, lints, the demonstration
# make bench   sizes and times against zstd, xz and bzip2; then cargo bench
# make endgames all slow tests of endgames, positions and boards (minutes)
# make corpora whole round trips over every file of real games (slow)
# make machines the same archives without AVX2, unoptimised, on another architecture (emulated)
# make fuzz    odd texts and damaged blocks until TIME seconds are over, for each kind of input
#              (needs cargo-fuzz and a nightly toolchain)
#
# demo and test do all set-up: what building GMP needs (m4, a C compiler, make)
# is installed where it is missing. DATA names the folder of real games.

SHELL := /bin/sh
CARGO ?= cargo
IGN := target/release/ign
DATA ?= $(or $(IGN_DATA),../shared/data)
# Games of the demonstration.
GAMES ?= 20000
# Seconds of fuzzing, for each target.
TIME ?= 600

.PHONY: all check demo test lint bench corpora endgames machines fuzz setup build

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

machines: build
	@sh tools/machines.sh $(IGN)

fuzz: setup
	cd fuzz && RUSTFLAGS="--cfg fuzzing" $(CARGO) run --release --locked --example seeds
	cd fuzz && for target in text block sgf; do \
		$(CARGO) +nightly fuzz run -s none $$target -- -max_total_time=$(TIME) -timeout=30 || exit 1; \
	done
