#!/bin/sh
# Sizes and times of ign and general compressors on one month of real games: bench.sh IGN DATA
#
# FULL=1 adds the slow compressors (minutes): zstd -19 and xz -9e. Ratios to zstd -3 are measured in
# alternating pairs (PAIRS=7), so that a change of the machine's speed affects both.
set -eu

ign=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
corpus=$2/lichess_2013-01.pgn.zst
games=121332
if [ ! -r "$corpus" ]; then
    echo "skipped: $corpus is missing; get January 2013 from https://database.lichess.org and set IGN_DATA to its folder"
    exit 0
fi
for tool in zstd awk date; do
    command -v $tool >/dev/null 2>&1 || { echo "skipped: $tool is not installed"; exit 0; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM
text=$folder/a.pgn
zstd -qdc "$corpus" >"$text"
echo "data: January 2013 of Lichess, $games games, $(wc -c <"$text") bytes; $(date -u +%Y-%m-%d), $(nproc 2>/dev/null || echo '?') processors"
printf '%-22s %12s %8s %8s\n' what bytes B/game seconds

now() { date +%s.%N; }
# row NAME OUTPUT COMMAND...: runs the command; prints the size of OUTPUT and the elapsed time.
row() {
    name=$1 output=$2
    shift 2
    start=$(now)
    "$@"
    end=$(now)
    size=$(wc -c <"$output")
    awk -v name="$name" -v size="$size" -v games="$games" -v start="$start" -v end="$end" \
        'BEGIN { printf "%-22s %12d %8.2f %8.2f\n", name, size, size / games, end - start }'
}
# to FILE COMMAND...: runs the command with standard output to FILE.
to() {
    file=$1
    shift
    "$@" >"$file"
}

for coding in weighted ign; do
    for threads in 1 2; do
        row "$coding, pack -T$threads" "$folder/a.ign" \
            "$ign" pack -qf --coding $coding -T$threads "$text" -o "$folder/a.ign"
    done
    for threads in 1 2; do
        row "$coding, unpack -T$threads" "$folder/b.pgn" \
            "$ign" unpack -qf -T$threads "$folder/a.ign" -o "$folder/b.pgn"
    done
    cmp "$text" "$folder/b.pgn"
    rm "$folder/b.pgn"
done
row "ign, pack .zst -T2" "$folder/a.ign" "$ign" pack -qf --coding ign -T2 "$corpus" -o "$folder/a.ign"

# pair NAME TARGET COMMAND...: runs the command and zstd -3 alternately; prints the median ratio of
# their times, and TARGET, the maximum intended ratio.
pairs=${PAIRS:-7}
pair() {
    name=$1 target=$2
    shift 2
    i=0
    while [ $i -lt "$pairs" ]; do
        start=$(now)
        "$@"
        middle=$(now)
        zstd -qf -3 -T1 "$text" -o "$folder/a.zst"
        end=$(now)
        echo "$start $middle $end" | awk '{ print ($2 - $1) / ($3 - $2) }'
        i=$((i + 1))
    done | sort -n | awk -v name="$name" -v target="$target" -v pairs="$pairs" '{ r[NR] = $1 }
        END { printf "%-22s %.2f times zstd -3 (%.2f to %.2f of %d pairs), target: %s\n",
            name, r[int((NR + 1) / 2)], r[1], r[NR], pairs, target }'
}
pair "ign, pack" 3 "$ign" pack -qf --coding ign -T2 "$text" -o "$folder/a.ign"
"$ign" verify -q "$folder/a.ign"
pair "ign, --no-verify" 2 "$ign" pack -qf --coding ign --no-verify -T2 "$text" -o "$folder/a.ign"
"$ign" verify -q "$folder/a.ign"
pair "ign, unpack" 2 "$ign" unpack -qf -T2 "$folder/a.ign" -o /dev/null
row "zstd -3" "$folder/a.zst" zstd -qf -3 -T1 "$text" -o "$folder/a.zst"
row "zstd -d" "$folder/b.pgn" zstd -qdf "$folder/a.zst" -o "$folder/b.pgn"
if command -v bzip2 >/dev/null 2>&1; then
    row "bzip2 -9" "$folder/a.bz2" to "$folder/a.bz2" bzip2 -9c "$text"
fi
if [ "${FULL:-}" = 1 ]; then
    row "zstd -19" "$folder/a.zst" zstd -qf -19 -T1 "$text" -o "$folder/a.zst"
    if command -v xz >/dev/null 2>&1; then
        row "xz -9e" "$folder/a.xz" to "$folder/a.xz" xz -9e -T1 -c "$text"
    fi
else
    echo "(FULL=1 adds zstd -19 and xz -9e, which take minutes)"
fi
