//! Unpacking: an archive, or some of its games, to text.

use std::{
    io::{self, Write},
    ops::{Range, RangeInclusive},
    thread,
};

use crate::{
    archive::Archive,
    file_names::SourceFile,
    ordered::ordered,
    progress::{Counters, OnProgress, progress_setter},
    sources::{Piece, SourceTexts, common},
};
use ign_format::{
    block::decode::Records,
    container::index::mismatch,
    error::{Error, Result},
    game_number::GameNumber,
};

/// Unpacks archives, as [`Archive::unpack`] does.
#[derive(Debug, Default)]
pub struct Unpacker<'p> {
    sources: Option<Vec<Range<usize>>>,
    on_progress: OnProgress<'p>,
}

impl<'p> Unpacker<'p> {
    /// An unpacker without a callback.
    pub fn new() -> Self {
        Self::default()
    }

    progress_setter!();

    /// Unpacks only these sources, counted from 0, such as those of a [file](crate::SourceFile). If
    /// this is called several times, they are unpacked one after the other.
    pub fn sources(mut self, sources: Range<usize>) -> Self {
        self.sources.get_or_insert_default().push(sources);
        self
    }

    /// Writes the whole text of an archive, or that of some sources. The bytes of the progress are
    /// those of text.
    ///
    /// # Errors
    /// As [`Archive::unpack`], and [`Cancelled`](crate::ErrorKind::Cancelled).
    /// [`Usage`](crate::ErrorKind::Usage) if a source does not exist.
    pub fn unpack(mut self, archive: &Archive, mut out: impl Write) -> Result<u64> {
        let whole = 0..archive.sources().len();
        let ranges = self.sources.take().unwrap_or_else(|| vec![whole]);
        let written = self.each_text(archive, &ranges, |_, text| Ok(out.write_all(text)?))?;
        out.flush()?;
        Ok(written)
    }

    /// Writes each of these files to where `open` says, and passes that to `close` when all of the
    /// file is written and its checksum is correct. Files that share a block are written in one
    /// pass over it.
    ///
    /// # Errors
    /// As [`unpack`](Self::unpack), and those of `open` and `close`.
    pub fn unpack_files<W: Write>(
        self,
        archive: &Archive,
        files: &[SourceFile],
        mut open: impl FnMut(&SourceFile) -> Result<W>,
        mut close: impl FnMut(W) -> Result<()>,
    ) -> Result<u64> {
        let ranges: Vec<_> = files.iter().map(|file| file.sources.clone()).collect();
        let mut waiting = files.iter().enumerate();
        let mut current: Option<(usize, W)> = None;
        // Goes on to a file, over those without text.
        let mut reach = |number: usize, current: &mut Option<(usize, W)>| {
            while current.as_ref().is_none_or(|(open, _)| *open != number) {
                if let Some((_, out)) = current.take() {
                    close(out)?;
                }
                let Some((next, file)) = waiting.next() else {
                    break;
                };
                *current = Some((next, open(file)?));
            }
            Ok::<_, Error>(())
        };
        let written = self.each_text(archive, &ranges, |number, text| {
            reach(number, &mut current)?;
            match &mut current {
                Some((_, out)) => Ok(out.write_all(text)?),
                None => Err(Error::internal("a file was written already")),
            }
        })?;
        reach(usize::MAX, &mut current)?;
        Ok(written)
    }

