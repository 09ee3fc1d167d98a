#!/bin/sh
# Writes the files of a release into target/dist: dist.sh
#
# They are made from the last commit, on Linux on x86_64. The compiled ones need glibc 2.17 or later: zig links them for it.
# Needs Python 3.10 or later, Node.js with npm, dpkg-deb, zstd and the network; target/tools/bin has cargo-cyclonedx.
set -eu
cd "$(dirname "$0")/.."

cargo=${CARGO:-cargo}
target=x86_64-unknown-linux-gnu
glibc=2.17
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
# The name of the archives and of the folders in them.
name=ign-$version
dist=$PWD/target/dist
work=$PWD/target/dist-work
source=$work/$name
built=target/$target/release

[ -z "$(git status --porcelain)" ] || { echo "commit the changes first: a release is made from a commit" >&2; exit 1; }
for command in python3 node npm dpkg-deb zstd; do
    command -v $command >/dev/null || { echo "$command is needed" >&2; exit 1; }
done
# The module for Node.js is committed, compressed.
node web/wasm.mjs --check
rm -rf "$dist" "$work"
mkdir -p "$dist" "$work"
# Equal commits give equal times in archives.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
# Other flags would replace those of the target.
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS
# Messages of panics name source files: without the folders of this machine. Cargo adds these to the flags of
# .cargo/config.toml.
CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUSTFLAGS="\
--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo --remap-path-prefix=$PWD=."
export CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUSTFLAGS

say() { printf '\n== %s\n' "$*"; }

# archive FOLDER: the folder of $work as the tar archive FOLDER.tar there.
archive() {
    tar -C "$work" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -cf "$work/$1.tar" "$1"
}

tools() {
    say "tools"
    python3 -m venv target/dist-tools
    target/dist-tools/bin/pip install --quiet \
        ziglang==0.17.1 cargo-zigbuild==0.24.1 maturin==1.16.0 wheel==0.46.3 'duckdb>=1.4'
    PATH=$PWD/target/dist-tools/bin:$PATH
}

# The sources with all dependencies, which are compiled without the network.
sources() {
    say "sources"
    git archive --prefix="$name/" -o "$work/sources.tar" HEAD
    tar -xf "$work/sources.tar" -C "$work"
    sbom
    (cd "$source" && "$cargo" vendor --quiet --locked --versioned-dirs)
    cat >>"$source/.cargo/config.toml" <<END

# The dependencies are in this archive.
[source.crates-io]
replace-with = "vendor"
[source.vendor]
directory = "vendor"
END
    archive "$name"
    zstd --quiet -9 --long=27 -T0 "$work/$name.tar" -o "$dist/$name-vendored.tar.zst"
}

# The dependencies of each compiled file. The tool writes a list for each package of the workspace.
sbom() {
    "$PWD/target/tools/bin/cargo-cyclonedx" cyclonedx --quiet --format json --spec-version 1.5 --target "$target" \
        --manifest-path "$source/Cargo.toml"
    for list in ign-cli python/ign-python duckdb/ign-duckdb; do
        sed "s|$source|.|g" "$source/$list.cdx.json" >"$dist/${list##*/}-$version.cdx.json"
    done
    find "$source" -name '*.cdx.json' -delete
}

# licences PACKAGE [TARGET]: the Rust packages that are compiled into a package, and their licences, each text once.
licences() {
    texts=$work/licences/$1
    mkdir -p "$texts"
    "$cargo" tree --locked --package "$1" --edges normal --target "${2:-$target}" --prefix none --format '{p} {l}' \
        >"$texts/tree"
    echo "The Rust packages that are compiled in, and their licences, whose texts follow. gmp-mpfr-sys contains GMP."
    <"$texts/tree" sed 's/ (proc-macro)//; s/ ([*])$//' | grep -v ' (/' | sort -u | tee "$texts/list"
    while read -r crate release licence; do
        for file in "$source/vendor/$crate-${release#v}"/*; do
            case ${file##*/} in
            LICEN[CS]E* | [Ll]icen[cs]e* | UNLICENSE* | COPY* | NOTICE*) ;;
            *) continue ;;
            esac
            sum=$(sha256sum <"$file" | cut -c 1-64)
            echo "$crate ${release#v} ($licence)" >>"$texts/$sum.packages"
            cp "$file" "$texts/$sum.text"
        done
    done <"$texts/list"
    for file in "$texts"/*.packages; do
        printf '\n----------------------------------------\n'
        cat "$file"
        echo
        cat "${file%.packages}.text"
    done
}

# compile PACKAGE
compile() {
    say "$1"
    cargo-zigbuild zigbuild --release --locked --package "$1" --target "$target.$glibc"
}

program() {
    compile ign-cli
    folder=$work/$name-$target
    mkdir -p "$folder/man" "$folder/completions"
    cp "$built/ign" "$folder"
    # With the documents, and the files that they refer to.
    git archive HEAD -- docs examples LICENSE README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md format-spec.md \
        python/README.md python/examples web/README.md web/wasm/README.md tests/fixtures/v1/README.md \
        tests/vectors/coders/README.md tests/vectors/columns/README.md crates/ign-api/src/answer/mod.rs \
        crates/ign-archive/examples crates/ign-notation/examples | tar -x -C "$folder"
    "$built/ign" man "$folder/man" -q
    "$built/ign" completions bash >"$folder/completions/ign.bash"
    "$built/ign" completions zsh >"$folder/completions/_ign"
    "$built/ign" completions fish >"$folder/completions/ign.fish"
    cp crates/ign-server/assets/licences.txt "$folder/licences-of-page.txt"
    licences ign-cli >"$folder/licences.txt"
    archive "$name-$target"
    gzip -9nc "$folder.tar" >"$dist/$name-$target.tar.gz"
}

# install_file SOURCE TARGET: a file of the Debian package, compressed if its name ends in .gz.
install_file() {
    mkdir -p "$(dirname "$root/$2")"
    case $2 in
    *.gz) gzip -9nc "$1" >"$root/$2" ;;
    *) cp "$1" "$root/$2" ;;
    esac
}

deb() {
    say "Debian package"
    folder=$work/$name-$target
    root=$work/deb
    # 1.0.0-rc.1 comes before 1.0.0.
    release=$(echo "$version" | sed 's/-/~/')-1
    maintainer="ign developers <developers@ign.invalid>"
    install_file "$folder/ign" usr/bin/ign
    for page in "$folder"/man/*.1; do
        install_file "$page" "usr/share/man/man1/${page##*/}.gz"
    done
    install_file "$folder/completions/ign.bash" usr/share/bash-completion/completions/ign
    install_file "$folder/completions/_ign" usr/share/zsh/vendor-completions/_ign
    install_file "$folder/completions/ign.fish" usr/share/fish/vendor_completions.d/ign.fish
    documents=usr/share/doc/ign
    install_file CHANGELOG.md $documents/changelog.gz
    for page in README.md format-spec.md $(git ls-files docs); do
        install_file "$page" "$documents/$page"
    done
    install_file "$folder/licences.txt" $documents/licences.txt.gz
    install_file "$folder/licences-of-page.txt" $documents/licences-of-page.txt.gz
    cat >"$root/$documents/copyright" <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: ign
