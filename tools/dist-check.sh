#!/bin/sh
# Tries the files of target/dist: dist-check.sh [SUITE...]
#
# The program and the Debian package run in a Debian of each SUITE (bullseye and bookworm) without Rust, which
# debootstrap makes below target/dist-check; the packages for Python, DuckDB and Node.js read an archive of that program,
# in new folders. With SUITE `source`, the archive of sources and that of the Python package are compiled instead, the
# first without the network and the packages of this user (long). Needs to run as root, debootstrap, objdump, Python
# 3.10 or later, and Node.js.
set -eu
cd "$(dirname "$0")/.."

dist=$PWD/target/dist
work=$PWD/target/dist-check
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
name=ign-$version
target=x86_64-unknown-linux-gnu

# needs_glibc_2_17 FILE: no symbol of the file is of a later glibc.
needs_glibc_2_17() {
    objdump -T "$1" | grep -o 'GLIBC_2[.][0-9]*' | sort -uV >"$work/glibc"
    [ "$(tail -n 1 "$work/glibc" | cut -d . -f 2)" -le 17 ] || { echo "$1 needs $(tail -n 1 "$work/glibc")" >&2; exit 1; }
}

say() { printf '\n== %s\n' "$*"; }

# What is tried of the program, in the folder /try of a Debian.
commands="
set -eux
cd /try
ign --version | grep -Fx 'ign $version'
ign selftest
ign sample --games 2000 --seed 1 -q -f -o games.pgn
ign pack games.pgn -q -f
ign index games.ign -q -f
ign verify games.ign
ign unpack games.ign -q -f -o again.pgn
cmp games.pgn again.pgn
ign find games.ign --elo 2000.. --count
"

# debian SUITE: a Debian without our files, with the files of the release in /try.
debian() {
    root=$work/$1
    [ -e "$root/ready" ] || {
        # A run that was interrupted may have left mounts.
        umount -R "$root/proc" "$root/dev" 2>/dev/null || :
        rm -rf --one-file-system "$root"
        debootstrap --variant=minbase "$1" "$root" >"$work/$1.log"
        touch "$root/ready"
    }
    within "dpkg --purge ign" >/dev/null 2>&1 || :
    rm -rf "$root/try"
    mkdir "$root/try"
    cp "$dist/$name-$target.tar.gz" "$dist"/ign_*.deb "$root/try"
}

# within COMMANDS [PATH]: runs them in the Debian, without the variables of this system.
within() {
    env -i PATH="${2:-}/usr/sbin:/usr/bin:/sbin:/bin" HOME=/root chroot "$root" sh -c "$1"
}

programs() {
    debian "$1"
    say "$1: the program"
    within "cd /try && tar -xzf $name-$target.tar.gz"
    python3 tools/links.py "$root/try/$name-$target"
    needs_glibc_2_17 "$root/try/$name-$target/ign"
    within "$commands" "/try/$name-$target:"
    say "$1: the Debian package"
    within "dpkg -i /try/ign_*.deb"
    within "$commands"
    within "set -ex
        zcat /usr/share/man/man1/ign-pack.1.gz | grep -q '^.TH'
        test -s /usr/share/bash-completion/completions/ign
        test -s /usr/share/doc/ign/copyright
        test -s /usr/share/doc/ign/docs/pack.md
        test -z \"\$(dpkg --verify ign)\"
        dpkg --purge ign"
    cp "$root/try/games.ign" "$root/try/games.ign.idx" "$work"
}

python_package() {
    say "Python package"
    python3 -m venv --clear "$work/python"
    "$work/python/bin/pip" install --quiet auditwheel polars 'duckdb>=1.4' "$dist"/*.whl
    "$work/python/bin/auditwheel" show "$dist"/*.whl | tee "$work/auditwheel"
    grep -q manylinux_2_17 "$work/auditwheel"
    test -s "$work"/python/lib/python3*/site-packages/ign_archive-*.dist-info/licenses/licences.txt
    (cd "$work" && python/bin/python -c "
import ign_archive, polars
archive = ign_archive.open('games.ign')
strong = archive.find(elo=(2000, None))
rows = ign_archive.scan_polars('games.ign').filter(polars.col('WhiteElo') > 2000).collect()
print(ign_archive.__version__, archive, strong, rows.shape)
assert len(archive) == 2000 and len(strong) and len(rows)")
}

extension() {
    say "DuckDB"
    tar -xzf "$dist/$name-duckdb-linux_amd64.tar.gz" -C "$work"
    needs_glibc_2_17 "$work/$name-duckdb-linux_amd64/ign.duckdb_extension"
    (cd "$work" && python/bin/python -c "
import duckdb
con = duckdb.connect(config={'allow_unsigned_extensions': True})
con.sql(\"LOAD '$name-duckdb-linux_amd64/ign.duckdb_extension'\")
rows = con.sql(\"SELECT Result, count(*) FROM read_ign('games.ign', elo := '2000..') GROUP BY ALL ORDER BY 1\").fetchall()
print(duckdb.__version__, rows)
assert rows")
}

node_package() {
    say "Node.js"
    rm -rf "$work/node"
    mkdir "$work/node"
    cp "$work/games.ign" "$work/games.ign.idx" "$work/node"
    (cd "$work/node" && npm install --silent --no-audit --no-fund --offline "$dist/ign-node-$version.tgz")
    test -s "$work/node/node_modules/ign/licences.txt"
    python3 tools/links.py "$work/node/node_modules/ign"
    (cd "$work/node" && node --input-type=module -e "
import { open, version } from 'ign';
const archive = open('games.ign');
console.log(version, archive.length, archive.game(1).white.name);
if (archive.length !== 2000) process.exit(1);")
}

sources() {
    say "sources"
    rm -rf "$work/source"
    mkdir -p "$work/source/home"
    zstd -dcq "$dist/$name-vendored.tar.zst" | tar -x -C "$work/source"
    (cd "$work/source/$name" && CARGO_HOME="$work/source/home" GMP_MPFR_SYS_CACHE=_ \
        unshare -n "${CARGO:-cargo}" build --offline --release --locked -p ign-cli)
    "$work/source/$name/target/release/ign" --version
    rm -rf "$work/source"
    python3 -m venv --clear "$work/sdist"
    "$work/sdist/bin/pip" install --quiet "$dist"/ign_archive-*.tar.gz
    "$work/sdist/bin/python" -c 'import ign_archive; print(ign_archive.__version__)'
}

mkdir -p "$work"
(cd "$dist" && sha256sum --quiet --check SHA256SUMS)
if [ "${1:-}" = source ]; then
    sources
    exit
fi
for suite in ${*:-bullseye bookworm}; do
    programs "$suite"
done
python_package
extension
node_package
say "the programs and packages of target/dist work"
