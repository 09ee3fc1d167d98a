//! The moves of the variations of a block, without their text.

use std::borrow::Cow;

use crate::{
    block::{
        Fixed,
        decode::{block::Block, layouts::Layouts, records::Records},
    },
    error::Result,
    pgn::{
        gaps::Templates,
        variations::{Game, Unpacker, choices::Choices},
    },
};

impl Block<'_> {
    /// The moves of all variations of a block of chess. `game` returns the game of a record, or
    /// `None` if it cannot be played.
    ///
    /// # Errors
    /// Corrupt.
    pub fn lines<'g>(
        &self,
        records: &Records,
        game: impl Fn(usize) -> Option<Game<'g>>,
    ) -> Result<Choices> {
        let mut choices = Choices::default();
        if self.fixed_column(Fixed::Variations).is_none() {
            return Ok(choices);
        }
        let streams: [Cow<[u8]>; 4] = self.fixed(Fixed::Variations)?;
        let mut unpacker = Unpacker::new(
            streams.each_ref().map(AsRef::as_ref),
            self.move_model(&streams[3])?,
            self.head().text_len,
            records.len(),
            |_| true,
        )?;
        let [layouts, templates] = self.fixed(Fixed::Layout)?;
        let templates = Templates::read(&templates)?;
        let mut layouts = Layouts::new(&layouts, &templates);
        for number in 0..records.len() {
            layouts.next()?;
            let record = layouts.variations();
            let lines = unpacker.read(&record)?;
            if layouts.layout.variations {
                unpacker.collect(&record, lines, game(number), &mut choices)?;
            }
        }
        unpacker.finish()?;
        Ok(choices)
    }
}
