//! Ratings and their changes, of both players at once.
//!
//! A player's rating is what it was after his last game of the same event (on
//! servers: of the same kind, each of which has ratings of its own): that rating
//! plus its change. The change follows from both ratings and the result by Elo's
//! expectation, times a factor that is the player's own (large for newcomers)
//! and is taken from his last change. What is coded is the difference from that
//! forecast, by contexts: the results of this game and the last one, since some
//! servers tell the rating after the game, and how far apart the players are.
//!
//! Tags: WhiteElo, BlackElo, and perhaps WhiteRatingDiff, BlackRatingDiff.
//! References: White, Black, and perhaps Result and Event. Ratings that are not
//! plain numbers from 0 to 9999 and changes that are not signed ones are lines
//! of the text stream.

use std::{borrow::Cow, ops::Range};

use rustc_hash::FxHashMap;

use super::{
    Lines, Span, Streams, Table, codes_and_text,
    parts::{self, Packer},
};
use crate::{
    container::block::Column,
    error::{Error, Result},
};
use ign_entropy::{
    adaptive::{Bit, Coder, Encoder},
    mixing::MixedSigned,
};

/// Switch: no change is written `+0` instead of `0` (spec §4.3.4).
pub const PLUS_ZERO: u8 = 1;

/// Thousandths of a point expected against an opponent 0, 25, … 800 points
/// stronger: 1000 / (1 + 10^(d/400)), rounded (spec §4.3.4).
const EXPECTED: [i64; 33] = [
    500, 464, 429, 394, 360, 327, 297, 267, 240, 215, 192, 170, 151, 133, 118, 104, 91, 80, 70, 61,
    53, 46, 40, 35, 31, 27, 23, 20, 17, 15, 13, 11, 10,
];
/// Rating points between two entries of [`EXPECTED`].
const STEP: i64 = 25;
/// The factor of a player not met before, in rating points a point of surprise.
const USUAL_FACTOR: i64 = 24;
/// A factor is learned from surprises of at least so many thousandths.
const TELLING_SURPRISE: i64 = 100;
/// Where the rating of the first player is expected.
const USUAL_RATING: i64 = 1600;

/// What is known of a player from the games before, of one event.
#[derive(Debug, Clone, Copy)]
struct Player {
    /// Rating after his last game.
    rating: i64,
    /// Whether that game's change was known.
    settled: bool,
    /// Rating points that a surprise of one whole point moves him.
    factor: Option<i64>,
    /// His half points in that game.
    half_points: Option<i64>,
}

/// A number from 0 to 15 for how far a player is below (or above) another.
fn apart(own: Option<i64>, other: Option<i64>) -> usize {
    match (own, other) {
        (Some(own), Some(other)) => {
            1 + ((other.saturating_sub(own) + 350).clamp(0, 699) / 50) as usize
        }
        _ => 0,
    }
}

/// How surprising the result is for the player, in thousandths of a point.
fn surprise(own: i64, other: i64, half_points: i64) -> i64 {
    let gap = other.saturating_sub(own).clamp(-STEP * 32, STEP * 32);
    let (index, within) = ((gap.abs() / STEP) as usize, gap.abs() % STEP);
    let next = EXPECTED[(index + 1).min(32)];
    let expected = EXPECTED[index] - (EXPECTED[index] - next) * within / STEP;
    500 * half_points - if gap < 0 { 1000 - expected } else { expected }
}

/// Half points of White and Black.
fn half_points(result: Option<&[u8]>) -> Option<[i64; 2]> {
    match result? {
        b"1-0" => Some([2, 0]),
        b"0-1" => Some([0, 2]),
        b"1/2-1/2" => Some([1, 1]),
        _ => None,
    }
}

/// A plain number from 0 to 9999.
fn rating(value: &[u8]) -> Option<i64> {
    let plain = (1..=4).contains(&value.len()) && (value[0] != b'0' || value.len() == 1);
    plain.then(|| {
        value.iter().try_fold(0, |n, c| {
            c.is_ascii_digit().then(|| n * 10 + i64::from(c - b'0'))
        })
    })?
}

/// A signed number from -9999 to 9999.
fn change(value: &[u8], switches: u8) -> Option<i64> {
    let (&sign, digits) = value.split_first()?;
    match sign {
        b'0' if value.len() == 1 && switches & PLUS_ZERO == 0 => Some(0),
        b'+' => rating(digits).filter(|&n| n != 0 || switches & PLUS_ZERO != 0),
        b'-' => rating(digits).filter(|&n| n != 0).map(|n| -n),
        _ => None,
    }
}

