//! Packing some games of an archive into another one.

use std::{
    io::{self, Read, Write},
    ops::Range,
    sync::{Arc, Mutex},
};

use ign_format::{
    error::{Error, Kind, Result},
    game_number::GameNumber,
};

use super::{Coding, Input, Packer, Summary};
use crate::{
    archive::Archive,
    archives::Archives,
    unpack::{GameSeparator, SourceText, texts_of_games},
    visit::{LazyText, TextReader},
};

impl Packer<'_> {
    /// A packer with the coding of moves, the level and the block size of an archive. If the
    /// archive was merged from several codings, the coding is the default.
    ///
    /// # Errors
    /// [`Corrupt`](crate::ErrorKind::Corrupt) if the description of the archive is damaged.
    pub fn like(archive: &Archive) -> Result<Self> {
        let meta = archive.meta()?;
        Ok(Self::new()
            .coding(Coding::named(&meta.coding).unwrap_or_default())
            .level(meta.level)
            .block_size(usize::try_from(meta.block_size).unwrap_or(Self::DEFAULT_BLOCK_SIZE)))
    }

    /// Packs games of an archive, in this order, into an archive of their own. The
    /// text of each game is the same to the byte. If the games ascend, inputs of the archive that
    /// have some of them are inputs of the new archive, under their names. In any other order the
    /// games are one input; it has a name if they are all of one input, or of inputs of this name.
    /// Then texts of about 256 MiB are in memory.
    ///
    /// ```
    /// use ign_archive::{Archive, Input, Packer, Query};
    ///
    /// let text = "[White \"Ann\"]\n\n1. e4 *\n\n[White \"Ben\"]\n\n1. d4 *\n\n";
    /// let input = Input::reader("a.pgn", text.as_bytes());
    /// let (bytes, _) = Packer::new().pack([input], Vec::new())?;
    /// let archive = Archive::from_read_at(bytes, "a.ign")?;
    /// let found = archive.find(&Query::new().white("ben"))?;
    /// let (bytes, summary) = Packer::new().pack_games(&archive, &found, Vec::new())?;
    /// assert_eq!(summary.games, 1);
    /// let games = Archive::from_read_at(bytes, "b.ign")?;
    /// assert_eq!(games.game(1)?.pgn()?, archive.game(2)?.pgn()?);
    /// # Ok::<(), ign_archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`pack`](Self::pack); [`Usage`](crate::ErrorKind::Usage) if a game does not exist;
    /// [`Corrupt`](crate::ErrorKind::Corrupt) if a block is damaged;
    /// [`Unsupported`](crate::ErrorKind::Unsupported) if the text of the games, without the games
    /// between them, is that of more or fewer games.
    pub fn pack_games<W: Write>(
        self,
        archive: &Archive,
        games: &[GameNumber],
        out: W,
    ) -> Result<(W, Summary)> {
        let packed = if games.is_sorted() {
            self.pack_alone(inputs(archive, games)?, games.len() as u64, out)
        } else {
            self.pack_games_of(&archive.into(), games, out)
        };
        packed.map_err(|e| match e.kind() {
            Kind::Unsupported => e.in_file(archive.path()),
            _ => e,
        })
    }

    /// [`pack_games`](Self::pack_games) of several archives.
    ///
    /// # Errors
    /// As [`pack_games`](Self::pack_games); [`Usage`](crate::ErrorKind::Usage) if there is no such
    /// game.
    pub fn pack_games_of<W: Write>(
        self,
        archives: &Archives,
        games: &[GameNumber],
        out: W,
    ) -> Result<(W, Summary)> {
        if !games.is_sorted() {
            let input = InOrder::input(archives, games)?;
            return self.pack_alone(vec![input], games.len() as u64, out);
        }
        let mut all = Vec::new();
        for (_, archive, games) in archives.by_archive(games)? {
            all.extend(inputs(archive, &games)?);
        }
        self.pack_alone(all, games.len() as u64, out)
    }

    /// Packs inputs that must have this number of games.
    pub(crate) fn pack_alone<W: Write>(
        self,
        inputs: Vec<Input>,
        games: u64,
        out: W,
    ) -> Result<(W, Summary)> {
        let (out, summary) = self.pack(inputs, out)?;
        if summary.games != games {
            return Err(Error::unsupported(format!(
                "the text of {games} games alone would be packed as {} games",
                summary.games
            )));
        }
        Ok((out, summary))
    }
}

