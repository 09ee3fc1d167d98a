#!/bin/sh
# Checks that archives and indexes are identical on different machines: machines.sh [TARGET...]
#
# Packs, appends, indexes, searches and recovers synthetic games (tools/machine) and compares the
# files with those of the unoptimized build, of a processor without AVX2, and of other architectures, one of them
# with 32 bits and one big-endian. They are emulated, except for i686, which a processor of x86-64 runs. Each machine
# also reads the archives of this one.
#
# Needs qemu-user; for each TARGET the standard library (rustup target add TARGET) and the C cross compiler
# with its C library (Debian: gcc-aarch64-linux-gnu and libc6-dev-arm64-cross, gcc-s390x-linux-gnu and
# libc6-dev-s390x-cross, gcc-i686-linux-gnu and libc6-dev-i386-cross).
set -eu
targets=${*:-aarch64-unknown-linux-gnu i686-unknown-linux-gnu s390x-unknown-linux-gnu}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cargo=${CARGO:-cargo}
here=${CARGO_TARGET_DIR:-$PWD/target}

build() {
    $cargo build --quiet --locked --package ign-machine "$@"
}

# machine NAME COMMAND...: writes the files on a machine, compares them, and reads the native ones.
machine() {
    name=$1
    shift
    mkdir "$work/$name"
    "$@" "$work/$name"
    diff -r "$work/native" "$work/$name"
    "$@" --read "$work/native"
    echo "$name: identical archives, indexes and answers"
}

build --release --target-dir "$here"
native=$here/release/ign-machine
mkdir "$work/native"
"$native" "$work/native"

CARGO_PROFILE_DEV_OPT_LEVEL=0 build --target-dir "$here/unoptimized"
machine unoptimized "$here/unoptimized/debug/ign-machine"
machine without-avx2 qemu-x86_64 -cpu Nehalem "$native"

for target in $targets; do
    machine=${target%%-*}
    compiler=$machine-linux-gnu-gcc
    variable=$(echo "$target" | tr a-z- A-Z_)
    env CC="$compiler" "CARGO_TARGET_${variable}_LINKER=$compiler" \
        "$cargo" build --quiet --locked --package ign-machine --release --target "$target" --target-dir "$here"
    libraries=/usr/$machine-linux-gnu
    case $machine in
    i686) set -- "$libraries/lib/ld-linux.so.2" --library-path "$libraries/lib" ;;
    *) set -- "qemu-$machine" -L "$libraries" ;;
    esac
    machine "$machine" "$@" "$here/$target/release/ign-machine"
done
