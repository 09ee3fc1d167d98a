//! What the moves of a block show, gathered while its text is decoded, to verify the columns of
//! signatures and of unmoved pawns and the number of plies.

use shakmaty::Bitboard;

use crate::{
    block::{
        decode::{block::Block, records::Records},
        moves::GameMoves,
    },
    columns::pawns,
    error::Result,
    pgn::{
        render::{Moves, Renderer},
        start::Start,
    },
};
use ign_notation::{
    chess::{Move, Position, rules::LegalMoves},
    signature::{Signature, element_of_ply},
};

/// What the moves of a block's records show.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::block) struct Gathered {
    /// The signature of each record.
    pub signatures: Vec<Signature>,
    /// The unmoved pawns of each record, as [`Block::unmoved_pawns`] returns them.
    pub unmoved_pawns: Vec<Option<Bitboard>>,
    /// The number of plies of all records.
    pub plies: u64,
    /// For each record whether it may have unmoved pawns.
    has_pawns: Vec<bool>,
}

impl Gathered {
    /// Nothing yet, of a block with these records.
    pub fn new(block: &Block, records: &Records) -> Self {
        let stores_pawns = block.coding().stores_unmoved_pawns();
        let has_pawns = (0..records.len()).map(|record| stores_pawns && records.has_moves(record));
        Self {
            signatures: vec![Signature::default(); records.len()],
            unmoved_pawns: vec![None; records.len()],
            plies: 0,
            has_pawns: has_pawns.collect(),
        }
    }

    /// Adds a record: the signature of its moves, the position after them if it is one of chess,
    /// and their number.
    pub fn add(&mut self, row: usize, signature: Signature, last: Option<&Position>, plies: usize) {
        self.signatures[row] = signature;
        let last = last.filter(|_| self.has_pawns[row]);
        self.unmoved_pawns[row] = last.map(pawns::unmoved);
        self.plies += plies as u64;
    }

    /// Appends the movetext of a record and adds it. Returns as [`Renderer::play`] does.
    pub fn render(
        &mut self,
        row: usize,
        renderer: Renderer,
        start: &Start,
        game: GameMoves,
        out: &mut Vec<u8>,
    ) -> Result<(Option<Position>, usize)> {
        let mut signature = game.signature().unwrap_or_default();
        let end = match game.names(renderer.naming()) {
            Some(names) => renderer.named(start, names, out)?,
            None => {
                signature = Signature::default();
                renderer.play(start, Landings::new(game, &mut signature), out)?
            }
        };
        self.add(row, signature, end.0.as_ref(), end.1);
        Ok(end)
    }
}

/// Moves that pass unchanged; their signature is noted.
struct Landings<'s, M> {
    moves: M,
    signature: &'s mut Signature,
    plies: usize,
}

impl<'s, M> Landings<'s, M> {
    /// Notes the signature of these moves.
    fn new(moves: M, signature: &'s mut Signature) -> Self {
        Self {
            moves,
            signature,
            plies: 0,
        }
    }
}

impl<M: Moves> Moves for Landings<'_, M> {
    #[inline]
    fn next_move(&mut self, legal: &impl LegalMoves) -> Result<Option<Move>> {
        let next = self.moves.next_move(legal)?;
        self.plies += 1;
        if let Some(played) = next
            && let Some(element) = element_of_ply(self.plies)
        {
            self.signature[element] = Some(legal.landing(played).to_u32() as u16);
        }
        Ok(next)
    }
}