/// The text of games in another order than that of their archives.
struct InOrder {
    archives: Archives,
    /// The chunks of games that are still to come, which are read one by one.
    chunks: std::vec::IntoIter<Vec<GameNumber>>,
    texts: GameSeparator<Vec<u8>>,
    /// The text of the last chunk.
    text: io::Cursor<Vec<u8>>,
}

impl InOrder {
    /// The games as one input.
    fn input(archives: &Archives, games: &[GameNumber]) -> Result<Input> {
        let chunks = archives.text_chunks(games)?.into_iter();
        let reader = Self {
            archives: archives.clone(),
            chunks: chunks.map(<[_]>::to_vec).collect::<Vec<_>>().into_iter(),
            texts: GameSeparator::new(Vec::new()),
            text: io::Cursor::default(),
        };
        Ok(Input::reader(common_name(archives, games)?, reader))
    }
}

impl Read for InOrder {
    /// # Errors
    /// An [`io::Error`] that wraps the [`Error`] of the archive.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.text.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let Some(chunk) = self.chunks.next() else {
                return Ok(0);
            };
            self.archives.write_chunk(&chunk, &mut self.texts)?;
            self.text = io::Cursor::new(self.texts.take());
        }
    }
}

/// The name of the packed files of all these games; empty if they are different.
fn common_name(archives: &Archives, games: &[GameNumber]) -> Result<String> {
    let mut common: Option<&[u8]> = None;
    for &game in games {
        let place = archives.locate(game)?;
        let archive = &archives.archives()[place.archive];
        archive.locate(place.number)?;
        let name = &archive.source_of_game(place.number).name[..];
        if **common.get_or_insert(name) != *name {
            return Ok(String::new());
        }
    }
    Ok(String::from_utf8_lossy(common.unwrap_or_default()).into_owned())
}

/// The text of the games, one input for each input of the archive.
fn inputs(archive: &Archive, games: &[GameNumber]) -> Result<Vec<Input>> {
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for &game in games {
        archive.locate(game)?;
        let index = game.index();
        match ranges.last_mut() {
            Some(range) if range.end == index => range.end += 1,
            _ => ranges.push(index..index + 1),
        }
    }
    let mut sources: Vec<usize> = Vec::new();
    for range in &ranges {
        let mut game = range.start;
        while let Some(source) = archive.places().of_game(game).filter(|_| game < range.end) {
            if sources.last() != Some(&source) {
                sources.push(source);
            }
            game = archive.places().of_source(source).games.end;
        }
    }
    let ranges: Arc<[_]> = ranges.into();
    let this = archive.clone();
    let texts = move |block| texts_of_games(&this, block, &ranges);
    let blocks = archive.blocks_with(games);
    Ok(inputs_of_sources(archive, sources, &blocks, texts))
}

/// The block that was read last, and the text of each of its sources.
type LastBlock = Option<(usize, Vec<SourceText>)>;

