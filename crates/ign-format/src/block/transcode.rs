//! A block in another coding of its moves.
//!
//! Three things depend on the coding: the moves of the games (spec §4.2), those of variations
//! (§4.6.2) and the column of unmoved pawns (§4.1.3). They are decoded and encoded again. All other
//! columns are copied, compressed as they are, so no text is parsed or written.
//!
//! The result is the block that packing the text in the other coding makes.

use std::borrow::Cow;

use shakmaty::Bitboard;

use crate::{
    block::{
        Coding, Encoded, Fixed, Kind, Options,
        decode::{Block, Records},
        directory,
        encode::{encode_texts, fault, framing, moves::MovesEncoder},
        moves::GameMoves,
        starts::Starts,
    },
    columns::{pawns, storage},
    container::block_head::Column,
    error::{Error, Kind as ErrorKind, Result},
    known_answers,
    model::Parameters,
    models::Architecture as _,
    pgn::{
        movetext::{Movetext, NO_CHOICE},
        variations::{self, choices::Choices},
    },
};
use ign_notation::chess::Move;

/// The block in the coding of the options, verified as they say. Its text streams keep the level at
/// which they were compressed.
///
/// `ends` are the ends of the texts of which the block was packed.
///
/// A block of Go, and a block that gets [end moves](Coding::IgnEnd), which depend on the result in
/// the movetext, are packed from their text.
///
/// # Errors
/// Corrupt or unsupported, if the block cannot be decoded. A block that would have other moves
/// keeps its coding ([`Encoded::is_fallback`]).
pub fn transcode(bytes: &[u8], ends: &[usize], options: &Options) -> Result<Encoded> {
    let block = Block::open_with(bytes, &options.models)?;
    if block.coding() == options.coding || directory::is_model(block.head()) {
        return copy(&block, bytes);
    }
    if block.kind() != Kind::Chess || options.coding == Coding::IgnEnd {
        let mut text = block.text()?;
        if let Some(encoded) = encode_texts(block.kind(), &mut text, ends, options)? {
            return Ok(encoded);
        }
        return Ok(Encoded {
            is_fallback: true,
            ..copy(&block, bytes)?
        });
    }
    known_answers::check(options.coding)?;
    let records = block.records()?;
    let played = Played::of(&block, &records)?;
    let Columns { mut moves, unmoved } = played.encode(&block, &records, options)?;
    fault::inject("moves", &[], &mut moves);

    let is_weighted = options.coding == Coding::Weighted;
    let mut head = block.head().clone();
    head.coding = options.coding as u8;
    head.columns.clear();
    let mut body = Vec::new();
    for (place, column) in block.head().columns.iter().enumerate() {
        let is = |fixed: Fixed| column.codec == fixed as u8;
        if is(Fixed::Pawns) {
            continue;
        }
        let mut copied = column.clone();
        block.copy_frames(place, &mut body)?;
        // The moves are the last stream of their column.
        let recoded = match () {
            () if is(Fixed::Moves) => Some(Cow::Borrowed(&moves)),
            () if is(Fixed::Variations) => {
                let model = is_weighted.then(|| options.models.preferred());
                Some(Cow::Owned(played.lines.clone().write(model.as_ref(), None)))
            }
            () => None,
        };
        if let Some(moves) = recoded {
            let old = copied.streams.pop();
            body.truncate(body.len() - old.map_or(0, |stream| stream.frame_len()));
            copied.streams.push(storage::store(&mut body, &moves));
        }
        head.columns.push(copied);
        if is(Fixed::Signatures) && !unmoved.is_empty() {
            let codes = pawns::encode(&unmoved);
            let mut column = Column::new(Fixed::Pawns as u8, Vec::new(), Vec::new());
            column.streams.push(storage::store(&mut body, &codes));
            head.columns.push(column);
        }
    }
    // Copied columns keep their models.
    let moves_model = options.models.preferred_id(Parameters::NUMBER);
    head.models
        .retain(|id| id.architecture != Parameters::NUMBER);
    head.models.extend(moves_model);
    head.models.sort_by_key(|id| id.architecture);
    let needed = directory::needed_models(&head);
    head.models.retain(|id| needed.contains(&id.architecture));
    let check = |new: &Block| {
        let decoded = new.unmoved_pawns(&records)?.into_iter().flatten();
        let has_pawns = decoded.eq(unmoved.iter().map(|&(_, pawns)| pawns));
        if has_pawns && Played::of(new, &records)? == played {
            Ok(())
        } else {
            Err(Error::corrupt("the moves differ"))
        }
    };
    match framing::complete(
        &head,
        &body,
        &options.models,
        options.verify.then_some(check),
    ) {
        Err(error) if error.kind() == ErrorKind::Internal => Ok(Encoded {
            is_fallback: true,
            ..copy(&block, bytes)?
        }),
        encoded => encoded,
    }
}

