//! Bar charts: the size of each column, and encodings of the moves compared.

use plotters::{prelude::*, style::text_anchor::HPos};

use crate::drawing::{BLUE, Drawn, INK, MUTED, PALE, Panel, anchored, no_moves, text, titled};
use crate::messages::shortened;
use crate::numbers::fixed;
use ign_archive::stats::Report;
use ign_archive::stats::ratio;

/// Maximum number of columns; the remaining ones are added up.
const MAX_BARS: usize = 11;
/// Bars are at most as high as with this number of rows.
const MIN_ROWS: usize = 8;

/// A row of a bar chart.
struct Row {
    label: String,
    /// Lengths of the two parts of the bar.
    parts: [f64; 2],
    /// Text after the bar.
    value: String,
}

/// Horizontal bars with labels on their left and values on their right.
fn draw(area: &Panel, label_width: u32, value_width: u32, rows: &[Row]) -> Drawn {
    let sums = rows.iter().map(|row| row.parts.iter().sum());
    let max = sums.fold(f64::MIN_POSITIVE, f64::max);
    let mut chart = ChartBuilder::on(area)
        .set_label_area_size(LabelAreaPosition::Left, label_width)
        .margin_right(value_width)
        .build_cartesian_2d(0.0..max, rows.len().max(MIN_ROWS) as f64..0.0)?;
    for (y, row) in rows.iter().enumerate() {
        let y = y as f64;
        let [first, second] = row.parts;
        let bar = |from, to, color: RGBColor| {
            Rectangle::new([(from, y + 0.14), (to, y + 0.86)], color.filled())
        };
        let bars = [(0.0, first, BLUE), (first, first + second, PALE)];
        let visible = bars.into_iter().filter(|(from, to, _)| to > from);
        chart.draw_series(visible.map(|(from, to, color)| bar(from, to, color)))?;
        let word = |x, offset, text: &str, style| {
            EmptyElement::at((x, y + 0.5)) + Text::new(text.to_string(), (offset, 0), style)
        };
        let label = anchored(text(12, INK), HPos::Right);
        let value = anchored(text(12, MUTED), HPos::Left);
        chart.draw_series([
            word(0.0, -10, &row.label, label),
            word(first + second, 8, &row.value, value),
        ])?;
    }
    Ok(())
}

/// Bytes of each column.
pub fn columns(area: &Panel, report: &Report) -> Drawn {
    let (space, games) = (&report.stats.space, report.stats.games.games);
    let remark = "bytes a game, share of the archive";
    let area = titled(area, "Where the bytes go", remark)?;
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
            value: format!("{} · {}%", fixed(ratio(len, games), 2), fixed(share, 1)),
        }
    };
    let rows: Vec<Row> = parts.into_iter().map(row).collect();
    draw(&area, 185, 110, &rows)
}

/// Bits of a ply in several encodings.
pub fn encodings(area: &Panel, report: &Report) -> Drawn {
    let (moves, plies) = (&report.stats.moves, report.stats.games.plies);
    let area = titled(
        area,
        "A ply in other encodings",
        "bits; pale: length of the game",
    )?;
    if plies == 0 {
        return no_moves(&area);
    }
    let row = |label: &str, bits: f64, length_bits: f64| {
        let parts = [bits, length_bits].map(|bits| bits / plies as f64);
        Row {
            label: label.into(),
            parts,
            value: format!("{:.2}", parts[0] + parts[1]),
        }
    };
    let (stored, weighted) = (&moves.stored, &report.stats.weighted);
    let rows = [
        row("origin and destination *", moves.square_bits() as f64, 0.0),
        row("number in whole bits *", moves.whole_bits() as f64, 0.0),
        row(
            "integer with end moves",
            moves.ends.integer_bits() as f64,
            moves.ends.prefix_bits() as f64,
        ),
        row(
            "plain integer",
            moves.plain.integer_bits() as f64,
            moves.plain.prefix_bits() as f64,
        ),
        row("sum of logarithms *", moves.entropy(), 0.0),
        row("move model", weighted.all().bits, weighted.end_bits),
        row(
            "this archive",
            (stored.integer_bits() + moves.group_bits) as f64,
            stored.prefix_bits() as f64,
        ),
    ];
    draw(&area, 170, 60, &rows)?;
    let (width, height) = area.dim_in_pixel();
    let style = anchored(text(12, MUTED), HPos::Right);
    let remark = "* without the length of the game";
    let place = (width as i32, height as i32 - 12);
    area.draw(&Text::new(remark, place, style))
}
