//! The games of an archive in order.

use std::{
    fmt,
    ops::{Range, RangeBounds},
    sync::Arc,
};

use ign_format::{
    error::{Error, Result},
    game_number::GameNumber,
};

use crate::{
    Game,
    archive::Archive,
    archives::Archives,
    asked::{Asked, GameData},
    loaded::{LoadedBlock, Scope, Shared},
    ordered::{Ordered, ordered_detached},
};

/// An iterator over the games of an archive, in order.
///
/// Several threads read the blocks in advance. They decode the parts that
/// [`decoding`](Self::decoding) names, and those that the program has asked of at least half of
/// the games so far, and of more than three. Other parts are decoded by the thread that asks: for
/// the first three games of a block that are asked for a part, one by one, then for all games of
/// the block at once. If games were chosen, only these are decoded, with what their decoding
/// depends on: in weighted coding, the moves of their groups of 16 games.
///
/// At most the number of threads plus 4 blocks are in memory, twice that if the program asks for
/// parts that are not named, and those of games that the caller keeps.
///
/// The first error of reading a block, or of decoding a part that was named, ends the iteration.
/// Other errors of decoding are returned on first access of the part.
pub struct Games {
    archive: Archive,
    /// Games still to come, counted from 0.
    rest: Range<u64>,
    /// The chosen games, ascending, or all if `None`.
    chosen: Option<Arc<[GameNumber]>>,
    /// The parts to decode in advance, if any were named.
    parts: Option<Vec<GameData>>,
    /// What the program asks of the games.
    asked: Arc<Asked>,
    blocks: Option<Ordered<'static, Loaded>>,
    /// Whether blocks pass through a second stage, which decodes the parts that the program asks
    /// for.
    has_learnt: bool,
    /// The current block and its games that are still to come.
    current: Option<Loaded>,
}

/// A block, and for each of its wanted games the number, counted from 0, and the record.
type Loaded = (Shared, std::vec::IntoIter<(u64, usize)>);

impl fmt::Debug for Games {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Games")
            .field("archive", &self.archive)
            .field("rest", &self.rest)
            .field("parts", &self.parts)
            .finish_non_exhaustive()
    }
}

impl Archives {
    /// A game.
    ///
    /// # Errors
    /// As [`Archive::game`].
    pub fn game(&self, number: impl TryInto<GameNumber, Error: Into<Error>>) -> Result<Game> {
        let place = self.locate(number)?;
        self.archives()[place.archive].game(place.number)
    }
}

impl IntoIterator for &Archive {
    type Item = Result<Game>;
    type IntoIter = Games;

    /// [`Archive::games`].
    fn into_iter(self) -> Games {
        self.games()
    }
}

impl Archive {
    /// One game by its number: `archive.game(12)`. Only the head of its block is decoded at first.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if there is no such game; [`Io`](crate::ErrorKind::Io);
    /// [`Corrupt`](crate::ErrorKind::Corrupt) if its block is damaged.
    pub fn game(&self, number: impl TryInto<GameNumber, Error: Into<Error>>) -> Result<Game> {
        let number = number.try_into();
        self.read_game(number.map_err(|e| e.into().in_file(self.path()))?)
    }

    fn read_game(&self, number: GameNumber) -> Result<Game> {
        let (block, place) = self.locate(number)?;
        self.preload();
        let mut record = 0;
        let block = LoadedBlock::read(self, block, |records| {
            let found = records.of_game(place as usize);
            record = found.ok_or_else(|| self.no_game(number.get()))?;
            Ok(Scope::One(record))
        })?;
        Ok(Game::new(Arc::new(block), record, number))
    }

    /// All games in order. See [`Games`].
    ///
    /// ```
    /// # use ign_archive::{Archive, Input, Packer, GameData};
    /// # let text = b"[White \"Ann\"]\n\n1. e4 *\n\n[White \"Ben\"]\n\n1. d4 *\n\n";
    /// # let (bytes, _) = Packer::new().pack([Input::reader("a.pgn", &text[..])], Vec::new())?;
    /// # let archive = Archive::from_read_at(bytes, "a.ign")?;
    /// let mut white = Vec::new();
    /// for game in archive.games().decoding([GameData::Tags]) {
    ///     white.extend(game?.tag("White")?.map(|name| name.into_owned()));
    /// }
    /// assert_eq!(white, ["Ann", "Ben"]);
    ///
    /// let second = archive.games().range(2..).next().unwrap()?;
    /// assert_eq!(second.moves()?.next().unwrap().to_string(), "d2-d4");
    /// # Ok::<(), ign_archive::Error>(())
    /// ```
    pub fn games(&self) -> Games {
        Games {
            archive: self.clone(),
            rest: 0..self.len(),
            chosen: None,
            parts: None,
            asked: Arc::default(),
            blocks: None,
            has_learnt: false,
            current: None,
        }
    }
}

