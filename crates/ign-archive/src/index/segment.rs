//! A segment of an index: what the index has of consecutive games.

use std::{
    fmt,
    num::NonZeroU32,
    ops::Range,
    sync::{Arc, OnceLock},
};

use ign_entropy::varint;
use ign_format::error::{Error, Result};
use ign_notation::chess::Position;

use super::{
    columns::{Accepted, Chunk, IndexColumn, Layout, Values},
    directory::Directory,
    keys::Keys,
    materials::{self, Counts},
    openings::{self, CHUNK_NODES, Node},
    players::{self, PlayerGame},
    positions::{self, Found},
    sections::IndexSections,
    slots::Slots,
    source::{Extent, Source},
    statistics::{self, Counted},
};
use crate::{archive::Archive, plan::GameSet, query::FactsQuery, values::TextPattern};

/// Chunks of a column that are requested together where several columns are read side by side.
const CHUNKS_AT_ONCE: usize = 32;

/// A segment of an [`Index`](super::Index), which reads the sections that a query needs. Its games
/// are counted from 0.
pub struct Segment {
    source: Arc<Source>,
    directory: Directory,
    slots: Slots,
    games: u64,
    /// The byte of the file at which it ends.
    end: u64,
    /// The parts of the opening tree that have been read.
    tree: Vec<OnceLock<Vec<Node>>>,
}

impl fmt::Debug for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Segment")
            .field("games", &self.games)
            .field("end", &self.end)
            .finish_non_exhaustive()
    }
}

impl Segment {
    /// Opens the segment of a directory, which covers blocks of these archives and ends at a byte
    /// of the file. `before` is the directory of the segment before it.
    ///
    /// # Errors
    /// Io; corrupt.
    pub(super) fn open(
        source: &Arc<Source>,
        directory: Directory,
        end: u64,
        before: Option<&Directory>,
        archives: &[&Archive],
    ) -> Result<Self> {
        let first_block = before.map_or(0, Directory::blocks);
        let first_game = before.map_or(0, Directory::games);
        let games = directory.games().saturating_sub(first_game);
        let unplayed = Slots::read_unplayed(&source.section(directory.unplayed)?, games)?;
        let slots = games - unplayed.len() as u64;
        for (column, layout) in &directory.columns {
            let expected = if column.is_by_game() { games } else { slots };
            if layout.count != expected {
                let message = format!(
                    "the column {} of the index has another length",
                    column.name()
                );
                return source.in_file(Err(Error::corrupt(message)));
            }
        }
        let blocks = first_block..directory.blocks();
        let mut tree = Vec::new();
        tree.resize_with(directory.tree.len(), OnceLock::new);
        Ok(Self {
            source: source.clone(),
            slots: Slots::new(archives.iter().copied(), blocks, unplayed),
            directory,
            games,
            end,
            tree,
        })
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The number of bytes that it takes in the file.
    pub fn bytes(&self) -> u64 {
        self.end - self.directory.start
    }

    /// The number of blocks.
    pub(crate) fn blocks(&self) -> usize {
        self.slots.blocks().len()
    }

    /// The number of bytes that have been read from the file of the index.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.source.bytes_read()
    }

    /// What the segment was made to have. Without such games it has no players and no opening tree.
    pub fn sections(&self) -> IndexSections {
        self.directory.sections
    }

    /// The depth of its positions: the segment has the positions that occur within this number of
    /// plies of a game, each with all of its games; `None` for all positions.
    pub fn depth(&self) -> Option<NonZeroU32> {
        self.directory.depth
    }

    /// Whether the segment has players. It has none if no game names any.
    pub(crate) fn has_players(&self) -> bool {
        !self.directory.players.is_empty()
    }

    /// Whether the segment has positions.
    pub(crate) fn has_positions(&self) -> bool {
        !self.directory.positions.is_empty()
    }

    /// Whether the segment has the opening tree. It has none without games from the standard
    /// starting position.
    pub(crate) fn has_openings(&self) -> bool {
        !self.directory.tree.is_empty()
    }

    /// Whether the segment has a column. A column with too many distinct values is left out.
    pub(crate) fn has_column(&self, column: IndexColumn) -> bool {
        self.directory.column(column).is_some()
    }

