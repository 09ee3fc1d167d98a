//! The blocks of a file: by its index, or by a scan if the index is lost.

use std::{collections::BTreeSet, fmt, ops::Range};

use ign_format::{
    block::{decode::Block, is_model},
    container::{
        block_head::{Head, Prefix},
        footer::{self, Footer},
        frame::{Kind, skippable_len},
        header,
        index::{BlockEntry, Index, Source},
        meta::Meta,
        parity::Set,
        version,
    },
    error::{Error, Kind as ErrorKind, Remedy, Result},
    models::{ModelId, Models},
};

use super::{
    damage::{Damage, Place},
    end::{Rest, last_footer, read_footer},
    frames::{START_LEN, read_at, sealed_at},
    scan::{Found, FoundBlock, scan, unexplained},
};
use crate::{models, source::ReadAt, text::games_text};

/// Bytes of a block beyond the end of the file that are taken as zeros to read the rest.
const MAX_PADDING: u64 = 4 << 20;
/// Fewer bytes after an archive hold no block: a footer, or a mark, and the shortest block.
pub(crate) const MIN_APPENDED: u64 = footer::LEN as u64 + 32;

/// What a file consists of.
pub(crate) struct Outline {
    /// The blocks in the order of their games.
    pub blocks: Vec<Listed>,
    /// The inputs of the archive. Their text is that of the blocks.
    pub sources: Vec<Source>,
    /// Whether an index of the file lists the blocks; otherwise they were found by a scan, and
    /// games of blocks whose heads are lost are not counted.
    pub is_listed: bool,
    /// Number of sources whose totals are those of the text that was packed.
    pub known_sources: usize,
    /// The footer, if it is whole.
    pub footer: Option<Footer>,
    /// The metadata frame, if it is whole.
    pub meta: Option<Vec<u8>>,
    /// Parity sets; only a scan finds them.
    pub sets: Vec<Set>,
    /// Whether a scan found frames of parity that are not at their places.
    pub has_moved_parity: bool,
    /// Damage outside the blocks.
    pub damage: Vec<Damage>,
    /// Length of the file in bytes.
    pub file_len: u64,
    /// Where the last index of the file is, if it is whole.
    pub index_place: Option<Range<u64>>,
    /// Where an append began that was interrupted, or is running.
    pub append_start: Option<u64>,
}

/// A block and what is known about it.
pub(crate) struct Listed {
    /// Its place and totals.
    pub entry: BlockEntry,
    /// Why it is damaged; `None` if it is whole as far as it was checked.
    pub damage: Option<BlockDamage>,
}

/// The damage of a block.
pub(crate) struct BlockDamage {
    /// The names of the damaged columns, if the head is whole.
    pub columns: Vec<String>,
    /// What is wrong.
    pub error: Error,
}

impl BlockDamage {
    /// Whether the block needs a model of which no copy is whole.
    pub fn lacks_model(&self) -> bool {
        self.error.remedy() == Some(&Remedy::OtherModel)
    }
}

/// Games that may be lost and are in no block that is listed or was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// Bytes after the last footer may be those of more games.
    AfterFooter,
    /// The file ends in its last footer, after which games may have been appended.
    InFooter,
    /// The index is lost, and the footer counts more games than the blocks, or more text if this is
    /// 0.
    Missing(u64),
    /// Index and footer are lost.
    End,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AfterFooter => f.write_str(
                "what follows the last whole footer is not a whole archive: more games may have followed",
            ),
            Self::InFooter => f.write_str(
                "the file is cut off in its footer: if games were appended after it, they are lost",
            ),
            Self::Missing(0) => f.write_str(
                "the index is lost; according to the footer, text is missing beside that of the blocks found",
            ),
            Self::Missing(games) => {
                let games = match games {
                    1 => "1 game is".to_owned(),
                    _ => format!("{games} games are"),
                };
                write!(
                    f,
                    "the index is lost; according to the footer, {games} missing beside those of the blocks found"
                )
            }
            Self::End => f.write_str(
                "index and footer are lost: how many games followed the last block is not known",
            ),
        }
    }
}

