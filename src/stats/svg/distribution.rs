//! Histogram: games by bits, with median and mean.

use plotters::{prelude::*, style::text_anchor::HPos};

use crate::drawing::{
    Drawn, GRID, INK, MUTED, ORANGE, PALE, Panel, anchored, integer_label, no_moves, text, titled,
};
use crate::numbers::grouped;
use ign_archive::stats::histogram::Histogram;

/// Maximum number of bars.
const MAX_BINS: usize = 50;

/// Draws the histogram of the bits of games.
pub fn draw(area: &Panel, bits: &Histogram) -> Drawn {
    let area = titled(area, "Games by bits", "")?;
    let (Some(median), Some(mean)) = (bits.percentile(50), bits.mean()) else {
        return no_moves(&area);
    };
    let median = median as f64;
    let bins = bits.bins(MAX_BINS);
    let start = bins.first as f64;
    let end = start + (bins.counts.len() * bins.width) as f64;
    // Room for the labels of median and mean above the bars.
    let top = bins.counts.iter().copied().max().unwrap_or(1) as f64 * 1.12;
    let mut chart = ChartBuilder::on(&area)
        .set_label_area_size(LabelAreaPosition::Left, 55)
        .set_label_area_size(LabelAreaPosition::Bottom, 45)
        .build_cartesian_2d(start..end, 0.0..top)?;
    let beyond = match bins.beyond {
        0 => String::new(),
        beyond => format!(
            "; {} games have more, up to {}",
            grouped(beyond),
            grouped(bits.max().unwrap_or(0) as u64)
        ),
    };
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(MUTED)
        .label_style(text(12, MUTED))
        .y_labels(5)
        .x_label_formatter(&integer_label)
        .y_label_formatter(&integer_label)
        .x_desc(format!("bits of a game, length prefix included{beyond}"))
        .draw()?;
    let bars = (0..).zip(&bins.counts).map(|(i, &count)| {
        let x = start + f64::from(i) * bins.width as f64;
        let corners = [(x, 0.0), (x + bins.width as f64, count as f64)];
        let mut bar = Rectangle::new(corners, PALE.filled());
        bar.set_margin(0, 0, 0, 1);
        bar
    });
    chart.draw_series(bars)?;
    // The labels are outside the two lines, however close these are.
    let (before, after) = ((HPos::Right, -6), (HPos::Left, 6));
    let [of_median, of_mean] = if median <= mean {
        [before, after]
    } else {
        [after, before]
    };
    for (value, name, color, (anchor, offset)) in [
        (median, format!("median {median}"), ORANGE, of_median),
        (mean, format!("mean {mean:.1}"), INK, of_mean),
    ] {
        let x = value.min(end);
        let line = [(x, 0.0), (x, top)];
        chart.draw_series(DashedLineSeries::new(line, 5, 3, color.into()))?;
        let style = anchored(text(12, color), anchor);
        let label = EmptyElement::at((x, top)) + Text::new(name, (offset, 8), style);
        chart.draw_series([label])?;
    }
    Ok(())
}
