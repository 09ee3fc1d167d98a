//! Stage 4: the moves of the records become the moves column.

use crate::{
    block::{
        Coding, MovesSample, Options, groups::Played, integers::write_game, moves::ProvenMoves,
    },
    model::{MoveModel, Parameters},
    models::Architecture as _,
    pgn::{movetext::Movetext, start::Start},
};
use ign_entropy::BitWriter;
use ign_notation::radix;

/// Encodes the moves column in any coding, record by record.
pub struct MovesEncoder<'o> {
    games: Games<'o>,
    /// What parsing has proven, if verification can use it.
    proven: Option<ProvenMoves>,
}

#[expect(clippy::large_enum_variant, reason = "there is one for each block")]
enum Games<'o> {
    Integers {
        coding: Coding,
        writer: BitWriter<'o>,
        encoder: radix::Encoder,
    },
    Groups {
        games: Played,
        model: MoveModel,
        out: &'o mut Vec<u8>,
    },
}

impl<'o> MovesEncoder<'o> {
    /// An encoder that writes the column to `out`.
    pub fn new(options: &Options, out: &'o mut Vec<u8>) -> Self {
        let coding = options.coding;
        let keeps_proven = options.verify && ProvenMoves::supports(coding);
        Self {
            games: match coding {
                Coding::Weighted => Games::Groups {
                    games: Played::default(),
                    model: options.models.preferred(),
                    out,
                },
                Coding::Ign | Coding::IgnEnd => Games::Integers {
                    coding,
                    writer: BitWriter::new(out),
                    encoder: radix::Encoder::new(),
                },
            },
            proven: keeps_proven.then(ProvenMoves::default),
        }
    }

    /// Adds a record. `start` is `None` if it has no start and so no moves.
    pub fn push(&mut self, start: Option<&Start>, game: &Movetext) {
        let Some(start) = start else {
            return;
        };
        if let Some(proven) = &mut self.proven {
            proven.push(game);
        }
        if game.digits.is_empty() {
            return;
        }
        match &mut self.games {
            Games::Integers {
                coding,
                writer,
                encoder,
            } => write_game(writer, encoder, *coding, game),
            Games::Groups { games, .. } => {
                let ordinals = game.choices().map(|(ordinal, _)| ordinal);
                games.push(start, ordinals, &game.nulls, Some(game.signature));
            }
        }
    }

    /// Completes the column. Returns what parsing has proven about it, and what a sample of it
    /// takes if its model is not the built-in one.
    pub fn finish(mut self) -> (Option<ProvenMoves>, Option<MovesSample>) {
        let mut sample = None;
        match self.games {
            Games::Integers { writer, .. } => {
                writer.finish();
            }
            Games::Groups { games, .. } if games.is_empty() => {}
            Games::Groups { games, model, out } => {
                let (len, style) = games.best_style(&model);
                let builtin = Parameters::builtin();
                sample = (model.id() != builtin.id()).then(|| MovesSample {
                    with_model: len as u64,
                    with_builtin: games.best_style(&builtin).0 as u64,
                });
                let log = self.proven.as_mut().map(|proven| &mut proven.intervals);
                *out = games.write_in_style(&style, log);
            }
        }
        (self.proven, sample)
    }
}