/// The block as it is, after its checksums have been verified.
fn copy(block: &Block, bytes: &[u8]) -> Result<Encoded> {
    let mut body = Vec::new();
    for column in 0..block.head().columns.len() {
        block.copy_frames(column, &mut body)?;
    }
    Ok(Encoded {
        head_len: bytes.len() - body.len(),
        text_len: block.head().text_len,
        models: block.head().models.clone(),
        games: block.head().games,
        games_of_texts: vec![block.head().games as u64],
        plies: block.head().plies,
        not_understood: block.head().not_understood,
        unread: 0,
        is_fallback: false,
        moves_sample: None,
        bytes: bytes.to_vec(),
    })
}

/// The columns that depend on the coding, but for the moves of variations.
struct Columns {
    /// The moves column.
    moves: Vec<u8>,
    /// The unmoved pawns of the games of chess, each with the number of elements of its signature;
    /// none if the coding [does not store](Coding::stores_unmoved_pawns) them.
    unmoved: Vec<(u8, Bitboard)>,
}

/// The moves of a block of chess.
#[derive(PartialEq)]
struct Played {
    /// For each record its moves; none if it cannot be played.
    games: Vec<Vec<Move>>,
    /// The moves of variations.
    lines: Choices,
}

impl Played {
    fn of(block: &Block, records: &Records) -> Result<Self> {
        let starts = block.starts(records)?;
        let mut games = vec![Vec::new(); records.len()];
        block.walk_moves(
            records,
            |_| true,
            |record, _, moves| {
                games[record].extend_from_slice(moves);
                Ok(())
            },
        )?;
        let lines = block.lines(records, |record| {
            let game = starts.number(record).zip(starts.of(record));
            game.map(|(number, start)| variations::Game {
                number,
                start,
                moves: &games[record],
            })
        })?;
        Ok(Self { games, lines })
    }

    /// The columns of the moves of games in the coding of the options.
    fn encode(&self, block: &Block, records: &Records, options: &Options) -> Result<Columns> {
        let coding = options.coding;
        let options = Options {
            verify: false,
            ..options.clone()
        };
        let (mut moves_column, mut unmoved) = (Vec::new(), Vec::new());
        let starts: Starts = block.starts(records)?;
        let mut signatures = block.signatures()?.into_iter();
        let mut encoder = MovesEncoder::new(&options, &mut moves_column);
        let mut game = Movetext::default();
        for (record, moves) in self.games.iter().enumerate() {
            let signature = records.is_game(record).then(|| signatures.next()).flatten();
            let Some(start) = starts.of(record).filter(|_| !moves.is_empty()) else {
                continue;
            };
            game.digits.clear();
            game.set_nulls(moves);
            game.signature = signature.unwrap_or_default();
            let mut last = None;
            GameMoves::of_list(moves).play_through(start, |legal, played| match played {
                Some(played) => game.digits.push(legal.digit(played).unwrap_or(NO_CHOICE)),
                None => last = Some(pawns::unmoved(&legal.board())),
            })?;
            encoder.push(Some(start), &game);
            if coding.stores_unmoved_pawns() && start.as_chess().is_some() {
                let elements = game.signature.iter().flatten().count() as u8;
                unmoved.extend(last.map(|last| (elements, last)));
            }
        }
        encoder.finish();
        Ok(Columns {
            moves: moves_column,
            unmoved,
        })
    }
}
