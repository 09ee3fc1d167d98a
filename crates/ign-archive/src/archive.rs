//! An open archive.
//!
//! Opening reads header, footer and index, and checks them; it reads no block. [`Archive::verify`]
//! reads everything. An `Archive` is a shared handle: clones are cheap, and threads can use one
//! archive at the same time.

use std::{
    collections::BTreeSet,
    fmt,
    fs::File,
    io,
    ops::{Range, RangeBounds},
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use ign_format::{
    block::{Coding, Fixed, Kind as GameKind, decode::Block},
    container::{
        block_head::Head,
        checksum,
        footer::Footer,
        frame::Kind as FrameKind,
        header,
        index::{BlockEntry, Index, Source, mismatch},
        meta::{MIXED, Meta},
    },
    error::{Error, Kind, Remedy, Result},
    game_number::GameNumber,
    model,
    models::Models,
};

use crate::{
    byte_cache::ByteCache,
    check::{
        end::{LastFooter, Rest, last_footer},
        frames::{START_LEN, frame_start, read_at},
    },
    index::{Index as SearchIndex, IndexInUse},
    location::Location,
    models,
    opened::{OpenBlock, StoredColumns},
    source::ReadAt,
    sources::Places,
    text::games_text,
};

/// An open archive: a collection of games, numbered from 1.
///
/// ```no_run
/// use ign_archive::Archive;
///
/// let archive = Archive::open("lichess_2013-01.ign")?;
/// println!("{} games", archive.len());
/// let game = archive.game(1240)?;
/// println!("{:?} played {:?}", game.tag("White")?, game.tag("Black")?);
/// # Ok::<(), ign_archive::Error>(())
/// ```
#[derive(Clone)]
pub struct Archive {
    inner: Arc<Inner>,
    threads: usize,
    uses_index: bool,
    /// Set to end the operations on this handle.
    cancel: Option<Arc<AtomicBool>>,
}

impl fmt::Debug for Archive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Archive")
            .field("path", &self.path())
            .field("games", &self.len())
            .field("is_partial", &self.is_partial())
            .finish_non_exhaustive()
    }
}

struct Inner {
    source: Arc<dyn ReadAt>,
    /// The models that the archive holds.
    models: Models,
    /// The file's path, or the name of another source; for messages.
    name: PathBuf,
    /// Bytes of the source, at least those of the archive.
    source_len: u64,
    /// Where the archive and the parity sets after it end.
    end: u64,
    /// What follows.
    rest: Rest,
    index: Index,
    footer: Footer,
    /// XXH64 of the index frame and the footer frame.
    identity: u64,
    /// Where the archive is; `None` for other sources. A search index may be beside it.
    location: Option<Location>,
    /// Whether the index lists only some of the blocks.
    is_partial: bool,
    /// Whether lists show games without what a model codes that is missing.
    lists_unread: bool,
    /// The source of a search index that was [given](Archive::with_index_read_at), and its name.
    given_index: OnceLock<(Arc<dyn ReadAt>, PathBuf)>,
    /// The search index that is used.
    search: IndexInUse,
    /// Blocks in memory.
    blocks: ByteCache<OpenBlock>,
    /// The places of the sources, computed on the first call.
    places: OnceLock<Places>,
}

/// The most blocks that are [read by columns](Archive::open_columns): requests for parts of many
/// blocks take longer than the bytes between them.
pub(crate) const MAX_BY_COLUMN: usize = 64;

/// The source of games that no source lists.
static UNKNOWN_SOURCE: Source = Source::part(Vec::new(), 0, 0);

