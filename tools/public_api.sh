#!/bin/sh
# Compares the public interface of ign-archive with the list in the repository, and prints what differs.
#
#   tools/public_api.sh [--update]
#
# --update writes the list. A change of the list is a change that programs notice: CONTRIBUTING.md says when it may
# happen. The description of the interface by rustdoc is unstable, hence RUSTC_BOOTSTRAP.
set -eu
cd "$(dirname "$0")/.."

list=crates/ign-archive/public-api.txt
RUSTC_BOOTSTRAP=1 "${CARGO:-cargo}" rustdoc --quiet --locked -p ign-archive --lib --all-features -- \
    -Zunstable-options --output-format json
now=$(mktemp)
trap 'rm -f "$now"' EXIT
target/tools/bin/cargo-public-api --rustdoc-json target/doc/ign_archive.json -sss >"$now"
if [ "${1:-}" = --update ]; then
    cp "$now" "$list"
elif ! diff -u "$list" "$now"; then
    echo "the public interface has changed; if that is meant, make public-api UPDATE=--update writes the list" >&2
    exit 1
fi