    /// Visits the values of a column, from the first game on.
    ///
    /// # Errors
    /// Io; corrupt. Usage if the index has no such column.
    pub(crate) fn column(&self, column: IndexColumn, visit: impl FnMut(Option<u32>)) -> Result<()> {
        self.column_range(column, 0..self.layout(column)?.count, visit)
    }

    fn layout(&self, column: IndexColumn) -> Result<&Layout> {
        let found = self.directory.column(column);
        found.ok_or_else(|| {
            let name = column.name();
            Error::usage(format!("the index has no column {name}")).in_file(self.source.name())
        })
    }

    /// Visits some values of a column.
    ///
    /// # Errors
    /// As [`column`](Self::column).
    pub(crate) fn column_range(
        &self,
        column: IndexColumn,
        range: Range<u64>,
        mut visit: impl FnMut(Option<u32>),
    ) -> Result<()> {
        let layout = self.layout(column)?;
        let range = range.start..range.end.min(layout.count);
        let chunk_len = column.chunk_len();
        let numbers = (range.start / chunk_len) as usize..range.end.div_ceil(chunk_len) as usize;
        let chunks = layout.chunks.get(numbers.clone()).unwrap_or_default();
        self.announce_chunks(chunks.iter());
        for (number, chunk) in numbers.zip(chunks) {
            let first = number as u64 * chunk_len;
            let places = range.start.max(first) - first..range.end - first;
            self.values(chunk, |values| {
                values.visit(places.start as usize..places.end as usize, &mut visit);
            })?;
        }
        Ok(())
    }

    /// The values of a column that a condition accepts; `None` if the column has values in too
    /// large a range.
    ///
    /// # Errors
    /// Usage if the index has no such column.
    pub(crate) fn accepted(
        &self,
        column: IndexColumn,
        accepts: impl Fn(Option<u32>) -> bool,
    ) -> Result<Option<Accepted>> {
        Ok(Accepted::of(self.layout(column)?, accepts))
    }

    /// Inserts the games whose values in a column are accepted, of those in `among` if it is
    /// stated.
    ///
    /// # Errors
    /// As [`column`](Self::column).
    pub(crate) fn matching(
        &self,
        column: IndexColumn,
        accepted: &Accepted,
        among: Option<&GameSet>,
        games: &mut GameSet,
    ) -> Result<()> {
        let mut undecided = Vec::new();
        for (words, chunk) in self.chunks_with(column, among)? {
            match accepted.of_chunk(chunk) {
                Some(true) => words.for_each(|word| games.insert_word(word, bits(among, word))),
                Some(false) => {}
                None => undecided.push((words, chunk)),
            }
        }
        self.announce_chunks(undecided.iter().map(|&(_, chunk)| chunk));
        for (words, chunk) in undecided {
            self.values(chunk, |values| {
                for (block, word) in words.enumerate() {
                    let among = bits(among, word);
                    if among > 0 {
                        games.insert_word(word, values.matching(block, accepted, among));
                    }
                }
            })?;
        }
        Ok(())
    }

    /// Visits the values of two columns for each game that has both, of those in `among` if it is
    /// stated.
    ///
    /// # Errors
    /// As [`column`](Self::column).
    pub(crate) fn both(
        &self,
        columns: [IndexColumn; 2],
        among: Option<&GameSet>,
        mut visit: impl FnMut(u64, u32, u32),
    ) -> Result<()> {
        let [one, other] = columns;
        let pairs = self.chunks_with(one, among)?;
        let pairs: Vec<_> = pairs.zip(self.chunks_with(other, among)?).collect();
        self.announce_chunks(
            pairs
                .iter()
                .flat_map(|((_, one), (_, other))| [*one, *other]),
        );
        let mut firsts = Vec::new();
        for ((words, one), (_, other)) in pairs {
            firsts.clear();
            self.values(one, |values| {
                values.visit(0..one.count, |value| firsts.push(value))
            })?;
            let mut game = words.start as u64 * u64::from(u64::BITS);
            let mut first = firsts.iter();
            self.values(other, |values| {
                values.visit(0..other.count, |value| {
                    if let Some((first, value)) = first.next().copied().flatten().zip(value) {
                        visit(game, first, value);
                    }
                    game += 1;
                });
            })?;
        }
        Ok(())
    }

