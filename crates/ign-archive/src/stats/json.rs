//! A report as JSON. Values that nothing determines are null.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{
    Claimed, Report,
    histogram::Histogram,
    moves::Cost,
    ratio,
    weighted::{IN_PRINT, Phase, Tally},
};
use crate::query::{format_a, format_b};
use ign_format::{model, models::Architecture as _};

impl Report {
    /// The figures as a JSON object on one line, as `ign stats --json` prints them. Values that
    /// nothing determines are null.
    pub fn json(&self) -> String {
        value(self).to_string()
    }
}

/// All figures.
fn value(report: &Report) -> Value {
    let Report {
        stats,
        signatures,
        claims,
        ..
    } = report;
    let (space, games, moves) = (&stats.space, &stats.games, &stats.moves);
    let plies = games.plies;
    let columns = space
        .columns
        .iter()
        .map(|(name, len)| (name.clone(), json!(len)));
    let per_ply = |bits: f64| (plies > 0).then(|| bits / plies as f64);
    let largest = signatures.largest.map(|(signature, count)| {
        json!({"a": format_a(&signature), "b": format_b(&signature), "games": count})
    });
    let claims = claims.iter().map(|claim| {
        json!({
            "seed": claim.document,
            "subject": claim.subject,
            "claimed": claim.claimed,
            "measured": claim.measured,
            "unit": claim.unit.word(),
            "games": claim.games,
        })
    });
    let by_ply = moves.by_ply.iter().map(|ply| {
        json!({
            "positions": ply.positions,
            "legal_moves": ratio(ply.choices, ply.positions),
            "bits": ply.entropy / ply.positions.max(1) as f64,
        })
    });
    let weighted = &stats.weighted;
    let all = weighted.all();
    let phases = Phase::ALL.iter().map(|&phase| {
        let tally = weighted.phase(phase);
        (phase.name().to_string(), probability(tally))
    });
    let buckets = weighted.buckets().into_iter().map(|(first, last, tally)| {
        let mut value = probability(&tally);
        value["from"] = first.into();
        value["to"] = last.into();
        value
    });
    let max_rank = weighted.by_rank.max().unwrap_or(0);
    let ranks =
        (1..=max_rank).map(|rank| weighted.by_rank.below(rank + 1) - weighted.by_rank.below(rank));
    let in_print = IN_PRINT
        .iter()
        .map(|(who, from, to)| json!({"who": who, "from": from, "to": to}))
        .collect::<Vec<_>>();
    json!({
        "archive": report.name,
        "games": games.games,
        "plies": plies,
        "text_bytes": space.text_len,
        "archive_bytes": space.archive_len,
        "bytes_per_game": stats.bytes_per_game(),
        "ratio": ratio(space.text_len, space.archive_len),
        "blocks": games.blocks,
        "other_records": games.other_records,
        "not_understood": games.not_understood.fields().collect::<BTreeMap<_, _>>(),
        "columns": columns.collect::<Map<_, _>>(),
        "block_head_bytes": space.heads,
        "signature_bytes": space.signatures(),
        "other_bytes": space.other_frames(),
        "moves": {
            "coding": (!games.codings.is_empty()).then(|| report.codings()),
            "integer_bits": moves.stored.integer_bits(),
            "prefix_bits": moves.stored.prefix_bits(),
            "group_bits": moves.group_bits,
            "bits": moves.stored_bits(),
            "bits_with_signatures": stats.bits_with_signatures(),
            "bits_per_ply": stats.bits_per_ply(),
            "integer_bits_per_ply": ratio(moves.stored.integer_bits(), plies),
            "bits_per_position": ratio(moves.stored_bits(), plies + games.lengths.count()),
            "bits_per_game": summary(&stats.bits_of_games()),
            "integer_bits_per_game": summary(&moves.stored.integers),
        },
        "encodings": {
            "ign": cost(&moves.plain, plies),
            "ign-end": cost(&moves.ends, plies),
            "weighted": {"bits": weighted.bits(), "bits_per_ply": per_ply(weighted.bits())},
            "squares": {"bits": moves.square_bits(), "bits_per_ply": per_ply(moves.square_bits() as f64)},
            "whole_bits": {"bits": moves.whole_bits(), "bits_per_ply": per_ply(moves.whole_bits() as f64)},
            "entropy": {"bits": moves.entropy(), "bits_per_ply": per_ply(moves.entropy())},
        },
        "likelihood": {
            "model_version": model::VERSION,
            "model": model::Parameters::builtin().id().to_string(),
            "all": probability(&all),
            "phases": phases.collect::<Map<_, _>>(),
            "by_plies": buckets.collect::<Vec<_>>(),
            "by_ply": weighted.by_ply.iter().map(|tally| tally.mean_bits()).collect::<Vec<_>>(),
            "by_rank": ranks.collect::<Vec<_>>(),
            "ends": weighted.ends,
            "end_bits": weighted.end_bits,
            "bits_per_game": summary(&weighted.games),
            "in_print_bits_per_ply": in_print,
        },
        "game_plies": summary(&games.lengths),
        "legal_moves": summary(&moves.choices),
        "by_ply": by_ply.collect::<Vec<_>>(),
        "signatures": {
            "games": signatures.games,
            "different": signatures.different,
            "unique_a": signatures.unique_a,
            "unique_b": signatures.unique_b,
            "unique": signatures.unique,
            "complete": signatures.complete,
            "unique_complete": signatures.unique_complete,
            "without": signatures.without,
            "largest": largest,
        },
        "claimable": {
            "repetition": claimed(games.claimable.repetition),
            "fifty_moves": claimed(games.claimable.fifty_moves),
        },
        "claims": claims.collect::<Vec<_>>(),
    })
}

fn claimed(claimed: Claimed) -> Value {
    json!({
        "games": claimed.games,
        "at_end": claimed.at_end,
        "at_end_drawn": claimed.at_end_drawn,
    })
}

fn probability(tally: &Tally) -> Value {
    json!({
        "moves": tally.moves,
        "bits": tally.bits,
        "bits_per_move": tally.mean_bits(),
        "uniform_bits_per_move": tally.mean_alike(),
        "guessed_first": tally.guessed(),
    })
}

fn summary(histogram: &Histogram) -> Value {
    json!({
        "min": histogram.min(),
        "median": histogram.percentile(50),
        "mean": histogram.mean(),
        "p99": histogram.percentile(99),
        "max": histogram.max(),
    })
}

fn cost(cost: &Cost, plies: u64) -> Value {
    json!({
        "integer_bits": cost.integer_bits(),
        "prefix_bits": cost.prefix_bits(),
        "bits": cost.bits(),
        "bits_per_ply": ratio(cost.bits(), plies),
    })
}