impl Outline {
    /// Reads the index of a file, or scans it if it has none. Blocks that an index lists are not
    /// read.
    ///
    /// # Errors
    /// Io; corrupt, if nothing of an archive is found; unsupported.
    pub fn read(source: &dyn ReadAt) -> Result<Self> {
        let file_len = source.size()?;
        let mut damage = Vec::new();
        let header = read_at(source, file_len, 0, (header::LEN as u64).min(file_len))?;
        if let Err(error) = header::read(&header) {
            damage.push(Damage::of(Place::Header, of_damage(error)?.at_byte(0)));
        }
        let meta = match read_meta(source, file_len) {
            Ok(meta) => Some(meta),
            Err(error) if error.is_data_error() => {
                let error = Error::corrupt(error.message()).at_byte(header::LEN as u64);
                damage.push(Damage::of(Place::Metadata, error));
                None
            }
            Err(error) => return Err(error),
        };
        let mut outline = Self {
            blocks: Vec::new(),
            sources: Vec::new(),
            is_listed: false,
            known_sources: 0,
            footer: None,
            meta,
            sets: Vec::new(),
            has_moved_parity: false,
            damage,
            file_len,
            index_place: None,
            append_start: None,
        };
        match read_footer(source, file_len) {
            Ok((footer, _)) => {
                let place = footer.index_offset..footer.index_offset + footer.index_len;
                let bytes = read_at(source, file_len, place.start, footer.index_len)?;
                match Index::read(&bytes, place.start) {
                    Ok(index) => {
                        if index.games() != footer.games || index.text_len() != footer.text_len {
                            let error = Error::corrupt("footer and index contradict each other");
                            outline.damage.push(Damage::of(Place::Footer, error));
                        }
                        outline.list(index, place);
                        outline.footer = Some(footer);
                        return Ok(outline);
                    }
                    Err(error) => {
                        let error = error.at_byte(place.start);
                        outline.damage.push(Damage::of(Place::BlockTable, error));
                        outline.footer = Some(footer);
                    }
                }
            }
            Err(error) => {
                let error = of_damage(error)?;
                let error = match last_footer(source, file_len) {
                    Ok(last) => {
                        outline.append_start = (last.rest == Rest::Append).then_some(last.end);
                        last.excess(file_len)
                    }
                    Err(other) if other.kind() == ErrorKind::Corrupt => error,
                    Err(other) => return Err(other),
                };
                outline.damage.push(Damage::of(Place::Footer, error));
            }
        }
        outline.scan(source)?;
        Ok(outline)
    }

    fn list(&mut self, index: Index, place: Range<u64>) {
        self.known_sources = index.sources.len();
        self.sources = index.sources;
        let listed = index.blocks.into_iter();
        self.blocks = listed
            .map(|entry| Listed {
                entry,
                damage: None,
            })
            .collect();
        self.is_listed = true;
        self.index_place = Some(place);
    }

    /// Finds the blocks of a file whose index or footer is damaged.
    fn scan(&mut self, source: &dyn ReadAt) -> Result<()> {
        let mut found = scan(source, self.file_len, 0..self.file_len)?;
        let is_archive = self.damage.iter().all(|d| d.place != Place::Header);
        let is_empty = found.blocks.is_empty() && found.indexes.is_empty() && found.sets.is_empty();
        if is_empty && !is_archive {
            return Err(header::no_archive());
        }
        if let Some((place, index)) = found.indexes.pop() {
            self.footer = self
                .footer
                .or(footer_after(source, self.file_len, place.end)?);
            self.list(index, place);
        }
        self.check_blocks(source)?;
        self.add(found);
        Ok(())
    }

    /// Scans the file for blocks that are not where the index lists them, and for blocks that no
    /// index lists, as at the end of a file that is cut off. The blocks must have been checked.
    ///
    /// # Errors
    /// Io.
    pub fn search(&mut self, source: &dyn ReadAt) -> Result<()> {
        if self.sets.is_empty() && self.footer.is_some() && self.is_listed {
            let found = scan(source, self.file_len, 0..self.file_len)?;
            self.add(found);
        }
        Ok(())
    }

