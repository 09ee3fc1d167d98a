//! The figures as one picture: where the bytes go, what moves cost, how games
//! spread, and how much choice there is as they go on.

use super::{
    Report,
    canvas::{Anchor, Area, BLUE, Canvas, GRID, INK, MUTED, ORANGE, PALE, Style, ticks},
    text::{fixed, shortened},
};
use crate::grouped;
use ign_archive::stats::{histogram::Histogram, moves::Ply, ratio};

const WIDTH: f64 = 1200.0;
const HEIGHT: f64 = 960.0;
const MARGIN: f64 = 40.0;
/// Upper edge of the panels, and of the lower ones.
const UPPER: f64 = 190.0;
const LOWER: f64 = 580.0;
/// Height of what is drawn in a panel.
const PANEL: f64 = 300.0;
/// Left edges and widths of the two columns of panels.
const LEFT: (f64, f64) = (MARGIN, 580.0);
const RIGHT: (f64, f64) = (690.0, WIDTH - MARGIN - 690.0);
/// The most bars where the bytes go; the rest is one bar.
const MAX_BARS: usize = 11;
/// The most bars of the histogram.
const MAX_BINS: usize = 50;
/// Plies are drawn as long as this share of the games goes on.
const SHARE_DRAWN: f64 = 0.005;

/// Draws the report.
pub fn draw(report: &Report) -> String {
    let mut canvas = Canvas::new(WIDTH, HEIGHT, &report.name);
    headline(&mut canvas, report);
    let area = |(x, width), y| Area {
        x,
        y,
        width,
        height: PANEL,
    };
    space(&mut canvas, report, area(LEFT, UPPER));
    encodings(&mut canvas, report, area(RIGHT, UPPER));
    let bits = report.stats.bits_of_games();
    spread(&mut canvas, &bits, area(LEFT, LOWER));
    choices(&mut canvas, report, area(RIGHT, LOWER));
    canvas.finish()
}

fn headline(canvas: &mut Canvas, report: &Report) {
    let (stats, style) = (&report.stats, Style::TITLE);
    let name = shortened(&report.name, 70);
    canvas.text(
        (MARGIN, 52.0),
        Style {
            size: 26.0,
            ..style
        },
        &name,
    );
    let times = ratio(stats.space.text_len, stats.space.archive_len);
    let figures = [
        (grouped(stats.games.games), "games"),
        (fixed(stats.games.lengths.mean(), 1), "half-moves a game"),
        (fixed(stats.bytes_per_game(), 2), "bytes of archive a game"),
        (fixed(times, 1), "times smaller than the text"),
        (fixed(stats.bits_per_ply(), 2), "bits a half-move"),
    ];
    for (i, (figure, what)) in figures.iter().enumerate() {
        let x = MARGIN + 224.0 * i as f64;
        let big = Style {
            size: 30.0,
            ..style.colored(BLUE)
        };
        canvas.text((x, 104.0), big, figure);
        canvas.text((x, 125.0), Style::NOTE, what);
    }
    canvas.line((MARGIN, 145.0), (WIDTH - MARGIN, 145.0), GRID, false);
}

/// A panel's title, with a remark behind it.
fn title(canvas: &mut Canvas, area: Area, words: &str, remark: &str) {
    canvas.text((area.x, area.y - 14.0), Style::TITLE, words);
    canvas.text(
        (area.right(), area.y - 14.0),
        Style::NOTE.at(Anchor::End),
        remark,
    );
}

/// A row of a bar chart.
struct Row {
    label: String,
    /// Lengths of the parts of the bar.
    parts: [f64; 2],
    value: String,
}

/// Horizontal bars with labels left of them and values right.
fn bars(canvas: &mut Canvas, area: Area, label_width: f64, value_width: f64, rows: &[Row]) {
    let most = rows.iter().map(|row| row.parts.iter().sum::<f64>());
    let most = most.fold(f64::MIN_POSITIVE, f64::max);
    let room = area.width - label_width - value_width;
    let step = area.height / rows.len().max(8) as f64;
    for (i, row) in rows.iter().enumerate() {
        let y = area.y + i as f64 * step;
        let base = y + step / 2.0 + 4.5;
        let mut x = area.x + label_width;
        canvas.text((x - 10.0, base), Style::LABEL.at(Anchor::End), &row.label);
        for (part, color) in row.parts.iter().zip([BLUE, PALE]) {
            let width = room * part / most;
            if *part > 0.0 {
                let bar = Area {
                    x,
                    y: y + step * 0.14,
                    width: width.max(1.0),
                    height: step * 0.72,
                };
                canvas.rect(bar, color);
            }
            x += width;
        }
        canvas.text((x + 8.0, base), Style::NOTE, &row.value);
    }
}