Comment: The program contains the Rust packages of licences.txt.gz, under the licences there, GMP under
 LGPL-3.0-or-later, and the JavaScript packages of the page of ign serve, under those of
 licences-of-page.txt.gz.

Files: *
Copyright: 2026 ign developers
License: GPL-3.0-or-later
 On Debian systems, the text of the GNU General Public License, version 3, is in
 /usr/share/common-licenses/GPL-3.
END
    cat >"$work/changelog" <<END
ign ($release) unstable; urgency=medium

  * Release $version: see changelog.gz.

 -- $maintainer  $(date -uR -d "@$SOURCE_DATE_EPOCH")
END
    install_file "$work/changelog" $documents/changelog.Debian.gz
    # GMP is compiled by its Rust package; the package is not for the archive of Debian.
    cat >"$work/overrides" <<END
ign: embedded-library gmp *
ign: initial-upload-closes-no-bugs *
END
    install_file "$work/overrides" usr/share/lintian/overrides/ign
    mkdir "$root/DEBIAN"
    cat >"$root/DEBIAN/control" <<END
Package: ign
Version: $release
Architecture: amd64
Maintainer: $maintainer
Installed-Size: $(du -sk "$root/usr" | cut -f 1)
Depends: libc6 (>= $glibc)
Section: utils
Priority: optional
Description: small, indexed, verifiable archives of chess games
 ign packs collections of chess and Go games (PGN, SGF) into archives and
 returns every byte. Games, players, openings and positions are found without
 reading the other games; a server shows archives in a browser.
END
    (cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
    find "$root" -type d -exec chmod 755 {} +
    find "$root" -type f -exec chmod 644 {} +
    chmod 755 "$root/usr/bin/ign"
    dpkg-deb --root-owner-group -Zxz --build "$root" "$dist/ign_${release}_amd64.deb"
}

python_package() {
    say "Python package"
    maturin build --release --locked --zig --target "$target" --compatibility manylinux2014 \
        --sbom-include "$dist/ign-python-$version.cdx.json" --manifest-path python/Cargo.toml --out "$work/wheels"
    wheel unpack --dest "$work/wheel" "$work"/wheels/*.whl
    texts_of_wheel=$(echo "$work"/wheel/*/*.dist-info/licenses)
    licences ign-python >"$texts_of_wheel/licences.txt"
    wheel pack --dest-dir "$dist" "$work"/wheel/*
    maturin sdist --manifest-path python/Cargo.toml --out "$dist"
}

# DuckDB takes the name of an extension from that of its file.
extension() {
    compile ign-duckdb
    folder=$work/$name-duckdb-linux_amd64
    mkdir "$folder"
    target/dist-tools/bin/python tools/duckdb_extension.py "$built" "$folder/ign.duckdb_extension"
    cp LICENSE "$folder"
    licences ign-duckdb >"$folder/licences.txt"
    archive "${folder##*/}"
    gzip -9nc "$folder.tar" >"$dist/${folder##*/}.tar.gz"
}

node_package() {
    say "package for Node.js"
    cp -r web/wasm "$work/npm"
    cp LICENSE "$work/npm"
    licences ign-web wasm32-unknown-unknown >"$work/npm/licences.txt"
    (cd "$work/npm" && npm pack --silent --pack-destination "$work")
    mv "$work/$name.tgz" "$dist/ign-node-$version.tgz"
}

tools
sources
program
deb
python_package
extension
node_package
rm -rf "$work"
(cd "$dist" && sha256sum -- * >SHA256SUMS)
say "target/dist"
ls -l "$dist"
