//! Ids: eight characters of base 62 behind a common prefix, as in the Site of
//! a Lichess game. The eight are as good as random: 47.6 bits, no less.
//!
//! The prefix is the first line of the text stream; a value of any other form
//! is a line of its own. A column with a reference first asks whether the eight
//! characters are those at the end of the reference's value (GameId and Site).

use std::borrow::Cow;

use super::{Streams, Table, codes_and_text, parts};
use crate::{container::block::Column, error::Result};
use ign_entropy::adaptive::{Bit, Coder, Encoder};

/// Characters of an id (spec §4.3.3).
const ID_LEN: usize = 8;
/// Digits of base 62 in order of value.
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// How many pairs of digits there are.
const PAIRS: u32 = 62 * 62;

/// An id: pairs of characters as numbers of two digits.
type Id = [u32; ID_LEN / 2];

/// The id of eight characters.
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

/// The characters of an id.
fn characters(id: Id) -> [u8; ID_LEN] {
    let digit = |i: usize| id[i / 2] / [62, 1][i % 2] % 62;
    std::array::from_fn(|i| DIGITS[digit(i) as usize])
}

/// Splits a value into prefix and id.
fn split(value: &[u8]) -> Option<(&[u8], Id)> {
    let (prefix, characters) = value.split_at_checked(value.len().checked_sub(ID_LEN)?)?;
    Some((prefix, id(characters)?))
}

/// Whether a value looks like an id behind a prefix, so that a column of such
/// values gains by this codec.
pub fn fits(value: &[u8], prefix: Option<&[u8]>) -> bool {
    let looks = |prefix: &[u8]| prefix.is_empty() || prefix.ends_with(b"/");
    split(value).is_some_and(|(p, _)| prefix.map_or_else(|| looks(p), |prefix| p == prefix))
}

#[derive(Default)]
struct Model {
    irregular: Bit,
    same: Bit,
}

impl Model {
    /// Codes an id; `None` when the value is told in text.
    fn code(
        &mut self,
        coder: &mut impl Coder,
        reference: Option<Id>,
        given: Option<Id>,
    ) -> Option<Id> {
        if coder.bit(&mut self.irregular, given.is_none()) {
            return None;
        }
        match reference {
            Some(reference) if coder.bit(&mut self.same, given == Some(reference)) => {
                Some(reference)
            }
            _ => Some(
                given
                    .unwrap_or_default()
                    .map(|pair| coder.one_of(pair, PAIRS)),
            ),
        }
    }
}

/// Codes the column.
pub fn encode(table: &mut Table, column: &mut Column) -> Streams {
    let tag = column.tags[0];
    let first = (0..table.rows).find_map(|row| table.value(tag, row).and_then(split));
    let prefix = first.map_or(&b""[..], |(prefix, _)| prefix);
    let mut out = parts::Packer::with_prefix(prefix);
    for rows in parts::of(table.rows) {
        let mut coder = Encoder::new();
        let mut model = Model::default();
        for row in rows {
            let Some(value) = table.value(tag, row) else {
                continue;
            };
            let id = split(value).filter(|(p, _)| *p == prefix).map(|(_, id)| id);
            model.code(&mut coder, reference(table, column, row), id);
            if id.is_none() {
                out.line(value);
            }
        }
        out.end(coder);
    }
    out.finish()
}

fn reference(table: &Table, column: &Column, row: usize) -> Option<Id> {
    let value = table.value(*column.refs.first()?, row)?;
    split(value).map(|(_, id)| id)
}

/// Fills in the values of the records that the table asks for.
///
/// # Errors
/// Corrupt when the streams end early.
pub fn decode(table: &mut Table, column: &Column, streams: &[Cow<[u8]>]) -> Result<()> {
    let (codes, mut lines) = codes_and_text(streams)?;
    let prefix = lines.next_line()?;
    let tag = column.tags[0];
    for (mut part, mut lines) in parts::open(table, codes, lines)? {
        let mut model = Model::default();
        for row in part.rows.clone() {
            if !table.span(tag, row).is_present() {
                continue;
            }
            let span = match model.code(&mut part.coder, reference(table, column, row), None) {
                Some(id) => table.add(&[prefix, &characters(id)].concat()),
                None => table.add(lines.next_line()?),
            };
            table.set(tag, row, span);
            part.check()?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{Codec, testing};
    use super::*;

    #[test]
    fn the_first_and_the_last_id_have_their_numbers() {
        assert_eq!(id(b"00000000"), Some([0; 4]));
        assert_eq!(id(b"0z100Aaz"), Some([61, 62, 10, 36 * 62 + 61]));
        assert_eq!(id(b"zzzzzzzz"), Some([PAIRS - 1; 4]));
        assert_eq!(&characters([61, 62, 10, PAIRS - 1]), b"0z100Azz");
        assert_eq!(id(b"abc-efgh"), None);
    }

    #[test]
    fn ids_links_and_strangers_come_back() {
        let column = |tag, refs: &[u16]| Column {
            codec: Codec::Ids as u8,
            tags: vec![tag],
            refs: refs.to_vec(),
            switches: 0,
            streams: vec![],
        };
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
