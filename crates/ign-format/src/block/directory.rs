//! Validates the directory of a block (spec §3.2): the conditions on its columns together, beyond
//! what the bytes of each entry show.
//!
//! A reader may not ignore anything in a block, so an unknown column, flag or reference is an
//! error.

use crate::{
    block::{Coding, Fixed, Kind},
    columns::{Codec, dictionary, name_model::NameNetwork, openings, signatures},
    container::block_head::{Column, Head},
    error::{Error, Result},
    model::Parameters,
    models::Architecture as _,
    pgn::comments::{self, clock_model::ClockNetwork, evals::EvalNetwork},
};

/// The architecture of the move models of chess.
const MOVES: u8 = Parameters::NUMBER;
/// The architecture of the move models of Go, which the feature `go` has.
const MOVES_OF_GO: u8 = 2;

/// Whether the name model encodes strings of a column.
pub fn uses_name_model(column: &Column) -> bool {
    let codec = Codec::from_number(column.codec);
    codec.is_ok_and(Codec::may_use_name_model) && column.flags & dictionary::NAME_MODEL != 0
}

/// Whether models of this architecture code moves, which only the weighted coding needs.
pub fn codes_moves(architecture: u8) -> bool {
    [MOVES, MOVES_OF_GO].contains(&architecture)
}

/// Whether models of this architecture code the values of a column; of an unknown architecture all
/// columns.
pub fn is_coded_with(column: &Column, architecture: u8) -> bool {
    let is = |fixed: Fixed| column.tags.is_empty() && column.codec == fixed as u8;
    match architecture {
        _ if codes_moves(architecture) => is(Fixed::Moves) || is(Fixed::Variations),
        ClockNetwork::NUMBER | EvalNetwork::NUMBER => is(Fixed::Comments),
        NameNetwork::NUMBER => uses_name_model(column),
        _ => true,
    }
}

/// Whether a block is the data of a model (spec §3.4).
pub fn is_model(head: &Head) -> bool {
    head.column_index(Fixed::Model as u8).is_some()
}

/// The numbers of the architectures of which a block needs a model, ascending (spec §3.1).
pub fn needed_models(head: &Head) -> Vec<u8> {
    let has = |fixed: Fixed| {
        let column = head
            .columns
            .iter()
            .find(|c| c.tags.is_empty() && c.codec == fixed as u8);
        let last = column.and_then(|column| column.streams.last());
        last.is_some_and(|stream| stream.stream_len() > 0)
    };
    let is_weighted = head.coding == Coding::Weighted as u8;
    // The moves are the last stream of their columns.
    let is_go = head.game == Kind::Go as u8;
    let has_moves = is_weighted && (has(Fixed::Moves) || !is_go && has(Fixed::Variations));
    let has_comments = !is_go && head.column_index(Fixed::Comments as u8).is_some();
    let has_names = head.columns.iter().any(uses_name_model);
    [
        (MOVES, has_moves && !is_go),
        (MOVES_OF_GO, has_moves && is_go),
        (ClockNetwork::NUMBER, has_comments),
        (EvalNetwork::NUMBER, has_comments),
        (NameNetwork::NUMBER, has_names),
    ]
    .into_iter()
    .filter_map(|(number, is_needed)| is_needed.then_some(number))
    .collect()
}

/// Checks that every column has a known codec and form, that no fixed column and no tag appears
/// twice, and that references point to earlier columns.
///
/// # Errors
/// Corrupt.
pub fn check(head: &Head) -> Result<()> {
    if is_model(head) {
        return check_model(head);
    }
    let named = head.models.iter().map(|model| model.architecture);
    if !named.eq(needed_models(head)) {
        return Err(Error::corrupt(
            "the models that a block names are not those that its columns need",
        ));
    }
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

/// Checks the head of the block of a model (spec §3.4).
fn check_model(head: &Head) -> Result<()> {
    const MODEL: u8 = Fixed::Model as u8;
    if let [
        Column {
            codec: MODEL,
            flags: 0,
            tags,
            refs,
            streams,
        },
    ] = &head.columns[..]
        && (head.game, head.coding) == (Kind::Chess as u8, Coding::Ign as u8)
        && (head.models.len(), streams.len()) == (1, 1)
        && (head.text_len, head.tag_names.len()) == (0, 0)
        && (tags.len(), refs.len()) == (0, 0)
    {
        return Ok(());
    }
    Err(invalid(Fixed::Model.name()))
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
    use crate::{container::NotUnderstoodCounts, models::PUBLISHED};

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
        let mut head = Head {
            game: 0,
            coding: 1,
            text_len: 1000,
            text_checksum: 0,
            records: 0,
            games: 0,
            plies: 0,
            not_understood: NotUnderstoodCounts::default(),
            models: Vec::new(),
            tag_names: vec![b"A".to_vec(); 5],
            columns: columns.to_vec(),
        };
        let needed = needed_models(&head).into_iter();
        head.models = needed
            .map(|number| PUBLISHED[usize::from(number) - 1])
            .collect();
        check(&head)?;
        // Every other list of models is rejected.
        let models = head.models.clone();
        head.models.push(PUBLISHED[0]);
        assert!(check(&head).is_err());
        for left_out in 0..models.len() {
            head.models = models.clone();
            head.models.remove(left_out);
            assert!(check(&head).is_err());
        }
        Ok(())
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