/// An input for each of these sources, under its name. Their text is what `texts` returns of these
/// blocks. A block that several sources share is read once.
pub(crate) fn inputs_of_sources(
    archive: &Archive,
    sources: impl IntoIterator<Item = usize>,
    blocks: &[usize],
    texts: impl Fn(usize) -> Result<Vec<SourceText>> + Clone + Send + 'static,
) -> Vec<Input> {
    let last: Arc<Mutex<LastBlock>> = Arc::default();
    let input = |source: usize| {
        let mut own = archive.blocks_of_text(&archive.places().of_source(source).text);
        own.retain(|block| blocks.binary_search(block).is_ok());
        let (this, texts, last) = (archive.clone(), texts.clone(), last.clone());
        let text = move |block: usize| {
            if !this.places().share(&this.blocks()[block]) {
                let texts = texts(block)?.into_iter();
                return Ok(texts.flat_map(|(_, text)| text).collect());
            }
            let mut last = last.lock().unwrap_or_else(|e| e.into_inner());
            let mut kept = last.take().filter(|(kept, _)| *kept == block);
            if kept.is_none() {
                kept = Some((block, texts(block)?));
            }
            let (_, texts) = last.get_or_insert(kept.unwrap_or_default());
            let own = texts.binary_search_by_key(&source, |(source, _)| *source);
            Ok(own.map_or_else(|_| Vec::new(), |at| std::mem::take(&mut texts[at].1)))
        };
        let threads = archive.threads();
        let name = archive.sources()[source].name.clone();
        let text = LazyText::new(move || TextReader::new(threads, own, text));
        Input::reader(String::from_utf8_lossy(&name), text).named(name)
    };
    sources.into_iter().map(input).collect()
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    fn archive(texts: &[(&str, String)]) -> Archive {
        let inputs = texts
            .iter()
            .map(|(name, text)| Input::reader(*name, io::Cursor::new(text.clone())));
        let packer = Packer::new().coding(crate::Coding::Ign).block_size(1 << 12);
        let (bytes, _) = packer.pack(inputs, Vec::new()).unwrap();
        Archive::from_read_at(bytes, "a.ign").unwrap()
    }

    fn games(first: u32, count: u32) -> String {
        let game = |n| format!("[Event \"game {n}\"]\n[Site \"x\"]\n\n1. e4 e5 2. Nf3 *\n\n");
        (first..first + count).map(game).collect()
    }

    #[test]
    fn keeps_games_to_the_byte_and_the_names_of_inputs() {
        let archive = archive(&[
            ("a.pgn", format!("no game\n\n{}", games(1, 200))),
            ("b.pgn", games(201, 5)),
            // The last line has no end.
            ("c.pgn", games(206, 5).trim_end().to_owned()),
            ("d.pgn", games(211, 5)),
        ]);
        let wanted = [1, 2, 3, 150, 209, 210, 211, 215].map(|n| GameNumber::new(n).unwrap());
        let packer = Packer::new().coding(crate::Coding::Ign);
        let (bytes, summary) = packer.pack_games(&archive, &wanted, Vec::new()).unwrap();
        assert_eq!(summary.games, wanted.len() as u64);
        let packed = Archive::from_read_at(bytes, "b.ign").unwrap();
        for (number, game) in (1..).zip(wanted) {
            let [one, other] = [packed.game(number), archive.game(game)]
                .map(|game| game.unwrap().pgn().unwrap().to_vec());
            assert_eq!(one, other, "{game}");
        }
        let names = packed.sources().iter().map(|s| s.name.clone());
        assert_eq!(names.collect::<Vec<_>>(), [b"a.pgn", b"c.pgn", b"d.pgn"]);
    }

    #[test]
    fn games_in_another_order_are_one_input() {
        let archive = archive(&[
            ("a.pgn", games(1, 200)),
            // The last line has no end.
            ("b.pgn", games(201, 5).trim_end().to_owned()),
        ]);
        let cases: [(&[u64], &[u8]); 3] = [
            (&[205, 3, 150, 1, 204], b""),
            (&[9, 150, 8], b"a.pgn"),
            (&[205, 201], b"b.pgn"),
        ];
        for (order, name) in cases {
            let wanted: Vec<_> = order.iter().map(|&n| GameNumber::new(n).unwrap()).collect();
            let packer = Packer::new().coding(crate::Coding::Ign);
            let (bytes, _) = packer.pack_games(&archive, &wanted, Vec::new()).unwrap();
            let packed = Archive::from_read_at(bytes, "b.ign").unwrap();
            for (number, &game) in (1..).zip(order) {
                let [one, other] = [packed.game(number), archive.game(game)]
                    .map(|game| game.unwrap().pgn().unwrap().trim_ascii_end().to_vec());
                assert_eq!(one, other, "{game}");
            }
            let names = packed.sources().iter().map(|source| &source.name[..]);
            assert_eq!(names.collect::<Vec<_>>(), [name]);
        }
    }

    #[test]
    fn rejects_games_that_do_not_exist() {
        let archive = archive(&[("a.pgn", games(1, 3))]);
        for wrong in [[2, 3], [3, 2]] {
            let wrong = wrong.map(GameNumber::from_index);
            let packed = Packer::new().pack_games(&archive, &wrong, Vec::new());
            assert_eq!(packed.unwrap_err().kind(), crate::ErrorKind::Usage);
        }
    }
}
