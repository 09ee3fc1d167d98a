//! The starting position of a game, from the properties at the head of its record (spec §14.2).

use ign_notation::go::{Color, MAX_LINES, Point, Position, Rules, Size};

/// Values of `RU` under which suicide is legal.
const SUICIDE: [&str; 5] = ["NZ", "New Zealand", "GOE", "Ing", "Tromp-Taylor"];

/// The properties at the head of a record that describe the start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Heading<'t> {
    /// `GM`: the game; 1 is Go.
    pub game: Option<&'t [u8]>,
    /// `SZ`: board size.
    pub size: Option<&'t [u8]>,
    /// `RU`: rules.
    pub rules: Option<&'t [u8]>,
    /// `HA`: number of handicap stones.
    pub handicap: Option<&'t [u8]>,
    /// `AB`: points with black stones.
    pub black: Option<&'t [u8]>,
    /// `AW`: points with white stones.
    pub white: Option<&'t [u8]>,
    /// `PL`: player to move.
    pub turn: Option<&'t [u8]>,
}

impl<'t> Heading<'t> {
    /// The names of these properties.
    pub const NAMES: [&'static str; 7] = ["GM", "SZ", "RU", "HA", "AB", "AW", "PL"];

    /// Looks up each property with `value`, which returns the text between the property's first and
    /// last bracket.
    pub fn new(value: impl Fn(&str) -> Option<&'t [u8]>) -> Self {
        let [game, size, rules, handicap, black, white, turn] = Self::NAMES.map(value);
        Self {
            game,
            size,
            rules,
            handicap,
            black,
            white,
            turn,
        }
    }

    /// Whether the game has a handicap of at least two stones.
    pub fn has_handicap(&self) -> bool {
        number(self.handicap.unwrap_or_default()).is_some_and(|stones| stones >= 2)
    }

    /// Returns the starting position, or `None` if the game is not Go or a property is invalid.
    pub fn start(&self) -> Option<Position> {
        if self.game.is_some_and(|game| number(game) != Some(1)) {
            return None;
        }
        let size = self.size.map_or(Some(Size::STANDARD), size)?;
        let rules = self.rules.unwrap_or_default().trim_ascii();
        let suicide = SUICIDE
            .iter()
            .any(|name| rules.eq_ignore_ascii_case(name.as_bytes()));
        let mut position = Position::new(size, Rules { suicide });
        for (stones, color) in [(self.black, Color::Black), (self.white, Color::White)] {
            for value in stones.into_iter().flat_map(values) {
                each_point(value, |point| position.set_up(point, color).ok())?;
            }
        }
        position.set_turn(match self.turn.map(<[u8]>::trim_ascii) {
            None if self.black.is_some() && self.white.is_none() => Color::White,
            None | Some(b"B" | b"b" | b"black" | b"Black" | b"1") => Color::Black,
            Some(b"W" | b"w" | b"white" | b"White" | b"2") => Color::White,
            Some(_) => return None,
        });
        Some(position)
    }
}

/// Splits the text between a property's first and last bracket into its values.
fn values(all: &[u8]) -> impl Iterator<Item = &[u8]> {
    // Points contain no brackets, so valid values contain no escaped ones.
    all.split(|&c| c == b']').map(|value| {
        let value = value.trim_ascii();
        value.strip_prefix(b"[").unwrap_or(value).trim_ascii()
    })
}

/// Parses a number of one to four digits.
fn number(value: &[u8]) -> Option<u32> {
    let digits = value.trim_ascii();
    if digits.is_empty() || digits.len() > 4 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(digits.iter().fold(0, |n, d| n * 10 + u32::from(d - b'0')))
}

/// Parses a board size: `19`, or columns and rows as in `19:9`.
fn size(value: &[u8]) -> Option<Size> {
    let mut parts = value.splitn(2, |&c| c == b':').map(|part| {
        let lines = number(part).filter(|&n| n <= u32::from(MAX_LINES))?;
        Some(lines as u8)
    });
    let columns = parts.next()??;
    let rows = parts.next().unwrap_or(Some(columns))?;
    Size::new(columns, rows)
}

/// Calls `visit` for each point of a value: one point, or a rectangle given by two corners, as in
/// `aa:cc`.
fn each_point(value: &[u8], mut visit: impl FnMut(Point) -> Option<()>) -> Option<()> {
    let mut corners = value.splitn(2, |&c| c == b':').map(Point::from_letters);
    let first = corners.next()??;
    let last = corners.next().unwrap_or(Some(first))?;
    for row in first.row.min(last.row)..=first.row.max(last.row) {
        for column in first.column.min(last.column)..=first.column.max(last.column) {
            visit(Point { row, column })?;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(properties: &[(&str, &str)]) -> Option<Position> {
        let value = |name: &str| {
            let found = properties.iter().find(|(n, _)| *n == name);
            found.map(|(_, value)| value.as_bytes())
        };
        Heading::new(value).start()
    }

    fn stones(position: &Position) -> usize {
        let size = position.size();
        let points = (0..size.rows())
            .flat_map(|row| (0..size.columns()).map(move |column| Point { row, column }));
        points.filter(|&p| position.stone(p).is_some()).count()
    }

    #[test]
    fn parses_board_sizes_from_1_to_52() {
        let size = |value| start(&[("SZ", value)]).map(|p| (p.size().columns(), p.size().rows()));
        assert_eq!(start(&[]).unwrap().size(), Size::STANDARD);
        assert_eq!(size("9"), Some((9, 9)));
        assert_eq!(size("19:7"), Some((19, 7)));
        assert_eq!(size(" 52 "), Some((52, 52)));
        for wrong in [
            "",
            "0",
            "53",
            "19:",
            "19:9:9",
            "-1",
            "9999999999999",
            "nine",
        ] {
            assert_eq!(size(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn sets_up_single_stones_and_rectangles() {
        let handicap = start(&[("AB", "dd][pp]\n [dp")]).unwrap();
        assert_eq!((stones(&handicap), handicap.turn()), (3, Color::White));
        let both = start(&[("AB", "aa:cc"), ("AW", "rr:qq")]).unwrap();
        assert_eq!((stones(&both), both.turn()), (9 + 4, Color::Black));
        let asked = start(&[("AB", "dd"), ("PL", "B")]).unwrap();
        assert_eq!(asked.turn(), Color::Black);
        for wrong in ["", "dd][dd", "tt", "d", "dd:", "aa:dd:ee", "dd][]"] {
            assert!(start(&[("AB", wrong)]).is_none(), "{wrong}");
        }
        assert!(start(&[("AB", "dd"), ("AW", "dd")]).is_none());
    }

    #[test]
    fn other_games_have_no_start_and_rules_decide_suicide() {
        assert!(start(&[("GM", "2")]).is_none());
        assert!(start(&[("GM", "1")]).is_some());
        assert!(start(&[("RU", "nz")]).unwrap().rules().suicide);
        assert!(!start(&[("RU", "Japanese")]).unwrap().rules().suicide);
        let handicap = |value| {
            let name = |name: &str| (name == "HA").then_some(value);
            Heading::new(name).has_handicap()
        };
        assert!(handicap(&b"2"[..]) && !handicap(b"1") && !handicap(b"x"));
    }
}
