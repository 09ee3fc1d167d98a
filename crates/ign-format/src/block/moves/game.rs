//! The moves of one game, played from its start.

use crate::{
    block::{
        Coding,
        integers::{
            digits::{check_no_null, check_null, check_plies, take},
            lookahead::Decoded,
        },
        moves::proven::ProvenGame,
    },
    error::{Error, Result},
    pgn::{
        render::{KnownNames, Moves},
        start::Start,
    },
};
use ign_notation::{
    chess::{
        Move,
        rules::{Board, LegalMoves},
        san::Naming,
    },
    radix,
    signature::Signature,
};

/// The moves of a game, returned one at a time as it is played.
#[derive(Debug)]
pub struct GameMoves<'a> {
    source: Source<'a>,
    plies: usize,
    /// Null moves so far of an integer.
    passed: usize,
    ends: u32,
}

/// Where the moves come from.
#[derive(Debug)]
enum Source<'a> {
    Integer {
        limbs: &'a [u64],
        decoder: &'a mut radix::Decoder,
        coding: Coding,
        max_plies: usize,
        nulls: &'a [u32],
    },
    List(&'a [Move]),
    Decoded(&'a Decoded),
    Proven(ProvenGame<'a>),
}

impl<'a> GameMoves<'a> {
    /// The moves of a list.
    pub fn of_list(moves: &'a [Move]) -> Self {
        Self::of(Source::List(moves))
    }

    /// The moves of a game decoded in advance.
    pub(super) fn of_decoded(decoded: &'a Decoded) -> Self {
        Self::of(Source::Decoded(decoded))
    }

    /// The moves of a game that is verified.
    pub(super) fn of_proven(game: ProvenGame<'a>) -> Self {
        Self::of(Source::Proven(game))
    }

    /// The moves of an integer, which is loaded into the decoder, with null moves at these plies;
    /// at most `max_plies`.
    pub(in crate::block) fn of_integer(
        limbs: &'a [u64],
        decoder: &'a mut radix::Decoder,
        coding: Coding,
        max_plies: usize,
        nulls: &'a [u32],
    ) -> Self {
        Self::of(Source::Integer {
            limbs,
            decoder,
            coding,
            max_plies,
            nulls,
        })
    }

    fn of(source: Source<'a>) -> Self {
        Self {
            source,
            plies: 0,
            passed: 0,
            ends: 0,
        }
    }

    /// The SAN of the moves in this naming, if it is known already. Proven games have that of
    /// their record.
    pub fn names(&self, naming: Naming) -> Option<KnownNames<'a>> {
        match self.source {
            Source::Decoded(decoded) => decoded.names(naming),
            Source::Proven(game) => Some(game.names()),
            Source::Integer { .. } | Source::List(_) => None,
        }
    }

    /// The signature of the game, if it is known already.
    pub fn signature(&self) -> Option<Signature> {
        match self.source {
            Source::Decoded(decoded) => Some(decoded.signature()),
            _ => None,
        }
    }

    /// The moves, if they are decoded already.
    pub fn list(&self) -> Option<&'a [Move]> {
        match self.source {
            Source::Integer { .. } => None,
            Source::List(moves) => Some(moves),
            Source::Decoded(decoded) => Some(&decoded.moves),
            Source::Proven(game) => Some(game.moves),
        }
    }

    /// Returns to the first move.
    fn rewind(&mut self) {
        if let Source::Integer { limbs, decoder, .. } = &mut self.source {
            decoder.load(limbs);
        }
        (self.plies, self.passed, self.ends) = (0, 0, 0);
    }

    /// The integer as the archive stores it, in limbs, the lowest first; `None` in codings without
    /// integers.
    pub fn stored(&self) -> Option<&'a [u64]> {
        match self.source {
            Source::Integer { limbs, .. } => Some(limbs),
            Source::List(_) | Source::Decoded(_) | Source::Proven(_) => None,
        }
    }

    /// The plain Integer Game Notation of the game, in limbs, the lowest first: the stored integer,
    /// or computed by playing the game. Returns to the first move.
    ///
    /// # Errors
    /// Corrupt when the stored moves are not a game; unsupported when it has null moves.
    pub fn ign(&mut self, start: &Start) -> Result<Vec<u64>> {
        if let Source::Integer {
            limbs,
            coding: Coding::Ign,
            nulls: [],
            ..
        } = self.source
        {
            return Ok(limbs.to_vec());
        }
        let mut encoder = radix::Encoder::new();
        let mut has_nulls = false;
        self.play(start, |legal, played| match legal.digit(played) {
            Some((ordinal, count)) => encoder.push(ordinal + 1, count),
            None => has_nulls = true,
        })?;
        self.rewind();
        if has_nulls {
            return Err(Error::unsupported(
                "the game has null moves, which an integer cannot express",
            ));
        }
        Ok(encoder.finish().to_vec())
    }

    /// Calls `look` with the first moves of the game, until it returns false. Returns to the first
    /// move.
    ///
    /// # Errors
    /// Corrupt when the integer does not encode a game.
    pub fn first_moves(&mut self, start: &Start, mut look: impl FnMut(Move) -> bool) -> Result<()> {
        if let Some(moves) = self.list() {
            moves.iter().all(|&played| look(played));
            return Ok(());
        }
        match start {
            Start::Chess(start) => self.first_moves_on(start.position, look)?,
            Start::Variant(start) => self.first_moves_on(start.board.clone(), look)?,
        }
        self.rewind();
        Ok(())
    }

    fn first_moves_on(
        &mut self,
        mut position: impl Board,
        mut look: impl FnMut(Move) -> bool,
    ) -> Result<()> {
        while let Some(played) = self.next_move(&position.legal())? {
            position.play(played);
            if !look(played) {
                break;
            }
        }
        Ok(())
    }

    /// The number of end moves of the game, once it is over.
    pub fn ends(&self) -> u32 {
        self.ends
    }

    /// Plays the game from its start; `visit` gets the legal moves of each position and the move
    /// played. Returns the number of legal moves of the last position.
    ///
    /// # Errors
    /// Corrupt when the integer does not encode a game.
    pub fn play(
        &mut self,
        start: &Start,
        mut visit: impl FnMut(&dyn LegalMoves, Move),
    ) -> Result<u32> {
        self.play_through(start, |legal, played| {
            if let Some(played) = played {
                visit(legal, played);
            }
        })
    }

    /// [`play`](Self::play), with the last position visited too, without a move.
    ///
    /// # Errors
    /// As `play`.
    pub fn play_through(
        &mut self,
        start: &Start,
        mut visit: impl FnMut(&dyn LegalMoves, Option<Move>),
    ) -> Result<u32> {
        match start {
            Start::Chess(start) => self.play_on(start.position, |legal, m| visit(legal, m)),
            Start::Variant(start) => self.play_on(start.board.clone(), |legal, m| visit(legal, m)),
        }
    }

    /// [`play_through`](Self::play_through), until `visit` returns false.
    ///
    /// # Errors
    /// As [`play`](Self::play).
    pub fn play_while(
        &mut self,
        start: &Start,
        mut visit: impl FnMut(&dyn LegalMoves, Option<Move>) -> bool,
    ) -> Result<()> {
        match start {
            Start::Chess(start) => self.play_while_on(start.position, |legal, m| visit(legal, m)),
            Start::Variant(start) => {
                self.play_while_on(start.board.clone(), |legal, m| visit(legal, m))
            }
        }
        .map(drop)
    }

    #[inline]
    fn play_on<B: Board>(
        &mut self,
        position: B,
        mut visit: impl FnMut(&B::Legal, Option<Move>),
    ) -> Result<u32> {
        self.play_while_on(position, |legal, played| {
            visit(legal, played);
            true
        })
    }

    /// Returns the number of legal moves of the position visited last.
    #[inline]
    fn play_while_on<B: Board>(
        &mut self,
        mut position: B,
        mut visit: impl FnMut(&B::Legal, Option<Move>) -> bool,
    ) -> Result<u32> {
        loop {
            let legal = position.legal();
            let played = self.next_move(&legal)?;
            let goes_on = visit(&legal, played);
            match played.filter(|_| goes_on) {
                Some(played) => position.play(played),
                None => return Ok(legal.count()),
            }
        }
    }
}

