//! Colours, text styles and labels that all drawings share.

use std::io;

use plotters::{
    coord::Shift,
    drawing::{DrawingArea, DrawingAreaErrorKind},
    element::Text,
    prelude::{IntoFont as _, RGBColor, SVGBackend, TextStyle},
    style::{
        Color as _, FontStyle,
        text_anchor::{HPos, Pos, VPos},
    },
};

use crate::numbers::grouped;

/// A part of the drawing, with coordinates in pixels.
pub type Panel<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// What drawing returns.
pub type Drawn = Result<(), DrawingAreaErrorKind<io::Error>>;

/// Titles and labels.
pub const INK: RGBColor = RGBColor(0x1c, 0x24, 0x30);
/// Remarks and the numbers of axes.
pub const MUTED: RGBColor = RGBColor(0x5f, 0x6b, 0x7a);
/// Grid lines.
pub const GRID: RGBColor = RGBColor(0xe4, 0xe8, 0xed);
/// Main series.
pub const BLUE: RGBColor = RGBColor(0x2b, 0x6c, 0x9e);
/// Secondary series.
pub const PALE: RGBColor = RGBColor(0xa9, 0xcb, 0xe3);
/// Marks and the second line.
pub const ORANGE: RGBColor = RGBColor(0xcf, 0x6a, 0x12);
/// Areas in the background.
pub const SHADE: RGBColor = RGBColor(0xf0, 0xf2, 0xf5);

/// Height of a panel's title.
const TITLE: u32 = 32;

/// Height of a line by the measure of plotters, as a multiple of the font size.
const LINE: f64 = 1.24;

/// Text of this font size in pixels. Its point is the upper left corner.
pub fn text(size: u32, color: RGBColor) -> TextStyle<'static> {
    TextStyle {
        font: ("sans-serif", f64::from(size) * LINE).into_font(),
        color: color.to_backend_color(),
        pos: Pos::new(HPos::Left, VPos::Top),
    }
}

/// The same in bold.
pub fn bold(size: u32, color: RGBColor) -> TextStyle<'static> {
    let mut style = text(size, color);
    style.font = style.font.style(FontStyle::Bold);
    style
}

/// The same text, with its point at the right or left end of its middle line.
pub fn anchored(style: TextStyle<'static>, h: HPos) -> TextStyle<'static> {
    style.pos(Pos::new(h, VPos::Center))
}

/// Draws a title, and a remark at the right end of its line. Returns the area below.
pub fn titled<'a>(
    area: &Panel<'a>,
    title: &str,
    remark: &str,
) -> Result<Panel<'a>, DrawingAreaErrorKind<io::Error>> {
    let right = area.dim_in_pixel().0 as i32;
    area.draw(&Text::new(title, (0, 0), bold(16, INK)))?;
    let style = anchored(text(12, MUTED), HPos::Right);
    area.draw(&Text::new(remark, (right, 8), style))?;
    Ok(area.split_vertically(TITLE).1)
}

/// Replaces a figure that has no data.
pub fn no_moves(area: &Panel) -> Drawn {
    area.draw(&Text::new("no moves", (0, 0), text(12, MUTED)))
}

/// The label of an axis: integers only, because there are no fractions of games, bits or plies.
pub fn integer_label(number: &f64) -> String {
    if number.fract() == 0.0 {
        grouped(*number as u64)
    } else {
        String::new()
    }
}
