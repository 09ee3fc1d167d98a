//! The list of duplicate games, as lines or as JSON.

use std::io::Write;

use serde_json::{Map, Value, json};

use crate::output::Output;
use ign_archive::{
    Archives, GameNumber, LIST_FIELDS, Result,
    duplicates::{Duplicates, Group},
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
        let groups = found.groups.iter().chain(&found.apart);
        let members = groups.flat_map(|group| &group.0);
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

    /// Writes a line for each game of a group: what becomes of it is `keep`, `copy`, or `apart`.
    ///
    /// # Errors
    /// Io.
    pub fn write_lines(&self, out: &mut Output) -> Result<()> {
        let duplicates = self.found.groups.iter().map(|group| (group, "copy"));
        let apart = self.found.apart.iter().map(|group| (group, "apart"));
        for (number, (group, others)) in (1..).zip(duplicates.chain(apart)) {
            for (place_in_group, member) in group.0.iter().enumerate() {
                let what = match place_in_group {
                    0 if others == "copy" => "keep",
                    _ => others,
                };
                let place = self.archives.locate(member.game)?;
                let (name, game) = (&self.names[place.archive], place.number);
                write!(out, "{number}\t{what}\t{name}\t{game}\t{}\t", member.plies)?;
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
        let groups = |groups: &[Group]| {
            let groups = groups.iter().map(|group| self.group_json(group));
            groups.collect::<Result<Vec<_>>>()
        };
        let value = json!({
            "games": found.games,
            "duplicates": duplicate_count(found),
            "not_compared": found.partly_text,
            "groups": groups(&found.groups)?,
            "apart": groups(&found.apart)?,
        });
        writeln!(out, "{value}")?;
        Ok(())
    }

    fn group_json(&self, group: &Group) -> Result<Value> {
        let members = group.0.iter().map(|member| {
            let place = self.archives.locate(member.game)?;
            let fields = self.fields(member.game).split(|&c| c == b'\t');
            let tags = LIST_FIELDS
                .iter()
                .zip(fields)
                .filter(|(_, value)| *value != b"-")
                .map(|(name, value)| (name.to_string(), json!(String::from_utf8_lossy(value))));
            Ok(json!({
                "file": self.names[place.archive],
                "game": place.number.get(),
                "plies": member.plies,
                "tags": tags.collect::<Map<_, _>>(),
            }))
        });
        members.collect()
    }
}

/// The number of games that are not the first of their group.
pub fn duplicate_count(found: &Duplicates) -> u64 {
    let copies = found.groups.iter().map(|group| group.copies().len() as u64);
    copies.sum()
}
