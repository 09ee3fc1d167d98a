//! The figures for people: tables of at most 100 columns.

use std::io::Write;

use super::{Report, json::codings, weighted};
use crate::{grouped, output::Output};
use ign_archive::{
    query::signature::{format_a, format_b},
    stats::{histogram::Histogram, moves::Cost, ratio, weighted::IN_PRINT},
};
use ign_format::error::Result;

/// Characters of the longest line.
const WIDTH: usize = 100;
/// The most columns that are shown one by one.
const MAX_PARTS: usize = 24;
/// The most rows of a histogram.
const MAX_BINS: usize = 20;
/// Characters of the longest bar.
const BAR: usize = 60;

/// Writes the whole report.
pub fn write(report: &Report, out: &mut Output) -> Result<()> {
    overview(report, out)?;
    if report.stats.space.archive_len > 0 {
        space(report, out)?;
    }
    moves(report, out)?;
    encodings(report, out)?;
    weighted::write(report, out)?;
    if !report.claims.is_empty() {
        claims(report, out)?;
    }
    signatures(report, out)?;
    if !report.stats.games.are_all_go() {
        claimable(report, out)?;
    }
    let title = match report.stats.moves.group_bits {
        0 => "Games by bits, length prefix included",
        _ => "Games by bits of their choices",
    };
    histogram(out, title, &report.stats.bits_of_games())?;
    histogram(out, "Games by half-moves", &report.stats.games.lengths)
}

/// A number, or a dash where there is none.
pub fn fixed(number: Option<f64>, decimals: usize) -> String {
    number.map_or_else(|| "-".into(), |n| format!("{n:.decimals$}"))
}

/// A share in percent, or a dash where there is none.
pub fn percent(part: u64, whole: u64) -> String {
    ratio(part, whole).map_or_else(|| "-".into(), |share| format!("{:.1}%", 100.0 * share))
}

fn overview(report: &Report, out: &mut Output) -> Result<()> {
    let (games, space) = (&report.stats.games, &report.stats.space);
    writeln!(out, "{}\n", shortened(&report.name, WIDTH))?;
    let mut row = |name: &str, value: String, note: String| {
        let line = format!("{name:<22}{value:>16}  {note}");
        writeln!(out, "{}", line.trim_end())
    };
    row("games", grouped(games.games), String::new())?;
    let played = games.lengths.count();
    let mean = games.lengths.mean().map(|mean| match played {
        _ if played == games.games => format!("{mean:.1} a game"),
        // The others are of variants, and have no integers.
        _ => format!(
            "{mean:.1} in each of the {} games of chess",
            grouped(played)
        ),
    });
    row("half-moves", grouped(games.plies), mean.unwrap_or_default())?;
    row("bytes of text", grouped(space.text_len), String::new())?;
    let times = ratio(space.text_len, space.archive_len);
    let times = times
        .filter(|&t| t > 0.0)
        .map(|t| format!("the text is {t:.2} times as large"));
    row(
        "bytes of archive",
        grouped(space.archive_len),
        times.unwrap_or_default(),
    )?;
    row(
        "bytes a game",
        fixed(report.stats.bytes_per_game(), 2),
        String::new(),
    )?;
    let share = percent(games.partly_text, games.games);
    row("games partly as text", grouped(games.partly_text), share)?;
    row(
        "records, no game",
        grouped(games.other_records),
        String::new(),
    )?;
    Ok(())
}

fn space(report: &Report, out: &mut Output) -> Result<()> {
    let (space, games) = (&report.stats.space, report.stats.games.games);
    writeln!(
        out,
        "\n{:<52}{:>14}{:>10}{:>9}",
        "Where the bytes go", "bytes", "B/game", "share"
    )?;
    let mut row = |name: &str, len: u64| {
        let each = fixed(ratio(len, games), 3);
        let (bytes, share) = (grouped(len), percent(len, space.archive_len));
        writeln!(
            out,
            "{:<52}{bytes:>14}{each:>10}{share:>9}",
            shortened(name, 51)
        )
    };
    let parts = space.parts();
    let (shown, rest) = parts.split_at(parts.len().min(MAX_PARTS));
    for (name, len) in shown {
        row(name, *len)?;
    }
    if !rest.is_empty() {
        let name = format!("{} more", rest.len());
        row(&name, rest.iter().map(|(_, len)| len).sum())?;
    }
    row("all", space.archive_len)?;
    Ok(())
}

/// A name that takes at most so many characters.
pub fn shortened(name: &str, most: usize) -> String {
    let clean = |c: char| if c.is_control() { '?' } else { c };
    if name.chars().count() <= most {
        return name.chars().map(clean).collect();
    }
    let start = name.chars().take(most - 3).map(clean);
    start.chain("...".chars()).collect()
}

