//! A small SVG writer: rectangles, lines, words, and axes for them.
//!
//! Invariant: what comes out is well-formed XML whatever the words are.

use std::fmt::Write;

/// Words and axes.
pub const INK: &str = "#1c2430";
/// Lesser words.
pub const MUTED: &str = "#5f6b7a";
/// Lines behind the figures.
pub const GRID: &str = "#e4e8ed";
/// Figures.
pub const BLUE: &str = "#2b6c9e";
/// What belongs to figures, in a lesser part.
pub const PALE: &str = "#a9cbe3";
/// What stands out of the figures.
pub const ORANGE: &str = "#cf6a12";

const FONT: &str = "Inter, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";

/// Where words stand relative to their point.
#[derive(Debug, Clone, Copy)]
pub enum Anchor {
    /// Right of it.
    Start,
    /// Around it.
    Middle,
    /// Left of it.
    End,
}

/// How words look.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// Height, in pixels.
    pub size: f64,
    /// Colour.
    pub color: &'static str,
    /// Whether they are bold.
    pub bold: bool,
    /// Where they stand.
    pub anchor: Anchor,
}

impl Style {
    /// Of labels.
    pub const LABEL: Self = Self {
        size: 13.0,
        color: INK,
        bold: false,
        anchor: Anchor::Start,
    };
    /// Of numbers at axes, and of remarks.
    pub const NOTE: Self = Self {
        size: 12.0,
        color: MUTED,
        ..Self::LABEL
    };
    /// Of titles.
    pub const TITLE: Self = Self {
        size: 16.0,
        bold: true,
        ..Self::LABEL
    };

    /// The same, anchored elsewhere.
    pub const fn at(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }

    /// The same in another colour.
    pub const fn colored(self, color: &'static str) -> Self {
        Self { color, ..self }
    }
}

/// A rectangle on the canvas: a panel, or its inside.
#[derive(Debug, Clone, Copy)]
pub struct Area {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl Area {
    /// Right edge.
    pub fn right(self) -> f64 {
        self.x + self.width
    }

    /// Lower edge.
    pub fn bottom(self) -> f64 {
        self.y + self.height
    }
}

/// A picture that is being drawn.
pub struct Canvas(String);

impl Canvas {
    /// A white canvas.
    pub fn new(width: f64, height: f64, title: &str) -> Self {
        let mut canvas = Self(String::new());
        canvas.push(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" font-family=\"{FONT}\">\n\
             <title>{}</title>\n",
            escaped(title)
        ));
        let all = Area {
            x: 0.0,
            y: 0.0,
            width,
            height,
        };
        canvas.rect(all, "#ffffff");
        canvas
    }

    fn push(&mut self, text: std::fmt::Arguments) {
        self.0.write_fmt(text).expect("strings take all");
    }

    /// A filled rectangle.
    pub fn rect(&mut self, area: Area, color: &str) {
        let Area {
            x,
            y,
            width,
            height,
        } = area;
        self.push(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{color}\"/>\n"
        ));
    }

    /// A straight line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), color: &str, dashed: bool) {
        let ((x1, y1), (x2, y2)) = (from, to);
        let dashes = if dashed {
            " stroke-dasharray=\"5 3\" stroke-width=\"1.5\""
        } else {
            ""
        };
        self.push(format_args!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{color}\"{dashes}/>\n"
        ));
    }

    /// A line through points.
    pub fn path(&mut self, points: &[(f64, f64)], color: &str) {
        let points = joined(points);
        self.push(format_args!(
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" stroke-linejoin=\"round\"/>\n"
        ));
    }

    /// A filled area with these corners.
    pub fn shape(&mut self, points: &[(f64, f64)], color: &str) {
        let points = joined(points);
        self.push(format_args!(
            "<polygon points=\"{points}\" fill=\"{color}\"/>\n"
        ));
    }

    /// Words, at the point where their base line starts, or ends.
    pub fn text(&mut self, (x, y): (f64, f64), style: Style, words: &str) {
        let anchor = match style.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let weight = if style.bold {
            " font-weight=\"600\""
        } else {
            ""
        };
        let (size, color, words) = (style.size, style.color, escaped(words));
        self.push(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{color}\" text-anchor=\"{anchor}\"{weight}>{words}</text>\n"
        ));
    }

    /// The whole picture.
    pub fn finish(mut self) -> String {
        self.0.push_str("</svg>\n");
        self.0
    }
}

fn joined(points: &[(f64, f64)]) -> String {
    let points = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}"));
    points.collect::<Vec<_>>().join(" ")
}

/// Words as XML holds them.
fn escaped(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML has no way to say these.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Round numbers from zero up to `end`, at most so many steps.
pub fn ticks(end: f64, most: usize) -> Vec<f64> {
    if !(end.is_finite() && end > 0.0) {
        return vec![0.0];
    }
    let power = 10f64.powf((end / most as f64).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0, 20.0].map(|step| step * power);
    let fits = |step: &f64| end / step <= most as f64;
    let step = steps.into_iter().find(fits).unwrap_or(end);
    (0..=(end / step + 1e-9) as usize)
        .map(|i| i as f64 * step)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(
            ticks(700.0, 8),
            [0.0, 100.0, 200.0, 300.0, 400.0, 500.0, 600.0, 700.0]
        );
        assert_eq!(ticks(12.0, 4), [0.0, 5.0, 10.0]);
        assert_eq!(ticks(1.0, 2), [0.0, 0.5, 1.0]);
        assert_eq!(ticks(0.0, 4), [0.0]);
        assert_eq!(ticks(f64::NAN, 4), [0.0]);
    }

    #[test]
    fn words_cannot_break_the_picture() {
        let mut canvas = Canvas::new(10.0, 10.0, "a<b");
        canvas.text((0.0, 0.0), Style::LABEL, "\"<&>\u{1b}");
        let picture = canvas.finish();
        assert!(picture.contains("<title>a&lt;b</title>"));
        assert!(picture.contains(">&quot;&lt;&amp;&gt;\u{fffd}</text>"));
    }
}
