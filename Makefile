# make demo    demonstration on synthetic games, with a program that has debug assertions
# make release the program, target/release/ign; `cargo install --path .` installs it
# make test    all tests, those of the Python package too (installs what they import below target/), and one line
#              about them: how many ran, how many were skipped and why; IGN_REQUIRE in CONTRIBUTING.md forbids skips
# make proof   all cases of all tests, of which make test takes fewer: endgames, corpora, torture, queries,
#              random tests, python-heavy, new-condition (hours)
# make python  the Python package for development, and its tests
# make wheel   the wheel of the Python package, in target/wheels
# make lint    formatting, clippy, documentation
# make public-api the public interface of ign-archive, compared with crates/ign-archive/public-api.txt (installs
#              cargo-public-api below target/); UPDATE=--update writes the file
# make web     the page of ign serve: web/ to crates/ign-server/assets/, which is committed
# make web-check  lints and types of the page, and whether the committed build is current
# make web-site-test  the page of `ign site` on a static server, in a browser
# make wasm    the module of the page and of Node.js, web/wasm/, which is committed (needs Rust's target
#              wasm32-unknown-unknown and clang; installs wasm-bindgen below target/)
# make wasm-check  whether web/wasm/ is built from the current sources; its tests in Node.js
# make web-test   the page in a browser, with generated games; IGN_FULL=1 limits the time of the first paint to 500 ms
# make package  packages of all crates that are published, each built from its package
# make dist    the files of a release, in target/dist, from the last commit: the program for Linux on x86_64, as an archive
#              and as a Debian package; the Python package, the extension of DuckDB, the package for Node.js; the
#              sources with all dependencies; the list of dependencies; checksums (tools/dist.sh says what it needs)
# make dist-check  tries them: the program and its package in Debian of two versions without Rust, the others in new
#              folders; SUITES=source compiles the sources without the network (needs root; tools/dist-check.sh)
# make audit   licenses, sources and known defects of all dependencies, of those of fuzz/ too (installs
#              cargo-deny below target/; for the defects it needs git and the network, see below)
# make spark-test the package on Spark: a cluster of two workers on this machine (installs Spark below target/, and
#              Java 17 if there is none)
# make duckdb  the extension of DuckDB, in target/duckdb
# make duckdb-test its tests, and the examples of docs/tables.md in SQL
# make check   everything that CI runs: tests, lints, demonstration, the page, the module
# make bench   sizes and times compared with zstd, xz and bzip2; then cargo bench
# make endgames slow tests of endgames, positions and board representations (minutes)
# make corpora complete round trips over all files of real games (slow)
# make torture small archives of every kind, damaged in every way: half a million damaged archives; and every file
#              operation of every command fails in every way (minutes)
# make readers a minute of all commands that read an archive beside two programs that append to it
# make queries 20,000 random queries about 20,000 real games against an independent model, and
#              python-chess as a second one (minutes)
# make reading the plies that ign reads in difficult files compared with those of python-chess; exceptions are in
#              tests/reading-exceptions.txt (minutes)
# make independent-readers the readers of examples/, written from the specification alone, compared with the program
#              (minutes)
# make new-condition adds a condition on games to a copy of the repository and uses it in the command, over HTTP
#              and in Python
# make explorer berserk, Lichess's client for Python, pointed at ign serve (installs it below target/)
# make fixtures writes the fixtures of a version of the format that is not frozen
# make kaitai  docs/ign.ksy, the description of the format for Kaitai Struct, compiled to Python and compared with
#              the program (installs the compiler below target/; needs Node.js)
# make month   times, memory and bytes of collections of generated games: COUNTS="1000000 10000000"
# make load    ten minutes of mixed and bad requests to ign serve, with its memory: TIME seconds, ARCHIVE
# make python-heavy tests of the Python package that take minutes: a million games in bounded memory, and
#              every value of every game of three collections compared with python-chess
# make export-times ign export compared with regular expressions and pyarrow
# make machines identical archives without AVX2, unoptimized, and on other architectures: ARM, 32 bits,
#              big-endian (two of them emulated; tools/machines.sh says what it needs)
# make fuzz    fuzzing of whatever reads bytes from outside, TIME seconds for each target, or for TARGET alone
#              (needs a nightly toolchain; installs cargo-fuzz below target/)
#
# demo and test install the build requirements of GMP (m4, a C compiler, make) if they are missing.
# web, web-check and web-test install Node.js if it is missing, web-test also Chromium. The program is built
# without them. DATA is the folder of real games.