fn moves(report: &Report, out: &mut Output) -> Result<()> {
    let (games, moves) = (&report.stats.games, &report.stats.moves);
    let plies = games.plies;
    let coding = if games.codings.is_empty() {
        "none".into()
    } else {
        codings(report)
    };
    writeln!(out, "\nMoves, coded as {coding}")?;
    writeln!(
        out,
        "{:<22}{:>16}{:>14}{:>16}",
        "", "bits", "bits a ply", "bits a position"
    )?;
    let positions = plies + games.lengths.count();
    // Where they spare the moves what they tell.
    let with_signatures = match moves.group_bits > 0 && !games.are_all_go() {
        true => report.stats.bits_with_signatures(),
        false => 0,
    };
    for (name, bits) in [
        ("integers", moves.stored.integer_bits()),
        ("length prefixes", moves.stored.prefix_bits()),
        ("groups of games", moves.group_bits),
        ("all", moves.stored_bits()),
        ("and the signatures", with_signatures),
    ] {
        if bits == 0 && name != "all" {
            continue;
        }
        let [ply, position] = [plies, positions].map(|n| fixed(ratio(bits, n), 4));
        writeln!(
            out,
            "{name:<22}{:>16}{ply:>14}{position:>16}",
            grouped(bits)
        )?;
    }
    let of_a_game = match moves.group_bits {
        0 => "bits a game",
        _ => "bits of its choices",
    };
    writeln!(
        out,
        "\n{:<22}{:>16}{:>10}{:>10}{:>10}{:>10}",
        "", "smallest", "median", "mean", "p99", "largest"
    )?;
    for (name, histogram) in [
        (of_a_game, &report.stats.bits_of_games()),
        ("of these the integer", &moves.stored.integers),
        ("half-moves a game", &games.lengths),
        ("legal moves", &moves.choices),
    ] {
        if histogram.count() == 0 && moves.group_bits > 0 {
            continue;
        }
        let whole = |n: Option<usize>| n.map_or_else(|| "-".into(), |n| grouped(n as u64));
        let [min, median, p99, max] = [
            histogram.min(),
            histogram.percentile(50),
            histogram.percentile(99),
            histogram.max(),
        ]
        .map(whole);
        let mean = fixed(histogram.mean(), 2);
        writeln!(
            out,
            "{name:<22}{min:>16}{median:>10}{mean:>10}{p99:>10}{max:>10}"
        )?;
    }
    Ok(())
}

fn encodings(report: &Report, out: &mut Output) -> Result<()> {
    let (plies, games) = (report.stats.games.plies, report.stats.games.lengths.count());
    let moves = &report.stats.moves;
    writeln!(
        out,
        "\n{:<46}{:>16}{:>14}{:>14}",
        "The same games in other encodings", "bits", "bits a ply", "bits a game"
    )?;
    let mut row = |name: &str, bits: f64| {
        let [ply, game] = [(plies, 4), (games, 2)]
            .map(|(n, decimals)| fixed((n > 0).then(|| bits / n as f64), decimals));
        writeln!(
            out,
            "{name:<46}{:>16}{ply:>14}{game:>14}",
            grouped(bits.round() as u64)
        )
    };
    let go = report.stats.games.are_all_go();
    if !go {
        row(
            "squares from and to, 12 bits each, no length",
            moves.square_bits() as f64,
        )?;
    }
    row(
        "a move's number in whole bits, no length",
        moves.whole_bits() as f64,
    )?;
    row("with end moves, integers", moves.ends.integer_bits() as f64)?;
    row(
        "with end moves, integers and prefixes",
        moves.ends.bits() as f64,
    )?;
    row("plain, integers and prefixes", moves.plain.bits() as f64)?;
    row("plain, integers", moves.plain.integer_bits() as f64)?;
    row("sum of log2 of the legal moves, no length", moves.entropy())?;
    row(
        "weighted: what all choices are worth",
        report.stats.weighed.bits(),
    )?;
    for (who, from, to) in IN_PRINT.into_iter().filter(|_| !go) {
        let bits = if from == to {
            format!("{from:.2}")
        } else {
            format!("{from:.2}-{to:.2}")
        };
        let name = format!("in print, of other games: {who}");
        writeln!(out, "{name:<48}{:>14}{bits:>14}", "")?;
    }
    if let (Some(prefix), Some(ends)) = (
        ratio(moves.plain.prefix_bits(), games),
        mean_difference(&moves.ends, &moves.plain),
    ) {
        writeln!(
            out,
            "A length prefix costs {prefix:.2} bits a game, end moves cost {ends:.2} more."
        )?;
    }
    Ok(())
}