    /// The chunks of a column that have games of `among`, if it is stated, each with the words of
    /// its games in a set.
    fn chunks_with<'s>(
        &'s self,
        column: IndexColumn,
        among: Option<&'s GameSet>,
    ) -> Result<impl Iterator<Item = (Range<usize>, &'s Chunk)>> {
        let words = (column.chunk_len() / u64::from(u64::BITS)) as usize;
        let chunks = self.layout(column)?.chunks.iter().enumerate();
        Ok(chunks
            .map(move |(number, chunk)| {
                let first = number * words;
                (
                    first..first + chunk.count.div_ceil(u64::BITS as usize),
                    chunk,
                )
            })
            .filter(move |(words, _)| words.clone().any(|word| bits(among, word) > 0)))
    }

    /// Announces that chunks will be read.
    fn announce_chunks<'c>(&self, chunks: impl Iterator<Item = &'c Chunk>) {
        let ranges = chunks.map(|Chunk { place, .. }| place.offset..place.offset + place.len);
        self.source.will_read(&ranges.collect::<Vec<_>>());
    }

    /// Reads the values of a chunk.
    fn values(&self, chunk: &Chunk, read: impl FnOnce(Values<'_>)) -> Result<()> {
        let bytes = match chunk.place.len {
            0 => Arc::default(),
            _ => self.source.in_file(self.source.section(chunk.place))?,
        };
        self.source.in_file(chunk.open(&bytes)).map(read)
    }

    /// Announces that columns of these segments will be read, side by side, from the first game on.
    pub(crate) fn announce(segments: &[&Self], columns: &[IndexColumn]) {
        for of_file in segments.chunk_by(|one, other| Arc::ptr_eq(&one.source, &other.source)) {
            let ranges = of_file
                .iter()
                .flat_map(|segment| segment.places_of(columns));
            of_file[0].source.will_read(&ranges.collect::<Vec<_>>());
        }
    }

    /// The bytes of columns: those of some chunks of each column, then those of the next chunks.
    fn places_of(&self, columns: &[IndexColumn]) -> Vec<Range<u64>> {
        let found = columns
            .iter()
            .filter_map(|&column| self.directory.column(column));
        let mut columns: Vec<_> = found
            .map(|layout| layout.chunks.chunks(CHUNKS_AT_ONCE))
            .collect();
        let mut places = Vec::new();
        loop {
            let before = places.len();
            let next = columns.iter_mut().filter_map(Iterator::next);
            places.extend(next.flat_map(bytes_of));
            if places.len() == before {
                return places;
            }
        }
    }

    /// Visits the values of a column for some games, or places, counted from 0 in ascending order.
    ///
    /// # Errors
    /// As [`column`](Self::column); corrupt if there is no such game.
    pub(crate) fn column_of_games(
        &self,
        column: IndexColumn,
        games: &[u64],
        mut visit: impl FnMut(Option<u32>),
    ) -> Result<()> {
        let layout = self.layout(column)?;
        let chunk_len = column.chunk_len();
        for games in games.chunk_by(|one, other| one / chunk_len == other / chunk_len) {
            let number = games[0] / chunk_len;
            self.check_games(games.last().is_some_and(|&game| game >= layout.count))?;
            let place = |game: &u64| (game - number * chunk_len) as usize;
            let places: Vec<usize> = games.iter().map(place).collect();
            self.values(&layout.chunks[number as usize], |values| {
                values.visit_some(&places, &mut visit);
            })?;
        }
        Ok(())
    }

    /// The values of the dictionary of a column.
    ///
    /// # Errors
    /// Io; corrupt. Usage if the column has none.
    pub(crate) fn dictionary(&self, column: IndexColumn) -> Result<Vec<Vec<u8>>> {
        let all = &self.directory.dictionaries;
        let found = all.iter().find(|(of, _)| *of == column);
        let (_, place) = found.ok_or_else(|| {
            Error::usage(format!("the index has no dictionary of {}", column.name()))
                .in_file(self.source.name())
        })?;
        let read = || {
            let bytes = self.source.section(*place)?;
            let (mut input, mut values) = (&bytes[..], Vec::new());
            while !input.is_empty() {
                let max = input.len() as u64 - 1;
                let len = varint::read_limited(&mut input, max, "a value of a dictionary")?;
                let value = input
                    .split_off(..len)
                    .ok_or_else(|| Error::corrupt("a dictionary is cut off"))?;
                values.push(value.to_vec());
            }
            Ok(values)
        };
        self.source.in_file(read())
    }

    /// Visits the games of the players whose name matches.
    ///
    /// # Errors
    /// Io; corrupt.
    pub(crate) fn games_of_players(
        &self,
        pattern: &TextPattern,
        mut visit: impl FnMut(PlayerGame),
    ) -> Result<()> {
        let shards = &self.directory.players;
        let mut read = || {
            for (_, place) in &shards[players::shards_of(shards, pattern)] {
                let shard = self.source.section(*place)?;
                players::find(&shard, self.games, pattern, |_, _, games| {
                    for played in games {
                        visit(played?);
                    }
                    Ok(())
                })?;
            }
            Ok(())
        };
        self.source.in_file(read())
    }

    /// Visits the names of players that match, in the order of their folded text, with the number
    /// of their games.
    ///
    /// # Errors
    /// Io; corrupt.
    pub fn names_of_players(
        &self,
        pattern: &TextPattern,
        mut visit: impl FnMut(&[u8], u64),
    ) -> Result<()> {
        let shards = &self.directory.players;
        let mut read = || {
            for (_, place) in &shards[players::shards_of(shards, pattern)] {
                let shard = self.source.section(*place)?;
                players::find(&shard, self.games, pattern, |name, games, _| {
                    visit(name, games);
                    Ok(())
                })?;
            }
            Ok(())
        };
        self.source.in_file(read())
    }

    /// Whether the segment has the games of materials. It has none if no game has few pieces.
    pub(crate) fn has_materials(&self) -> bool {
        self.directory.sections.materials
    }

    /// Visits the games that have a material with few pieces, of those that `wanted` accepts. `all`
    /// are all of these, if they are known. A game is visited once for each of them.
    ///
    /// # Errors
    /// Io; corrupt.
    pub(crate) fn games_of_materials(
        &self,
        wanted: impl Fn(&Counts) -> bool,
        all: Option<&[Counts]>,
        mut visit: impl FnMut(u64),
    ) -> Result<()> {
        let shards = &self.directory.materials;
        let firsts = shards.iter().map(|&(first, _)| first);
        let read = || {
            for shard in materials::shards_of(firsts, all) {
                let (first, place) = shards[shard];
                let bytes = self.source.section(place)?;
                materials::find(&bytes, first, self.games, &wanted, &mut visit)?;
            }
            Ok(())
        };
        self.source.in_file(read())
    }

    /// The games that may have a position after the depth of the segment only: those with
    /// more plies, and with its material if it has few pieces.
    ///
    /// # Errors
    /// Io; corrupt.
    pub(crate) fn late_games(&self, position: &Position, depth: NonZeroU32) -> Result<GameSet> {
        let mut late = GameSet::none(self.games);
        let is_longer = |plies: Option<u32>| plies.is_some_and(|plies| plies > depth.get());
        let accepted = if self.has_column(IndexColumn::Plies) {
            self.accepted(IndexColumn::Plies, is_longer)?
        } else {
            None
        };
        match accepted {
            Some(accepted) => self.matching(IndexColumn::Plies, &accepted, None, &mut late)?,
            None => (0..self.games).for_each(|game| late.insert(game)),
        }
        if let Some(counts) = Counts::of(position).filter(|_| self.has_materials()) {
            let mut with_material = GameSet::none(self.games);
            let visit = |game| with_material.insert(game);
            self.games_of_materials(|other| *other == counts, Some(&[counts]), visit)?;
            late.intersect(&with_material);
        }
        Ok(late)
    }

    /// A node of the opening tree; node 0 is the standard starting position.
    ///
    /// # Errors
    /// Io; corrupt, also if there is no such node. Usage if the index has no opening tree.
    pub(crate) fn node(&self, number: u32) -> Result<&Node> {
        let (chunk, place) = (number as usize / CHUNK_NODES, number as usize % CHUNK_NODES);
        let read = || {
            let missing = || {
                if self.has_openings() {
                    Error::corrupt("the index names a node that does not exist")
                } else {
                    Error::usage("the index has no opening tree")
                }
            };
            let cell = self.tree.get(chunk).ok_or_else(missing)?;
            let nodes = match cell.get() {
                Some(nodes) => nodes,
                None => {
                    let (next, place) = self.directory.tree[chunk];
                    let games = self.layout(IndexColumn::TreeGames)?;
                    let bytes = self.source.section(place)?;
                    let nodes = openings::read_chunk(&bytes, next, games.count)?;
                    cell.get_or_init(|| nodes)
                }
            };
            nodes.get(place).ok_or_else(missing)
        };
        self.source.in_file(read())
    }

    /// Visits the games at a range of places of the order of the opening tree, counted from 0.
    ///
    /// # Errors
    /// As [`column`](Self::column).
    pub(crate) fn games_of_tree(&self, range: Range<u64>, visit: impl FnMut(u64)) -> Result<()> {
        let mut is_missing = false;
        let visit = self.each_known(visit, &mut is_missing);
        self.column_range(IndexColumn::TreeGames, range, visit)?;
        self.check_games(is_missing)
    }

    /// Visits the game with a number, or notes that it is missing.
    fn each_known(
        &self,
        mut visit: impl FnMut(u64),
        is_missing: &mut bool,
    ) -> impl FnMut(Option<u32>) {
        let games = self.games;
        move |game| match game.map(u64::from).filter(|&game| game < games) {
            Some(game) => visit(game),
            None => *is_missing = true,
        }
    }

    /// Corrupt, if a game is missing.
    fn check_games(&self, is_missing: bool) -> Result<()> {
        if is_missing {
            let error = Error::corrupt("the index names a game that does not exist");
            return self.source.in_file(Err(error));
        }
        Ok(())
    }

    /// Visits the games at some places of the order of the opening tree, ascending, counted from 0.
    ///
    /// # Errors
    /// As [`column_of_games`](Self::column_of_games).
    pub(crate) fn games_at_places(&self, places: &[u64], visit: impl FnMut(u64)) -> Result<()> {
        let mut is_missing = false;
        let visit = self.each_known(visit, &mut is_missing);
        self.column_of_games(IndexColumn::TreeGames, places, visit)?;
        self.check_games(is_missing)
    }

    /// The statistics of a position that are at this place, for the games that a query accepts;
    /// `None` if they do not determine it.
    ///
    /// # Errors
    /// Io; corrupt.
    pub(crate) fn statistics(&self, place: Extent, query: &FactsQuery) -> Result<Option<Counted>> {
        let read = || statistics::read(&self.source.section(place)?, self.games, query);
        self.source.in_file(read())
    }

    /// Where a position occurs.
    ///
    /// # Errors
    /// Io; corrupt. Usage if the index has no positions.
    pub(crate) fn position(&self, keys: Keys) -> Result<Found> {
        let read = || {
            let shards = &self.directory.positions;
            if shards.is_empty() {
                return Err(Error::usage("the index has no positions"));
            }
            let bits = shards.len().trailing_zeros();
            let place = shards[keys.shard(bits)];
            let shard = self.source.section(place)?;
            positions::find(&shard, place.offset, bits, self.slots.groups(), keys)
        };
        self.source.in_file(read())
    }

    /// The groups and slots of the games.
    pub(crate) fn slots(&self) -> &Slots {
        &self.slots
    }
}

/// The games of a word of a set; all games without a set.
fn bits(among: Option<&GameSet>, word: usize) -> u64 {
    among.map_or(u64::MAX, |games| {
        games.words().get(word).copied().unwrap_or(0)
    })
}

/// The bytes of chunks of a column, which follow each other.
fn bytes_of(chunks: &[Chunk]) -> Option<Range<u64>> {
    let (first, last) = (chunks.first()?.place, chunks.last()?.place);
    Some(first.offset..last.offset + last.len)
}