    /// Adds what a scan found to what the index lists.
    fn add(&mut self, found: Found) {
        self.sets = found.sets;
        self.has_moved_parity = found.has_moved_parity;
        if self.meta.is_none() {
            self.meta = found.meta;
        }
        let mut blocks = found.blocks;
        if self.is_listed {
            self.relocate(&mut blocks, &found.headers);
        }
        let start = self.end();
        let mut end = start;
        let has_found = !blocks.is_empty();
        for block in blocks {
            let damage = damage_of(&block);
            let mut entry = block.entry;
            (entry.text_offset, entry.first_game) = end;
            end = (end.0 + entry.text_len, end.1 + entry.games);
            self.blocks.push(Listed { entry, damage });
        }
        if has_found {
            let (text_len, games) = (end.0 - start.0, end.1 - start.1);
            self.sources.push(Source::new(Vec::new(), text_len, games));
        }
    }

    /// The end of the text and of the games.
    fn end(&self) -> (u64, u64) {
        self.blocks.last().map_or((0, 0), |last| {
            let entry = &last.entry;
            (
                entry.text_offset + entry.text_len,
                entry.first_game + entry.games,
            )
        })
    }

    /// Whether games may be lost beside those of the blocks; `gaps` are the [gaps](Self::gaps) of
    /// the file.
    pub fn unknown(&self, gaps: &[Damage]) -> Option<Unknown> {
        let index_start = self.index_place.as_ref().map(|place| place.start);
        // A footer whose own index is lost.
        if let Some(footer) = self.footer
            && Some(footer.index_offset) != index_start
        {
            let (text_len, games) = self.end();
            let missing = footer.games.saturating_sub(games);
            let is_short = missing > 0 || footer.text_len > text_len;
            return is_short.then_some(Unknown::Missing(missing));
        }
        let Some(index) = &self.index_place else {
            return Some(Unknown::End);
        };
        if self.file_len < index.end + footer::LEN as u64 {
            return Some(Unknown::InFooter);
        }
        // More blocks may have been appended after the footer.
        let end = index.end + MIN_APPENDED;
        let is_after = |place: &Place| matches!(place, Place::Gap(bytes) if bytes.end >= end);
        let may_have_more = self.has_more() || gaps.iter().any(|gap| is_after(&gap.place));
        may_have_more.then_some(Unknown::AfterFooter)
    }

    /// Whether a scan found blocks that no index lists.
    pub fn has_more(&self) -> bool {
        self.sources.len() > self.known_sources
    }

    /// Number of games, as far as known.
    pub fn games(&self) -> u64 {
        self.end().1
    }

