#!/bin/sh
# Prepares the tests on Spark.
#
#   tools/spark.sh DIR   Java 17 or newer, and a virtual environment with Spark, in which `import ign_archive`
#                        finds the sources
set -eu
cd "$(dirname "$0")/.."

# The version of Java, or 0.
java_version() {
    command -v java >/dev/null 2>&1 || { echo 0; return; }
    java -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -n 1
}

if [ "$(java_version)" -lt 17 ]; then
    . tools/packages.sh
    echo "installing Java"
    case $manager in
    apt-get)
        install openjdk-17-jre-headless || install default-jre-headless
        ;;
    dnf) install java-21-openjdk-headless ;;
    apk) install openjdk17-jre-headless ;;
    brew) install openjdk@21 ;;
    esac
    if [ "$(java_version)" -lt 17 ]; then
        echo "the tests on Spark need Java 17 or newer as java; install it and try again" >&2
        exit 1
    fi
fi

[ ! -e "$1/ready" ] || [ spark/requirements.txt -nt "$1/ready" ] || [ tools/spark.sh -nt "$1/ready" ] || exit 0
python3 -m venv "$1"
"$1/bin/python" -m pip install --quiet --requirement spark/requirements.txt
site=$("$1/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
printf '%s\n' "$PWD/python" >"$site/ign_archive.pth"
touch "$1/ready"
