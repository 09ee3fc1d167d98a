#!/bin/sh
# Prepares the tests of the Python package.
#
#   tools/python.sh environment DIR   a virtual environment with what the tests import, in which
#                                     `import ign_archive` finds the sources
#   tools/python.sh library           puts the compiled part beside the sources
set -eu
cd "$(dirname "$0")/.."

environment() {
    if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then
        echo "the tests of the Python package need Python 3.10 or later as python3" >&2
        exit 1
    fi
    python3 -m venv "$1"
    "$1/bin/python" -m pip install --quiet --requirement python/requirements.txt
    site=$("$1/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    printf '%s\n' "$PWD/python" >"$site/ign_archive.pth"
    touch "$1/ready"
}

library() {
    for built in target/debug/lib_native.so target/debug/lib_native.dylib; do
        if [ -e "$built" ]; then
            # A new file, since a running interpreter may have mapped the old one.
            cp "$built" python/ign_archive/_native.new
            # Its symbols are more than half of it. Without strip, it is installed with them.
            strip -x python/ign_archive/_native.new 2>/dev/null || true
            mv python/ign_archive/_native.new python/ign_archive/_native.abi3.so
            return
        fi
    done
    echo "cargo has built no lib_native below target/debug" >&2
    exit 1
}

case $1 in
environment) environment "$2" ;;
library) library ;;
*) exit 2 ;;
esac
