#!/bin/sh
# Proves that a condition is one file and its lines in the table of conditions: adds one to a copy of the repository
# and uses it in the command, over HTTP and in Python.
#
#   tools/new_condition.sh PYTHON
#
# PYTHON is the interpreter of the virtual environment of the tests.
set -eu
cd "$(dirname "$0")/.."
python=$1
copy=$PWD/target/new-condition
rm -rf "$copy/src" "$copy/crates" "$copy/python"
mkdir -p "$copy"
git ls-files -z | grep -zv '^web/' | xargs -0 tar -cf - | tar -xf - -C "$copy"

conditions=$copy/crates/ign-archive/src/query/conditions
cat >"$conditions/round.rs" <<'RUST'
//! The condition on the round.

use crate::{
    plan::{Evaluate, Plan, Test},
    query::{Condition, Form, Heading, Reads, TextPattern},
};

pub const ROUND: Condition = Condition {
    name: "game_round",
    form: Form::Pattern,
    heading: Heading::Tags,
    label: "Round",
    help: "The Round tag",
    example: "3",
    reads: Reads::FewValues(&["Round"]),
    section: None,
    read: |text| Ok(Box::new(Round(text.into()))),
};

/// The round.
#[derive(Debug)]
struct Round(TextPattern);

impl Evaluate for Round {
    fn plan<'q>(&'q self, name: &'static str, plan: &mut Plan<'q>) {
        plan.tags(name, ["Round"], Test::All(Box::new(|value| self.0.matches(value))));
    }
}
RUST
sed -i 's/^mod positions;/mod positions;\nmod round;/; s/^    &tags::ID,/    \&tags::ID,\n    \&round::ROUND,/' "$conditions/mod.rs"
cd "$copy"
cargo build --locked -p ign-cli -p ign-python --bin ign --lib
ign=$copy/target/debug/ign

work=$copy/work
rm -rf "$work"
mkdir -p "$work"
printf '[White "A"]\n[Round "1"]\n\n1. e4 *\n\n[White "B"]\n[Round "2"]\n\n1. d4 *\n\n[White "C"]\n\n1. c4 *\n' >"$work/games.pgn"
"$ign" pack -q "$work/games.pgn" -o "$work/games.ign"
"$ign" find --help | grep -q -- '--game-round <TEXT>'
[ "$("$ign" find -q "$work/games.ign" --game-round 2)" = 2 ]
"$ign" find "$work/games.ign" --game-roundd 2 2>&1 | grep -q -- "--game-round"
"$ign" serve "$work/games.ign" --port 0 >"$work/log" 2>&1 &
server=$!
trap 'kill $server' EXIT
for _ in $(seq 50); do
    address=$(grep -o 'http://[0-9.:]*' "$work/log" | head -n 1) && [ -n "$address" ] && break
    sleep 0.1
done
"$python" - "$address" <<'PYTHON'
import json, sys, urllib.request
get = lambda path: json.load(urllib.request.urlopen(sys.argv[1] + path))
assert any(row["name"] == "game_round" and row["label"] == "Round" for row in get("/api/conditions")["conditions"])
assert [game["number"] for game in get("/api/games?game_round=2")["games"]] == [2]
PYTHON
sh tools/python.sh library
PYTHONPATH=$copy/python "$python" -c '
import sys, ign_archive
[game] = ign_archive.open(sys.argv[1]).find(game_round="2")
assert game.number == 2 and "new-condition" in ign_archive.__file__
' "$work/games.ign"
echo "a condition was added with one file"