impl Games {
    /// Names parts that the threads decode in advance from the first game on. Without a call these
    /// are the tags, or no parts if games are chosen by [`only`](Self::only). What the program asks
    /// of most games is decoded in advance without being named, but not for the first block.
    #[must_use]
    pub fn decoding(mut self, parts: impl IntoIterator<Item = GameData>) -> Self {
        self.parts = Some(parts.into_iter().collect());
        self
    }

    /// Chooses the games, numbered from 1. Numbers that the archive does not have are left out.
    #[must_use]
    pub fn range(mut self, games: impl RangeBounds<u64>) -> Self {
        self.rest = self.archive.clamp(games);
        self
    }

    /// Chooses some games by their numbers, which must ascend. Blocks without any of them
    /// are not read. Numbers that the archive does not have are left out. The games of a query are
    /// `archive.games().only(archive.find(&query)?)`.
    ///
    /// ```
    /// # use ign_archive::{Archive, GameNumber, Input, Packer};
    /// # let text = b"1. e4 *\n\n1. d4 *\n\n1. c4 *\n";
    /// # let (bytes, _) = Packer::new().pack([Input::reader("a.pgn", &text[..])], Vec::new())?;
    /// # let archive = Archive::from_read_at(bytes, "a.ign")?;
    /// let some: Vec<_> = [1, 3, 9].into_iter().filter_map(GameNumber::new).collect();
    /// let some = archive.games().only(some);
    /// let numbers: ign_archive::Result<Vec<_>> = some.map(|game| Ok(game?.number())).collect();
    /// assert_eq!(numbers?, [1, 3]);
    /// # Ok::<(), ign_archive::Error>(())
    /// ```
    #[must_use]
    pub fn only(mut self, games: impl Into<Arc<[GameNumber]>>) -> Self {
        self.chosen = Some(games.into());
        self
    }

    /// The blocks with games that are still to come.
    fn blocks_to_read(&self) -> Vec<usize> {
        let Some(games) = self.chosen.as_deref() else {
            return self.archive.blocks_of(&self.rest);
        };
        let first = games.partition_point(|game| game.index() < self.rest.start);
        let end = games.partition_point(|game| game.index() < self.rest.end);
        self.archive.blocks_with(&games[first..end.max(first)])
    }

    /// The parts to decode in advance from the first game on.
    fn named(&self) -> Vec<GameData> {
        self.parts.clone().unwrap_or_else(|| match self.chosen {
            Some(_) => Vec::new(),
            None => vec![GameData::Tags],
        })
    }

    /// Starts the threads that read the blocks.
    fn start(&self) -> Ordered<'static, Loaded> {
        let numbers = self.blocks_to_read();
        let threads = self.archive.threads().min(numbers.len());
        let choice = Choice {
            range: self.rest.clone(),
            chosen: self.chosen.clone(),
        };
        let (archive, asked, named) = (self.archive.clone(), self.asked.clone(), self.named());
        ordered_detached(threads, numbers.into_iter().map(Ok), move |number| {
            let (block, games) = choice.load(&archive, number, &asked)?;
            for &part in &named {
                block.decode(part)?;
            }
            block.decode_usual();
            Ok((Arc::new(block), games.into_iter()))
        })
    }

    /// Lets threads decode what the program asks of most games, also in blocks that were read
    /// before this was known.
    fn learn(&mut self) {
        if self.has_learnt || !self.asked.exceeds(&self.named()) {
            return;
        }
        if let Some(blocks) = self.blocks.take() {
            let decode = |(block, games): Loaded| {
                block.decode_usual();
                Ok((block, games))
            };
            self.blocks = Some(ordered_detached(self.archive.threads(), blocks, decode));
            self.has_learnt = true;
        }
    }

    /// The next block with games of the range.
    fn next_block(&mut self) -> Option<Result<()>> {
        if self.blocks.is_none() {
            self.blocks = Some(self.start());
        }
        match self.blocks.as_mut()?.next()? {
            Ok(loaded) => self.current = Some(loaded),
            Err(error) => return Some(Err(error)),
        }
        Some(Ok(()))
    }
}

/// The games that an iteration returns.
#[derive(Clone)]
struct Choice {
    range: Range<u64>,
    chosen: Option<Arc<[GameNumber]>>,
}