SHELL := /bin/sh
CARGO ?= cargo
# The program with debug assertions, of the profile of the tests; and the fast one.
IGN := target/debug/ign
RELEASE := target/release/ign
DATA ?= $(or $(IGN_DATA),../shared/data)
# Number of games in the demonstration.
GAMES ?= 5000
# Seconds of fuzzing per target, and of the load of a server.
TIME ?= 600
# The fuzz targets, in fuzz/fuzz_targets.
FUZZED := text pgn games san block model column archive index sgf grow recover query http
# The archive of the load of a server, unless ARCHIVE names one.
LOADED := target/load.ign
# The virtual environment of the tests of the Python package.
VENV := target/python
PYTHON := $(abspath $(VENV)/bin/python)
PYTEST = IGN_DATA="$(abspath $(DATA))" $(PYTHON) -m pytest python
# PyO3 reads this: Python loads the library and provides its own symbols.
export PYO3_BUILD_EXTENSION_MODULE = 1

.PHONY: all fixtures check demo test proof proof-cases new-condition lint bench corpora torture endgames queries readers reading independent-readers explorer kaitai load month machines fuzz setup build release package dist dist-check public-api audit \
	python python-heavy python-library spark-test duckdb duckdb-test export-times wheel web web-check web-test web-site-test wasm wasm-check

all: release

setup:
	@sh tools/setup.sh

# The whole workspace, so that the tests use what was compiled.
build: setup
	$(CARGO) build --locked --workspace --bin ign

release: setup
	$(CARGO) build --release --locked -p ign-cli

demo: build
	@sh tools/demo.sh $(IGN) $(GAMES)

test: setup
	@MAKE="$(MAKE)" CARGO="$(CARGO)" IGN_DATA="$(abspath $(DATA))" sh tools/test.sh $(VENV)

proof: endgames corpora torture queries reading independent-readers proof-cases python-heavy new-condition

# What the targets before it do in release builds is left out.
proof-cases: setup $(VENV)/ready
	IGN_FULL=1 IGN_DATA="$(abspath $(DATA))" IGN_PYTHON="$(PYTHON)" $(CARGO) test --locked --workspace --no-fail-fast -- \
		--skip corpora:: --skip chess_corpus:: --skip damaged_bytes_are_right_or_an_error --skip no_fault_costs_more \
		--skip no_signal_at_any_moment

python: python-library
	$(PYTEST) --numprocesses logical --dist worksteal

python-heavy: python-library release
	IGN="$(abspath $(RELEASE))" $(PYTEST) -m heavy -s

export-times: release $(VENV)/ready
	$(PYTHON) python/examples/pgn_to_parquet.py "$(DATA)/lichess_2013-01.pgn.zst" --compare $(RELEASE)

# Built with the whole workspace, so that what `make test` has compiled is used again.
python-library: setup $(VENV)/ready
	$(CARGO) build --locked --workspace --lib
	@sh tools/python.sh library

$(VENV)/ready: python/requirements.txt tools/python.sh
	@sh tools/python.sh environment $(VENV)

spark-test: python-library build
	@sh tools/spark.sh target/spark
	IGN="$(abspath $(IGN))" "$(abspath target/spark/bin/python)" -m pytest spark/tests $(SPARK_TESTS)

wheel: setup $(VENV)/ready
	$(VENV)/bin/maturin build --release --locked --manifest-path python/Cargo.toml --out target/wheels

