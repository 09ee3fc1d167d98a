#!/bin/sh
# Checks that archives are identical on different machines: machines.sh IGN
#
# Packs synthetic games with IGN and compares the archives with those of the unoptimized build, of a
# processor without AVX2, and of another architecture. The last two are emulated. Needs
# qemu-x86_64 and qemu-aarch64 (qemu-user), aarch64-linux-gnu-gcc, and
# `rustup target add aarch64-unknown-linux-gnu`.
set -eu
ign=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

arm=aarch64-unknown-linux-gnu
# gmp-mpfr-sys, the crate of GMP, needs the feature force-cross for cross-compilation.
here=$PWD
mkdir "$work/ign"
cp -r Cargo.toml Cargo.lock crates train "$work/ign"
cd "$work/ign"
sed 's|^\[dev-dependencies\]|gmp-mpfr-sys = { version = "1", default-features = false, features = ["force-cross"] }\n\n&|' \
    "$here/crates/ign-cli/Cargo.toml" >crates/ign-cli/Cargo.toml
CC=aarch64-linux-gnu-gcc CC_FOR_BUILD=cc \
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
    ${CARGO:-cargo} build --release --target $arm --target-dir "$here/target"
cd "$here"
${CARGO:-cargo} build --locked

"$ign" sample --games 150 --seed 7 >"$work/games.pgn"

# pack NAME COMMAND...: packs with both codings and compares with the native archives.
pack() {
    name=$1
    shift
    for coding in ign weighted; do
        "$@" pack -q --coding $coding "$work/games.pgn" -o "$work/$name.$coding.ign"
        cmp "$work/native.$coding.ign" "$work/$name.$coding.ign"
        "$@" verify -q "$work/native.$coding.ign"
    done
    echo "$name: identical archives"
}
pack native "$ign"
pack unoptimized target/debug/ign
pack without-avx2 qemu-x86_64 -cpu Nehalem "$ign"
pack aarch64 qemu-aarch64 -L /usr/aarch64-linux-gnu target/$arm/release/ign
