//! An index in use: [`Index`] reads the sections that a query needs.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};

use ign_entropy::varint;
use ign_format::{
    container::{
        CHECKSUM_LEN,
        frame::{self, Kind},
    },
    error::{Error, Result},
};

use super::{
    columns::{CHUNK, IndexColumn, Layout},
    directory::{Directory, Place},
    keys::Keys,
    openings::{self, CHUNK_NODES, Node},
    players::{self, PlayerGame},
    positions::{self, Found},
    slots::Slots,
};
use crate::{archive::Archive, kept::Kept, query::TextPattern, source::ReadAt};

/// The search index of an archive, or of several. [`Archive`] opens and uses it by itself; this type
/// is for programs that ask what an index has.
pub struct Index {
    source: Box<dyn ReadAt>,
    name: PathBuf,
    directory: Directory,
    slots: Slots,
    /// The parts of the opening tree that have been read.
    tree: Vec<OnceLock<Vec<Node>>>,
    /// Sections in memory.
    kept: Kept<Arc<Vec<u8>>>,
    /// Bytes read so far.
    read: AtomicU64,
}

/// The path of the index of an archive: its own path with `.idx` added.
pub fn path_of(archive: &Path) -> PathBuf {
    let mut path = archive.as_os_str().to_owned();
    path.push(".idx");
    path.into()
}

impl Index {
    /// Opens the index of these archives.
    ///
    /// # Errors
    /// Io; corrupt if the file is damaged or belongs to other archives, or to these in another
    /// order; unsupported if it has another format version.
    pub fn open(path: impl AsRef<Path>, archives: &[&Archive]) -> Result<Self> {
        let path = path.as_ref();
        let open = || {
            Self::read(
                Box::new(fs::File::open(path)?),
                path.to_path_buf(),
                archives,
            )
        };
        open().map_err(|e| e.in_file(path))
    }