    /// Passes the text of ranges of sources to `each`, piece by piece, with the number of the
    /// range.
    fn each_text(
        mut self,
        archive: &Archive,
        ranges: &[Range<usize>],
        mut each: impl FnMut(usize, &[u8]) -> Result<()>,
    ) -> Result<u64> {
        let all = archive.sources();
        let places = archive.places();
        // Ranges that follow each other share the block between them.
        let mut blocks: Vec<usize> = Vec::new();
        for range in ranges {
            if all.get(range.clone()).is_none() {
                return Err(Error::usage(format!(
                    "there is no source {}; the archive has {}",
                    range.end,
                    all.len()
                )));
            }
            let own = archive.blocks_of_text(&places.of_sources(range.clone()).text);
            let is_shared = blocks.last().is_some_and(|last| own.first() == Some(last));
            blocks.extend(&own[usize::from(is_shared)..]);
        }
        archive.will_read(&blocks);
        let counters = Counters::default();
        thread::scope(|scope| {
            let text = |block: usize| Ok((block, block_text(archive, block)?.0));
            let threads = archive.threads().min(blocks.len());
            let mut texts = ordered(scope, threads, blocks.into_iter().map(Ok), text);
            let mut current: Option<(usize, Vec<u8>)> = None;
            let mut written = 0;
            for (number, range) in ranges.iter().enumerate() {
                let piece = places.of_sources(range.clone());
                let mut checked = SourceTexts::new(&all[..range.end], range.start);
                for block in archive.blocks_of_text(&piece.text) {
                    if current.as_ref().is_none_or(|(open, _)| *open != block) {
                        current = texts.next().transpose()?;
                    }
                    let Some((_, text)) = current.as_ref().filter(|(open, _)| *open == block)
                    else {
                        return Err(Error::internal("a block was not decoded"));
                    };
                    let whole = Piece::of_block(&archive.blocks()[block]);
                    let own = common(&whole.text, &piece.text);
                    let at = |byte: u64| (byte - whole.text.start) as usize;
                    let text = &text[at(own.start)..at(own.end)];
                    each(number, text)?;
                    written += text.len() as u64;
                    counters.add_bytes(text.len() as u64);
                    let games = common(&whole.games, &piece.games);
                    counters.add_games(games.end - games.start);
                    counters.report(&mut self.on_progress)?;
                    checked.add(text.len() as u64, Some(text));
                }
                if let [first, ..] = checked.differ[..]
                    && !archive.is_partial()
                {
                    let message = format!("the checksum of source {} differs", first + 1);
                    return Err(Error::corrupt(message).in_file(archive.path()));
                }
            }
            Ok(written)
        })
    }
}

impl Archive {
    /// Writes the whole text and compares it with the checksums of the inputs. Returns the number
    /// of bytes. If damaged blocks are [left out](Self::open_damaged), the text of the others is
    /// written.
    ///
    /// ```
    /// # use ign_archive::{Archive, Input, Packer};
    /// # let text = "1. e4 e5 *\n";
    /// # let (bytes, _) = Packer::new().pack([Input::reader("a", text.as_bytes())], Vec::new())?;
    /// # let archive = Archive::from_read_at(bytes, "a.ign")?;
    /// let mut text = Vec::new();
    /// archive.unpack(&mut text)?;
    /// assert_eq!(text, b"1. e4 e5 *\n");
    /// # Ok::<(), ign_archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io), also of `out`; [`Corrupt`](crate::ErrorKind::Corrupt).
    pub fn unpack(&self, out: impl Write) -> Result<u64> {
        Unpacker::new().unpack(self, out)
    }

    /// Writes the text of games, numbered from 1, each with what follows it up to the next game.
    /// The ranges ascend and do not overlap.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if a game does not exist;
    /// [`Io`](crate::ErrorKind::Io), also of `out`; [`Corrupt`](crate::ErrorKind::Corrupt).
    pub fn write_games(&self, games: &[RangeInclusive<u64>], mut out: impl Write) -> Result<()> {
        self.each_text(games, |_, text| Ok(out.write_all(text)?))?;
        Ok(out.flush()?)
    }

    /// As [`write_games`](Self::write_games), with an empty line between games of different inputs,
    /// which would run into each other: the last game of an input may end without a line end.
    ///
    /// # Errors
    /// As [`write_games`](Self::write_games).
    pub fn write_games_separated(
        &self,
        games: &[RangeInclusive<u64>],
        out: &mut GameSeparator<impl Write>,
    ) -> Result<()> {
        let mut last = None;
        self.each_text(games, |source, text| {
            let goes_on = last.replace(source) == Some(source);
            Ok(out.write_text(text, goes_on)?)
        })?;
        Ok(out.out.flush()?)
    }

