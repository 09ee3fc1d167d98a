#!/bin/sh
# Installs the missing build requirements of GMP: m4, a C compiler, make.
set -eu

if ! command -v "${CARGO:-cargo}" >/dev/null 2>&1; then
    if [ -x "$HOME/.cargo/bin/cargo" ]; then
        echo "cargo is in ~/.cargo/bin, which is not in PATH; run '. ~/.cargo/env' and try again" >&2
    else
        echo "cargo is not installed; install Rust 1.95 or newer from https://rustup.rs:" >&2
        echo "  curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh" >&2
    fi
    exit 1
fi

missing=
command -v m4 >/dev/null 2>&1 || missing="$missing m4"
command -v make >/dev/null 2>&1 || missing="$missing make"
command -v cc >/dev/null 2>&1 && command -v gcc >/dev/null 2>&1 || missing="$missing gcc"
[ -n "$missing" ] || exit 0

. "$(dirname "$0")/packages.sh"
refuse() {
    echo "GMP cannot be built without:$missing; install them and try again" >&2
    exit 1
}
echo "installing build requirements of GMP:$missing"
if command -v brew >/dev/null 2>&1; then
    # On macOS, the command line tools of Xcode provide the compiler and make.
    command -v cc >/dev/null 2>&1 || { echo "no C compiler found; run 'xcode-select --install'" >&2; exit 1; }
    command -v m4 >/dev/null 2>&1 || brew install m4
    exit 0
fi
[ "$(id -u)" = 0 ] || [ -n "$sudo" ] || refuse
case $manager in
apt-get) install m4 gcc libc6-dev make ;;
dnf) install m4 gcc make ;;
apk) install m4 gcc musl-dev make ;;
*) refuse ;;
esac
