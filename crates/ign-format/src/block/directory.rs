//! Whether the directory of a block makes sense (spec §3.2): what must hold of
//! its columns together, beyond what each entry's own bytes show.
//!
//! Nothing in a block may be passed over, so a column, a switch or a reference
//! that this version does not know is an error and not a matter of taste.

use crate::block::Fixed;
use crate::{
    columns::{Codec, dictionary, openings, signatures},
    container::block_head::{Column, Head},
    error::{Error, Result},
    pgn::comments,
};

/// Checks that every column is of a known kind and form, that none of the fixed
/// ones and no tag stands twice, and that references go back to columns that
/// are decoded before.
///
/// # Errors
/// Corrupt.
pub fn check(head: &Head) -> Result<()> {
    let mut fixed = [false; Fixed::ALL.len()];
    let mut column_of = vec![None; head.tag_names.len()];
    for (place, column) in head.columns.iter().enumerate() {
        if column.tags.is_empty() {
            check_fixed(column, &column_of, &mut fixed)?;
            continue;
        }
        let codec = Codec::from_number(column.codec)?;
        let refs = column.refs.iter().map(|&tag| column_of[usize::from(tag)]);
        let refs = refs
            .collect::<Option<Vec<usize>>>()
            .ok_or_else(|| Error::corrupt("a column refers to one that is not before it"))?;
        let is_words = |&column: &usize| head.columns[column].codec == Codec::Dictionary as u8;
        let fits = match codec {
            Codec::Dictionary => {
                let paired = column.flags & dictionary::PAIRED != 0;
                refs.len() <= dictionary::MAX_KEYS
                    && refs.iter().all(is_words)
                    && (column.flags & dictionary::FIRST_VALUES == 0 || !refs.is_empty())
                    && (!paired || column.tags.len() == 2 && refs.is_empty())
            }
            Codec::Dates => matches!((column.tags.len(), refs.len()), (1, 0 | 1) | (2, 0)),
            Codec::Ids | Codec::Numbers => column.tags.len() == 1 && refs.len() <= 1,
            Codec::Derived => {
                // What tells where games start and how they end cannot follow from them.
                let before_moves = |&tag: &u16| {
                    let name = &head.tag_names[usize::from(tag)][..];
                    matches!(name, b"FEN" | b"Variant" | b"Result")
                };
                column.tags.len() == 1 && refs.is_empty() && !column.tags.iter().any(before_moves)
            }
            Codec::Openings => {
                let before = &head.columns[..place];
                refs.is_empty()
                    && !before.iter().any(|other| other.codec == column.codec)
                    && openings::fields(column.flags, &column.tags, &head.tag_names).is_ok()
            }
            Codec::Templates => {
                column.tags.len() == 1 && matches!(refs.len(), 2 | 3) && refs.iter().all(is_words)
            }
            Codec::Ratings => {
                matches!((column.tags.len(), refs.len()), (2 | 4, 2..=4))
                    && refs[0] == refs[1]
                    && is_words(&refs[0])
                    && refs.get(3).is_none_or(is_words)
            }
        };
        if !fits {
            return Err(wrong(codec.name()));
        }
        if column.flags & !codec.flags() != 0 {
            return Err(Error::corrupt("a column has unknown flags"));
        }
        for &tag in &column.tags {
            if column_of[usize::from(tag)].replace(place).is_some() {
                return Err(Error::corrupt("a tag is in two columns"));
            }
        }
    }
    Ok(())
}

fn check_fixed(column: &Column, column_of: &[Option<usize>], seen: &mut [bool]) -> Result<()> {
    let place = Fixed::ALL.iter().position(|f| *f as u8 == column.codec);
    let place = place.ok_or_else(|| Error::corrupt("a block has a column of an unknown kind"))?;
    let (refs, flags) = match Fixed::ALL[place] {
        // They may refer to the tag that tells how clocks run, and to the moves.
        Fixed::Comments => (1, comments::BY_MOVES | comments::FIRST_WITHOUT),
        Fixed::Signatures => (0, signatures::WIDE),
        _ => (0, 0),
    };
    let known = |&tag: &u16| column_of[usize::from(tag)].is_some();
    let refs_fit = column.refs.len() <= refs && column.refs.iter().all(known);
    if !refs_fit || column.flags & !flags != 0 || seen[place] {
        return Err(wrong(Fixed::ALL[place].name()));
    }
    seen[place] = true;
    Ok(())
}

fn wrong(name: &str) -> Error {
    Error::corrupt(format!("a {name} column is not as it should be"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(codec: u8, flags: u8, tags: &[u16], refs: &[u16]) -> Column {
        Column {
            codec,
            tags: tags.to_vec(),
            refs: refs.to_vec(),
            flags,
            streams: vec![],
        }
    }

    fn checked(columns: &[Column]) -> Result<()> {
        check(&Head {
            game: 0,
            coding: 1,
            text_len: 0,
            text_checksum: 0,
            records: 0,
            games: 0,
            plies: 0,
            tag_names: vec![b"A".to_vec(); 5],
            columns: columns.to_vec(),
        })
    }

    #[test]
    fn what_the_spec_allows_passes() {
        checked(&[
            column(0, 0, &[], &[]),
            column(5, 0, &[], &[]),
            column(6, 1, &[], &[]),
            column(16, 7, &[0, 1], &[]),
            column(17, 0, &[2], &[]),
            column(19, 1, &[3, 4], &[0, 1, 2]),
            column(3, 0, &[], &[2]),
        ])
        .unwrap();
        checked(&[]).unwrap();
    }

    #[test]
    fn anything_else_is_refused() {
        let names = column(16, 0, &[0, 1], &[]);
        for columns in [
            &[column(7, 0, &[], &[])][..],
            &[column(6, 2, &[], &[])],
            &[column(0, 1, &[], &[])],
            &[column(16, 4, &[0], &[])],
            &[column(0, 0, &[0], &[])],
            &[column(0, 0, &[], &[0])],
            &[column(3, 0, &[], &[]), column(3, 0, &[], &[])],
            &[column(3, 0, &[], &[0])],
            &[names.clone(), column(3, 0, &[], &[0, 1])],
            &[names.clone(), column(4, 0, &[], &[0])],
            &[column(23, 0, &[0], &[])],
            &[column(20, 2, &[0], &[])],
            &[column(22, 2, &[0], &[])],
            &[column(21, 0, &[0], &[])],
            &[column(16, 4, &[0], &[])],
            &[column(17, 1, &[0], &[])],
            &[names.clone(), column(16, 0, &[1], &[])],
            &[column(16, 0, &[0, 0], &[])],
            &[column(16, 0, &[0], &[0])],
            &[column(16, 0, &[1], &[0]), column(16, 0, &[0], &[])],
            &[column(17, 0, &[0], &[]), column(16, 0, &[1], &[0])],
            &[names.clone(), column(17, 0, &[2, 3], &[0])],
            &[names.clone(), column(18, 0, &[2, 3], &[])],
            &[names, column(19, 0, &[2, 3], &[0])],
            &[
                column(16, 0, &[0], &[]),
                column(16, 0, &[1], &[]),
                column(19, 0, &[2, 3], &[0, 1]),
            ],
        ] {
            assert!(checked(columns).is_err(), "{columns:?}");
        }
    }
}
