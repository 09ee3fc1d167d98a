//! The integers of a column, game by game.

use crate::{
    block::{
        Coding,
        integers::{
            digits::malformed,
            lookahead::{Decoded, Lookahead},
        },
        starts::Starts,
    },
    container::{MAX_INTEGER_BITS, MAX_PLIES},
    error::Result,
};
use ign_entropy::{BitReader, prefixed};
use ign_notation::{chess::san::Naming, radix};

/// Reads the integers of a block.
#[derive(Debug)]
pub struct Integers<'a> {
    reader: BitReader<'a>,
    coding: Coding,
    max_plies: usize,
    limbs: Vec<u64>,
    decoder: radix::Decoder,
    /// Whether plain games are decoded in advance.
    looks_ahead: bool,
    /// How the lookahead writes moves; `None` if it does not.
    naming: Option<Naming>,
    lookahead: Lookahead,
}

/// The next game of a column.
#[derive(Debug)]
pub enum NextGame<'a> {
    /// Its integer in limbs, the lowest first, loaded into the decoder.
    Integer(&'a [u64], &'a mut radix::Decoder),
    /// Its moves, decoded in advance.
    Decoded(&'a Decoded),
}

impl<'a> Integers<'a> {
    /// The integers of a column of games that have at most `plies` plies together.
    pub fn new(column: &'a [u8], coding: Coding, plies: u64) -> Self {
        Self {
            reader: BitReader::new(column),
            coding,
            max_plies: plies.min(MAX_PLIES as u64) as usize,
            limbs: Vec::new(),
            decoder: radix::Decoder::default(),
            looks_ahead: false,
            naming: None,
            lookahead: Lookahead::default(),
        }
    }

    /// How the games are coded.
    pub fn coding(&self) -> Coding {
        self.coding
    }

    /// The most plies that a game may have. An integer with end moves that is damaged can be the
    /// game that plays the first move of each position for ever.
    pub fn max_plies(&self) -> usize {
        self.max_plies
    }

    /// Decodes all further plain games in advance, and writes their moves in this way, if any.
    pub fn look_ahead(&mut self, naming: Option<Naming>) {
        self.looks_ahead = self.coding == Coding::Ign;
        self.naming = naming;
    }

    /// Skips the next game.
    ///
    /// # Errors
    /// Corrupt when there is none.
    pub fn skip(&mut self) -> Result<()> {
        if self.lookahead.skip() {
            return Ok(());
        }
        prefixed::skip_integer(&mut self.reader, MAX_INTEGER_BITS).map_err(malformed)
    }

    /// Reads the next integer and loads it into the decoder.
    ///
    /// # Errors
    /// Corrupt when there is none.
    #[inline]
    pub fn next_integer(&mut self) -> Result<(&[u64], &mut radix::Decoder)> {
        prefixed::read_integer(&mut self.reader, &mut self.limbs, MAX_INTEGER_BITS)
            .map_err(malformed)?;
        self.decoder.load(&self.limbs);
        Ok((&self.limbs, &mut self.decoder))
    }

    /// Reads the next integer and loads it into this decoder.
    ///
    /// # Errors
    /// Corrupt when there is none.
    pub fn load_next(&mut self, decoder: &mut radix::Decoder) -> Result<&[u64]> {
        prefixed::read_integer(&mut self.reader, &mut self.limbs, MAX_INTEGER_BITS)
            .map_err(malformed)?;
        decoder.load(&self.limbs);
        Ok(&self.limbs)
    }

    /// The next game, which is that of `record`.
    ///
    /// # Errors
    /// Corrupt when there is none; with lookahead also when one of the next games is malformed.
    pub fn next_game(&mut self, starts: &Starts, record: usize) -> Result<NextGame<'_>> {
        if self.looks_ahead
            && self
                .lookahead
                .has_next(&mut self.reader, starts, record, self.naming)?
        {
            return Ok(NextGame::Decoded(self.lookahead.take()));
        }
        let (limbs, decoder) = self.next_integer()?;
        Ok(NextGame::Integer(limbs, decoder))
    }

    /// Fails unless all games have been taken.
    ///
    /// # Errors
    /// Corrupt.
    pub fn finish(self) -> Result<()> {
        self.reader.finish().map_err(malformed)
    }
}
