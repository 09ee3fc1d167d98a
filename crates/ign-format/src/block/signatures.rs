//! The signatures of games: of a block that is open, and out of a file by themselves.

use std::ops::Range;

use crate::block::{
    Coding, Fixed,
    decode::{Block, Records},
    starts::Starts,
};
#[cfg(feature = "go")]
use crate::{
    block::{Kind, go},
    sgf::parse::Played,
};
use crate::{
    columns::signatures::Levels,
    container::block_head::Head,
    error::{Error, Result},
};
#[cfg(feature = "go")]
use ign_notation::go::signature::Gathering;
use ign_notation::signature::{Signature, element_of_ply};

impl<'a> Block<'a> {
    /// The signatures of all games, in order.
    ///
    /// # Errors
    /// Corrupt.
    pub fn signatures(&self) -> Result<Vec<Signature>> {
        let levels = self.levels()?;
        Ok(levels.iter().flat_map(|levels| levels.from(0)).collect())
    }

    /// Where there are games, their signatures, to be read one by one.
    fn levels(&self) -> Result<Option<Levels<'a>>> {
        if self.head().games == 0 {
            return Ok(None);
        }
        let place = place_of(self.head())?;
        let flags = self.head().columns[place].flags;
        Levels::open(self.streams(place)?, flags, self.head().games).map(Some)
    }

    /// The signatures of the games to play, where the coding of moves leaves to them what they say.
    ///
    /// # Errors
    /// Corrupt.
    pub(super) fn known_signatures(
        &self,
        records: &Records,
        starts: &Starts,
    ) -> Result<Signed<'a>> {
        let levels = match self.coding() {
            Coding::Weighted => self.levels()?,
            Coding::Ign | Coding::IgnEnd => None,
        };
        let Some(levels) = levels else {
            return Ok(Signed::default());
        };
        let games = (0..records.len()).filter(|&record| records.is_game(record));
        let games = (0..).zip(games);
        let played = games.filter(|&(_, record)| starts.is_played(record));
        let games = played.map(|(game, _)| game).collect();
        Ok(Signed::Column { levels, games })
    }
}

/// The signatures of games to play, as far as they are known before they are played.
pub enum Signed<'a> {
    /// One by one.
    Each(Vec<Option<Signature>>),
    /// In the column of their block: its levels, and the number of each there.
    Column {
        /// The levels.
        levels: Levels<'a>,
        /// The numbers.
        games: Vec<u32>,
    },
}

impl Default for Signed<'_> {
    fn default() -> Self {
        Self::Each(Vec::new())
    }
}

impl Signed<'_> {
    /// How many games there are.
    pub fn count(&self) -> usize {
        match self {
            Self::Each(signatures) => signatures.len(),
            Self::Column { games, .. } => games.len(),
        }
    }

    /// Those of some games in a row.
    pub fn of(&self, games: Range<usize>) -> Vec<Option<Signature>> {
        match self {
            Self::Each(signatures) => signatures[games].to_vec(),
            Self::Column { levels, games: all } => {
                let mut next = all.get(games.start).copied().unwrap_or(0);
                let mut signatures = levels.from(next as usize);
                let signature = |&game: &u32| {
                    let skipped = (game - next) as usize;
                    next = game + 1;
                    signatures.nth(skipped)
                };
                all[games].iter().map(signature).collect()
            }
        }
    }
}

/// The place of the signatures in the directory of a block that has games.
///
/// # Errors
/// Corrupt when there are none.
pub fn place_of(head: &Head) -> Result<usize> {
    let place = head.column_index(Fixed::Signatures as u8);
    place.ok_or_else(|| Error::corrupt("a block lacks the signatures of its games"))
}

impl Block<'_> {
    /// The signatures of a block's games, and the number of their moves.
    ///
    /// # Errors
    /// Corrupt.
    pub fn played_signatures(&self) -> Result<(Vec<Signature>, u64)> {
        let records = self.records()?;
        let mut signatures = vec![[None; 6]; records.len()];
        let mut plies = 0;
        #[cfg(feature = "go")]
        if self.kind() == Kind::Go {
            let mut gathered = Gathered {
                signatures,
                ..Gathered::default()
            };
            go::walk(self, &records, &mut gathered)?;
            (signatures, plies) = (gathered.signatures, gathered.plies);
        }
        self.walk_games(&records, |mut game| {
            let mut ply = 0;
            game.moves.play(game.start, |legal, played| {
                ply += 1;
                if let Some(element) = element_of_ply(ply) {
                    signatures[game.record][element] = Some(legal.landing(played).to_u32() as u16);
                }
            })?;
            plies += ply as u64;
            Ok(())
        })?;
        let games = (0..records.len()).filter(|&record| records.is_game(record));
        Ok((games.map(|record| signatures[record]).collect(), plies))
    }
}

/// What the records of a block of Go come to.
#[cfg(feature = "go")]
#[derive(Default)]
struct Gathered {
    signatures: Vec<Signature>,
    plies: u64,
    record: usize,
    gathering: Option<Gathering>,
}

#[cfg(feature = "go")]
impl go::Visitor for Gathered {
    fn open(&mut self, opening: go::Opening) {
        self.record = opening.record;
        self.gathering = opening.gathering();
    }

    fn played(&mut self, played: Played) {
        self.plies += u64::from(played.main);
        if let Some(gathering) = &mut self.gathering {
            played.gather(gathering);
        }
    }

    fn close(&mut self) -> Result<()> {
        let signature = self.gathering.as_ref().map(Gathering::signature);
        self.signatures[self.record] = signature.unwrap_or_default();
        Ok(())
    }
}
