//! Archives of a text, with an index beside them.

use std::{
    fs::File,
    num::NonZeroU32,
    path::{Path, PathBuf},
};

use ign_archive::{Appender, Archive, Coding, Input, Packer, index, index::IndexBuilder};

use super::{Game, games, tags};

/// An archive file with an index beside it; both are removed with this value.
pub struct Indexed {
    pub archive: Archive,
    _folder: tempfile::TempDir,
}

impl Indexed {
    pub fn of(text: &[u8], coding: Coding, block_size: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.ign");
        pack(text, coding, block_size, &path);
        build_index(&path);
        Self {
            archive: Archive::open(path).unwrap(),
            _folder: folder,
        }
    }

    /// An archive of a text with an index of this depth.
    pub fn to_depth(text: &[u8], coding: Coding, block_size: usize, plies: u32) -> Self {
        let indexed = Self::of(text, coding, block_size);
        let path = indexed.archive.path();
        let archives = [Archive::open(path).unwrap()];
        let builder = IndexBuilder::new().depth(NonZeroU32::new(plies));
        builder.build_file(index::path_of(path), &archives).unwrap();
        let archive = Archive::open(path).unwrap();
        let depth = archive.search_index().expect("an index").depth();
        assert_eq!(depth.map(NonZeroU32::get), Some(plies));
        Self { archive, ..indexed }
    }

    /// An archive of a text in `parts` parts, with an index of the first `segments` of them that
    /// was extended after each.
    pub fn in_parts(
        text: &[u8],
        coding: Coding,
        block_size: usize,
        parts: usize,
        segments: usize,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.ign");
        let texts = parts_of(text, parts);
        let mut packed = 0;
        for part in 1..=parts {
            if part > segments && part < parts {
                continue;
            }
            let new = &texts[packed..part];
            packed = part;
            if part == 1 {
                pack_parts(new, coding, block_size, &path);
            } else {
                let appender = Appender::open(&path).unwrap();
                let packer = appender.packer().unwrap().threads(2);
                appender.append(packer, inputs(new)).unwrap();
            }
            match part {
                1 => _ = build_index(&path),
                _ if part <= segments => {
                    let archives = [Archive::open(&path).unwrap()];
                    let index = index::path_of(&path);
                    let extended = IndexBuilder::new().extend(index, &archives).unwrap();
                    assert!(!extended.is_rebuilt && extended.summary.games > 0);
                }
                _ => {}
            }
        }
        let archive = Archive::open(path).unwrap();
        let index = archive.search_index().expect("an index");
        assert_eq!(index.segments().len(), segments);
        assert_eq!(index.games() == archive.len(), segments == parts);
        Self {
            archive,
            _folder: folder,
        }
    }

    /// The games by the model. They must have the plies and the tags that the archive returns.
    pub fn games(&self, text: &[u8]) -> Vec<Game> {
        let games = games::read(text);
        assert_eq!(games.len() as u64, self.archive.len());
        for (game, theirs) in games.iter().zip(self.archive.games()) {
            let theirs = theirs.unwrap();
            let difference = difference(game, &theirs);
            let text = || String::from_utf8_lossy(theirs.pgn().unwrap()).into_owned();
            assert_eq!(difference, None, "game {}: {}", theirs.number(), text());
        }
        games
    }

    /// Whether the model reads a text as the archive does. It knows fewer forms of PGN.
    pub fn agrees(&self, text: &[u8]) -> bool {
        let games = games::read(text);
        let mut pairs = games.iter().zip(self.archive.games());
        games.len() as u64 == self.archive.len()
            && pairs.all(|(game, theirs)| difference(game, &theirs.unwrap()).is_none())
    }
}

/// What differs between a game of the model and that of an archive: the plies or the tags.
fn difference(game: &Game, theirs: &ign_archive::Game) -> Option<String> {
    let (plies, tags) = (theirs.plies().unwrap(), theirs.tags().unwrap().count());
    if (game.moves.len(), game.tag_count) != (plies, tags) {
        return Some(format!(
            "{} plies and {} tags, not {plies} and {tags}",
            game.moves.len(),
            game.tag_count
        ));
    }
    game.written.iter().find_map(|(tag, value)| {
        let tag = std::str::from_utf8(tag).unwrap();
        let text = game.tag(tag).map(tags::decoded);
        let is_equal = theirs.tag_bytes(tag).unwrap() == Some(&value[..])
            && theirs.tag(tag).unwrap().as_deref() == text.as_deref();
        (!is_equal).then(|| format!("{tag}: {text:?}"))
    })
}

pub fn pack(text: &[u8], coding: Coding, block_size: usize, path: &Path) {
    pack_parts(&[text], coding, block_size, path);
}

/// Packs texts as separate inputs.
pub fn pack_parts(texts: &[&[u8]], coding: Coding, block_size: usize, path: &Path) {
    let packer = Packer::new()
        .coding(coding)
        .block_size(block_size)
        .threads(2);
    let out = File::create(path).unwrap();
    packer.pack(inputs(texts), out).unwrap();
}

fn inputs(texts: &[&[u8]]) -> Vec<Input> {
    let input = |text: &&[u8]| Input::reader("games.pgn", std::io::Cursor::new(text.to_vec()));
    texts.iter().map(input).collect()
}

/// Cuts a text between games, into parts of about the same length.
pub fn parts_of(text: &[u8], parts: usize) -> Vec<&[u8]> {
    let mut cuts = vec![0];
    for part in 1..parts {
        let from = part * text.len() / parts;
        let ends = [&b"\n\n[Event "[..], b"\n\r\n[Event "];
        let found = ends.iter().filter_map(|end| {
            let at = memchr::memmem::find(&text[from..], end)?;
            Some(from + at + end.len() - b"[Event ".len())
        });
        cuts.push(found.min().unwrap_or(text.len()));
    }
    cuts.push(text.len());
    cuts.windows(2).map(|cut| &text[cut[0]..cut[1]]).collect()
}

/// Writes the index of an archive beside it and returns its path.
pub fn build_index(archive: &Path) -> PathBuf {
    let index_path = index::path_of(archive);
    let mut out = File::create(&index_path).unwrap();
    let archives = [Archive::open(archive).unwrap()];
    IndexBuilder::new().build(&archives, &mut out).unwrap();
    index_path
}
