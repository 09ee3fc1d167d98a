//! The statistics of one block: its directory is read, its games are replayed.

use super::{
    Games,
    moves::{GamePlayer, Moves},
    signatures::Signatures,
    space::Space,
    weighted::{Phase, Weighted},
};
use ign_entropy::prefixed::bit_length;
use ign_format::{
    block::{
        Coding, Fixed, Kind,
        decode::{Block, Records},
        go,
        groups::Played,
    },
    error::Result,
    go_model::{self, Scorer},
    model::Parameters,
    models::Architecture as _,
    models::Models,
    sgf::parse,
};
use ign_notation::{
    Game as _,
    chess::repetition::Watch,
    go::signature::Gathering,
    signature::{Signature, element_of_ply},
};

use crate::{results, values::GameResult};

/// The statistics of one block.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct BlockFigures {
    /// Where its bytes go.
    pub space: Space,
    /// Its games.
    pub games: Games,
    /// Their moves.
    pub moves: Moves,
    /// Their cost under the move model.
    pub weighted: Weighted,
    /// Their signatures.
    pub signatures: Signatures,
}

impl BlockFigures {
    /// The statistics of the block that is exactly `bytes`, and may need one of these models.
    ///
    /// With end moves the archive stores how games ended. Otherwise a game counts as drawn by
    /// agreement if its result is a draw and the final position has legal moves.
    ///
    /// # Errors
    /// Corrupt.
    pub fn of(bytes: &[u8], models: &Models) -> Result<Self> {
        let block = Block::open_with(bytes, models)?;
        let head = block.head();
        let records = block.records()?;
        let table = block.table(&records, Some(&["Result"]))?;
        let numbers: Vec<usize> = (0..records.len()).collect();
        let results = results::of_records(&block, &records, &table, &numbers)?;
        let drawn = |record: usize| results[record] == Some(GameResult::Draw);
        let mut games = Games {
            blocks: 1,
            games: head.games as u64,
            other_records: (head.records - head.games) as u64,
            not_understood: head.not_understood,
            plies: head.plies,
            codings: [block.coding().name()].into(),
            kinds: [block.kind().name()].into(),
            ..Games::default()
        };
        if block.kind() == Kind::Go {
            return Self::of_go(&block, &records, games, bytes.len() as u64);
        }
        let mut player = GamePlayer::default();
        let mut signatures: Vec<Signature> = vec![[None; 6]; records.len()];
        let mut played_games = Played::default();
        let mut ordinals = Vec::new();
        let mut watch = Watch::default();
        block.walk_games(&records, |mut game| {
            let mut ply = 0;
            watch.begin(game.start.halfmoves());
            ordinals.clear();
            let signature = &mut signatures[game.record];
            let choices = game.moves.play_through(game.start, |legal, played| {
                watch.see(legal, played);
                let Some(played) = played else {
                    return;
                };
                match legal.digit(played) {
                    Some((ordinal, count)) => {
                        player.ply(ordinal, count);
                        ordinals.push(ordinal);
                    }
                    None => player.pass(),
                }
                ply += 1;
                if let Some(element) = element_of_ply(ply) {
                    signature[element] = Some(legal.landing(played).to_u32() as u16);
                }
            })?;
            let ends = match block.coding() {
                Coding::IgnEnd => game.moves.ends(),
                _ if choices == 0 => 0,
                _ => 1 + u32::from(drawn(game.record)),
            };
            let stored = game.bits().map(|bits| bits.integer);
            let plies = player.end(choices, ends, stored);
            games.lengths.add(plies);
            games.claimable.add(watch.finish(), drawn(game.record));
            let nulls = records.nulls().of(game.record);
            played_games.push(game.start, ordinals.iter().copied(), nulls, None);
            Ok(())
        })?;
        let mut moves = player.finish();
        if block.coding() == Coding::Weighted {
            moves.group_bits = 8 * block.fixed_len(Fixed::Moves) as u64;
        }
        let style = match block.style()? {
            Some(style) => style,
            None => played_games.style(&Parameters::builtin()),
        };
        let mut counted = Signatures::default();
        let is_game = |record: &usize| records.is_game(*record);
        for record in (0..records.len()).filter(is_game) {
            counted.push(&signatures[record]);
        }
        Ok(Self {
            space: Space::of_block(&block, bytes.len() as u64),
            games,
            moves,
            weighted: Weighted::of(&played_games, style),
            signatures: counted,
        })
    }

    /// The statistics of a block of Go. Moves of variations count only as bytes.
    fn of_go(block: &Block, records: &Records, games: Games, stored_len: u64) -> Result<Self> {
        let mut play = GoPlay {
            games,
            player: GamePlayer::default(),
            weighted: Weighted::default(),
            scorer: Scorer::new(go_model::Parameters::builtin()),
            signatures: Signatures::default(),
            game: None,
        };
        go::walk(block, records, &mut play)?;
        let mut moves = play.player.finish();
        if block.coding() == Coding::Weighted {
            moves.group_bits = 8 * block.fixed_len(Fixed::Moves) as u64;
        }
        Ok(Self {
            space: Space::of_block(block, stored_len),
            games: play.games,
            moves,
            weighted: play.weighted,
            signatures: play.signatures,
        })
    }
}

/// The statistics of a block of Go while its games are replayed.
struct GoPlay {
    games: Games,
    player: GamePlayer,
    weighted: Weighted,
    scorer: Scorer,
    signatures: Signatures,
    /// The current record, if it is a game.
    game: Option<GoGame>,
}

/// A game of Go.
struct GoGame {
    gathering: Option<Gathering>,
    /// The number of legal moves after its last move, if it has a start.
    choices: Option<u32>,
    /// Bits of its integer in the archive.
    stored: Option<u64>,
    plies: usize,
    /// The ideal cost of its choices, in bits.
    bits: f64,
}

impl go::Visitor for GoPlay {
    fn open(&mut self, opening: go::Opening) {
        self.game = opening.is_game.then(|| GoGame {
            gathering: opening.gathering(),
            choices: opening.start.map(|start| start.count()),
            stored: opening.integer.map(bit_length),
            plies: 0,
            bits: 0.0,
        });
    }

    fn played(&mut self, played: parse::Played) {
        let Some(game) = self.game.as_mut().filter(|_| played.main) else {
            return;
        };
        if let Some(gathering) = &mut game.gathering {
            played.gather(gathering);
        }
        let position = played.position;
        let Some((ordinal, count)) = position.ordinal(played.played) else {
            return;
        };
        self.player.ply(ordinal, count);
        self.scorer.score(position);
        let (frequencies, total) = (self.scorer.frequencies(), self.scorer.total());
        let (phase, choice) = (Phase::of_go(game.plies), ordinal as usize);
        game.bits += self
            .weighted
            .played(game.plies, phase, frequencies, total, choice);
        game.plies += 1;
        let mut after = position.clone();
        after.play(played.played);
        game.choices = Some(after.count());
    }

    fn close(&mut self) -> Result<()> {
        let Some(game) = self.game.take() else {
            return Ok(());
        };
        let signature = game.gathering.as_ref().map(Gathering::signature);
        self.signatures.push(&signature.unwrap_or_default());
        if let Some(choices) = game.choices {
            let plies = self.player.end(choices, 1, game.stored);
            self.games.lengths.add(plies);
            self.weighted.games.add(game.bits.ceil() as usize);
        }
        Ok(())
    }
}
