#!/bin/sh
# Demonstration: demo.sh IGN GAMES
#
# Generates synthetic games, packs, verifies, inspects and unpacks them, and compares the result.
# Each command is printed before it runs.
set -eu

ign=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
games=$2
kept=$(dirname "$(dirname "$ign")")/demo
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM
cd "$folder"
exec 2>&1

ign() { "$ign" "$@"; }
run() {
    printf '\n$ %s\n' "$*"
    "$@"
}

echo "Working in $folder, which is deleted at the end; the archive is kept in $kept."
run ign sample --games "$games" --seed 1 -o games.pgn
run ign pack games.pgn
run ls -l games.pgn games.ign
if command -v zstd >/dev/null 2>&1; then
    run zstd -t games.ign
fi
run ign verify games.ign
run ign stats games.ign
run ign list games.ign 1..3
run ign get games.ign 1234
run ign find games.ign --signature A=d5g4g7 B=d2g1e4
run ign index games.ign
run ign find games.ign --elo 2000.. --result draw --speed blitz --list --limit 3
run ign tree games.ign --opening "1. e4 e5 2. f4" --moves 5
run ign unpack games.ign -o again.pgn
run cmp games.pgn again.pgn
echo "games.pgn and again.pgn are identical"
mkdir -p "$kept"
mv -f games.ign games.ign.idx "$kept"
printf '\nTo look at the games in a browser:\n\n  %s serve %s/games.ign --open\n' "$ign" "$kept"