impl Choice {
    /// Reads a block for its wanted games, which are returned with their records.
    fn load(
        &self,
        archive: &Archive,
        number: usize,
        asked: &Arc<Asked>,
    ) -> Result<(LoadedBlock, Vec<(u64, usize)>)> {
        let entry = &archive.blocks()[number];
        let mut wanted = Vec::new();
        let block = LoadedBlock::read(archive, number, |records| {
            wanted = self.among((entry.first_game..).zip(records.games()));
            Ok(if wanted.len() as u64 == entry.games {
                Scope::All
            } else {
                Scope::Some(wanted.iter().map(|&(_, record)| record).collect())
            })
        })?;
        Ok((block.reporting(asked), wanted))
    }

    /// The wanted games among these, which ascend.
    fn among(&self, games: impl Iterator<Item = (u64, usize)>) -> Vec<(u64, usize)> {
        let games = games.filter(|(game, _)| self.range.contains(game));
        let Some(chosen) = self.chosen.as_deref() else {
            return games.collect();
        };
        let mut games = games.peekable();
        let first = games.peek().map_or(0, |&(game, _)| game);
        let from = chosen.partition_point(|number| number.index() < first);
        let mut chosen = chosen[from..]
            .iter()
            .map(|number| number.index())
            .peekable();
        let is_chosen = |&(game, _): &(u64, usize)| {
            while chosen.next_if(|&number| number < game).is_some() {}
            chosen.peek() == Some(&game)
        };
        games.filter(is_chosen).collect()
    }
}

impl Iterator for Games {
    type Item = Result<Game>;

    fn next(&mut self) -> Option<Result<Game>> {
        self.learn();
        while !self.rest.is_empty() {
            if let Some((block, games)) = &mut self.current
                && let Some((game, record)) = games.next()
            {
                self.rest.start = game + 1;
                self.asked.count_game();
                return Some(Ok(Game::new(
                    block.clone(),
                    record,
                    GameNumber::from_index(game),
                )));
            }
            if let Err(error) = self.next_block()? {
                self.rest = 0..0;
                return Some(Err(error));
            }
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = usize::try_from(self.rest.end - self.rest.start);
        (0, len.ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Input, Packer};

    fn archive(games: usize) -> Archive {
        let text = b"[White \"Ann\"]\n\n1. e4 e5 2. Nf3 *\n\n".repeat(games);
        let packer = Packer::new().block_size(2_000).threads(1);
        let (bytes, _) = packer
            .pack(
                [Input::reader("a.pgn", std::io::Cursor::new(text))],
                Vec::new(),
            )
            .unwrap();
        Archive::from_read_at(bytes, "a.ign").unwrap()
    }

    /// What is decoded of the block of a game.
    fn decoded(games: &Games) -> Vec<GameData> {
        games.current.as_ref().unwrap().0.decoded()
    }

    #[test]
    fn only_chosen_games_are_decoded() {
        let archive = archive(400);
        let chosen: Vec<_> = (0..400).step_by(7).map(GameNumber::from_index).collect();
        let mut games = archive.games().only(chosen).decoding([GameData::Moves]);
        while let Some(game) = games.next() {
            let game = game.unwrap();
            let block = &games.current.as_ref().unwrap().0;
            let lists = block.all_moves().unwrap();
            for (number, record) in (block.first_game()..).zip(block.records.games()) {
                assert_eq!(lists.of(record).is_some(), number % 7 == 0, "{number}");
            }
            assert_eq!(game.plies().unwrap(), 3);
        }
    }

    #[test]
    fn what_is_asked_of_most_games_is_decoded_in_advance_and_nothing_else() {
        use GameData::{Moves, Tags, Text};
        let archive = archive(1000).with_threads(2);
        type Ask = fn(&Game) -> Result<()>;
        let cases: [(&[GameData], u64, Ask); 5] = [
            (&[], 1, |_| Ok(())),
            (&[Tags], 1, |game| game.tag("White").map(drop)),
            (&[Moves], 1, |game| game.plies().map(drop)),
            (&[Text], 1, |game| game.pgn().map(drop)),
            // Too few games to decode the text of all.
            (&[], 3, |game| game.pgn().map(drop)),
        ];
        for (expected, every, ask) in cases {
            let mut games = archive.games().decoding([]);
            let mut blocks = 0;
            let mut last = None;
            while let Some(game) = games.next() {
                let game = game.unwrap();
                let block = games.current.as_ref().unwrap().0.first_game();
                if last.replace(block) != Some(block) {
                    blocks += 1;
                    if blocks > 1 {
                        assert_eq!(decoded(&games), expected, "block {blocks}");
                    }
                }
                if game.number().index() % every == 0 {
                    ask(&game).unwrap();
                }
            }
            assert!(blocks > 5, "{blocks}");
        }
    }
}
