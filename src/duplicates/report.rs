//! The list of duplicate games, as lines or as JSON.

use std::io::Write;

use serde_json::{Map, Value, json};

use crate::output::Output;
use ign_archive::{
    Archive, LIST_FIELDS, Result,
    duplicates::{Collection, Duplicates, Group},
};

/// The games found, with the data that is printed.
pub struct Report<'a> {
    found: &'a Duplicates,
    collection: &'a Collection<'a>,
    /// The names of the files.
    names: Vec<String>,
    /// The fields of `ign list` for each game found, ascending by the number in the collection.
    fields: Vec<(u64, Vec<u8>)>,
}

impl<'a> Report<'a> {
    /// Reads the fields of the games found.
    ///
    /// # Errors
    /// Io, corrupt.
    pub fn new(
        found: &'a Duplicates,
        collection: &'a Collection,
        archives: &[Archive],
        names: Vec<String>,
    ) -> Result<Self> {
        let members = found.groups.iter().flat_map(|group| &group.0);
        let mut games: Vec<u64> = members.map(|member| member.game).collect();
        games.sort_unstable();
        let archive = |game: u64| collection.locate(game).0;
        let mut fields = Vec::with_capacity(games.len());
        for games in games.chunk_by(|&one, &other| archive(one) == archive(other)) {
            let numbers: Vec<u64> = games.iter().map(|&g| collection.locate(g).1).collect();
            let own = archives[archive(games[0])].list_fields(&numbers)?;
            fields.extend(games.iter().copied().zip(own));
        }
        Ok(Self {
            found,
            collection,
            names,
            fields,
        })
    }

    fn fields(&self, game: u64) -> &[u8] {
        let place = self.fields.binary_search_by_key(&game, |(game, _)| *game);
        place.map_or(b"", |place| &self.fields[place].1)
    }

    /// Writes a line for each game.
    ///
    /// # Errors
    /// Io.
    pub fn write_lines(&self, out: &mut Output) -> Result<()> {
        for (number, group) in (1..).zip(&self.found.groups) {
            for member in &group.0 {
                let (file, game) = self.collection.locate(member.game);
                let name = &self.names[file];
                write!(out, "{number}\t{name}\t{game}\t{}\t", member.plies)?;
                out.write_all(self.fields(member.game))?;
                writeln!(out)?;
            }
        }
        Ok(())
    }

    /// Writes one JSON object.
    ///
    /// # Errors
    /// Io.
    pub fn write_json(&self, out: &mut Output) -> Result<()> {
        let found = self.found;
        let groups = found.groups.iter().map(|group| self.group_json(group));
        let value = json!({
            "games": found.games,
            "duplicates": duplicate_count(found),
            "not_compared": found.partly_text,
            "groups": groups.collect::<Vec<_>>(),
        });
        writeln!(out, "{value}")?;
        Ok(())
    }

    fn group_json(&self, group: &Group) -> Value {
        let members = group.0.iter().map(|member| {
            let (file, game) = self.collection.locate(member.game);
            let fields = self.fields(member.game).split(|&c| c == b'\t');
            let tags = LIST_FIELDS
                .iter()
                .zip(fields)
                .filter(|(_, value)| *value != b"-")
                .map(|(name, value)| (name.to_string(), json!(String::from_utf8_lossy(value))));
            json!({
                "file": self.names[file],
                "game": game,
                "plies": member.plies,
                "tags": tags.collect::<Map<_, _>>(),
            })
        });
        members.collect()
    }
}

/// The number of games that are not the first of their group.
pub fn duplicate_count(found: &Duplicates) -> u64 {
    let copies = found.groups.iter().map(|group| group.copies().len() as u64);
    copies.sum()
}
