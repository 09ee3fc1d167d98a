//! Ids: eight characters of base 62 behind a common prefix, as in the Site of
//! a Lichess game. The eight are as good as random: 48 bits, no less.
//!
//! The prefix is the first line of the text stream; a value of any other form
//! is a line of its own. A column with a reference first asks whether the eight
//! characters are those at the end of the reference's value (GameId and Site).

use std::borrow::Cow;

use super::{Streams, Table, codes_and_text, parts};
use crate::{
    bits::range::{Bit, Coder, Encoder},
    error::{Error, Result},
    format::block::Column,
};

/// Characters of an id (spec §4.3.3).
const ID_LEN: usize = 8;
/// Bits that 62^8 needs.
const ID_BITS: u32 = 48;
/// Digits of base 62 in order of value.
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The number that eight base 62 characters stand for, the first the highest.
fn number(id: &[u8]) -> Option<u64> {
    id.iter().try_fold(0u64, |n, &c| {
        let digit = match c {
            b'0'..=b'9' => c - b'0',
            b'A'..=b'Z' => c - b'A' + 10,
            b'a'..=b'z' => c - b'a' + 36,
            _ => return None,
        };
        Some(n * 62 + u64::from(digit))
    })
}

/// How many ids there are: from here on numbers stand for none.
const IDS: u64 = 62u64.pow(ID_LEN as u32);

/// The characters of a number below [`IDS`].
fn characters(mut number: u64) -> [u8; ID_LEN] {
    let mut id = [b'0'; ID_LEN];
    for c in id.iter_mut().rev() {
        *c = DIGITS[(number % 62) as usize];
        number /= 62;
    }
    id
}

/// Splits a value into prefix and id.
fn split(value: &[u8]) -> Option<(&[u8], u64)> {
    let (prefix, id) = value.split_at_checked(value.len().checked_sub(ID_LEN)?)?;
    Some((prefix, number(id)?))
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
    /// Codes the number of an id; `None` when the value is told in text.
    fn code(
        &mut self,
        coder: &mut impl Coder,
        reference: Option<u64>,
        given: Option<u64>,
    ) -> Option<u64> {
        if coder.bit(&mut self.irregular, given.is_none()) {
            return None;
        }
        match reference {
            Some(reference) if coder.bit(&mut self.same, given == Some(reference)) => {
                Some(reference)
            }
            _ => Some(coder.uniform(given.unwrap_or(0), ID_BITS)),
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

fn reference(table: &Table, column: &Column, row: usize) -> Option<u64> {
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
    for mut part in parts::open(table, codes, lines)? {
        let mut model = Model::default();
        for row in part.rows.clone() {
            if !table.span(tag, row).is_present() {
                continue;
            }
            let span = match model.code(&mut part.coder, reference(table, column, row), None) {
                Some(id) if id >= IDS => return Err(Error::corrupt("an id is out of range")),
                Some(id) => table.add(&[prefix, &characters(id)].concat()),
                None => table.add(part.lines.next_line()?),
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
        assert_eq!(number(b"00000000"), Some(0));
        assert_eq!(number(b"zzzzzzzz"), Some(62u64.pow(8) - 1));
        assert!(62u64.pow(8) < 1 << ID_BITS);
        assert_eq!(&characters(62u64.pow(8) - 1), b"zzzzzzzz");
        assert_eq!(number(b"abc-efgh"), None);
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