/// Bits a game that one coding takes more than another.
fn mean_difference(one: &Cost, other: &Cost) -> Option<f64> {
    Some(one.mean()? - other.mean()?)
}

fn claims(report: &Report, out: &mut Output) -> Result<()> {
    writeln!(
        out,
        "\n{:<46}{:>20}{:>12} {:<11}{:>9}",
        "Seed documents: claims about", "claimed", "measured", "", "games"
    )?;
    for claim in &report.claims {
        let subject = format!("{} {}", claim.seed, claim.subject);
        let measured = fixed(claim.measured, claim.unit.decimals());
        let (unit, games) = (claim.unit.word(), grouped(claim.games));
        writeln!(
            out,
            "{subject:<46}{:>20}{measured:>12} {unit:<11}{games:>9}",
            claim.claimed
        )?;
    }
    Ok(())
}

fn signatures(report: &Report, out: &mut Output) -> Result<()> {
    let counted = &report.signatures;
    let games = counted.games;
    writeln!(out, "\n{:<46}{:>16}{:>14}", "Signatures", "games", "share")?;
    let mut row = |name: &str, count: u64, whole: u64| {
        writeln!(
            out,
            "{name:<46}{:>16}{:>14}",
            grouped(count),
            percent(count, whole)
        )
    };
    row(
        "unique by A (half-moves 20, 40, 60)",
        counted.unique_a,
        games,
    )?;
    row(
        "unique by B (half-moves 31, 51, 71)",
        counted.unique_b,
        games,
    )?;
    row("unique by A and B", counted.unique, games)?;
    row("over before half-move 71", games - counted.complete, games)?;
    row(
        "over before half-move 20: all six are ??",
        counted.without,
        games,
    )?;
    if let Some((signature, count)) = &counted.largest {
        let (a, b) = (format_a(signature), format_b(signature));
        row(&format!("most alike: A={a} B={b}"), *count, games)?;
    }
    Ok(())
}

fn claimable(report: &Report, out: &mut Output) -> Result<()> {
    let claimable = report.stats.games.claimable;
    writeln!(
        out,
        "\n{:<46}{:>16}{:>14}{:>16}",
        "Draws to be claimed: games with", "anywhere", "at the end", "and drawn"
    )?;
    for (name, claimed) in [
        ("a position for the third time", claimable.repetition),
        ("50 moves without pawn or capture", claimable.fifty_moves),
    ] {
        let [games, at_end, drawn] =
            [claimed.games, claimed.at_end, claimed.at_end_drawn].map(grouped);
        writeln!(out, "{name:<46}{games:>16}{at_end:>14}{drawn:>16}")?;
    }
    Ok(())
}

/// A bar for each bin, in eighths of a character.
fn histogram(out: &mut Output, title: &str, histogram: &Histogram) -> Result<()> {
    let bins = histogram.bins(MAX_BINS);
    if bins.counts.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title}")?;
    let most = bins
        .counts
        .iter()
        .copied()
        .max()
        .unwrap_or(0)
        .max(bins.beyond);
    let mut row = |label: String, count: u64| {
        writeln!(
            out,
            "{label:>13} {:>12} {}",
            grouped(count),
            bar(count, most)
        )
    };
    for (i, &count) in bins.counts.iter().enumerate() {
        let start = bins.first + i * bins.width;
        let label = match bins.width {
            1 => start.to_string(),
            width => format!("{start}-{}", start + width - 1),
        };
        row(label, count)?;
    }
    if bins.beyond > 0 {
        row(
            format!("{}+", bins.first + bins.counts.len() * bins.width),
            bins.beyond,
        )?;
    }
    Ok(())
}

fn bar(count: u64, most: u64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = u128::from(count) * (BAR as u128 * 8);
    let eighths = eighths.div_ceil(u128::from(most.max(1))) as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_counts_and_never_too_long() {
        assert_eq!(bar(0, 0), "");
        assert_eq!(bar(10, 10).chars().count(), BAR);
        assert_eq!(bar(5, 10).chars().count(), BAR / 2);
        assert_eq!(bar(1, u64::MAX), "▏");
    }

    #[test]
    fn long_names_are_cut_and_odd_ones_made_harmless() {
        assert_eq!(shortened("White", 10), "White");
        assert_eq!(shortened("WhiteBlackWhite", 10), "WhiteBl...");
        assert_eq!(shortened("a\x1b[31m", 10), "a?[31m");
    }

    #[test]
    fn what_is_not_there_is_a_dash() {
        assert_eq!((fixed(None, 2), percent(0, 0)), ("-".into(), "-".into()));
        assert_eq!(
            (fixed(Some(1.0), 2), percent(1, 8)),
            ("1.00".into(), "12.5%".into())
        );
    }
}