    /// Opens an index over any source of byte ranges. Messages call it `name`.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn read(source: Box<dyn ReadAt>, name: PathBuf, archives: &[&Archive]) -> Result<Self> {
        let len = source.size()?;
        let mut index = Self {
            source,
            name,
            directory: Directory::default(),
            slots: Slots::default(),
            tree: Vec::new(),
            kept: Kept::default(),
            read: AtomicU64::new(0),
        };
        (index.directory, _) = Directory::open(len, |place| index.bytes(place))?;
        index
            .tree
            .resize_with(index.directory.tree.len(), OnceLock::new);
        let members = &index.directory.members;
        let is_same = archives.len() == members.len()
            && archives
                .iter()
                .zip(members)
                .all(|(archive, member)| member.is_same(&archive.member()));
        if !is_same {
            return Err(Error::corrupt(
                "the index belongs to another archive, or the archive has changed since",
            )
            .with_remedy("build it again with ign index"));
        }
        let unplayed = index.section(index.directory.unplayed)?;
        let unplayed = Slots::read_unplayed(&unplayed, index.games())?;
        index.slots = Slots::new(archives.iter().copied(), unplayed);
        Ok(index)
    }

    /// The path of the index.
    pub fn path(&self) -> &Path {
        &self.name
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.directory.games()
    }

    /// Keeps sections that were read in memory, up to this number of bytes. By default none are kept. A
    /// program that asks many questions reads and verifies each section once.
    pub fn keep_sections(&self, bytes: u64) {
        self.kept.set_limit(bytes);
    }

    /// The number of bytes that have been read from the file.
    pub fn bytes_read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Whether the index has the players.
    pub fn has_players(&self) -> bool {
        !self.directory.players.is_empty()
    }

    /// Whether the index has positions.
    pub fn has_positions(&self) -> bool {
        !self.directory.positions.is_empty()
    }

    /// Whether the index has the opening tree.
    pub fn has_openings(&self) -> bool {
        !self.directory.tree.is_empty()
    }

    /// Whether the index has a column.
    pub fn has_column(&self, column: IndexColumn) -> bool {
        self.directory.column(column).is_some()
    }

    fn bytes(&self, place: Place) -> Result<Vec<u8>> {
        let mut bytes = vec![0; place.len as usize];
        self.source.read_exact_at(&mut bytes, place.offset)?;
        self.read.fetch_add(place.len, Ordering::Relaxed);
        Ok(bytes)
    }

    /// The payload of a section.
    fn section(&self, place: Place) -> Result<Arc<Vec<u8>>> {
        if let Some(section) = self.kept.get(place.offset) {
            return Ok(section);
        }
        let mut bytes = self.bytes(place)?;
        let payload = frame::open(Kind::Section, &bytes)?.len();
        let end = bytes.len() - CHECKSUM_LEN;
        bytes.truncate(end);
        bytes.drain(..end - payload);
        let section = Arc::new(bytes);
        let bytes = section.capacity() as u64;
        self.kept.add(place.offset, &section, bytes);
        Ok(section)
    }

    fn in_file<R>(&self, result: Result<R>) -> Result<R> {
        result.map_err(|e| e.in_file(&self.name))
    }

    /// Visits the values of a column, from the first game on.
    ///
    /// # Errors
    /// Io; corrupt. Usage if the index has no such column.
    pub fn column(&self, column: IndexColumn, visit: impl FnMut(Option<u32>)) -> Result<()> {
        let (layout, _) = self.layout(column)?;
        self.column_range(column, 0..layout.count, visit)
    }

    fn layout(&self, column: IndexColumn) -> Result<(Layout, u64)> {
        let found = self.directory.column(column);
        found.ok_or_else(|| {
            let name = column.name();
            Error::usage(format!("the index has no column {name}")).in_file(&self.name)
        })
    }

    /// Visits some values of a column.
    ///
    /// # Errors
    /// As [`column`](Self::column).
    pub fn column_range(
        &self,
        column: IndexColumn,
        range: std::ops::Range<u64>,
        mut visit: impl FnMut(Option<u32>),
    ) -> Result<()> {
        let (layout, mut offset) = self.layout(column)?;
        let range = range.start..range.end.min(layout.count);
        for chunk in 0..layout.chunks() {
            let len = layout.chunk_len(chunk) + frame::SEAL_LEN as u64;
            let first = chunk * CHUNK;
            let values = first..first + layout.chunk_count(chunk);
            if values.start < range.end && range.start < values.end {
                let bytes = self.in_file(self.section(Place { offset, len }))?;
                let from = range.start.max(first) - first;
                let places = from..range.end.min(values.end) - first;
                let read = layout.read(chunk, &bytes, places, &mut visit);
                self.in_file(read)?;
            }
            offset += len;
        }
        Ok(())
    }

    /// Visits the values of a column for some games, counted from 0 in ascending order.
    ///
    /// # Errors
    /// As [`column`](Self::column); corrupt if there is no such game.
    pub fn column_of_games(
        &self,
        column: IndexColumn,
        games: &[u64],
        mut visit: impl FnMut(Option<u32>),
    ) -> Result<()> {
        let (layout, offset) = self.layout(column)?;
        for games in games.chunk_by(|one, other| one / CHUNK == other / CHUNK) {
            let chunk = games[0] / CHUNK;
            let is_missing = games.last().is_some_and(|&game| game >= layout.count);
            if is_missing {
                let error = Error::corrupt("the index names a game that does not exist");
                return self.in_file(Err(error));
            }
            // All chunks before the last have the same length.
            let sealed = |chunk| layout.chunk_len(chunk) + frame::SEAL_LEN as u64;
            let offset = offset + chunk * sealed(0);
            let len = sealed(chunk);
            let mut read = || {
                let bytes = self.section(Place { offset, len })?;
                let places = games.iter().map(|game| game - chunk * CHUNK);
                layout.read_some(chunk, &bytes, places, &mut visit)
            };
            self.in_file(read())?;
        }
        Ok(())
    }

    /// The values of the dictionary of a column.
    ///
    /// # Errors
    /// Io; corrupt. Usage if the column has none.
    pub fn dictionary(&self, column: IndexColumn) -> Result<Vec<Vec<u8>>> {
        let all = &self.directory.dictionaries;
        let found = all.iter().find(|(of, _)| *of == column);
        let (_, place) = found.ok_or_else(|| {
            Error::usage(format!("the index has no dictionary of {}", column.name()))
                .in_file(&self.name)
        })?;
        let read = || {
            let bytes = self.section(*place)?;
            let (mut input, mut values) = (&bytes[..], Vec::new());
            while !input.is_empty() {
                let max = input.len() as u64 - 1;
                let len = varint::read_limited(&mut input, max, "a value of a dictionary")?;
                let value = input.split_off(..len);
                let value = value.ok_or_else(|| Error::corrupt("a dictionary is cut off"))?;
                values.push(value.to_vec());
            }
            Ok(values)
        };
        self.in_file(read())
    }

    /// Visits the games of the players whose name matches.
    ///
    /// # Errors
    /// Io; corrupt.
    pub fn games_of_players(
        &self,
        pattern: &TextPattern,
        mut visit: impl FnMut(PlayerGame),
    ) -> Result<()> {
        let shards = &self.directory.players;
        let mut read = || {
            for (_, place) in &shards[players::shards_of(shards, pattern)] {
                let shard = self.section(*place)?;
                players::find(&shard, self.games(), pattern, |_, games| {
                    for played in games {
                        visit(played?);
                    }
                    Ok(())
                })?;
            }
            Ok(())
        };
        self.in_file(read())
    }

    /// A node of the opening tree; node 0 is the standard starting position.
    ///
    /// # Errors
    /// Io; corrupt, also if there is no such node. Usage if the index has no opening tree.
    pub fn node(&self, number: u32) -> Result<&Node> {
        let (chunk, place) = (number as usize / CHUNK_NODES, number as usize % CHUNK_NODES);
        let read = || {
            let missing = || match self.has_openings() {
                true => Error::corrupt("the index names a node that does not exist"),
                false => Error::usage("the index has no opening tree"),
            };
            let cell = self.tree.get(chunk).ok_or_else(missing)?;
            let nodes = match cell.get() {
                Some(nodes) => nodes,
                None => {
                    let (next, place) = self.directory.tree[chunk];
                    let (games, _) = self.layout(IndexColumn::TreeGames)?;
                    let bytes = self.section(place)?;
                    let nodes = openings::read_chunk(&bytes, next, games.count)?;
                    cell.get_or_init(|| nodes)
                }
            };
            nodes.get(place).ok_or_else(missing)
        };
        self.in_file(read())
    }

    /// Visits the games in a range of the list of the opening tree, counted from 0.
    ///
    /// # Errors
    /// As [`column`](Self::column).
    pub fn games_of_tree(
        &self,
        range: std::ops::Range<u64>,
        mut visit: impl FnMut(u64),
    ) -> Result<()> {
        self.column_range(IndexColumn::TreeGames, range, |game| {
            visit(game.map_or(u64::MAX, u64::from));
        })
    }

    /// Where a position occurs.
    ///
    /// # Errors
    /// Io; corrupt. Usage if the index has no positions.
    pub fn position(&self, keys: Keys) -> Result<Found> {
        let read = || {
            let shards = &self.directory.positions;
            if shards.is_empty() {
                return Err(Error::usage("the index has no positions"));
            }
            let bits = shards.len().trailing_zeros();
            let shard = self.section(shards[keys.shard(bits)])?;
            positions::find(&shard, bits, self.slots.groups(), keys)
        };
        self.in_file(read())
    }

    /// The groups and slots of the games.
    pub(crate) fn slots(&self) -> &Slots {
        &self.slots
    }
}
