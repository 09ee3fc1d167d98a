//! Rating columns: the ratings of both players, and their changes (spec §4.3.4).
//!
//! A player's rating is predicted from that player's last game in the same event, as rating plus
//! change: servers keep a rating for each kind of event. The change is predicted by Elo's formula
//! from both ratings and the result, times a factor (Elo's K) that the player's last change
//! determines; newcomers have large ones. The codes hold the difference from the forecast. Its
//! contexts are the results of this game and the last, because some servers write the rating after
//! the game, and the difference of the ratings.
//!
//! Tags: WhiteElo, BlackElo, and perhaps WhiteRatingDiff, BlackRatingDiff. References: White,
//! Black, and perhaps Result and Event. A rating that is not an integer from 0 to 9999, and a
//! change that is not one with a sign, is a line of the text.

mod elo;
mod model;
mod notation;

use std::{borrow::Cow, ops::Range};

use ign_entropy::adaptive::Encoder;

pub use self::notation::PLUS_ZERO;
use self::{
    model::{Game, Model, Numbers},
    notation::{Digits, parse_change, parse_rating},
};
use super::{
    parts::{self, Packer},
    streams::{Lines, Streams, codes_and_text},
    table::{Span, Table},
};
use crate::{
    container::block_head::Column,
    error::{Error, Result},
};

/// Number of rating tags; those of changes follow.
const RATINGS: usize = 2;

/// Encodes the column, sets its flags, and removes the reference to the event if ratings carry over
/// from one event to another.
pub fn encode(table: &mut Table, column: &mut Column) -> Streams {
    let plus_zero = |tag: &u16| (0..table.rows).any(|row| table.value(*tag, row) == Some(b"+0"));
    column.flags = if column.tags.iter().skip(RATINGS).any(plus_zero) {
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

/// Encodes the values of these parts.
fn pack(table: &Table, column: &Column, parts: impl Iterator<Item = Range<usize>>) -> Streams {
    let mut out = Packer::default();
    for rows in parts {
        let mut model = Model::new();
        let mut coder = Encoder::new();
        for row in rows {
            let value = |i: usize| column.tags.get(i).and_then(|&t| table.value(t, row));
            let given = Numbers {
                ratings: [0, 1].map(|i| value(i).and_then(parse_rating)),
                changes: [2, 3].map(|i| value(i).and_then(|v| parse_change(v, column.flags))),
            };
            let game = Game::of(table, column, row);
            let numbers = model.code(&mut coder, game, given).in_order();
            for (i, _) in numbers.iter().enumerate().filter(|(_, n)| n.is_none()) {
                if let Some(value) = value(i) {
                    out.line(value);
                }
            }
        }
        out.end(coder);
    }
    out.finish()
}

/// Decodes the column in the parts that the table needs. Values of tags that are not needed are
/// omitted: they predict the others, but only as numbers.
///
/// # Errors
/// Corrupt, if the column does not have two or four tags and two to four references, if a number is
/// out of range, or if a stream ends early.
pub fn decode(table: &mut Table, column: &Column, streams: &[Cow<[u8]>]) -> Result<()> {
    if !matches!(column.tags.len(), 2 | 4) || !matches!(column.refs.len(), 2..=4) {
        return Err(Error::corrupt(
            "a ratings column has a wrong number of tags or references",
        ));
    }
    let (codes, lines) = codes_and_text(streams)?;
    let is_needed: Vec<bool> = column
        .tags
        .iter()
        .map(|&tag| table.needs_tag(tag))
        .collect();
    for (mut part, mut lines) in parts::open(table, codes, lines)? {
        let mut model = Model::new();
        for row in part.rows.clone() {
            let game = Game::of(table, column, row);
            let numbers = model.code(&mut part.coder, game, Numbers::default());
            let all = numbers.in_order().into_iter().zip(game.has_tags());
            for (i, (number, present)) in all.enumerate() {
                if present && is_needed[i] {
                    let span = add(table, column, i, number, &mut lines)?;
                    table.set(column.tags[i], row, span);
                } else if present && number.is_none() {
                    lines.next_line()?;
                }
            }
            part.check()?;
        }
    }
    Ok(())
}

/// Adds the value of the `i`-th tag: a number, or a line of text.
fn add(
    table: &mut Table,
    column: &Column,
    i: usize,
    number: Option<i64>,
    lines: &mut Lines,
) -> Result<Span> {
    let Some(number) = number else {
        return Ok(table.add(lines.next_line()?));
    };
    let digits = if i < RATINGS {
        Digits::of_rating(number)?
    } else {
        Digits::of_change(number, column.flags)?
    };
    Ok(table.add(digits.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::super::{Codec, testing};
    use super::*;

    #[test]
    fn ratings_changes_and_exceptions_round_trip() {
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
    fn rejects_numbers_out_of_range() {
        let mut table = testing::table(&["WhiteElo"], &[]);
        let column = testing::column(Codec::Ratings, &[0; 4], &[0; 2]);
        let streams = [b""[..].into(), b""[..].into()];
        let (_, mut lines) = codes_and_text(&streams).unwrap();
        for number in [i64::MIN, i64::MAX, 10_000, -10_000] {
            for tag in [0, 2] {
                assert!(add(&mut table, &column, tag, Some(number), &mut lines).is_err());
            }
        }
    }
}
