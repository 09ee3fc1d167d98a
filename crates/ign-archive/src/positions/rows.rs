//! The positions of a unit, by replay of its games.

use ign_format::{
    error::{Error, Result},
    pgn::start::Start,
};
use ign_notation::chess::{Move, Position, rules::Board as _};
use shakmaty::Role;

use super::{
    NO_CLOCK, NO_MOVE, PositionColumn,
    decode::Decoded,
    options::Selection,
    row::{Castling, Row},
    skipped::SkippedGames,
    source::{GameFacts, Source},
};
use crate::uci::push_codes;

/// The positions of a unit.
pub(super) struct UnitRows {
    /// By game and ply.
    pub rows: Vec<Row>,
    /// The games of the unit that have no positions.
    pub skipped: SkippedGames,
}

/// Replays the games of a unit.
///
/// # Errors
/// Corrupt; unsupported if another move model coded the moves.
pub(super) fn of_unit(source: &Source, part: usize, selection: &Selection) -> Result<UnitRows> {
    let games = source.unit(part);
    // The games without positions are counted with the first unit of their block.
    let skipped = match part {
        0 => source.skipped,
        _ => SkippedGames::default(),
    };
    let mut unit = UnitRows {
        rows: Vec::new(),
        skipped,
    };
    let (Some(first), Some(last)) = (games.first(), games.last()) else {
        return Ok(unit);
    };
    let mut is_wanted = vec![false; last.record + 1 - first.record];
    games
        .iter()
        .for_each(|game| is_wanted[game.record - first.record] = true);
    let wanted = |record: usize| {
        let place = record.checked_sub(first.record);
        place.is_some_and(|place| is_wanted.get(place) == Some(&true))
    };
    // The position before the last move wanted, and whether the game ends there.
    let max = selection.max_ply as usize + 1;
    let decoded = source
        .block
        .with(|open| Decoded::read(open, &source.block.records, wanted, max))?;
    if decoded.games().len() != games.len() {
        return Err(Error::internal("games of a block were not replayed"));
    }
    let expected = decoded.plies() as u64 / selection.every_nth;
    unit.rows.reserve(expected as usize + games.len());
    let mut codes = Vec::new();
    for (game, (record, moves)) in games.iter().zip(decoded.games()) {
        if let Some(start) = source.starts.of(record) {
            codes.clear();
            if selection.columns.has(PositionColumn::Move) {
                push_codes(start, game.is_chess960, moves, &mut codes);
            }
            let replay = Replay {
                game,
                moves,
                codes: &codes,
                selection,
                rows: &mut unit.rows,
                source,
            };
            replay.of(start);
        }
    }
    Ok(unit)
}

/// The replay of a game.
struct Replay<'r> {
    game: &'r GameFacts,
    moves: &'r [Move],
    /// The codes of the moves, if they are wanted.
    codes: &'r [u16],
    selection: &'r Selection,
    rows: &'r mut Vec<Row>,
    source: &'r Source,
}

impl Replay<'_> {
    /// Appends the wanted positions of the game.
    fn of(self, start: &Start) {
        match start {
            Start::Chess(chess) => {
                let mut position = chess.position;
                self.replay(chess.fullmoves.get(), |played| {
                    played.into_iter().for_each(|played| position.play(played));
                    position
                });
            }
            Start::Variant(variant) => {
                let mut board = variant.board.clone();
                self.replay(variant.fullmoves.get(), |played| {
                    played.into_iter().for_each(|played| board.play(played));
                    board.to_chess()
                });
            }
        }
    }

    /// Appends the positions of the game. `play` plays a move, if there is one, and returns the
    /// position.
    #[inline(always)]
    fn replay(self, fullmoves: u32, mut play: impl FnMut(Option<Move>) -> Position) {
        let Self {
            game,
            moves,
            codes,
            selection,
            rows,
            source,
        } = self;
        let annotations = source.annotations(game);
        let mut position = play(None);
        let mut rooks = position.castling_rooks();
        let mut row = Row {
            boards: [0; 12],
            game: selection.before + game.number,
            eval: None,
            ply: 0,
            fullmoves,
            clock: NO_CLOCK,
            played: NO_MOVE,
            halfmoves: game.halfmoves,
            ratings: game.ratings,
            castling: Castling::of(&position),
            en_passant: -1,
            result: game.result,
            white_to_move: true,
        };
        for ply in 0..=moves.len() {
            let played = moves.get(ply).copied();
            if selection.has_position(game.number, ply as u32, played.is_none()) {
                if position.castling_rooks() != rooks {
                    rooks = position.castling_rooks();
                    row.castling = Castling::of(&position);
                }
                row.set_position(&position);
                row.ply = ply as u32;
                row.played = codes.get(ply).copied().unwrap_or(NO_MOVE);
                if !annotations.is_empty() {
                    let after = annotations.get(ply).filter(|_| played.is_some());
                    row.clock = after.map_or(NO_CLOCK, |after| after.clock);
                    let before = ply.checked_sub(1).and_then(|ply| annotations.get(ply));
                    row.eval = before.and_then(|before| before.eval);
                }
                rows.push(row);
            }
            let Some(played) = played else {
                break;
            };
            let before = position;
            position = play(Some(played));
            row.fullmoves += u32::from(before.turn().is_black());
            let is_quiet = before.by_role(Role::Pawn) == position.by_role(Role::Pawn)
                && before.them() == position.us();
            row.halfmoves = if is_quiet {
                row.halfmoves.saturating_add(1)
            } else {
                0
            };
        }
    }
}
