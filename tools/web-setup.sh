#!/bin/sh
# Installs what the page of ign serve needs: web-setup.sh node|chromium
#
# node: Node.js 18 or newer and npm, to build and check the page. chromium: a browser, to test it.
set -eu

. "$(dirname "$0")/packages.sh"

require() {
    echo "installing $*"
    [ -n "$manager" ] || { echo "install $* and try again" >&2; exit 1; }
    install "$@"
}

case ${1:-} in
node)
    command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1 || require nodejs npm
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
    require chromium
    ;;
*)
    echo "usage: web-setup.sh node|chromium" >&2
    exit 1
    ;;
esac
