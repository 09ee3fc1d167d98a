//! Identifier columns: eight base-62 characters after a common prefix, as in the Site of a Lichess
//! game (spec §4.3.3).
//!
//! The characters are random, so they are coded uniformly, with 47.6 bits. If the column has a
//! reference, a bit first signals whether the reference ends with the same characters (GameId and
//! Site). The prefix is the first line of the text. A value in any other form is a line of its own.

use std::borrow::Cow;

use ign_entropy::adaptive::{Bit, Coder};

use super::{
    parts::Packer,
    rows,
    streams::{Streams, codes_and_text},
    table::Table,
};
use crate::{container::block_head::Column, error::Result};

/// Number of characters of an identifier (spec §4.3.3).
const ID_LEN: usize = 8;
/// The characters in order of their value (spec §4.3.3).
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Number of pairs of characters.
const PAIRS: u32 = 62 * 62;

/// An identifier as two-digit numbers in base 62.
type Id = [u32; ID_LEN / 2];

/// The identifier of eight characters.
fn id(characters: &[u8]) -> Option<Id> {
    let mut id = Id::default();
    for (pair, characters) in id.iter_mut().zip(characters.chunks(2)) {
        for &c in characters {
            let digit = match c {
                b'0'..=b'9' => c - b'0',
                b'A'..=b'Z' => c - b'A' + 10,
                b'a'..=b'z' => c - b'a' + 36,
                _ => return None,
            };
            *pair = *pair * 62 + u32::from(digit);
        }
    }
    Some(id)
}

/// The characters of an identifier.
fn characters(id: Id) -> [u8; ID_LEN] {
    let digit = |i: usize| id[i / 2] / [62, 1][i % 2] % 62;
    std::array::from_fn(|i| DIGITS[digit(i) as usize])
}

/// Splits a value into prefix and identifier.
fn split(value: &[u8]) -> Option<(&[u8], Id)> {
    let (prefix, characters) = value.split_at_checked(value.len().checked_sub(ID_LEN)?)?;
    Some((prefix, id(characters)?))
}

/// Whether a value is an identifier with this prefix, or, without one given, after a prefix that is
/// empty or ends with a slash.
pub fn fits(value: &[u8], prefix: Option<&[u8]>) -> bool {
    let plausible = |prefix: &[u8]| prefix.is_empty() || prefix.ends_with(b"/");
    split(value).is_some_and(|(p, _)| prefix.map_or_else(|| plausible(p), |prefix| p == prefix))
}

/// The statistics of a part.
#[derive(Default)]
struct Model {
    is_text: Bit,
    equals_reference: Bit,
}

impl Model {
    /// Codes an identifier, or `None` for a line of text.
    fn code(
        &mut self,
        coder: &mut impl Coder,
        reference: Option<Id>,
        id: Option<Id>,
    ) -> Option<Id> {
        if coder.bit(&mut self.is_text, id.is_none()) {
            return None;
        }
        match reference {
            Some(reference) if coder.bit(&mut self.equals_reference, id == Some(reference)) => {
                Some(reference)
            }
            _ => Some(id.unwrap_or_default().map(|pair| coder.one_of(pair, PAIRS))),
        }
    }
}

/// The identifier of the reference in a row.
fn reference(table: &Table, column: &Column, row: usize) -> Option<Id> {
    let value = table.value(*column.refs.first()?, row)?;
    split(value).map(|(_, id)| id)
}

/// Encodes the column.
pub fn encode(table: &mut Table, column: &mut Column) -> Streams {
    let tag = column.tags[0];
    let first = (0..table.rows).find_map(|row| table.value(tag, row).and_then(split));
    let prefix = first.map_or(&b""[..], |(prefix, _)| prefix);
    let out = Packer::with_prefix(prefix);
    rows::encode::<Model>(table, column, out, |model, coder, row| {
        let value = table.value(tag, row).and_then(split);
        let id = value.filter(|(p, _)| *p == prefix).map(|(_, id)| id);
        let coded = model.code(coder, reference(table, column, row), id);
        Ok(coded.is_some())
    })
}

/// Decodes the column in the parts that the table needs.
///
/// # Errors
/// Corrupt, if a stream ends early.
pub fn decode(table: &mut Table, column: &Column, streams: &[Cow<[u8]>]) -> Result<()> {
    let (codes, mut lines) = codes_and_text(streams)?;
    let prefix = lines.next_line()?;
    let streams = (codes, lines);
    rows::decode::<Model>(table, column, streams, |model, coder, table, row| {
        let Some(id) = model.code(coder, reference(table, column, row), None) else {
            return Ok(false);
        };
        let span = table.add(&[prefix, &characters(id)].concat());
        table.set(column.tags[0], row, span);
        Ok(true)
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Codec, testing};
    use super::*;

    #[test]
    fn ids_map_to_pairs_of_digits() {
        assert_eq!(id(b"00000000"), Some([0; 4]));
        assert_eq!(id(b"0z100Aaz"), Some([61, 62, 10, 36 * 62 + 61]));
        assert_eq!(id(b"zzzzzzzz"), Some([PAIRS - 1; 4]));
        assert_eq!(&characters([61, 62, 10, PAIRS - 1]), b"0z100Azz");
        assert_eq!(id(b"abc-efgh"), None);
    }

    #[test]
    fn ids_links_and_exceptions_round_trip() {
        let column = |tag, refs: &[u16]| testing::column(Codec::Ids, &[tag], refs);
        let table = testing::table(
            &["Site", "GameId"],
            &[
                &[Some("https://lichess.org/j1dkb5dw"), Some("j1dkb5dw")],
                &[Some("https://lichess.org/a9tcp02g"), Some("different")],
                &[Some("Reykjavik"), Some("j1dkb5dx")],
                &[None, None],
                &[Some(""), Some("")],
                &[Some("http://other/a9tcp02g"), None],
            ],
        );
        testing::round_trip(&table, vec![column(0, &[]), column(1, &[0])]);
    }
}