    /// Takes the blocks that are listed out of those found. A block that is damaged where the index
    /// lists it is replaced by a whole one with the same head that is elsewhere. `headers` are the
    /// places of the headers in the file.
    fn relocate(&mut self, found: &mut Vec<FoundBlock>, headers: &[u64]) {
        let whole = self.blocks.iter().filter(|block| block.damage.is_none());
        let places: BTreeSet<u64> = whole.map(|block| block.entry.offset).collect();
        // Texts of whole blocks: another copy before the end of the index is a duplicate. One after
        // it was appended: it may replace a damaged block, and is a block of its own too.
        let index_end = self.index_place.as_ref().map_or(0, |place| place.end);
        // An append writes no header: after one, another archive was copied to the end of the file.
        let headers = headers.iter().copied();
        let next_header = headers.filter(|&at| at >= index_end).min();
        let appended_bytes = index_end..next_header.unwrap_or(u64::MAX);
        let is_appended = |block: &FoundBlock| appended_bytes.contains(&block.entry.offset);
        let mut appended = Vec::new();
        let mut seen: BTreeSet<(u64, u64)> = BTreeSet::new();
        found.retain(|block| {
            let is_listed = places.contains(&block.entry.offset);
            if is_listed {
                seen.insert((block.text_checksum, block.entry.text_len));
            }
            !is_listed
        });
        for block in self
            .blocks
            .iter_mut()
            .filter(|block| block.damage.is_some())
        {
            let identity = |entry: &BlockEntry| {
                let BlockEntry {
                    head_len,
                    stored_len,
                    text_len,
                    games,
                    head_checksum,
                    ..
                } = *entry;
                [head_len, stored_len, text_len, games, head_checksum]
            };
            let is_it = |other: &FoundBlock| {
                other.is_complete() && identity(&other.entry) == identity(&block.entry)
            };
            if let Some(place) = found.iter().position(is_it) {
                let other = found.remove(place);
                if is_appended(&other) {
                    appended.push(other.clone());
                }
                seen.insert((other.text_checksum, other.entry.text_len));
                block.entry.offset = other.entry.offset;
                block.damage = damage_of(&other);
            }
        }
        found.retain(|block| {
            is_appended(block) || !seen.contains(&(block.text_checksum, block.entry.text_len))
        });
        // What is left inside a listed block is part of its text.
        let ranges: Vec<Range<u64>> = self
            .blocks
            .iter()
            .map(|block| block.entry.bytes())
            .collect();
        found.retain(|block| {
            let offset = block.entry.offset;
            !ranges.iter().any(|range| range.contains(&offset))
        });
        found.extend(appended);
        found.sort_by_key(|block| block.entry.offset);
    }

    /// Checks the checksums of all blocks.
    ///
    /// # Errors
    /// Io.
    pub fn check_blocks(&mut self, source: &dyn ReadAt) -> Result<()> {
        for block in &mut self.blocks {
            let bytes = block_bytes(source, self.file_len, &block.entry)?;
            block.damage = check(&bytes, &block.entry);
        }
        Ok(())
    }

    /// Says of the damaged copies of models whether another copy is whole. If `marks` is set,
    /// blocks that name a model which this program does not have and of which no copy is whole are
    /// damaged from here on. The blocks must have been checked.
    ///
    /// # Errors
    /// Io.
    pub fn check_models(
        &mut self,
        source: &dyn ReadAt,
        models: &Models,
        marks: bool,
    ) -> Result<()> {
        for block in &mut self.blocks {
            let is_model_place = block.entry.text_len == 0;
            if block.damage.is_some() && !is_model_place || block.damage.is_none() && !marks {
                continue;
            }
            let Some(head) = models::head(source, self.file_len, &block.entry)? else {
                continue;
            };
            let lost = |id: &ModelId| !id.is_builtin() && !models.holds(*id);
            let lost = head.models.iter().find(|id| lost(id));
            if let Some(damage) = &mut block.damage {
                let Some(id) = head.models.first().filter(|_| is_model(&head)) else {
                    continue;
                };
                let what = damage.error.message();
                let message = match lost {
                    None => format!(
                        "{what}; another copy of the {} is whole, so nothing is lost",
                        id.name()
                    ),
                    Some(_) => format!(
                        "{what}: no copy of the {} {id} is whole; ign recover --model FILE restores it from its file",
                        id.name()
                    ),
                };
                damage.error = Error::new(damage.error.kind(), message);
            } else if let Some(id) = lost {
                let message = format!("needs the {} {id}, of which no copy is whole", id.name());
                block.damage = Some(BlockDamage {
                    columns: Vec::new(),
                    error: Error::unsupported(message).with_remedy(Remedy::OtherModel),
                });
            }
        }
        Ok(())
    }