fn space(canvas: &mut Canvas, report: &Report, area: Area) {
    let (space, games) = (&report.stats.space, report.stats.games.games);
    title(
        canvas,
        area,
        "Where the bytes go",
        "bytes a game, share of the archive",
    );
    let mut parts: Vec<(String, u64)> = space
        .parts()
        .into_iter()
        .map(|(name, len)| (shortened(name, 24), len))
        .collect();
    if parts.len() > MAX_BARS + 1 {
        let rest = parts.split_off(MAX_BARS);
        let len = rest.iter().map(|(_, len)| len).sum();
        parts.push((format!("{} more", rest.len()), len));
    }
    let row = |(label, len): (String, u64)| {
        let share = ratio(100 * len, space.archive_len);
        Row {
            label,
            parts: [len as f64, 0.0],
            value: format!("{}  ·  {}%", fixed(ratio(len, games), 2), fixed(share, 1)),
        }
    };
    let rows: Vec<Row> = parts.into_iter().map(row).collect();
    bars(canvas, area, 180.0, 105.0, &rows);
}

fn encodings(canvas: &mut Canvas, report: &Report, area: Area) {
    let (moves, plies) = (&report.stats.moves, report.stats.games.plies);
    title(
        canvas,
        area,
        "A half-move in other encodings",
        "bits, pale: telling the length",
    );
    if plies == 0 {
        return nothing(canvas, area);
    }
    let row = |label: &str, bits: f64, prefix: u64| {
        let parts = [bits, prefix as f64].map(|bits| bits / plies as f64);
        Row {
            label: label.into(),
            parts,
            value: format!("{:.2}", parts[0] + parts[1]),
        }
    };
    let (stored, weighed) = (&moves.stored, &report.stats.weighed);
    let rows = [
        row("squares from and to", moves.square_bits() as f64, 0),
        row("number, in whole bits", moves.whole_bits() as f64, 0),
        row(
            "integer with end moves",
            moves.ends.integer_bits() as f64,
            moves.ends.prefix_bits(),
        ),
        row(
            "plain integer",
            moves.plain.integer_bits() as f64,
            moves.plain.prefix_bits(),
        ),
        row("sum of logarithms", moves.entropy(), 0),
        row(
            "weighted by the model",
            weighed.all().bits,
            weighed.end_bits.round() as u64,
        ),
        row(
            "in this archive",
            stored.integer_bits() as f64 + moves.group_bits as f64,
            stored.prefix_bits(),
        ),
    ];
    bars(canvas, area, 165.0, 50.0, &rows);
    let remark = "Squares, whole bits and logarithms do not tell how long a game is.";
    let end = (area.right(), area.bottom() - 12.0);
    canvas.text(end, Style::NOTE.at(Anchor::End), remark);
}

/// Lines at round numbers, with the numbers left of them or below.
fn axes(canvas: &mut Canvas, area: Area, (x_start, x_end): (f64, f64), y_end: f64) {
    for tick in whole(ticks(y_end, 5)) {
        let y = area.bottom() - area.height * tick / y_end;
        canvas.line((area.x, y), (area.right(), y), GRID, false);
        let number = grouped(tick as u64);
        canvas.text(
            (area.x - 8.0, y + 4.0),
            Style::NOTE.at(Anchor::End),
            &number,
        );
    }
    for tick in ticks(x_end, 9).into_iter().filter(|&tick| tick >= x_start) {
        let x = area.x + area.width * (tick - x_start) / (x_end - x_start);
        let number = grouped(tick as u64);
        canvas.text(
            (x, area.bottom() + 20.0),
            Style::NOTE.at(Anchor::Middle),
            &number,
        );
    }
    canvas.line(
        (area.x, area.bottom()),
        (area.right(), area.bottom()),
        MUTED,
        false,
    );
}

/// There is no half a game, and no half a bit.
fn whole(ticks: Vec<f64>) -> impl Iterator<Item = f64> {
    ticks.into_iter().filter(|tick| tick.fract() == 0.0)
}

fn below(canvas: &mut Canvas, area: Area, words: &str) {
    let middle = area.x + area.width / 2.0;
    canvas.text(
        (middle, area.bottom() + 42.0),
        Style::NOTE.at(Anchor::Middle),
        words,
    );
}

fn nothing(canvas: &mut Canvas, area: Area) {
    canvas.text((area.x, area.y + 20.0), Style::NOTE, "no moves");
}

