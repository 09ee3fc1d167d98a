//! Verification of a block: all that it holds is decoded once and compared with what it states.

use crate::{
    block::decode::{block::Block, played::Gathered, records::Records, render::Pass},
    columns,
    container::block_head::Column,
    error::{Error, Result},
};

impl Block<'_> {
    /// Decodes the block once and verifies it: the checksums of its columns and of its text, the
    /// signatures, the unmoved pawns and the number of plies. Returns the text.
    ///
    /// # Errors
    /// Corrupt; unsupported when another move model coded the moves.
    pub fn verified_text(&self) -> Result<Vec<u8>> {
        self.verified_text_by_record(&self.records()?, |_| ())
    }

    /// [`verified_text`](Self::verified_text); after each record `ended` receives the length of the
    /// text so far.
    ///
    /// # Errors
    /// As [`verified_text`](Self::verified_text).
    pub fn verified_text_by_record(
        &self,
        records: &Records,
        ended: impl FnMut(usize),
    ) -> Result<Vec<u8>> {
        let mut gathered = Gathered::new(self, records);
        let pass = Pass {
            gathered: Some(&mut gathered),
            ..Pass::default()
        };
        let text = self.text_in(records, pass, ended)?;
        if gathered.plies != self.head().plies {
            return Err(Error::corrupt(
                "the number of moves of a block is not that of its head",
            ));
        }
        let played = records.games().map(|record| gathered.signatures[record]);
        if !played.eq(self.signatures()?) {
            return Err(Error::corrupt(
                "the signatures of a block are not those of its games",
            ));
        }
        if gathered.unmoved_pawns != self.unmoved_pawns(records)? {
            return Err(Error::corrupt(
                "the unmoved pawns of a block are not those of its games",
            ));
        }
        self.model_data()?;
        Ok(text)
    }

    /// The names of the [damaged columns](Self::damaged_columns).
    pub fn damaged_column_names(&self) -> Vec<String> {
        let places = self.damaged_columns().into_iter();
        let columns = places.map(|place| &self.head().columns[place]);
        columns.map(|column| self.column_name(column)).collect()
    }

    /// The columns that are damaged, by their places in the directory: those with a frame whose
    /// checksum differs, and those that cannot be read.
    pub fn damaged_columns(&self) -> Vec<usize> {
        let columns = self.head().columns.iter().enumerate();
        let is_damaged = |place: usize, column: &Column| {
            let Ok(frames) = self.frames(place) else {
                return true;
            };
            let mut streams = column.streams.iter().zip(frames);
            streams.any(|(stream, frame)| !columns::storage::is_whole(stream, frame))
        };
        columns
            .filter(|&(place, column)| is_damaged(place, column))
            .map(|(place, _)| place)
            .collect()
    }
}