duckdb: setup $(VENV)/ready
	$(CARGO) build --release --locked -p ign-duckdb
	$(PYTHON) tools/duckdb_extension.py target/release target/duckdb/ign.duckdb_extension

# Of the extension that was compiled with the tests.
duckdb-test: python-library
	$(PYTHON) tools/duckdb_extension.py target/debug target/duckdb/debug/ign.duckdb_extension
	IGN_EXTENSION="$(abspath target/duckdb/debug/ign.duckdb_extension)" $(PYTHON) -m pytest duckdb/tests

check:
	@bash .ci/run

# The lock file of the workspace that is built on its own must be up to date too.
lint: setup
	$(CARGO) update --quiet --workspace --locked --manifest-path fuzz/Cargo.toml
	$(CARGO) fmt --all --check
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings
	$(CARGO) clippy --locked -p ign-archive --no-default-features -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --workspace --no-deps

public-api: setup target/tools/bin/cargo-public-api
	@sh tools/public_api.sh $(UPDATE)

package: setup
	$(CARGO) package --workspace --locked --exclude ign-testing --exclude ign-python --exclude ign-duckdb --exclude ign-train --exclude ign-machine

dist: setup target/tools/bin/cargo-cyclonedx
	@CARGO="$(CARGO)" sh tools/dist.sh

dist-check:
	@CARGO="$(CARGO)" sh tools/dist-check.sh $(SUITES)

AUDITED := Cargo.toml fuzz/Cargo.toml

# Licenses and sources need the registry of crates only. The known defects are in the database of RustSec,
# https://github.com/RustSec/advisory-db, which cargo-deny clones.
audit: target/tools/bin/cargo-deny
	for manifest in $(AUDITED); do \
		target/tools/bin/cargo-deny --manifest-path $$manifest --config deny.toml --workspace \
			check bans licenses sources || exit 1; \
	done
	for manifest in $(AUDITED); do \
		target/tools/bin/cargo-deny --manifest-path $$manifest --config deny.toml --workspace check advisories || { \
			echo "known defects, or no access to https://github.com/RustSec/advisory-db: see the message above" >&2; \
			exit 1; }; \
	done

# The versions print the list differently. Not optimized: compiling takes longer than running.
target/tools/bin/cargo-public-api:
	CARGO_PROFILE_DEV_DEBUG=false $(CARGO) install --debug --locked --root target/tools cargo-public-api@0.52.0

target/tools/bin/cargo-cyclonedx:
	$(CARGO) install --locked --root target/tools cargo-cyclonedx@0.5.9

target/tools/bin/%:
	$(CARGO) install --locked --root target/tools $*

bench: release
	@sh tools/bench.sh $(RELEASE) "$(DATA)"
	$(CARGO) bench --locked --workspace

corpora: setup
	IGN_DATA="$(abspath $(DATA))" IGN_FULL=1 \
		$(CARGO) test --locked --release -p ign-cli -p ign-notation --test main -- corpora:: chess_corpus:: --nocapture

endgames: setup
	$(CARGO) test --locked --release -p ign-endgame -p ign-notation --test main -- --ignored --nocapture

# Each damaged archive is recovered and synced, which takes most of the time where files are not in memory.
torture: setup
	TMPDIR="$(or $(wildcard /dev/shm),$${TMPDIR:-/tmp})" IGN_FULL=1 \
		$(CARGO) test --locked --release -p ign-archive --test torture -- --nocapture
	IGN_FULL=1 $(CARGO) test --locked --workspace --test faults -- --nocapture

readers: setup
	IGN_FULL=1 $(CARGO) test --locked -p ign-cli --test readers -- --nocapture

queries: setup $(VENV)/ready
	IGN_DATA="$(abspath $(DATA))" IGN_PYTHON="$(PYTHON)" \
		$(CARGO) test --locked --release -p ign-archive --test main --test python -- \
		query_oracle:: python_chess:: --include-ignored --nocapture --test-threads 1

