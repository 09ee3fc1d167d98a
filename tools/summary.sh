#!/bin/sh
# One line about tests: how many passed, failed and were skipped. Without --plain, the tests that failed come before it,
# with the first lines of what they said.
#
#   tools/summary.sh [--plain] SKIPPED LOG...
#
# LOG is what cargo, pytest or Node.js printed. SKIPPED is the file that IGN_SKIPPED names: cargo takes a test that
# was skipped for one that passed. Without --plain the line also says why tests were skipped, how many only
# `make proof` runs, and how many ran on generated games for want of real ones.
set -eu

plain=
if [ "$1" = --plain ]; then
    plain=1
    shift
fi
skipped=$1
shift
[ -e "$skipped" ] || skipped=/dev/null

awk -v plain="$plain" '
BEGIN { FS = "\t" }

# A skipped test: what it needs, its name, the reason.
FILENAME == ARGV[1] {
    if (seen[$1, $2]++) next
    if ($1 == "games") { generated++; next }
    reasons[$3]++
    # pytest counts those that it skips.
    if ($2 !~ /\.py/) cargo++
    next
}

# What failed: a paragraph of cargo, a test of Node.js, a test or its traceback of pytest.
/^---- .* ----$/ || /^ *not ok / || /^_____* .* _____*$/ || /^(FAILED|ERROR) / { reported = 40 }
/^failures:$/ || /^ *\.\.\.$/ || /^==* .* ==*$/ { reported = 0 }
reported-- > 0 && !plain { print }

function number(line, word) {
    return match(line, "[0-9]+ " word) ? substr(line, RSTART, RLENGTH) + 0 : 0
}

/^test result: / {
    passed += number($0, "passed"); failed += number($0, "failed"); left += number($0, "ignored")
}
# The last line of pytest.
/^=* ?[0-9]+ [a-z]+.* in [0-9.]+s/ {
    passed += number($0, "passed"); failed += number($0, "failed") + number($0, "error")
    skips += number($0, "skipped"); left += number($0, "deselected")
}
# Node.js.
/^[^ ]+ pass [0-9]+$/ { split($0, words, " "); passed += words[3] }
/^[^ ]+ fail [0-9]+$/ { split($0, words, " "); failed += words[3] }
/^[^ ]+ skipped [0-9]+$/ { split($0, words, " "); skips += words[3] }

END {
    line = sprintf("%d passed, %d failed, %d skipped", passed - cargo, failed, skips + cargo)
    if (!plain) {
        for (reason in reasons) {
            why = why (why == "" ? ": " : "; ") reason
            if (reasons[reason] > 1) why = why " (" reasons[reason] ")"
        }
        line = line why
        if (left) line = line sprintf("; make proof runs %d more", left)
        if (generated) line = line sprintf("; %d ran on generated games, since there are no real ones", generated)
    }
    print line
}' "$skipped" "$@"