/// Writes a rating, or a change with its sign, of at most four digits into the
/// end of the room; gives where it starts.
fn spell_number(number: i64, sign: bool, room: &mut [u8; 5]) -> usize {
    let mut start = room.len();
    let mut left = number.unsigned_abs();
    while left > 0 || start == room.len() {
        start -= 1;
        room[start] = b'0' + (left % 10) as u8;
        left /= 10;
    }
    if sign {
        start -= 1;
        room[start] = if number < 0 { b'-' } else { b'+' };
    }
    start
}

/// Codes a number as a step from its forecast. `None` is a value that is no
/// number, told in text.
fn number(
    coder: &mut impl Coder,
    irregular: &mut Bit,
    steps: &mut MixedSigned<3>,
    contexts: [usize; 3],
    forecast: i64,
    given: Option<i64>,
) -> Option<i64> {
    let irregular = coder.bit(irregular, given.is_none());
    (!irregular).then(|| {
        let step = given.map_or(0, |value| value - forecast);
        forecast.saturating_add(steps.code(coder, contexts, step))
    })
}

/// The estimates, and the players met so far.
#[derive(Default)]
struct Model {
    /// Players by name and event.
    players: FxHashMap<(Span, Span), Player>,
    /// The rating that was the last in any event, by name.
    ratings: FxHashMap<Span, i64>,
    irregular_rating: [[Bit; 2]; 2],
    was_irregular: [bool; 2],
    irregular_change: Bit,
    rating: MixedSigned<3>,
    change: MixedSigned<3>,
    rating_before: i64,
}

/// The four numbers of a record: `None` where the tag is absent or no number.
#[derive(Debug, Clone, Copy, Default)]
struct Record {
    ratings: [Option<i64>; 2],
    changes: [Option<i64>; 2],
}

/// Which of the four tags the record has, and who plays.
#[derive(Debug, Clone, Copy)]
struct Frame {
    players: [Span; 2],
    event: Span,
    half_points: Option<[i64; 2]>,
    ratings: [bool; 2],
    changes: [bool; 2],
}

impl Frame {
    fn of(table: &Table, column: &Column, row: usize) -> Self {
        let has = |tag: Option<&u16>| tag.is_some_and(|&t| table.span(t, row).is_present());
        let tags = &column.tags;
        Self {
            players: [
                table.span(column.refs[0], row),
                table.span(column.refs[1], row),
            ],
            event: column
                .refs
                .get(3)
                .map_or(Span::ABSENT, |&t| table.span(t, row)),
            half_points: column
                .refs
                .get(2)
                .and_then(|&t| half_points(table.value(t, row))),
            ratings: [has(tags.first()), has(tags.get(1))],
            changes: [has(tags.get(2)), has(tags.get(3))],
        }
    }
}

impl Model {
    /// Codes the numbers of a record.
    fn record(&mut self, coder: &mut impl Coder, frame: Frame, given: Record) -> Record {
        let named = frame.players.map(|name| name.is_present().then_some(name));
        let known = named.map(|name| self.players.get(&(name?, frame.event)).copied());
        let elsewhere = named.map(|name| self.ratings.get(&name?).copied());
        let mut record = Record::default();
        // Who is known goes first: his opponent is likely of like strength.
        let order = if elsewhere[0].is_none() && elsewhere[1].is_some() {
            [1, 0]
        } else {
            [0, 1]
        };
        let third = |points: Option<i64>| points.map_or(3, |points| points as usize);
        for side in order {
            if !frame.ratings[side] {
                continue;
            }
            let opponent = record.ratings[1 - side]
                .or(known[1 - side].map(|player| player.rating))
                .or(elsewhere[1 - side]);
            let (class, forecast) = match (known[side], elsewhere[side]) {
                (Some(player), _) => (usize::from(player.settled), player.rating),
                (_, Some(rating)) => (2, rating),
                _ => (3, opponent.unwrap_or(self.rating_before)),
            };
            let this = third(frame.half_points.map(|points| points[side]));
            let last = third(known[side].and_then(|player| player.half_points));
            let contexts = [
                class,
                (class * 4 + this) * 4 + last,
                (class * 16 + apart(Some(forecast), opponent)) * 4 + this,
            ];
            let irregular = &mut self.irregular_rating[side][usize::from(self.was_irregular[side])];
            let value = number(
                coder,
                irregular,
                &mut self.rating,
                contexts,
                forecast,
                given.ratings[side],
            );
            self.was_irregular[side] = value.is_none();
            self.rating_before = value.unwrap_or(self.rating_before);
            record.ratings[side] = value;
        }
        for side in [0, 1] {
            let surprise = match (
                record.ratings[side],
                record.ratings[1 - side],
                frame.half_points,
            ) {
                (Some(own), Some(other), Some(points)) => Some(surprise(own, other, points[side])),
                _ => None,
            };
            let factor = known[side].and_then(|p| p.factor);
            if frame.changes[side] {
                let forecast = surprise.unwrap_or(0) * factor.unwrap_or(USUAL_FACTOR) / 1000;
                let contexts = self.of_change(surprise, factor, record.changes[0]);
                record.changes[side] = number(
                    coder,
                    &mut self.irregular_change,
                    &mut self.change,
                    contexts,
                    forecast,
                    given.changes[side],
                );
            }
            self.learn(frame, side, record, surprise, factor);
        }
        record
    }

