//! The tree as a picture: a column for each ply, a box for each move, as high as its share of the
//! games.
//!
//! The boxes of the moves after a move are beside it, and not higher together. The strip at the
//! right of a box shows the results.

use plotters::{prelude::*, style::text_anchor::HPos};

use crate::{
    drawing::{Drawn, GRID, INK, MUTED, Panel, SHADE, anchored, bold, text},
    numbers::{counted, grouped, percent},
};
use ign_archive::{
    Error, Result, Tree,
    tree::{Counts, TreeMove},
};

/// Size in pixels.
const SIZE: (u32, u32) = (1200, 900);
const MARGIN: i32 = 30;
/// Height of the headline.
const HEADLINE: u32 = 64;
/// Lower boxes have no label.
const MIN_LABEL: f64 = 13.0;
/// Lower boxes are left out.
const MIN_BOX: f64 = 1.0;
/// Width of the strip of results.
const STRIP: f64 = 14.0;
/// Games won by White, drawn, won by Black.
const RESULTS: [RGBColor; 3] = [
    RGBColor(0xf7, 0xf4, 0xea),
    RGBColor(0xa4, 0xac, 0xb6),
    RGBColor(0x2f, 0x38, 0x44),
];

/// Draws the tree, with at most `moves` moves of each position.
///
/// # Errors
/// Internal, if the drawing library fails.
pub fn draw(tree: &Tree, moves: usize) -> Result<String> {
    let mut svg = String::new();
    draw_to(&mut svg, tree, moves)
        .map_err(|error| Error::internal(format!("the SVG cannot be drawn: {error}")))?;
    Ok(svg)
}

fn draw_to(svg: &mut String, tree: &Tree, moves: usize) -> Drawn {
    let all = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    all.fill(&WHITE)?;
    let (top, area) = all
        .margin(MARGIN, MARGIN, MARGIN, MARGIN)
        .split_vertically(HEADLINE);
    headline(&top, tree)?;
    let (width, height) = area.dim_in_pixel();
    let columns = 1 + depth(&tree.moves);
    let picture = Picture {
        area: &area,
        width: f64::from(width) / columns as f64,
        scale: f64::from(height) / tree.counts.games.max(1) as f64,
        all: tree.counts.games,
        moves,
    };
    if tree.counts.games > 0 {
        picture.place("all", &tree.counts, 0, 0.0)?;
        picture.place_moves(&tree.moves, 1, 0.0)?;
    }
    all.present()
}

/// The number of plies of the longest line.
fn depth(moves: &[TreeMove]) -> usize {
    let depths = moves.iter().map(|tree_move| 1 + depth(&tree_move.moves));
    depths.max().unwrap_or(0)
}

fn headline(area: &Panel, tree: &Tree) -> Drawn {
    let name = match tree.opening {
        Some(opening) => format!("{} {}", opening.eco, opening.name),
        None => "Moves played".to_owned(),
    };
    area.draw(&Text::new(name, (0, 0), bold(22, INK)))?;
    let games = counted(tree.counts.games, "game");
    let remark = format!("{games}; heights are shares of the games; strips: results");
    area.draw(&Text::new(remark, (0, 34), text(13, MUTED)))?;
    let right = area.dim_in_pixel().0 as i32;
    let labels = ["won by White", "drawn", "won by Black"];
    for (row, (label, color)) in (0..).zip(labels.into_iter().zip(RESULTS)) {
        let y = 2 + 17 * row;
        let corners = [(right - 100, y), (right - 88, y + 12)];
        area.draw(&Rectangle::new(corners, color.filled()))?;
        area.draw(&Rectangle::new(corners, MUTED))?;
        area.draw(&Text::new(label, (right - 82, y - 1), text(12, MUTED)))?;
    }
    Ok(())
}

/// The boxes.
struct Picture<'p, 'a> {
    area: &'p Panel<'a>,
    /// The width of a column in pixels.
    width: f64,
    /// Pixels for each game.
    scale: f64,
    all: u64,
    moves: usize,
}

impl Picture<'_, '_> {
    fn place_moves(&self, moves: &[TreeMove], column: usize, top: f64) -> Drawn {
        let mut top = top;
        for tree_move in moves.iter().take(self.moves) {
            let height = tree_move.counts.games as f64 * self.scale;
            // Moves are in descending order, so none of the rest is higher.
            if height < MIN_BOX {
                break;
            }
            self.place(&tree_move.san, &tree_move.counts, column, top)?;
            self.place_moves(&tree_move.moves, column + 1, top)?;
            top += height;
        }
        Ok(())
    }

    /// Draws a box.
    fn place(&self, name: &str, counts: &Counts, column: usize, top: f64) -> Drawn {
        let left = column as f64 * self.width;
        let right = left + self.width - 2.0;
        let bottom = top + counts.games as f64 * self.scale;
        let rectangle = |left: f64, right: f64, top: f64, bottom: f64, color: RGBColor| {
            let corners = [(left, top), (right, bottom)].map(|(x, y)| (x as i32, y as i32));
            Rectangle::new(corners, color.filled())
        };
        let strip = right - STRIP;
        self.area
            .draw(&rectangle(left, right, top, bottom, SHADE))?;
        let results = counts.white + counts.draws + counts.black;
        let parts = [counts.white, counts.draws, counts.black];
        let mut from = top;
        for (games, color) in parts.into_iter().zip(RESULTS) {
            let to = from + (bottom - top) * games as f64 / results.max(1) as f64;
            self.area.draw(&rectangle(strip, right, from, to, color))?;
            from = to;
        }
        let corners = [(left, top), (right, bottom)].map(|(x, y)| (x as i32, y as i32));
        self.area.draw(&Rectangle::new(corners, GRID))?;
        if bottom - top < MIN_LABEL {
            return Ok(());
        }
        let middle = ((top + bottom) / 2.0) as i32;
        let label = anchored(bold(12, INK), HPos::Left);
        self.area
            .draw(&Text::new(name, (left as i32 + 6, middle), label))?;
        let figures = if self.width < 170.0 {
            percent(counts.games, self.all)
        } else {
            format!(
                "{}  {}",
                grouped(counts.games),
                percent(counts.games, self.all)
            )
        };
        let style = anchored(text(11, MUTED), HPos::Right);
        self.area
            .draw(&Text::new(figures, (strip as i32 - 5, middle), style))
    }
}