    /// Calls `write` with the source and the texts of games: those of a source in a block at a time.
    fn each_text(
        &self,
        games: &[RangeInclusive<u64>],
        mut write: impl FnMut(usize, &[u8]) -> Result<()>,
    ) -> Result<()> {
        let mut ranges: Vec<Range<u64>> = Vec::with_capacity(games.len());
        let mut blocks: Vec<usize> = Vec::new();
        for range in games.iter().filter(|range| !range.is_empty()) {
            self.check_exists(*range.start())?;
            self.check_exists(*range.end())?;
            let games = range.start() - 1..*range.end();
            let all = self.blocks();
            let first = all.partition_point(|block| block.first_game + block.games <= games.start);
            let end = all.partition_point(|block| block.first_game < games.end);
            let next = blocks.last().map_or(0, |last| last + 1);
            blocks.extend(first.max(next)..end);
            ranges.push(games);
        }
        self.preload();
        self.will_read(&blocks);
        let texts = |block: usize| texts_of_games(self, block, &ranges);
        let mut write_all = |texts: Vec<SourceText>| {
            texts
                .iter()
                .try_for_each(|(source, text)| write(*source, text))
        };
        // One block is decoded without a thread: starting one takes longer than most of it.
        if let [block] = blocks[..] {
            return write_all(texts(block)?);
        }
        thread::scope(|scope| {
            let threads = self.threads().min(blocks.len());
            for texts in ordered(scope, threads, blocks.into_iter().map(Ok), texts) {
                write_all(texts?)?;
            }
            Ok(())
        })
    }
}

/// Where texts of games are written one after the other. If a text does not go on where the one
/// before ends, an empty line is between them.
#[derive(Debug)]
pub struct GameSeparator<W> {
    out: W,
    /// What is missing at the end of the text before, up to an empty line.
    missing: &'static [u8],
}

impl<W: Write> GameSeparator<W> {
    /// Writes to `out`, where nothing is written yet.
    pub fn new(out: W) -> Self {
        Self { out, missing: b"" }
    }

    /// Where the texts were written.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// The texts that were written since the last call.
    pub(crate) fn take(&mut self) -> W
    where
        W: Default,
    {
        std::mem::take(&mut self.out)
    }

    /// Writes a text; `goes_on` if it is of the same input as the one before, and comes after it
    /// there.
    pub(crate) fn write_text(&mut self, text: &[u8], goes_on: bool) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        if !goes_on {
            self.out.write_all(self.missing)?;
        }
        self.missing = match text {
            [.., b'\n', b'\n'] | [.., b'\n', b'\r', b'\n'] => b"",
            [.., b'\n'] => b"\n",
            _ => b"\n\n",
        };
        self.out.write_all(text)
    }
}

/// The text of a block, compared with its checksum, and the number of its games.
pub(crate) fn block_text(archive: &Archive, number: usize) -> Result<(Vec<u8>, u64)> {
    let bytes = archive.block_bytes(number)?;
    archive.in_block(number, || {
        let block = archive.block(&bytes)?;
        let entry = &archive.blocks()[number];
        if block.head().text_len as u64 != entry.text_len
            || block.head().games as u64 != entry.games
        {
            return Err(mismatch());
        }
        Ok((block.text()?, entry.games))
    })
}

/// The number of a source, and text of it.
pub(crate) type SourceText = (usize, Vec<u8>);

/// The texts of those games of the ranges, counted from 0, that are in a block, by source.
pub(crate) fn texts_of_games(
    archive: &Archive,
    number: usize,
    ranges: &[Range<u64>],
) -> Result<Vec<SourceText>> {
    let first = archive.blocks()[number].first_game;
    let after = ranges.partition_point(|range| range.end <= first);
    let ranges = &ranges[after..];
    texts_by_source(archive, number, |game| {
        game.is_some_and(|game| {
            let next = ranges.partition_point(|range| range.end <= game);
            ranges.get(next).is_some_and(|range| range.contains(&game))
        })
    })
}