impl Archive {
    /// Opens an archive file. This takes three short reads, unless the file has
    /// [bytes after its last footer](Self::trailing_len), which are searched.
    ///
    /// With the feature `remote` the path may also be an address: `https://…`, `s3://…` or
    /// `gs://…`. Opening such an archive takes two or three requests.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io) if the file cannot be read;
    /// [`Usage`](crate::ErrorKind::Usage) if the path names no regular file;
    /// [`Corrupt`](crate::ErrorKind::Corrupt) or [`Unsupported`](crate::ErrorKind::Unsupported) if
    /// the file is not an archive of this format version.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        if path == Path::new("-") {
            let error = Error::usage("an archive is read from its end, so not from a pipe");
            return Err(error.with_remedy("save it to a file first").in_file(path));
        }
        Self::at(&Location::of(path)?)
    }

    /// Opens the archive at a place.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub(crate) fn at(location: &Location) -> Result<Self> {
        let read = |source| Self::read(source, location.name(), Some(location.clone()));
        location.read_archive(read)
    }

    /// Opens an archive over an open file. The path names it.
    pub(crate) fn of_file(file: File, path: &Path) -> Result<Self> {
        let location = Location::File(path.to_path_buf());
        Self::read(Box::new(file), path.to_path_buf(), Some(location))
    }

    /// Opens an archive over any source of byte ranges. Messages call it `name`.
    ///
    /// # Errors
    /// Those of the source; [`Corrupt`](crate::ErrorKind::Corrupt) or
    /// [`Unsupported`](crate::ErrorKind::Unsupported) if its bytes are no archive of this format
    /// version.
    pub fn from_read_at(source: impl ReadAt + 'static, name: impl Into<PathBuf>) -> Result<Self> {
        let name = name.into();
        Self::read(Box::new(source), name.clone(), None).map_err(|e| e.in_file(name))
    }

    fn read(source: Box<dyn ReadAt>, name: PathBuf, location: Option<Location>) -> Result<Self> {
        let source_len = source.size()?;
        let read = |offset, len| read_at(&*source, source_len, offset, len);
        header::read(&read(0, (header::LEN as u64).min(source_len))?)?;
        let last = last_footer(&*source, source_len)?;
        last.check_rest(source_len)?;
        let LastFooter {
            footer,
            frame,
            end,
            rest,
        } = last;
        let index_bytes = read(footer.index_offset, footer.index_len)?;
        let index = Index::read(&index_bytes, footer.index_offset)?;
        if index.games() != footer.games || index.text_len() != footer.text_len {
            return Err(Error::corrupt("footer and index contradict each other"));
        }
        let source: Arc<dyn ReadAt> = source.into();
        Ok(Self::of(Inner {
            models: models::of_archive(&source, source_len, &index.blocks),
            source,
            name,
            source_len,
            end,
            rest,
            index,
            footer,
            identity: checksum(&[index_bytes, frame].concat()),
            location,
            is_partial: false,
            lists_unread: false,
            given_index: OnceLock::new(),
            search: IndexInUse::default(),
            blocks: ByteCache::default(),
            places: OnceLock::new(),
        }))
    }

    fn of(inner: Inner) -> Self {
        Self {
            inner: Arc::new(inner),
            threads: default_threads(),
            uses_index: true,
            cancel: None,
        }
    }

    /// The archive of some blocks of a file; `totals` has the totals with the other blocks.
    pub(crate) fn partial(
        source: Box<dyn ReadAt>,
        name: &Path,
        index: Index,
        totals: Footer,
        lists_unread: bool,
    ) -> Self {
        let source: Arc<dyn ReadAt> = source.into();
        // The blocks of a damaged file can be in any order, so they are no index that can be written.
        let blocks = index.blocks.iter();
        let places = blocks.flat_map(|block| [block.offset, block.head_checksum]);
        let places: Vec<u8> = places.flat_map(u64::to_le_bytes).collect();
        Self::of(Inner {
            models: models::of_archive(&source, totals.file_len, &index.blocks),
            source,
            name: name.to_path_buf(),
            source_len: totals.file_len,
            end: totals.file_len,
            rest: Rest::Nothing,
            identity: checksum(&places),
            index,
            footer: totals,
            location: None,
            is_partial: true,
            lists_unread,
            given_index: OnceLock::new(),
            search: IndexInUse::default(),
            blocks: ByteCache::default(),
            places: OnceLock::new(),
        })
    }

    /// The models that the archive holds, beside the built-in ones.
    pub(crate) fn models(&self) -> &Models {
        &self.inner.models
    }

    /// Where the bytes come from.
    pub(crate) fn source(&self) -> &dyn ReadAt {
        &*self.inner.source
    }

    /// Whether damaged blocks are [left out](Self::open_damaged).
    pub fn is_partial(&self) -> bool {
        self.inner.is_partial
    }

    /// Whether lists show games [without what a model codes](Self::open_damaged_to_list) that is
    /// missing.
    pub(crate) fn lists_unread(&self) -> bool {
        self.inner.lists_unread
    }

    /// Checks that no blocks are left out. The lengths and checksums of the sources are those of
    /// the whole text, so an archive that is made of the blocks would not be one.
    ///
    /// # Errors
    /// Usage.
    pub(crate) fn check_complete(&self) -> Result<()> {
        if self.is_partial() {
            Err(
                Error::usage("is damaged, and is opened without its damaged blocks")
                    .with_remedy(Remedy::Recover)
                    .in_file(self.path()),
            )
        } else {
            Ok(())
        }
    }

    /// Sets the number of threads that operations on this handle use. The default is the number of
    /// threads that the machine runs at once. Results do not depend on it.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// The number of threads that operations on this handle use.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Sets whether queries on this handle use the search index beside the archive. They do by
    /// default. Results do not depend on it.
    #[must_use]
    pub fn with_search_index(mut self, uses_index: bool) -> Self {
        self.uses_index = uses_index;
        self
    }

    /// Sets the source of the search index of an archive that is [no file](Self::from_read_at), and
    /// a name for messages. It is opened by the first query on any handle of the archive, and
    /// [rejected](Self::rejected_index) if it belongs to another archive. A source that was set
    /// before stays in use.
    #[must_use]
    pub fn with_index_read_at(
        self,
        source: impl ReadAt + 'static,
        name: impl Into<PathBuf>,
    ) -> Self {
        // The first one is used.
        _ = self.inner.given_index.set((Arc::new(source), name.into()));
        self
    }

    /// Sets a flag that cancels operations on this handle: after another thread has set it to true,
    /// they end before the next block that they read, with an error of kind
    /// [`Cancelled`](crate::ErrorKind::Cancelled).
    #[must_use]
    pub fn with_cancel(mut self, flag: &Arc<AtomicBool>) -> Self {
        self.cancel = Some(flag.clone());
        self
    }

    /// The search index beside the archive, or the [given](Self::with_index_read_at) one, opened on
    /// the first call; `None` if there is none, if it was [rejected](Self::rejected_index), or if
    /// this handle does not use it.
    pub fn search_index(&self) -> Option<&SearchIndex> {
        if !self.uses_index {
            return None;
        }
        let given = self.inner.given_index.get();
        let place = self.inner.location.as_ref().map(Location::index);
        if given.is_none() && place.is_none() {
            return None;
        }
        self.inner.search.get(|| {
            let (source, name): (Box<dyn ReadAt>, PathBuf) = match (given, &place) {
                (Some((source, name)), _) => (Box::new(source.clone()), name.clone()),
                (None, None) => return Ok(None),
                (None, Some(place)) => match place.open().map_err(io::Error::from) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                    source => (source?, place.name()),
                },
            };
            let index = SearchIndex::read(source, name.clone(), &[self]);
            index.map(Some).map_err(|e| e.in_file(name))
        })
    }

    /// Why the search index beside the archive is not used: it belongs to another archive, or it is
    /// damaged. Known after the first query.
    pub fn rejected_index(&self) -> Option<&Error> {
        self.inner.search.rejected()
    }

    /// Stops using the search index.
    pub(crate) fn reject_index(&self, error: Error) {
        self.inner.search.reject(error);
    }

    /// Keeps blocks that were read in memory, up to this number of bytes, as they are in the file.
    /// By default none are kept. A program that asks many questions reads each block once.
    pub fn keep_blocks(&self, bytes: u64) {
        self.inner.blocks.set_limit(bytes);
    }

    /// The number of games.
    pub fn len(&self) -> u64 {
        self.inner.footer.games
    }

    /// Whether the archive holds no games. It may hold text all the same.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of plies that are coded as moves, in all games together.
    pub fn plies(&self) -> u64 {
        self.inner.footer.plies
    }

    /// The number of bytes of text that the archive returns.
    pub fn text_len(&self) -> u64 {
        self.inner.footer.text_len
    }

    /// The number of bytes of the archive itself, up to the end of its footer.
    pub fn file_len(&self) -> u64 {
        self.inner.footer.file_len
    }

    /// The number of bytes of the file after the archive. There are none, unless an append is
    /// running or was interrupted: then the archive is opened as it was before. Parity that was not
    /// finished is counted too. [`verify`](Self::verify) reports these bytes, and an
    /// [`Appender`](crate::Appender) removes them.
    pub fn trailing_len(&self) -> u64 {
        self.inner.source_len - self.end()
    }

    /// The damage that bytes after the archive are.
    ///
    /// # Errors
    /// Corrupt, if there are any.
    pub(crate) fn check_trailing(&self) -> Result<()> {
        match self.trailing_len() {
            0 => Ok(()),
            _ => Err(self.inner.rest.excess(self.end(), self.inner.source_len)),
        }
    }

    /// A warning, if there are [bytes after the archive](Self::trailing_len).
    pub fn trailing_warning(&self) -> Option<String> {
        let len = self.trailing_len();
        let (bytes, them) = match len {
            1 => ("byte after the archive is", "it"),
            _ => ("bytes after the archive are", "them"),
        };
        (len > 0).then(|| {
            format!(
                "{}: {len} {bytes} ignored: more is being written, or that was interrupted (the next ign append \
                 removes {them})",
                self.path().display()
            )
        })
    }

    /// Where the archive ends in its file: its [length](Self::file_len), and that of the
    /// [parity](crate::parity) after it.
    pub fn end(&self) -> u64 {
        self.inner.end
    }

    /// A checksum that changes with every change of the archive's games: XXH64 of its index frame
    /// and its footer frame, which hold the checksums of all text.
    pub fn identity(&self) -> u64 {
        self.inner.identity
    }

    /// The path as given to [`open`](Self::open), or the name given to
    /// [`from_read_at`](Self::from_read_at).
    pub fn path(&self) -> &Path {
        &self.inner.name
    }

    /// The game that the records of the first block hold: chess, unless the archive was packed from
    /// SGF.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io); [`Corrupt`](crate::ErrorKind::Corrupt).
    pub fn kind(&self) -> Result<GameKind> {
        if self.blocks().is_empty() {
            Ok(GameKind::default())
        } else {
            self.kind_of(0)
        }
    }

    /// The names of the kinds of all games: `chess`, `go`. All blocks are read, and nothing is
    /// decoded.
    ///
    /// # Errors
    /// As [`kind`](Self::kind).
    pub fn kinds(&self) -> Result<BTreeSet<&'static str>> {
        let blocks = self.blocks().iter().enumerate();
        let with_games = blocks.filter(|(_, block)| block.games > 0);
        let kinds = with_games.map(|(number, _)| Ok(self.kind_of(number)?.name()));
        kinds.collect()
    }

    fn kind_of(&self, block: usize) -> Result<GameKind> {
        self.in_block(block, || Ok(Block::open(&self.block_bytes(block)?)?.kind()))
    }

    /// The table of blocks at the end of the file.
    pub(crate) fn block_table(&self) -> &Index {
        &self.inner.index
    }

    /// The blocks, in the order of their games. Their games are counted from 0.
    pub fn blocks(&self) -> &[BlockEntry] {
        &self.inner.index.blocks
    }

    /// The number of bytes of all blocks.
    pub fn blocks_len(&self) -> u64 {
        self.inner.index.stored_len()
    }

    /// The block of a game, counted from 0; `None` if there is no such game.
    pub fn block_of_game(&self, number: GameNumber) -> Option<usize> {
        self.inner.index.block_of_game(number.index())
    }

    /// The inputs that were packed, in order.
    pub fn sources(&self) -> &[Source] {
        &self.inner.index.sources
    }

    /// The numbers of the games of each source.
    pub fn games_of_sources(&self) -> Vec<Range<u64>> {
        let games = (0..self.sources().len()).map(|source| self.places().of_source(source).games);
        games.map(|games| games.start + 1..games.end + 1).collect()
    }

    /// The number of blocks that have text of each source. Several sources may share one.
    pub fn blocks_of_sources(&self) -> Vec<u64> {
        let texts = (0..self.sources().len()).map(|source| self.places().of_source(source).text);
        texts
            .map(|text| self.blocks_of_text(&text).len() as u64)
            .collect()
    }

    /// The places of the sources.
    pub(crate) fn places(&self) -> &Places {
        let places = &self.inner.places;
        places.get_or_init(|| Places::of(self.sources()))
    }

    /// The source of a game.
    pub(crate) fn source_of_game(&self, game: GameNumber) -> &Source {
        let source = self.places().of_game(game.index());
        source.map_or(&UNKNOWN_SOURCE, |source| &self.sources()[source])
    }

    /// The blocks that have some of this text.
    pub(crate) fn blocks_of_text(&self, text: &Range<u64>) -> Vec<usize> {
        if text.is_empty() {
            return Vec::new();
        }
        let blocks = self.blocks();
        let first =
            blocks.partition_point(|block| block.text_offset + block.text_len <= text.start);
        let end = blocks.partition_point(|block| block.text_offset < text.end);
        (first..end)
            .filter(|&block| blocks[block].text_len > 0)
            .collect()
    }

    /// The totals, as the footer of the file stores them.
    pub(crate) fn footer(&self) -> &Footer {
        &self.inner.footer
    }

    /// Who packed the archive, with what options. Nothing depends on this record.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io); [`Corrupt`](crate::ErrorKind::Corrupt).
    pub fn meta(&self) -> Result<Meta> {
        let at = header::LEN as u64;
        let read = || {
            let start = self.read_at(at, START_LEN as u64)?;
            match frame_start(&start, self.file_len().saturating_sub(at)) {
                Some((FrameKind::Meta, len)) => Meta::read(&self.read_at(at, len)?),
                _ => Err(Error::corrupt("no metadata after the header").at_byte(at)),
            }
        };
        read().map_err(|e| e.in_file(self.path()))
    }

    /// The bytes of a block, numbered from 0: its head and its columns.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io); [`Corrupt`](crate::ErrorKind::Corrupt) if another block is
    /// there; [`Cancelled`](crate::ErrorKind::Cancelled) if the [flag](Self::with_cancel) of this
    /// handle is set; [`Usage`](crate::ErrorKind::Usage) if there is no such block.
    pub fn block_bytes(&self, block: usize) -> Result<Vec<u8>> {
        self.check_cancel()?;
        let entry = self.blocks().get(block);
        let entry =
            entry.ok_or_else(|| Error::usage(format!("there is no block {}", block + 1)))?;
        self.in_block(block, || {
            let bytes = self.read_at(entry.offset, entry.stored_len)?;
            entry.check_head(&bytes)?;
            Ok(bytes)
        })
    }

    /// The head of a block, numbered from 0, without its columns.
    ///
    /// # Errors
    /// Io; corrupt; cancelled.
    pub(crate) fn block_head(&self, block: usize) -> Result<Head> {
        self.check_cancel()?;
        let entry = &self.blocks()[block];
        self.in_block(block, || {
            let head = self.read_at(entry.offset, entry.head_len)?;
            entry.check_head(&head)?;
            let head = Head::read(&head)?;
            if head.games as u64 != entry.games {
                return Err(mismatch());
            }
            Ok(head)
        })
    }

    /// The block with these bytes, which are those of [`block_bytes`](Self::block_bytes).
    ///
    /// # Errors
    /// Corrupt; unsupported.
    pub(crate) fn block<'b>(&'b self, bytes: &'b [u8]) -> Result<Block<'b>> {
        Block::open_with(bytes, self.models())
    }

    /// Reads a block, unless it is [kept](Self::keep_blocks). Blocks are numbered from 0.
    ///
    /// # Errors
    /// Io; corrupt; cancelled.
    pub(crate) fn open_block(&self, number: usize) -> Result<OpenBlock> {
        self.kept_or(number, |games, models| {
            OpenBlock::open(self.block_bytes(number)?, games, models)
        })
    }

    /// As [`open_block`](Self::open_block), but the columns of the block are read when they are
    /// needed.
    ///
    /// # Errors
    /// Io; corrupt; cancelled.
    pub(crate) fn open_columns(&self, number: usize) -> Result<OpenBlock> {
        self.kept_or(number, |games, models| {
            let source = self.inner.source.clone();
            let columns = StoredColumns::open(source, &self.blocks()[number])?;
            OpenBlock::open_columns(columns, games, models)
        })
    }

    /// The block that is [kept](Self::keep_blocks), or the one that `open` opens with its number of
    /// games and the models of the archive.
    fn kept_or(
        &self,
        number: usize,
        open: impl FnOnce(u64, Models) -> Result<OpenBlock>,
    ) -> Result<OpenBlock> {
        self.check_cancel()?;
        let kept = &self.inner.blocks;
        if let Some(block) = kept.get(number as u64) {
            return Ok(block);
        }
        let games = self.blocks()[number].games;
        let block = self.in_block(number, || open(games, self.models().clone()))?;
        kept.add(number as u64, &block, block.size());
        Ok(block)
    }

    /// An error if the [flag](Self::with_cancel) of this handle is set.
    pub(crate) fn check_cancel(&self) -> Result<()> {
        let cancel = self.cancel.as_ref();
        if cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            Err(Error::new(Kind::Cancelled, "cancelled"))
        } else {
            Ok(())
        }
    }

    /// Reads `len` bytes at `offset`.
    pub(crate) fn read_at(&self, offset: u64, len: u64) -> Result<Vec<u8>> {
        read_at(&*self.inner.source, self.file_len(), offset, len)
    }

    /// Announces blocks that will be read by [`block_bytes`](Self::block_bytes), in this order.
    /// Those of an archive on a server are requested in advance; otherwise nothing happens.
    pub(crate) fn will_read(&self, blocks: &[usize]) {
        let ranges = blocks.iter().map(|&block| self.blocks()[block].bytes());
        self.inner.source.will_read(&ranges.collect::<Vec<_>>());
    }

    /// [Announces](Self::will_read) the columns of blocks that [`open_columns`](Self::open_columns)
    /// will read for these tags and others. The heads are read for it, unless the archive is a file,
    /// which needs no announcement. What cannot be read is an error later.
    pub(crate) fn will_read_columns(&self, blocks: &[usize], tags: &[&str], others: &[Fixed]) {
        if matches!(self.inner.location, Some(Location::File(_))) {
            return;
        }
        self.will_read_heads(blocks.iter().copied());
        let ranges = blocks.iter().filter_map(|&block| {
            let entry = &self.blocks()[block];
            let columns = StoredColumns::open(self.inner.source.clone(), entry).ok()?;
            columns.places_of(self.models(), tags, others).ok()
        });
        let ranges: Vec<_> = ranges.flatten().collect();
        self.inner.source.will_read(&ranges);
    }

    /// [Announces](Self::will_read) the heads of these blocks.
    pub(crate) fn will_read_heads(&self, blocks: impl IntoIterator<Item = usize>) {
        let blocks = blocks.into_iter().map(|block| &self.blocks()[block]);
        let heads = blocks.map(|block| block.offset..block.offset + block.head_len);
        self.inner.source.will_read(&heads.collect::<Vec<_>>());
    }

    /// [Announces](Self::will_read) all blocks. Returns their numbers.
    pub(crate) fn will_read_all(&self) -> Vec<usize> {
        let blocks: Vec<usize> = (0..self.blocks().len()).collect();
        self.will_read(&blocks);
        blocks
    }

    /// Runs an operation on a block. Adds the block to its error; if the block is damaged, or the
    /// program cannot read it, also its games.
    pub(crate) fn in_block<R>(
        &self,
        block: usize,
        operation: impl FnOnce() -> Result<R>,
    ) -> Result<R> {
        operation().map_err(|error| {
            let games = self.blocks()[block].game_numbers();
            let needs = error.remedy();
            let is_unread = matches!(needs, Some(Remedy::LaterVersion | Remedy::OtherModel));
            let error = match games {
                Some(games) if is_unread && error.block().is_none() => {
                    let message = format!("{}: {}", games_text(&games), error.message());
                    error.with_message(message)
                }
                Some(games) if error.kind() == Kind::Corrupt && error.block().is_none() => {
                    let message = format!("{} (it holds {})", error.message(), games_text(&games));
                    error.with_message(message)
                }
                _ => error,
            };
            error.in_block(block as u64).in_file(self.path())
        })
    }

    /// The index entry of the block that holds a game, and the game's index within the block.
    ///
    /// # Errors
    /// Usage if there is no such game.
    pub(crate) fn locate(&self, number: GameNumber) -> Result<(usize, u64)> {
        self.check_exists(number.get())?;
        let place = self.block_of_game(number).and_then(|block| {
            let first = self.blocks()[block].first_game;
            Some((block, number.index().checked_sub(first)?))
        });
        // An archive that is not partial has a block for each game.
        let damaged = || Error::corrupt("its block is damaged").in_game(number);
        place.ok_or_else(|| damaged().in_file(self.path()))
    }

    /// Fails if there is no such game.
    ///
    /// # Errors
    /// Usage.
    pub(crate) fn check_exists(&self, number: u64) -> Result<()> {
        if (1..=self.len()).contains(&number) {
            Ok(())
        } else {
            Err(self.no_game(number))
        }
    }

    /// The error for a game that does not exist.
    pub(crate) fn no_game(&self, number: u64) -> Error {
        let message = match number {
            0 => "games are numbered from 1".to_owned(),
            _ => format!("there is no game {number}: the archive has {}", self.len()),
        };
        Error::usage(message).in_file(self.path())
    }

    /// The games of a range of numbers from 1 that the archive has, counted from 0.
    pub(crate) fn clamp(&self, games: impl RangeBounds<u64>) -> Range<u64> {
        clamp(games, self.len())
    }

    /// The blocks whose games overlap a range of games counted from 0.
    pub(crate) fn blocks_of(&self, games: &Range<u64>) -> Vec<usize> {
        let overlaps = |block: &BlockEntry| {
            block.first_game < games.end && block.first_game + block.games > games.start
        };
        let blocks = self.blocks().iter().enumerate();
        blocks
            .filter(|(_, block)| overlaps(block))
            .map(|(number, _)| number)
            .collect()
    }

    /// The blocks that hold some of these games, which ascend.
    pub(crate) fn blocks_with(&self, games: &[GameNumber]) -> Vec<usize> {
        let has_games = |block: &BlockEntry| {
            let next = games.partition_point(|game| game.index() < block.first_game);
            games
                .get(next)
                .is_some_and(|game| game.index() < block.first_game + block.games)
        };
        let blocks = self.blocks().iter().enumerate();
        blocks
            .filter(|(_, block)| has_games(block))
            .map(|(number, _)| number)
            .collect()
    }

    /// Starts to unpack the parameters of the move model in the background, if the archive needs
    /// them: a single game is then read sooner.
    pub(crate) fn preload(&self) {
        let is_weighted = |meta: Meta| [Coding::Weighted.name(), MIXED].contains(&&*meta.coding);
        if self.meta().is_ok_and(is_weighted) {
            model::load_in_background();
        }
    }
}

/// The games of a range of numbers from 1 that a collection of `len` games has, counted from 0.
pub(crate) fn clamp(games: impl RangeBounds<u64>, len: u64) -> Range<u64> {
    use std::ops::Bound::{Excluded, Included, Unbounded};
    let first = match games.start_bound() {
        Included(&first) => first.saturating_sub(1),
        Excluded(&before) => before,
        Unbounded => 0,
    };
    let end = match games.end_bound() {
        Included(&last) => last,
        Excluded(&end) => end.saturating_sub(1),
        Unbounded => u64::MAX,
    }
    .min(len);
    first.min(end)..end
}

/// The number of threads that the machine runs at once.
pub(crate) fn default_threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
