//! The list of duplicate games, as lines or as JSON.

use std::{io::Write, iter};

use crate::{
    json::{
        self,
        games::{Duplicate, Role, Tags, fields},
    },
    output::Output,
};
use ign_archive::{
    Archives, GameNumber, Result,
    duplicates::{Duplicates, Member},
};

/// The games found, with the data that is printed.
pub struct Report<'a> {
    found: &'a Duplicates,
    archives: &'a Archives,
    /// The names of the files.
    names: Vec<String>,
    /// The fields of `ign list` for each game found, ascending by the number in the collection.
    fields: Vec<(GameNumber, Vec<u8>)>,
}

impl<'a> Report<'a> {
    /// Reads the fields of the games found.
    ///
    /// # Errors
    /// Io, corrupt.
    pub fn new(found: &'a Duplicates, archives: &'a Archives, names: Vec<String>) -> Result<Self> {
        let groups = found.groups.iter().chain(&found.different);
        let members = groups.flat_map(|group| group.members());
        let mut games: Vec<GameNumber> = members.map(|member| member.game).collect();
        games.sort_unstable();
        games.dedup();
        let mut fields = Vec::with_capacity(games.len());
        for (_, archive, numbers) in archives.by_archive(&games)? {
            fields.extend(archive.list_fields(&numbers)?);
        }
        Ok(Self {
            found,
            archives,
            names,
            fields: games.into_iter().zip(fields).collect(),
        })
    }

    fn fields(&self, game: GameNumber) -> &[u8] {
        let place = self.fields.binary_search_by_key(&game, |(game, _)| *game);
        place.map_or(b"", |place| &self.fields[place].1)
    }

    /// The games of all groups, each with the number of its group and its role there.
    fn games(&self) -> impl Iterator<Item = (u64, Role, &Member)> {
        let duplicates = self.found.groups.iter().map(|group| (group, Role::Copy));
        let apart = self
            .found
            .different
            .iter()
            .map(|group| (group, Role::Apart));
        let groups = (1..).zip(duplicates.chain(apart));
        groups.flat_map(|(number, (group, others))| {
            let first = match others {
                Role::Copy => Role::Keep,
                others => others,
            };
            let roles = iter::once(first).chain(iter::repeat(others));
            let games = roles.zip(group.members());
            games.map(move |(role, member)| (number, role, member))
        })
    }

    /// Writes a line for each game of a group: what becomes of it is `keep`, `copy`, or `apart`.
    /// Games apart are listed only `with_apart`.
    ///
    /// # Errors
    /// Io.
    pub fn write_lines(&self, out: &mut Output, with_apart: bool) -> Result<()> {
        let is_listed = |role| with_apart || role != Role::Apart;
        for (number, role, member) in self.games().filter(|&(_, role, _)| is_listed(role)) {
            let place = self.archives.locate(member.game)?;
            let (name, game) = (&self.names[place.archive], place.number);
            let role = role.name();
            write!(out, "{number}\t{role}\t{name}\t{game}\t{}\t", member.plies)?;
            out.write_all(self.fields(member.game))?;
            writeln!(out)?;
        }
        Ok(())
    }

    /// Writes an object for each game of a group.
    ///
    /// # Errors
    /// Io.
    pub fn write_json(&self, out: &mut Output) -> Result<()> {
        for (group, role, member) in self.games() {
            let place = self.archives.locate(member.game)?;
            let duplicate = Duplicate {
                group,
                role,
                archive: &self.names[place.archive],
                game: place.number.get(),
                plies: member.plies as u64,
                tags: Tags::read(&mut fields(self.fields(member.game))),
            };
            json::write(out, &duplicate)?;
        }
        Ok(())
    }
}

/// The number of games that are not the first of their group.
pub fn duplicate_count(found: &Duplicates) -> u64 {
    let copies = found.groups.iter().map(|group| group.copies().len() as u64);
    copies.sum()
}
