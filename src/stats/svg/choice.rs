//! Lines by ply: log2 of the number of legal moves, and bits of the move by the model. The area
//! behind them is the number of games that are as long.

use plotters::prelude::*;

use crate::drawing::{
    BLUE, Drawn, GRID, MUTED, ORANGE, Panel, SHADE, integer_label, no_moves, text, titled,
};
use crate::numbers::grouped;
use ign_archive::stats::{Stats, moves::Ply};

/// Plies are drawn as long as this part of the games reaches them.
const MIN_GAMES: f64 = 0.005;

/// Draws both lines.
pub fn draw(area: &Panel, stats: &Stats) -> Drawn {
    let area = titled(area, "Choice by ply", "bits")?;
    let by_ply = &stats.moves.by_ply;
    let games = by_ply.first().map_or(0, |ply| ply.positions);
    if games == 0 {
        return no_moves(&area);
    }
    let enough = |ply: &&Ply| ply.positions as f64 >= MIN_GAMES * games as f64;
    let plies: Vec<&Ply> = by_ply.iter().take_while(enough).collect();
    // Plies are numbered from 1.
    let numbered = |values: Vec<f64>| (1..).map(f64::from).zip(values);
    let choices: Vec<f64> = plies
        .iter()
        .map(|ply| ply.entropy / ply.positions as f64)
        .collect();
    let model = stats
        .weighted
        .by_ply
        .iter()
        .take(plies.len())
        .map(|ply| ply.mean_bits().unwrap_or(0.0))
        .collect();
    let max = choices.iter().copied().fold(1.0, f64::max).ceil();
    let scale = max / games as f64;
    let playing = numbered(
        plies
            .iter()
            .map(|ply| ply.positions as f64 * scale)
            .collect(),
    );

    let mut chart = ChartBuilder::on(&area)
        .set_label_area_size(LabelAreaPosition::Left, 30)
        .set_label_area_size(LabelAreaPosition::Bottom, 45)
        .build_cartesian_2d(0.0..plies.len() as f64, 0.0..max + 1.5)?;
    // The area begins at 0, where all games are.
    let playing = [(0.0, max)].into_iter().chain(playing);
    chart
        .draw_series(AreaSeries::new(playing, 0.0, SHADE))?
        .label(format!("games still in progress, of {}", grouped(games)))
        .legend(|(x, y)| Rectangle::new([(x, y - 5), (x + 18, y + 5)], SHADE.filled()));
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(MUTED)
        .label_style(text(12, MUTED))
        .y_labels(8)
        .x_label_formatter(&integer_label)
        .y_label_formatter(&integer_label)
        .x_desc("ply")
        .draw()?;
    for (name, values, color) in [
        ("log2 of the number of legal moves, mean", choices, BLUE),
        ("bits of the move by the move model, mean", model, ORANGE),
    ] {
        chart
            .draw_series(LineSeries::new(numbered(values), color.stroke_width(2)))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .label_font(text(12, MUTED))
        .draw()
}
