//! Validates the directory of a block (spec §3.2): the conditions on its columns together, beyond
//! what the bytes of each entry show.
//!
//! A reader may not ignore anything in a block, so an unknown column, flag or reference is an
//! error.

use crate::block::Fixed;
use crate::{
    columns::{Codec, dictionary, openings, signatures},
    container::block_head::{Column, Head},
    error::{Error, Result},
    pgn::comments,
};

/// Checks that every column has a known codec and form, that no fixed column and no tag appears
/// twice, and that references point to earlier columns.
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
        let refs = column
            .refs
            .iter()
            .map(|&tag| column_of[usize::from(tag)])
            .collect::<Option<Vec<usize>>>()
            .ok_or_else(|| {
                Error::corrupt("a column refers to a column that does not precede it")
            })?;
        let is_dictionary = |&column: &usize| head.columns[column].codec == Codec::Dictionary as u8;
        let fits = match codec {
            Codec::Dictionary => {
                let paired = column.flags & dictionary::PAIRED != 0;
                refs.len() <= dictionary::MAX_KEYS
                    && refs.iter().all(is_dictionary)
                    && (column.flags & dictionary::FIRST_VALUES == 0 || !refs.is_empty())
                    && (!paired || column.tags.len() == 2 && refs.is_empty())
            }
            Codec::Dates => matches!((column.tags.len(), refs.len()), (1, 0 | 1) | (2, 0)),
            Codec::Ids | Codec::Numbers => column.tags.len() == 1 && refs.len() <= 1,
            Codec::Derived => {
                // Tags that determine start or result of a game cannot be derived from its moves.
                let needed_for_moves = |&tag: &u16| {
                    let name = &head.tag_names[usize::from(tag)][..];
                    matches!(name, b"FEN" | b"Variant" | b"Result")
                };
                column.tags.len() == 1
                    && refs.is_empty()
                    && !column.tags.iter().any(needed_for_moves)
            }
            Codec::Openings => {
                let before = &head.columns[..place];
                refs.is_empty()
                    && !before.iter().any(|other| other.codec == column.codec)
                    && openings::fields(column.flags, &column.tags, &head.tag_names).is_ok()
            }
            Codec::Templates => {
                column.tags.len() == 1
                    && matches!(refs.len(), 2 | 3)
                    && refs.iter().all(is_dictionary)
            }
            Codec::Ratings => {
                matches!((column.tags.len(), refs.len()), (2 | 4, 2..=4))
                    && refs[0] == refs[1]
                    && is_dictionary(&refs[0])
                    && refs.get(3).is_none_or(is_dictionary)
            }
        };
        if !fits {
            return Err(invalid(codec.name()));
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
    let place = Fixed::ALL
        .iter()
        .position(|f| *f as u8 == column.codec)
        .ok_or_else(|| Error::corrupt("a block has a column with an unknown codec"))?;
    let (refs, flags) = match Fixed::ALL[place] {
        // Comments may refer to the time control tag, and to the moves.
        Fixed::Comments => (1, comments::BY_MOVES | comments::FIRST_WITHOUT),
        Fixed::Signatures => (0, signatures::WIDE),
        _ => (0, 0),
    };
    let known = |&tag: &u16| column_of[usize::from(tag)].is_some();
    let refs_fit = column.refs.len() <= refs && column.refs.iter().all(known);
    if !refs_fit || column.flags & !flags != 0 || seen[place] {
        return Err(invalid(Fixed::ALL[place].name()));
    }
    seen[place] = true;
    Ok(())
}

fn invalid(name: &str) -> Error {
    Error::corrupt(format!("the {name} column has an invalid directory entry"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::NotUnderstoodCounts;

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
            not_understood: NotUnderstoodCounts::default(),
            tag_names: vec![b"A".to_vec(); 5],
            columns: columns.to_vec(),
        })
    }

    #[test]
    fn accepts_valid_directories() {
        checked(&[
            column(0, 0, &[], &[]),
            column(5, 0, &[], &[]),
            column(6, 1, &[], &[]),
            column(7, 0, &[], &[]),
            column(16, 7, &[0, 1], &[]),
            column(17, 0, &[2], &[]),
            column(19, 1, &[3, 4], &[0, 1, 2]),
            column(3, 0, &[], &[2]),
        ])
        .unwrap();
        checked(&[]).unwrap();
    }

    #[test]
    fn rejects_invalid_directories() {
        let names = column(16, 0, &[0, 1], &[]);
        for columns in [
            &[column(8, 0, &[], &[])][..],
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
