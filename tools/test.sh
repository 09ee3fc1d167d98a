#!/bin/sh
# Runs the tests of the crates and those of the Python package, and prints one line about them at the end.
#
#   tools/test.sh ENVIRONMENT [ARGUMENT...]
#
# ENVIRONMENT is the folder of the virtual environment of Python, which `make ENVIRONMENT/ready` makes. The arguments
# are those of `cargo test`. MAKE and CARGO name the programs. What is missing on this machine is reported; the tests
# that need it are skipped, unless IGN_REQUIRE names it.
set -u
cd "$(dirname "$0")/.."

environment=$1
shift
logs=$PWD/target/test-logs
rm -rf "$logs"
mkdir -p "$logs"
export IGN_SKIPPED="${IGN_SKIPPED:-$logs/skipped}"
failed=

# Runs a command, keeps what it prints, and returns its status.
run() {
    name=$1
    shift
    { "$@" 2>&1; echo $? >"$logs/$name.status"; } | tee "$logs/$name.log"
    return "$(cat "$logs/$name.status")"
}

requires() {
    case ",${IGN_REQUIRE:-}," in *",$1,"* | *,all,*) return 0 ;; *) return 1 ;; esac
}

if ! command -v zstd >/dev/null 2>&1; then
    . tools/packages.sh
    install zstd || echo "there is no command zstd; install it to test archives with zstd -t" >&2
fi

# Packages are installed on one core while the other compiles.
${MAKE:-make} --no-print-directory "$environment/ready" &
environment_made=$!
# What fails here fails in `run cargo` too, which keeps the message.
"${CARGO:-cargo}" test --locked --workspace --no-fail-fast --no-run
if wait "$environment_made"; then
    export IGN_PYTHON="$PWD/$environment/bin/python"
    has_python=1
else
    echo "the tests that need Python are skipped" >&2
    has_python=
fi

run cargo "${CARGO:-cargo}" test --locked --workspace --no-fail-fast "$@" || failed=1

if [ -n "$has_python" ]; then
    run python "${MAKE:-make}" --no-print-directory python || failed=1
else
    printf 'python\tthe tests of the Python package\t%s\n' \
        "no environment of Python could be made (it needs python3 3.10 or later, and its packages)" >>"$IGN_SKIPPED"
    requires python && failed=1
fi

echo
sh tools/summary.sh "$IGN_SKIPPED" "$logs"/*.log
[ -z "$failed" ]
