//! Archives of which damaged blocks are left out.

use std::path::Path;

use ign_format::{
    container::{footer::Footer, index::Index},
    error::{Error, Result},
};

use super::{
    damage::{Damage, Place},
    outline::Outline,
};
use crate::{archive::Archive, location::open_archive_file, models, source::ReadAt};

impl Archive {
    /// Opens an archive file that may be damaged. Its blocks are read and their checksums compared;
    /// blocks that are damaged are left out by all operations, and returned with their games. If
    /// the index is lost, blocks are found by a scan.
    ///
    /// Games keep their numbers, except if the index is lost and with it the head of a block: games
    /// after it are numbered as if it had none. Sources are not compared with their checksums, and
    /// no search index is used.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io); [`Corrupt`](crate::ErrorKind::Corrupt) if nothing of an
    /// archive is found; [`Unsupported`](crate::ErrorKind::Unsupported).
    pub fn open_damaged(path: impl AsRef<Path>) -> Result<(Self, Vec<Damage>)> {
        let (source, name) = open_archive_file(path)?;
        Self::read_damaged(source, &name, false).map_err(|e| e.in_file(&name))
    }

    /// Opens an archive file that may be damaged, as [`open_damaged`](Self::open_damaged), to list
    /// its games. Blocks that need a model of which no copy is whole are not left out, but returned
    /// with the others: [`list`](Self::list) writes their games with `-` for what the model codes.
    ///
    /// # Errors
    /// As [`open_damaged`](Self::open_damaged).
    pub fn open_damaged_to_list(path: impl AsRef<Path>) -> Result<(Self, Vec<Damage>)> {
        let (source, name) = open_archive_file(path)?;
        Self::read_damaged(source, &name, true).map_err(|e| e.in_file(&name))
    }

    fn read_damaged(
        source: Box<dyn ReadAt>,
        path: &Path,
        lists_unread: bool,
    ) -> Result<(Self, Vec<Damage>)> {
        let mut outline = Outline::read(&*source)?;
        outline.check_blocks(&*source)?;
        if outline.blocks.iter().any(|block| block.damage.is_some()) {
            outline.search(&*source)?;
        }
        let entries = outline.blocks.iter().map(|block| &block.entry);
        let models = models::of_blocks(&*source, outline.file_len, entries, &[])?;
        outline.check_models(&*source, &models, true)?;
        let mut damage: Vec<Damage> = outline.damaged_blocks().collect();
        if lists_unread {
            for block in &mut outline.blocks {
                block.damage.take_if(|damage| damage.lacks_model());
            }
        }
        let mut gaps = outline.gaps(&*source)?;
        if let Some(unknown) = outline.unknown(&gaps) {
            let end = outline.file_len;
            let error = Error::corrupt(unknown.to_string()).at_byte(end);
            gaps.push(Damage::of(Place::Gap(end..end), error));
        }
        let others = std::mem::take(&mut outline.damage).into_iter();
        let outside = others.chain(gaps).map(|damage| Damage {
            error: damage.error.in_file(path),
            ..damage
        });
        let mut all: Vec<Damage> = outside.collect();
        all.append(&mut damage);
        let totals = Footer {
            index_offset: 0,
            index_len: 0,
            games: outline.games(),
            plies: outline.footer.map_or(0, |footer| footer.plies),
            text_len: outline
                .blocks
                .iter()
                .map(|block| block.entry.text_len)
                .sum(),
            file_len: outline.file_len,
        };
        let archive = Self::partial(source, path, outline.whole(), totals, lists_unread);
        Ok((archive, all))
    }
}

impl Outline {
    /// The index of the whole blocks; their games keep their numbers.
    fn whole(self) -> Index {
        let blocks = self.blocks.into_iter();
        let whole = blocks.filter(|block| block.damage.is_none());
        Index {
            sources: self.sources,
            blocks: whole.map(|block| block.entry).collect(),
        }
    }
}

impl Damage {
    /// Whether games are lost by this damage: that of a block, or of bytes that may have been one.
    pub fn loses_games(&self) -> bool {
        matches!(self.place, Place::Block { .. } | Place::Gap(_))
    }
}
