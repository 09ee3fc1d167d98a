//! The text of a collection without duplicates, as text or as an archive.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
    sync::Arc,
    thread,
};

use super::{Duplicates, Group, combine::combined};
use crate::{
    archives::Archives,
    game::Game,
    ordered::ordered,
    pack::{Packer, Summary, inputs_of_sources},
    unpack::{GameSeparator, SourceText, each_record, push_text, texts_without},
};
use ign_format::{error::Result, game_number::GameNumber};

/// The text of a collection without duplicates: of each group, the first game stays.
#[derive(Debug, Clone)]
pub struct Unique {
    archives: Archives,
    /// The games that are left out, by archive.
    removed: Arc<[Vec<GameNumber>]>,
    /// The games that are combined with their copies.
    copies: Arc<BTreeMap<GameNumber, Vec<GameNumber>>>,
}

impl Duplicates {
    /// The games that are not the first of their group, in order.
    pub fn copies(&self) -> Vec<GameNumber> {
        let copies = self.groups.iter().flat_map(Group::copies);
        let copies: BTreeSet<GameNumber> = copies.map(|copy| copy.game).collect();
        copies.into_iter().collect()
    }
}

impl Unique {
    /// The text of the archives that were searched, without the [copies](Duplicates::copies).
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if these are not the archives that were searched.
    pub fn new(found: &Duplicates, archives: &Archives) -> Result<Self> {
        let mut removed = vec![Vec::new(); archives.archives().len()];
        for (number, _, games) in archives.by_archive(&found.copies())? {
            removed[number] = games;
        }
        Ok(Self {
            archives: archives.clone(),
            removed: removed.into(),
            copies: Arc::default(),
        })
    }

    /// Adds to the game that stays the tags, comments, glyphs and variations that only its copies
    /// have. Such a game is written in the standard form of PGN; others stay as they are, and so do
    /// games of which a part is not understood.
    pub fn combining(mut self, found: &Duplicates) -> Self {
        let groups = found.groups.iter().map(|group| {
            let copies = group.copies().iter().map(|copy| copy.game);
            (group.0[0].game, copies.collect())
        });
        self.copies = Arc::new(groups.collect());
        self
    }

    /// Writes the text of all archives, one input after the other, with an empty line between them.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io), also of `out`; [`Corrupt`](crate::ErrorKind::Corrupt).
    pub fn write(&self, out: impl Write) -> Result<()> {
        let mut out = GameSeparator::new(out);
        for (number, archive) in self.archives.archives().iter().enumerate() {
            let mut last = None;
            let blocks = archive.will_read_all();
            let text = |block| self.text(number, block);
            thread::scope(|scope| {
                let threads = self.archives.threads();
                for text in ordered(scope, threads, blocks.into_iter().map(Ok), text) {
                    for (source, text) in text? {
                        let goes_on = last.replace(source) == Some(source);
                        out.write_text(&text, goes_on)?;
                    }
                }
                Ok::<_, crate::Error>(())
            })?;
        }
        Ok(out.into_inner().flush()?)
    }

    /// Packs the text into an archive. The inputs of the archives are its inputs.
    ///
    /// # Errors
    /// As [`Packer::pack_games`].
    pub fn pack<W: Write>(&self, packer: Packer, out: W) -> Result<(W, Summary)> {
        let mut inputs = Vec::new();
        for (number, archive) in self.archives.archives().iter().enumerate() {
            let this = self.clone();
            let blocks: Vec<usize> = (0..archive.blocks().len()).collect();
            let sources = 0..archive.sources().len();
            inputs.extend(inputs_of_sources(archive, sources, &blocks, move |block| {
                this.text(number, block)
            }));
        }
        let removed: usize = self.removed.iter().map(Vec::len).sum();
        packer.pack_alone(inputs, self.archives.len() - removed as u64, out)
    }

    /// The text of a block of an archive, by source.
    fn text(&self, archive: usize, block: usize) -> Result<Vec<SourceText>> {
        let removed = &self.removed[archive];
        let before = self.archives.games_before(archive);
        let archive = &self.archives.archives()[archive];
        let entry = &archive.blocks()[block];
        let first = before + entry.first_game;
        let games = GameNumber::from_index(first)..GameNumber::from_index(first + entry.games);
        if self.copies.range(games).next().is_none() {
            return texts_without(archive, block, removed);
        }
        let mut out = Vec::new();
        each_record(archive, block, |source, game, text| {
            if game.is_some_and(|game| removed.binary_search(&game).is_ok()) {
                return Ok(());
            }
            let number = game.map(|game| GameNumber::from_index(before + game.index()));
            let copies = number.and_then(|number| Some((number, self.copies.get(&number)?)));
            let new = copies.map(|(number, copies)| self.combined(number, copies));
            match new.transpose()?.flatten() {
                Some(text) => push_text(&mut out, source, &text),
                None => push_text(&mut out, source, text),
            }
            Ok(())
        })?;
        Ok(out)
    }

    /// The text of a game with what its copies know beside it, if that is anything.
    fn combined(&self, game: GameNumber, copies: &[GameNumber]) -> Result<Option<Vec<u8>>> {
        let game_of = |number: GameNumber| -> Result<Game> {
            let place = self.archives.locate(number)?;
            self.archives.archives()[place.archive].game(place.number)
        };
        let copies = copies.iter().map(|&copy| game_of(copy));
        combined(&game_of(game)?, &copies.collect::<Result<Vec<_>>>()?)
    }
}