impl Moves for GameMoves<'_> {
    #[inline]
    fn next_move(&mut self, legal: &impl LegalMoves) -> Result<Option<Move>> {
        self.next_with(legal, |_| ())
    }
}

impl GameMoves<'_> {
    /// The next move and its ordinal among the legal moves, which the null move does not have;
    /// `None` at the end of the game.
    ///
    /// # Errors
    /// Corrupt when the integer does not encode a game.
    #[inline]
    pub fn next_numbered(
        &mut self,
        legal: &impl LegalMoves,
    ) -> Result<Option<(Option<u32>, Move)>> {
        let mut known = None;
        let played = self.next_with(legal, |ordinal| known = Some(ordinal))?;
        Ok(played.map(|played| {
            let ordinal = known.or_else(|| Some(legal.digit(played)?.0));
            (ordinal, played)
        }))
    }

    /// The next move. `see` gets its ordinal if that is what the source has.
    #[inline]
    fn next_with(
        &mut self,
        legal: &impl LegalMoves,
        mut see: impl FnMut(u32),
    ) -> Result<Option<Move>> {
        let ply = self.plies;
        self.plies += 1;
        let (decoder, coding, max_plies, nulls) = match &mut self.source {
            Source::List(moves) => return Ok(moves.get(ply).copied()),
            Source::Decoded(decoded) => return Ok(decoded.moves.get(ply).copied()),
            Source::Proven(game) => return Ok(game.moves.get(ply).copied()),
            Source::Integer {
                decoder,
                coding,
                max_plies,
                nulls,
                ..
            } => (decoder, *coding, *max_plies, *nulls),
        };
        check_plies(ply, max_plies)?;
        let next_null = nulls.get(self.passed);
        if next_null.is_some_and(|&null| null as usize == ply) {
            self.passed += 1;
            check_plies(ply + 1, max_plies)?;
            check_null(legal)?;
            return Ok(Some(Move::NULL));
        }
        if coding == Coding::Ign && decoder.is_zero() {
            check_no_null(next_null.is_some())?;
            return Ok(None);
        }
        let ends = &mut self.ends;
        let played = legal.pick(|count| {
            let ordinal = take(decoder, coding, count, ends);
            ordinal.inspect(|ordinal| ordinal.iter().for_each(|&ordinal| see(ordinal)))
        })?;
        check_no_null(next_null.is_some() && played.is_none())?;
        Ok(played)
    }
}