    /// The bytes of the file that belong to no part of it, as damage.
    ///
    /// # Errors
    /// Io.
    pub fn gaps(&self, source: &dyn ReadAt) -> Result<Vec<Damage>> {
        let header = header::LEN as u64;
        let meta = self.meta.as_ref().map_or(0, Vec::len) as u64;
        let mut parts = vec![0..header, header..header + meta];
        parts.extend(self.blocks.iter().map(|block| block.entry.bytes()));
        parts.extend(self.index_place.clone());
        if let Some(footer) = &self.footer {
            parts.push(footer.index_offset + footer.index_len..footer.file_len);
            if self.index_place.is_none() {
                parts.push(footer.index_offset..footer.index_offset + footer.index_len);
            }
        }
        parts.sort_by_key(|part| part.start);
        // A block may replace another one.
        parts.dedup();
        parts.push(self.file_len..self.file_len);
        let (mut end, mut damage) = (0, Vec::new());
        for part in parts {
            let start = part.start.min(self.file_len);
            if start > end {
                for mut gap in unexplained(source, self.file_len, end..start)? {
                    if let Some((lost, len)) = self.lost_frame(source, &gap)? {
                        gap.start += len;
                        damage.extend(lost);
                    }
                    if gap.is_empty() {
                        continue;
                    }
                    let len = gap.end - gap.start;
                    let message = match len {
                        1 => "1 byte belongs to no part of the archive".to_owned(),
                        _ => format!("{len} bytes belong to no part of the archive"),
                    };
                    let error = Error::corrupt(message).at_byte(gap.start);
                    damage.push(Damage::of(Place::Gap(gap), error));
                }
            }
            // Two blocks must not share bytes.
            if start < end && part.end > part.start {
                let error = Error::corrupt("two parts of the archive overlap").at_byte(start);
                damage.push(Damage::of(Place::Gap(start..end.min(part.end)), error));
            }
            end = end.max(part.end);
        }
        Ok(damage)
    }

    /// The index or the footer without a correct seal at the start of a gap: its damage, unless it
    /// is reported already, and its length.
    fn lost_frame(
        &self,
        source: &dyn ReadAt,
        gap: &Range<u64>,
    ) -> Result<Option<(Option<Damage>, u64)>> {
        let len = gap.end - gap.start;
        let start = read_at(source, self.file_len, gap.start, len.min(START_LEN as u64))?;
        let place = match Kind::of(&start) {
            Some(Kind::Index) => Place::BlockTable,
            Some(Kind::Footer) => Place::Footer,
            _ => return Ok(None),
        };
        let own = skippable_len(&start).unwrap_or(len).min(len);
        let is_reported = self.damage.iter().any(|damage| damage.place == place);
        let damage = (!is_reported).then(|| {
            let error = Error::corrupt(format!("the {} is damaged", place.name()));
            Damage::of(place, error.at_byte(gap.start))
        });
        Ok(Some((damage, own)))
    }

    /// The damaged blocks.
    pub fn damaged_blocks(&self) -> impl Iterator<Item = Damage> {
        let blocks = self.blocks.iter().enumerate();
        blocks.filter_map(|(number, block)| {
            let damage = block.damage.as_ref()?;
            Some(of_block(number, &block.entry, damage))
        })
    }
}

/// The report of a damaged block, counted from 0.
fn of_block(number: usize, entry: &BlockEntry, damage: &BlockDamage) -> Damage {
    let games = entry.game_numbers();
    let mut remedy = match &games {
        None => "it holds no games".to_owned(),
        Some(games) => format!("it holds {}", games_text(games)),
    };
    if damage.error.remedy() == Some(&Remedy::OtherModel) {
        remedy += "; ign recover --model FILE restores the model from its file";
    }
    let error = Error::new(damage.error.kind(), damage.error.message());
    Damage {
        place: Place::Block {
            number: number as u64 + 1,
            bytes: entry.bytes(),
        },
        columns: damage.columns.clone(),
        games,
        lacks_model: damage.lacks_model(),
        error: error.in_block(number as u64).with_remedy(remedy),
    }
}

/// The bytes of a block as far as the file has them.
///
/// # Errors
/// Io.
pub(crate) fn block_bytes(
    source: &dyn ReadAt,
    file_len: u64,
    entry: &BlockEntry,
) -> Result<Vec<u8>> {
    let start = entry.offset.min(file_len);
    let end = (entry.offset + entry.stored_len).min(file_len);
    read_at(source, file_len, start, end - start)
}