fn spread(canvas: &mut Canvas, bits: &Histogram, area: Area) {
    title(canvas, area, "Games by bits", "");
    let bins = bits.bins(MAX_BINS);
    let (Some(median), Some(mean)) = (bits.percentile(50), bits.mean()) else {
        return nothing(canvas, area);
    };
    let area = Area {
        x: area.x + 55.0,
        width: area.width - 55.0,
        ..area
    };
    let most = bins.counts.iter().copied().max().unwrap_or(1) as f64 * 1.12;
    let start = bins.first as f64;
    let end = start + (bins.counts.len() * bins.width) as f64;
    axes(canvas, area, (start, end), most);
    let step = area.width / bins.counts.len() as f64;
    for (i, &count) in bins.counts.iter().enumerate() {
        let height = area.height * count as f64 / most;
        let bar = Area {
            x: area.x + i as f64 * step + 0.5,
            y: area.bottom() - height,
            width: (step - 1.0).max(0.5),
            height,
        };
        canvas.rect(bar, PALE);
    }
    // The words stand on both sides of the two lines, wherever these are close.
    let marks = [
        (median as f64, format!("median {median}")),
        (mean, format!("mean {mean:.1}")),
    ];
    let left_first = marks[0].0 <= marks[1].0;
    for ((value, words), is_median) in marks.into_iter().zip([true, false]) {
        let x = area.x + area.width * (value - start) / (end - start);
        let x = x.min(area.right());
        let (anchor, away) = if is_median == left_first {
            (Anchor::End, -6.0)
        } else {
            (Anchor::Start, 6.0)
        };
        let color = if is_median { ORANGE } else { INK };
        canvas.line((x, area.y), (x, area.bottom()), color, true);
        canvas.text(
            (x + away, area.y + 12.0),
            Style::LABEL.at(anchor).colored(color),
            &words,
        );
    }
    let beyond = match bins.beyond {
        0 => String::new(),
        beyond => format!(
            "; {} games have more, up to {}",
            grouped(beyond),
            bits.max().unwrap_or(0)
        ),
    };
    below(
        canvas,
        area,
        &format!("bits of a game, length prefix included{beyond}"),
    );
}

fn choices(canvas: &mut Canvas, report: &Report, area: Area) {
    let by_ply = &report.stats.moves.by_ply;
    title(canvas, area, "Choice, as games go on", "");
    let games = by_ply.first().map_or(0, |ply| ply.positions);
    if games == 0 {
        return nothing(canvas, area);
    }
    let enough = |ply: &&Ply| ply.positions as f64 >= SHARE_DRAWN * games as f64;
    let plies: Vec<&Ply> = by_ply.iter().take_while(enough).collect();
    let area = Area {
        x: area.x + 30.0,
        width: area.width - 30.0,
        ..area
    };
    let bits: Vec<f64> = plies
        .iter()
        .map(|ply| ply.entropy / ply.positions as f64)
        .collect();
    let most = bits.iter().copied().fold(1.0, f64::max).ceil() + 0.5;
    let place = |ply: usize| area.x + area.width * ply as f64 / plies.len() as f64;
    let mut corners: Vec<(f64, f64)> = plies
        .iter()
        .enumerate()
        .map(|(i, ply)| {
            let share = ply.positions as f64 / games as f64;
            (
                place(i + 1),
                area.bottom() - area.height * share / most * most.floor(),
            )
        })
        .collect();
    corners.insert(0, (area.x, corners[0].1));
    corners.extend([(area.right(), area.bottom()), (area.x, area.bottom())]);
    canvas.shape(&corners, "#f0f2f5");
    axes(canvas, area, (0.0, plies.len() as f64), most);
    let height = |bits: f64| area.bottom() - area.height * bits / most;
    let points = |bits: &[f64]| -> Vec<(f64, f64)> {
        let points = bits.iter().enumerate();
        points
            .map(|(i, &bits)| (place(i + 1), height(bits)))
            .collect()
    };
    canvas.path(&points(&bits), BLUE);
    let worth = report.stats.weighed.by_ply.iter().take(bits.len());
    let worth: Vec<f64> = worth.map(|ply| ply.mean_bits().unwrap_or(0.0)).collect();
    canvas.path(&points(&worth), ORANGE);
    let over = worth[worth.len() / 2..].iter().copied().fold(0.0, f64::max);
    let end = (area.right(), height(over) - 12.0);
    let words = "bits of the move, weighted by the model, mean";
    canvas.text(end, Style::LABEL.at(Anchor::End).colored(ORANGE), words);
    // Above what the words stand over.
    let under = bits[bits.len() / 2..].iter().copied().fold(0.0, f64::max);
    let end = (area.right(), height(under) - 12.0);
    let words = "log2 of the legal moves, mean";
    canvas.text(end, Style::LABEL.at(Anchor::End).colored(BLUE), words);
    let corner = (area.x + 8.0, area.bottom() - 10.0);
    let words = format!("grey: games still going, of {}", grouped(games));
    canvas.text(corner, Style::NOTE, &words);
    below(canvas, area, "half-move");
}