    /// The contexts of a change.
    fn of_change(
        &self,
        surprise: Option<i64>,
        factor: Option<i64>,
        other: Option<i64>,
    ) -> [usize; 3] {
        let class = match (surprise, factor) {
            (None, _) => 0,
            (_, None) => 1,
            (_, Some(..40)) => 2,
            (_, Some(..100)) => 3,
            _ => 4,
        };
        let surprised = surprise.map_or(0, |s| 1 + (s + 1000) / 100) as usize;
        let other = other.map_or(0, |change| 1 + change.unsigned_abs().min(62) as usize / 2);
        [class, class * 32 + surprised, class * 32 + other]
    }

    fn learn(
        &mut self,
        frame: Frame,
        side: usize,
        record: Record,
        surprise: Option<i64>,
        factor: Option<i64>,
    ) {
        let (name, change) = (frame.players[side], record.changes[side]);
        let Some(rating) = record.ratings[side].filter(|_| name.is_present()) else {
            return;
        };
        let telling = surprise.filter(|s| s.abs() >= TELLING_SURPRISE);
        let learned = change
            .zip(telling)
            .map(|(change, surprise)| (change.saturating_mul(1000) / surprise).clamp(2, 999));
        let player = Player {
            rating: rating.saturating_add(change.unwrap_or(0)),
            settled: change.is_some(),
            factor: learned.or(factor),
            half_points: frame.half_points.map(|points| points[side]),
        };
        self.players.insert((name, frame.event), player);
        self.ratings.insert(name, player.rating);
    }
}

/// A model that expects the usual.
fn model() -> Model {
    Model {
        rating_before: USUAL_RATING,
        ..Model::default()
    }
}

/// Codes the column, sets its switches, and drops the reference to the event where ratings go on
/// from one event to another.
pub fn encode(table: &mut Table, column: &mut Column) -> Streams {
    let plus_zero = |tag: &u16| (0..table.rows).any(|row| table.value(*tag, row) == Some(b"+0"));
    column.switches = if column.tags.iter().skip(2).any(plus_zero) {
        PLUS_ZERO
    } else {
        0
    };
    if column.refs.len() > 3 {
        let without = Column {
            refs: column.refs[..3].to_vec(),
            ..column.clone()
        };
        let [with_event, without_event] = [&*column, &without]
            .map(|column| pack(table, column, parts::of_trial(table.rows)).codes.len());
        if without_event <= with_event {
            *column = without;
        }
    }
    pack(table, column, parts::of(table.rows))
}

/// Codes the column's values of these parts.
fn pack(table: &Table, column: &Column, parts: impl Iterator<Item = Range<usize>>) -> Streams {
    let mut out = Packer::default();
    for rows in parts {
        let mut model = model();
        let mut coder = Encoder::new();
        for row in rows {
            let value = |i: usize| column.tags.get(i).and_then(|&t| table.value(t, row));
            let given = Record {
                ratings: [value(0).and_then(rating), value(1).and_then(rating)],
                changes: [2, 3].map(|i| value(i).and_then(|v| change(v, column.switches))),
            };
            let frame = Frame::of(table, column, row);
            let record = model.record(&mut coder, frame, given);
            let numbers = record.ratings.into_iter().chain(record.changes);
            for (i, _) in numbers.enumerate().filter(|(_, n)| n.is_none()) {
                if let Some(value) = value(i) {
                    out.line(value);
                }
            }
        }
        out.end(coder);
    }
    out.finish()
}

/// Fills in the values of the records that the table asks for.
///
/// # Errors
/// Corrupt when the column has not two or four tags and two to four
/// references, when a number is out of range, or the streams end early.
pub fn decode(table: &mut Table, column: &Column, streams: &[Cow<[u8]>]) -> Result<()> {
    if !matches!(column.tags.len(), 2 | 4) || !matches!(column.refs.len(), 2..=4) {
        return Err(Error::corrupt("a ratings column covers the wrong tags"));
    }
    let (codes, lines) = codes_and_text(streams)?;
    for (mut part, mut lines) in parts::open(table, codes, lines)? {
        let mut model = model();
        for row in part.rows.clone() {
            let frame = Frame::of(table, column, row);
            let record = model.record(&mut part.coder, frame, Record::default());
            let present = frame.ratings.into_iter().chain(frame.changes);
            let numbers = record.ratings.into_iter().chain(record.changes);
            for ((i, number), present) in numbers.enumerate().zip(present) {
                if present {
                    let span = spell(table, column, i, number, &mut lines)?;
                    table.set(column.tags[i], row, span);
                }
            }
            part.check()?;
        }
    }
    Ok(())
}

