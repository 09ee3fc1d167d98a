//! Record batches of games in another order than that of their archives.

use std::{fmt, sync::Arc};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use arrow_select::interleave::interleave_record_batch;
use ign_archive::{Archives, Error, GameNumber, Result};

use crate::{
    batches::RecordBatches,
    columns::{GameColumn, schema},
    encoding::Encoding,
    error::arrow_error,
};

/// The bytes of the texts of the games of a batch, about.
const TEXTS: u64 = if cfg!(test) { 1 << 13 } else { 1 << 26 };

/// An iterator over the record batches of games in any order, such as that of a
/// [`Sorter`](ign_archive::Sorter).
///
/// A batch has the games of about 64 MiB of text. Each block is read at most once for a batch: the
/// games of the batch are read in the order of the archives, and then put into theirs. The first
/// error ends the iteration.
pub struct RecordBatchesInOrder {
    archives: Archives,
    columns: Vec<GameColumn>,
    encoding: Encoding,
    schema: SchemaRef,
    games: Arc<[GameNumber]>,
    /// The numbers of games of the batches that are still to come.
    lens: std::vec::IntoIter<usize>,
    /// The number of games of the batches so far.
    done: usize,
}

impl fmt::Debug for RecordBatchesInOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordBatchesInOrder")
            .field("schema", &self.schema)
            .finish_non_exhaustive()
    }
}

impl RecordBatchesInOrder {
    /// The batches of games with these numbers, in this order.
    ///
    /// # Errors
    /// [`Usage`](ign_archive::ErrorKind::Usage) if there is no such game.
    pub fn of(
        archives: &Archives,
        games: impl Into<Arc<[GameNumber]>>,
        columns: &[GameColumn],
        encoding: Encoding,
    ) -> Result<Self> {
        let games = games.into();
        let chunks = archives.chunks_by_text(&games, TEXTS)?;
        let lens: Vec<usize> = chunks.into_iter().map(<[_]>::len).collect();
        Ok(Self {
            archives: archives.clone(),
            columns: columns.to_vec(),
            encoding,
            schema: schema(columns, encoding),
            games,
            lens: lens.into_iter(),
            done: 0,
        })
    }

    /// The schema of all batches.
    pub fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    /// The batch of some games.
    fn batch(&self, games: &[GameNumber]) -> std::result::Result<RecordBatch, ArrowError> {
        let mut sorted = games.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let scans = self.archives.scans_of(&sorted).map_err(arrow_error)?;
        let batches = RecordBatches::of_all(scans, &self.columns, self.encoding)
            .collect::<std::result::Result<Vec<_>, _>>()?;
        let of_batch = |(number, batch): (usize, &RecordBatch)| {
            (0..batch.num_rows()).map(move |row| (number, row))
        };
        let rows: Vec<(usize, usize)> = batches.iter().enumerate().flat_map(of_batch).collect();
        let row = |game: &GameNumber| {
            let place = sorted.binary_search(game).ok();
            let row = place.and_then(|place| rows.get(place).copied());
            row.filter(|_| rows.len() == sorted.len())
                .ok_or_else(|| arrow_error(Error::internal("a game was not read with its block")))
        };
        let order = games
            .iter()
            .map(row)
            .collect::<std::result::Result<Vec<_>, _>>()?;
        interleave_record_batch(&batches.iter().collect::<Vec<_>>(), &order)
    }
}

impl Iterator for RecordBatchesInOrder {
    type Item = std::result::Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.done;
        self.done += self.lens.next()?;
        let games = self.games.clone();
        let batch = self.batch(&games[start..self.done]);
        if batch.is_err() {
            self.lens = Vec::new().into_iter();
        }
        Some(batch)
    }
}

impl RecordBatchReader for RecordBatchesInOrder {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

#[cfg(test)]
mod tests {
    use arrow_select::concat::concat_batches;
    use ign_archive::{Archive, Input, Packer};

    use super::*;

    #[test]
    fn rows_of_all_columns_are_those_of_the_games_in_any_order() {
        let archive = |count: u64, name: &str| {
            let text = ign_testing::games(count);
            let input = Input::reader("a.pgn", std::io::Cursor::new(text));
            let packer = Packer::new()
                .coding(ign_archive::Coding::Ign)
                .block_size(1 << 13);
            let (bytes, _) = packer.pack([input], Vec::new()).unwrap();
            Archive::from_read_at(bytes, name).unwrap()
        };
        let archives = Archives::from(vec![archive(60, "a.ign"), archive(41, "b.ign")]);
        let columns = GameColumn::all();
        let games = (0..101).map(|n| GameNumber::from_index(n * 37 % 101));
        let games: Vec<GameNumber> = games.collect();
        for encoding in [
            Encoding::PLAIN,
            Encoding {
                text: true,
                moves: true,
            },
        ] {
            let scans = archives.scans(&ign_archive::Query::new()).unwrap();
            let plain = RecordBatches::of_all(scans, &columns, encoding);
            let plain: Vec<RecordBatch> = plain.map(std::result::Result::unwrap).collect();
            let plain = concat_batches(&plain[0].schema(), &plain).unwrap();
            let batches =
                RecordBatchesInOrder::of(&archives, games.clone(), &columns, encoding).unwrap();
            let batches: Vec<RecordBatch> = batches.map(std::result::Result::unwrap).collect();
            assert!(batches.len() > 5, "{}", batches.len());
            let rows = batches
                .iter()
                .flat_map(|batch| (0..batch.num_rows()).map(|row| batch.slice(row, 1)));
            let mut count = 0;
            for (row, game) in rows.zip(&games) {
                assert_eq!(row, plain.slice(game.index() as usize, 1), "{game}");
                count += 1;
            }
            assert_eq!(count, 101);
        }
        let wrong = vec![GameNumber::from_index(101)];
        let wrong = RecordBatchesInOrder::of(&archives, wrong, &columns, Encoding::PLAIN);
        assert_eq!(wrong.unwrap_err().kind(), ign_archive::ErrorKind::Usage);
        let none = RecordBatchesInOrder::of(&archives, vec![], &columns, Encoding::PLAIN);
        assert!(none.unwrap().next().is_none());
    }
}