/// Whether the first bytes of a block that is cut off are its head, and the rest is not too long.
fn has_head(bytes: &[u8], entry: &BlockEntry) -> bool {
    let head = usize::try_from(entry.head_len)
        .ok()
        .and_then(|len| bytes.get(..len));
    let is_head = head.is_some_and(|head| Head::read(head).is_ok());
    // A forged length must not demand memory.
    is_head && entry.stored_len <= MAX_PADDING + 16 * bytes.len() as u64
}

/// Checks that the head of a block is the one that the index lists, with the same totals.
///
/// # Errors
/// Corrupt, if it is not. Unsupported, if there is no such version.
fn check_listed(bytes: &[u8], entry: &BlockEntry) -> Result<()> {
    entry.check_head(bytes)?;
    entry.check_totals(&Prefix::read(&bytes[..entry.head_len as usize])?)
}

/// Compares the checksums of a block and its totals with those that the index lists.
pub(crate) fn check(bytes: &[u8], entry: &BlockEntry) -> Option<BlockDamage> {
    let of_error = |error| {
        Some(BlockDamage {
            columns: Vec::new(),
            error,
        })
    };
    // The head alone may be whole if the file is cut off.
    let mut padded = Vec::new();
    let is_cut = (bytes.len() as u64) < entry.stored_len;
    if is_cut && !has_head(bytes, entry) {
        return of_error(Error::corrupt("the file ends before the block"));
    }
    let bytes = if is_cut {
        padded.extend_from_slice(bytes);
        padded.resize(entry.stored_len as usize, 0);
        &padded
    } else {
        bytes
    };
    let block = match Block::open(bytes) {
        Err(error) if error.kind() != ErrorKind::Unsupported => return of_error(error),
        // Only the block that the index lists is reported as unread.
        opened => match check_listed(bytes, entry).and(opened) {
            Ok(block) => block,
            Err(error) => return of_error(error),
        },
    };
    let names = block.damaged_column_names();
    (is_cut || !names.is_empty()).then(|| block_damage(names, is_cut))
}

/// The damage of a block that a scan found.
fn damage_of(block: &FoundBlock) -> Option<BlockDamage> {
    match version::check(block.version) {
        Err(error) if !block.is_cut => Some(BlockDamage {
            columns: Vec::new(),
            error,
        }),
        _ => (!block.is_whole()).then(|| block_damage(block.damaged.clone(), block.is_cut)),
    }
}

fn block_damage(columns: Vec<String>, is_cut: bool) -> BlockDamage {
    let names = columns.join(", ");
    let message = match (&columns[..], is_cut) {
        ([], _) => "the block is cut off".to_owned(),
        (_, true) => format!("the block is cut off; columns lost: {names}"),
        ([_], false) => format!("the checksum of the column {names} differs"),
        (_, false) => format!("the checksums of the columns {names} differ"),
    };
    BlockDamage {
        columns,
        error: Error::corrupt(message),
    }
}

/// The error, if it is damage. Another version is none, and neither is a file that cannot be read.
fn of_damage(error: Error) -> Result<Error> {
    match error.kind() {
        ErrorKind::Corrupt => Ok(error),
        _ => Err(error),
    }
}

/// The footer that follows an index, if it is whole. Excess bytes after it are no damage of it.
fn footer_after(source: &dyn ReadAt, file_len: u64, at: u64) -> Result<Option<Footer>> {
    let sealed = sealed_at(source, file_len, at)?.filter(|(kind, _)| *kind == Kind::Footer);
    Ok(sealed.and_then(|(_, bytes)| Footer::read(&bytes, at + bytes.len() as u64).ok()))
}

/// The metadata frame after the header.
fn read_meta(source: &dyn ReadAt, file_len: u64) -> Result<Vec<u8>> {
    let missing = || Error::corrupt("no metadata after the header");
    let sealed = sealed_at(source, file_len, header::LEN as u64)?;
    let (_, bytes) = sealed.ok_or_else(missing)?;
    Meta::read(&bytes)?;
    Ok(bytes)
}
