//! Archives of a text, with an index beside them.

use std::{
    fs::File,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use ign_archive::{Archive, Coding, Input, Packer, index};

use super::{Game, games};

/// An archive file with an index beside it; both are removed with this value.
pub struct Indexed {
    pub archive: Archive,
    pub folder: tempfile::TempDir,
}

impl Indexed {
    pub fn of(text: &[u8], coding: Coding, block_size: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.ign");
        pack(text, coding, block_size, &path);
        build_index(&path);
        Self {
            archive: Archive::open(path).unwrap(),
            folder,
        }
    }

    /// The games by the model. They must have the plies and the tags that the archive returns.
    pub fn games(&self, text: &[u8]) -> Vec<Game> {
        let games = games::read(text);
        assert_eq!(games.len() as u64, self.archive.len());
        for (game, theirs) in games.iter().zip(self.archive.games()) {
            let theirs = theirs.unwrap();
            let name = || {
                let text = String::from_utf8_lossy(theirs.pgn().unwrap()).into_owned();
                format!("game {}: {text}", theirs.number())
            };
            assert_eq!(game.moves.len(), theirs.plies().unwrap(), "{}", name());
            for (tag, value) in &game.tags {
                let tag = std::str::from_utf8(tag).unwrap();
                let theirs = theirs.tag_bytes(tag).unwrap();
                assert_eq!(theirs, Some(&value[..]), "{tag} of {}", name());
            }
            let tags = theirs.tags().unwrap().count();
            assert_eq!(tags, game.tags.len(), "{}", name());
        }
        games
    }
}

pub fn pack(text: &[u8], coding: Coding, block_size: usize, path: &Path) {
    let packer = Packer::new()
        .coding(coding)
        .block_size(block_size)
        .threads(2);
    let input = Input::reader("games.pgn", std::io::Cursor::new(text.to_vec()));
    packer.pack([input], File::create(path).unwrap()).unwrap();
}

/// Writes the index of an archive beside it and returns its path.
pub fn build_index(archive: &Path) -> PathBuf {
    let index_path = index::path_of(archive);
    let mut out = File::create(&index_path).unwrap();
    let archives = [Archive::open(archive).unwrap()];
    let go_on = |_| ControlFlow::Continue(());
    index::build(&archives, index::Sections::ALL, &mut out, go_on).unwrap();
    index_path
}