fn spell(
    table: &mut Table,
    column: &Column,
    i: usize,
    number: Option<i64>,
    lines: &mut Lines,
) -> Result<Span> {
    let Some(number) = number else {
        return Ok(table.add(lines.next_line()?));
    };
    if !(-9999..=9999).contains(&number) || i < 2 && number < 0 {
        return Err(Error::corrupt("a rating is out of range"));
    }
    let sign = i >= 2 && (number != 0 || column.switches & PLUS_ZERO != 0);
    let mut room = [0; 5];
    let start = spell_number(number, sign, &mut room);
    Ok(table.add(&room[start..]))
}

#[cfg(test)]
mod tests {
    use super::super::{Codec, testing};
    use super::*;

    #[test]
    fn equals_expect_half_a_point_and_the_stronger_more() {
        assert_eq!(surprise(1500, 1500, 1), 0);
        assert_eq!(surprise(1500, 1500, 2), 500);
        assert_eq!(surprise(1900, 1500, 2), 91);
        assert_eq!(surprise(1500, 1900, 0), -91);
        assert_eq!(surprise(0, 9999, 0), -10);
    }

    #[test]
    fn every_spelling_of_a_number_is_one_or_is_text() {
        assert_eq!(rating(b"0"), Some(0));
        for text in ["", "01", "12345", "-1", "1500?"] {
            assert_eq!(rating(text.as_bytes()), None, "{text}");
        }
        assert_eq!(
            (change(b"+0", 0), change(b"+0", PLUS_ZERO)),
            (None, Some(0))
        );
        assert_eq!((change(b"0", 0), change(b"0", PLUS_ZERO)), (Some(0), None));
        assert_eq!(
            (change(b"-0", 0), change(b"5", 0), change(b"+", 0)),
            (None, None, None)
        );
        assert_eq!(
            (change(b"-12", 0), change(b"+9999", 0)),
            (Some(-12), Some(9999))
        );
    }

    #[test]
    fn ratings_changes_and_strangers_come_back() {
        let names = [
            "White",
            "Black",
            "Result",
            "WhiteElo",
            "BlackElo",
            "WhiteRatingDiff",
            "BlackRatingDiff",
        ];
        let table = testing::table(
            &names,
            &[
                &[
                    Some("a"),
                    Some("b"),
                    Some("1-0"),
                    Some("1500"),
                    Some("1600"),
                    Some("+14"),
                    Some("-13"),
                ],
                &[
                    Some("b"),
                    Some("a"),
                    Some("0-1"),
                    Some("1587"),
                    Some("1514"),
                    Some("-11"),
                    Some("+0"),
                ],
                &[
                    Some("c"),
                    Some("b"),
                    Some("1/2-1/2"),
                    Some("?"),
                    Some("1576"),
                    None,
                    Some("0"),
                ],
                &[
                    Some("a"),
                    Some("c"),
                    Some("*"),
                    Some("1525"),
                    Some(""),
                    Some("x"),
                    None,
                ],
                &[
                    None,
                    Some("c"),
                    None,
                    None,
                    Some("9999"),
                    None,
                    Some("-9999"),
                ],
            ],
        );
        for (tags, refs) in [(&[3, 4, 5, 6][..], &[0, 1, 2][..]), (&[3, 4], &[0, 1])] {
            let players = testing::column(Codec::Dictionary, &[0, 1], &[]);
            let result = testing::column(Codec::Dictionary, &[2], &[]);
            testing::round_trip(
                &table,
                vec![players, result, testing::column(Codec::Ratings, tags, refs)],
            );
        }
    }

    #[test]
    fn foreign_numbers_are_refused_without_overflow() {
        assert_eq!(surprise(i64::MAX, i64::MIN, 1), surprise(1600, 0, 1));
        let mut table = testing::table(&["WhiteElo"], &[]);
        let column = Column {
            codec: Codec::Ratings as u8,
            tags: vec![0; 4],
            refs: vec![0; 2],
            switches: 0,
            streams: vec![],
        };
        let streams = [b""[..].into(), b""[..].into()];
        let (_, mut lines) = super::super::codes_and_text(&streams).unwrap();
        for number in [i64::MIN, i64::MAX, 10_000, -10_000] {
            for tag in [0, 2] {
                assert!(spell(&mut table, &column, tag, Some(number), &mut lines).is_err());
            }
        }
    }
}