/// The texts of those of the games, which ascend, that are in a block, and their ends.
pub(crate) fn text_of_each_game(
    archive: &Archive,
    number: usize,
    games: &[GameNumber],
) -> Result<(Vec<u8>, Vec<usize>)> {
    let bytes = archive.block_bytes(number)?;
    archive.in_block(number, || {
        let block = archive.block(&bytes)?;
        let records = block.records()?;
        let is_wanted = |game: Option<u64>| {
            game.is_some_and(|game| games.binary_search(&GameNumber::from_index(game)).is_ok())
        };
        let wanted: Vec<bool> = numbered(archive, number, &records).map(is_wanted).collect();
        let mut ends = Vec::new();
        let text = block.text_of_some(&records, None, |row| wanted[row], |end| ends.push(end))?;
        Ok((text, ends))
    })
}

/// The text of a block without some games of its archive, in ascending order, by source.
#[cfg(feature = "duplicates")]
pub(crate) fn texts_without(
    archive: &Archive,
    number: usize,
    games: &[GameNumber],
) -> Result<Vec<SourceText>> {
    texts_by_source(archive, number, |game| {
        game.is_none_or(|game| games.binary_search(&GameNumber::from_index(game)).is_err())
    })
}

/// Passes each record of a block to `each`: the number of its source, its text, and the number of
/// its game in the archive if it is one.
pub(crate) fn each_record(
    archive: &Archive,
    number: usize,
    mut each: impl FnMut(usize, Option<GameNumber>, &[u8]) -> Result<()>,
) -> Result<()> {
    let bytes = archive.block_bytes(number)?;
    let first = archive.blocks()[number].text_offset;
    archive.in_block(number, || {
        let block = archive.block(&bytes)?;
        let records = block.records()?;
        let mut ends = Vec::with_capacity(records.len());
        let text = block.text_of_some(&records, None, |_| true, |end| ends.push(end))?;
        let mut start = 0;
        for (game, end) in numbered(archive, number, &records).zip(ends) {
            let source = archive.places().of_byte(first + start as u64);
            let game = game.map(GameNumber::from_index);
            each(source.unwrap_or(0), game, &text[start..end])?;
            start = end;
        }
        Ok(())
    })
}

/// Appends to the text of the last source, or adds that of another one.
pub(crate) fn push_text(texts: &mut Vec<SourceText>, source: usize, text: &[u8]) {
    match texts.last_mut() {
        Some((last, all)) if *last == source => all.extend_from_slice(text),
        _ => texts.push((source, text.to_vec())),
    }
}

/// The text of the records of a block that are wanted, by source: by the number of the game,
/// counted from 0, or `None` for a record that is not a game.
fn texts_by_source(
    archive: &Archive,
    number: usize,
    wanted: impl Fn(Option<u64>) -> bool,
) -> Result<Vec<SourceText>> {
    let entry = &archive.blocks()[number];
    if archive.places().share(entry) {
        // Where a record is shows which source it is of, so that all are decoded.
        let mut texts = Vec::new();
        each_record(archive, number, |source, game, text| {
            if wanted(game.map(GameNumber::index)) {
                push_text(&mut texts, source, text);
            }
            Ok(())
        })?;
        return Ok(texts);
    }
    let source = archive.places().of_byte(entry.text_offset).unwrap_or(0);
    let bytes = archive.block_bytes(number)?;
    archive.in_block(number, || {
        let block = archive.block(&bytes)?;
        let records = block.records()?;
        let wanted: Vec<bool> = numbered(archive, number, &records).map(wanted).collect();
        let rows = wanted
            .iter()
            .rposition(|&wanted| wanted)
            .map_or(0, |last| last + 1);
        let mut out = Vec::new();
        block.render(&records, rows, |record| wanted[record], &mut out)?;
        Ok(vec![(source, out)])
    })
}

/// For each record of a block the number of its game, counted from 0; `None` if it is not a game.
fn numbered(
    archive: &Archive,
    number: usize,
    records: &Records,
) -> impl Iterator<Item = Option<u64>> {
    let mut game = archive.blocks()[number].first_game..;
    (0..records.len()).map(move |record| {
        if records.is_game(record) {
            game.next()
        } else {
            None
        }
    })
}
