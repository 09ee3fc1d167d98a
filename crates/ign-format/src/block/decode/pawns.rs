//! The column of unmoved pawns of a block.

use shakmaty::Bitboard;

use crate::{
    block::{
        Fixed, Kind,
        decode::{block::Block, records::Records},
    },
    columns::pawns,
    error::{Error, Result},
};

impl Block<'_> {
    /// For each record the squares of the pawns that its game never moves, among
    /// [`SQUARES`](pawns::SQUARES); `None` if the record is no game of chess with moves, and in
    /// blocks of a coding that [does not store](crate::block::Coding::stores_unmoved_pawns) them.
    /// Games of variants have none.
    ///
    /// # Errors
    /// Corrupt.
    pub fn unmoved_pawns(&self, records: &Records) -> Result<Vec<Option<Bitboard>>> {
        let mut of_records = vec![None; records.len()];
        let starts = self.starts(records)?;
        let has_column = self.kind() == Kind::Chess && self.coding().stores_unmoved_pawns();
        let is_chess = |record: usize| {
            let is_played = has_column && starts.is_played(record);
            let start = starts.of(record).filter(|_| is_played);
            start.is_some_and(|start| start.as_chess().is_some())
        };
        let elements = match self.levels()? {
            Some(levels) => levels.elements(),
            None => Vec::new(),
        };
        let games: Vec<(usize, u8)> = records
            .games()
            .zip(elements)
            .filter(|&(record, _)| is_chess(record))
            .collect();
        if games.is_empty() != self.fixed_column(Fixed::Pawns).is_none() {
            let message = "a block has unmoved pawns exactly if it has games of chess with moves";
            return Err(Error::corrupt(message));
        }
        if games.is_empty() {
            return Ok(of_records);
        }
        let [codes] = self.fixed(Fixed::Pawns)?;
        let all = pawns::decode(&codes, games.iter().map(|&(_, elements)| elements))?;
        for ((record, _), pawns) in games.into_iter().zip(all) {
            of_records[record] = Some(pawns);
        }
        Ok(of_records)
    }
}
