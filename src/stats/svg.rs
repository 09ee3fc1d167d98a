//! Reports as one SVG, side by side: size of each column, encodings compared, games by bits, choice
//! by ply.
//!
//! The drawing contains no fonts. Text is laid out by the viewer, with the widths that plotters
//! estimates.

mod bars;
mod choice;
mod distribution;

use plotters::prelude::*;

use crate::drawing::{BLUE, Drawn, GRID, INK, MUTED, Panel, bold, text};
use crate::messages::shortened;
use crate::numbers::{fixed, grouped};
use ign_archive::stats::Report;
use ign_archive::stats::ratio;
use ign_archive::{Error, Result};

/// Size of a report in pixels.
const SIZE: (u32, u32) = (1200, 960);
const MARGIN: i32 = 40;
/// Half the distance between panels.
const GAP: i32 = 32;
/// Height of the headline.
const HEADLINE: u32 = 140;

/// Draws the reports, the first at the left.
///
/// # Errors
/// Internal, if the drawing library fails.
pub fn draw(reports: &[Report]) -> Result<String> {
    let mut svg = String::new();
    draw_to(&mut svg, reports)
        .map_err(|error| Error::internal(format!("the SVG cannot be drawn: {error}")))?;
    Ok(svg)
}

fn draw_to(svg: &mut String, reports: &[Report]) -> Drawn {
    let (width, height) = SIZE;
    let width = width.saturating_mul(reports.len() as u32);
    let all = SVGBackend::with_string(svg, (width, height)).into_drawing_area();
    all.fill(&WHITE)?;
    for (area, report) in all.split_evenly((1, reports.len())).iter().zip(reports) {
        draw_one(area, report)?;
    }
    all.present()
}

fn draw_one(all: &Panel, report: &Report) -> Drawn {
    let (top, rest) = all
        .margin(MARGIN, MARGIN, MARGIN, MARGIN)
        .split_vertically(HEADLINE);
    headline(&top, report)?;
    let panels = rest.split_evenly((2, 2));
    // A gap between the columns of panels, and one below each panel.
    let [columns, encodings, bits, choice] = [(0, 0, GAP), (1, GAP, 0), (2, 0, GAP), (3, GAP, 0)]
        .map(|(panel, left, right)| panels[panel].margin(0, GAP, left, right));
    bars::columns(&columns, report)?;
    bars::encodings(&encodings, report)?;
    distribution::draw(&bits, &report.stats.bits_of_games())?;
    choice::draw(&choice, &report.stats)
}

fn headline(area: &Panel, report: &Report) -> Drawn {
    let stats = &report.stats;
    let name = shortened(&report.name, 70);
    area.draw(&Text::new(name, (0, 0), bold(26, INK)))?;
    let times = ratio(stats.space.text_len, stats.space.archive_len);
    let figures = [
        (grouped(stats.games.games), "games"),
        (fixed(stats.games.lengths.mean(), 1), "plies a game"),
        (fixed(stats.bytes_per_game(), 2), "bytes of archive a game"),
        (fixed(times, 1), "times smaller than the text"),
        (fixed(stats.bits_per_ply(), 2), "bits a ply"),
    ];
    let (width, height) = area.dim_in_pixel();
    let step = width as i32 / figures.len() as i32;
    for (x, (figure, what)) in (0..).step_by(step as usize).zip(figures) {
        area.draw(&Text::new(figure, (x, 46), bold(30, BLUE)))?;
        area.draw(&Text::new(what, (x, 82), text(13, MUTED)))?;
    }
    let y = height as i32 - 25;
    let line = vec![(0, y), (width as i32, y)];
    area.draw(&PathElement::new(line, GRID))
}
