#!/bin/sh
# Compares the public interface of ign-archive with the list in the repository, and prints what differs.
#
#   tools/public_api.sh [--update]
#
# --update writes the list. A change of the list is a change that programs notice: CONTRIBUTING.md says when it may
# happen. The description of the interface by rustdoc is unstable, hence RUSTC_BOOTSTRAP; only rustdoc has that variable,
# because with it Cargo compiles the dependencies again. The list has the items of types that ign-archive re-exports, too
# (public_api.py).
set -eu
cd "$(dirname "$0")/.."

list=crates/ign-archive/public-api.txt
lists=$(mktemp -d)
trap 'rm -rf "$lists"' EXIT
printf '#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec rustdoc "$@"\n' >"$lists/rustdoc"
chmod +x "$lists/rustdoc"
# With the features of the whole workspace, for which the dependencies are compiled already.
RUSTDOC=$lists/rustdoc RUSTDOCFLAGS="-Zunstable-options --output-format json --cap-lints allow" \
    "${CARGO:-cargo}" doc --quiet --locked --workspace --no-deps --lib
for name in ign_archive ign_format ign_notation ign_remote; do
    target/tools/bin/cargo-public-api --rustdoc-json "target/doc/$name.json" -sss >"$lists/$name"
done
python3 tools/public_api.py target/doc/ign_archive.json "$lists" >"$lists/now"
if [ "${1:-}" = --update ]; then
    cp "$lists/now" "$list"
elif ! diff -u "$list" "$lists/now"; then
    echo "the public interface has changed; if that is meant, make public-api UPDATE=--update writes the list" >&2
    exit 1
fi
