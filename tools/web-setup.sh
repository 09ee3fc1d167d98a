#!/bin/sh
# Installs what the page of ign serve needs: web-setup.sh node|chromium
#
# node: Node.js 18 or newer and npm, to build and check the page. chromium: a browser, to test it.
set -eu

sudo=
if [ "$(id -u)" != 0 ] && command -v sudo >/dev/null 2>&1; then sudo=sudo; fi

install() {
    echo "installing $*"
    if command -v apt-get >/dev/null 2>&1; then
        $sudo apt-get update -q
        $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"
    elif command -v dnf >/dev/null 2>&1; then
        $sudo dnf install -q -y "$@"
    elif command -v apk >/dev/null 2>&1; then
        $sudo apk add --quiet "$@"
    elif command -v brew >/dev/null 2>&1; then
        brew install "$@"
    else
        echo "install $* and try again" >&2
        exit 1
    fi
}

case ${1:-} in
node)
    command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1 || install nodejs npm
    version=$(node --version | sed 's/^v//; s/[.].*//')
    if [ "$version" -lt 18 ]; then
        echo "Node.js $version is too old; install version 18 or newer" >&2
        exit 1
    fi
    ;;
chromium)
    [ -z "${CHROMIUM:-}" ] || exit 0
    for name in chromium chromium-browser google-chrome; do
        ! command -v "$name" >/dev/null 2>&1 || exit 0
    done
    install chromium
    ;;
*)
    echo "usage: web-setup.sh node|chromium" >&2
    exit 1
    ;;
esac