reading: setup $(VENV)/ready build
	$(PYTHON) tools/reading.py $(IGN) "$(DATA)/difficult.tar.zst" tests/reading-exceptions.txt
	$(PYTHON) tools/reading.py $(IGN) "$(DATA)/../cases" tests/reading-exceptions.txt

independent-readers: build $(VENV)/ready
	IGN="$(abspath $(IGN))" $(PYTHON) -m pytest examples

# A condition added to a copy of the repository, in every interface.
new-condition: setup $(VENV)/ready
	sh tools/new_condition.sh "$(PYTHON)"

explorer: build $(VENV)/ready
	$(PYTHON) -m pip install --quiet berserk
	$(PYTHON) tools/explorer_client.py $(IGN)

fixtures: setup
	IGN_UPDATE=fixtures $(CARGO) test --locked -p ign-cli --test main fixtures::write
	IGN_UPDATE=1 $(CARGO) test --locked -p ign-cli --test main fixtures::reading::files

kaitai: build $(VENV)/ready
	@sh tools/web-setup.sh node
	npm install --silent --no-audit --no-fund --ignore-scripts --prefix target/kaitai \
		kaitai-struct-compiler@0.11.0 js-yaml@4.1.1
	$(PYTHON) -m pip install --quiet kaitaistruct==0.11
	$(PYTHON) tools/kaitai.py $(IGN)

load: $(if $(ARCHIVE),,$(LOADED))
	$(CARGO) bench --locked -p ign-server --bench load -- $(abspath $(or $(ARCHIVE),$(LOADED))) $(TIME) 32 mixed

month: release $(VENV)/ready
	$(PYTHON) tools/month.py $(RELEASE) target/month $(or $(COUNTS),1000000)

# Generated games with an index.
$(LOADED): | release
	$(RELEASE) sample --games 20000 --seed 1 --clocks -c -q | $(RELEASE) pack - -o $@ -q
	$(RELEASE) index $@ -q

machines: setup
	@sh tools/machines.sh

fuzz: setup target/tools/bin/cargo-fuzz
	cd fuzz && RUSTFLAGS="--cfg fuzzing" $(CARGO) run --release --locked --example seeds
	cd fuzz && for target in $(or $(TARGET),$(FUZZED)); do \
		PATH="$(abspath target/tools/bin):$$PATH" $(CARGO) +nightly fuzz run -s none $$target -- \
			-max_total_time=$(TIME) -timeout=30 -rss_limit_mb=2048 || exit 1; \
	done

web: web/node_modules/.package-lock.json
	cd web && npm run --silent build

web-check: web/node_modules/.package-lock.json
	cd web && npm run --silent check

# zstd is C: a compiler for WebAssembly is clang.
wasm:
	@command -v clang >/dev/null || { echo "clang is needed: apt-get install clang"; exit 1; }
	@$(CARGO) rustc --quiet --target wasm32-unknown-unknown -p ign-entropy --lib 2>/dev/null || \
		{ echo "the standard library for WebAssembly is needed: rustup target add wasm32-unknown-unknown,"; \
		echo "or libstd-rust-dev-wasm32 of Debian in a chroot"; exit 1; }
	CARGO="$(CARGO)" node web/wasm.mjs

wasm-check:
	node web/wasm.mjs --check
	cd web/wasm && node --test

web-test: build web/node_modules/.package-lock.json
	@sh tools/web-setup.sh chromium
	cd web && PAGE=serve npm run --silent test -- ../$(IGN)

web-site-test: build web/node_modules/.package-lock.json
	@sh tools/web-setup.sh chromium
	cd web && PAGE=site npm run --silent test -- ../$(IGN)

# The packages of the page, of exactly the versions and contents of the lock file.
web/node_modules/.package-lock.json: web/package.json web/package-lock.json
	@sh tools/web-setup.sh node
	cd web && npm ci --no-audit --no-fund --ignore-scripts
	@touch $@
