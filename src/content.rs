//! What a file holds, and which names say so: `games.csv` is the name of a table, so no archive is
//! written there.

use std::path::Path;

use ign_archive::{Error, Result};

/// What a command writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// An archive.
    Archive,
    /// A search index.
    Index,
    /// Games as text.
    Games,
    /// Numbers of games, lines of `ign list`, JSON.
    Report,
    /// The text that was packed, which may be any.
    Text,
    /// A table.
    Table,
    /// A model.
    Model,
}

/// Names that say what is in a file.
#[derive(Debug, PartialEq, Eq)]
struct Names {
    extensions: &'static [&'static str],
    /// What they name.
    what: &'static str,
    /// What writes that.
    advice: &'static str,
}

const ARCHIVES: Names = Names {
    extensions: &["ign"],
    what: "an archive",
    advice: "ign pack, ign merge and ign find -o write archives",
};
const INDEXES: Names = Names {
    extensions: &["idx"],
    what: "an index",
    advice: "ign index writes indexes",
};
const MODELS: Names = Names {
    extensions: &["model"],
    what: "a model",
    advice: "ign train writes models",
};
const TEXTS: Names = Names {
    extensions: &["pgn", "sgf", "txt"],
    what: "a text",
    advice: "ign find --pgn writes text",
};
const TABLES: Names = Names {
    extensions: &["csv", "parquet", "arrow", "feather", "epd"],
    what: "a table",
    advice: "ign export writes tables",
};
/// A table, or JSON.
const LINES: Names = Names {
    extensions: &["jsonl", "ndjson"],
    what: "JSON lines",
    ..TABLES
};
const REPORTS: Names = Names {
    extensions: &["json", "tsv"],
    ..TABLES
};
const COMPRESSED: Names = Names {
    extensions: &["gz", "zst", "bz2", "xz", "zip"],
    what: "a compressed file",
    advice: "-c writes to standard output, and another program compresses it",
};

const ALL: [&Names; 8] = [
    &ARCHIVES,
    &INDEXES,
    &MODELS,
    &TEXTS,
    &TABLES,
    &LINES,
    &REPORTS,
    &COMPRESSED,
];

impl Content {
    /// What it is, how to name it, and its names.
    fn described(self) -> (&'static str, &'static str, &'static [&'static Names]) {
        match self {
            Self::Archive => ("an archive", "name an archive .ign", &[&ARCHIVES]),
            Self::Index => ("an index", "name an index .idx", &[&INDEXES]),
            Self::Model => ("a model", "name a model .model", &[&MODELS]),
            Self::Games => ("text", "name a text .pgn", &[&TEXTS]),
            Self::Report => (
                "text",
                "name a text .txt or .json",
                &[&TEXTS, &LINES, &REPORTS],
            ),
            Self::Text => (
                "text",
                "name a text .pgn",
                &[&TEXTS, &TABLES, &LINES, &REPORTS],
            ),
            Self::Table => (
                "a table",
                "name a table by its format",
                &[&TABLES, &LINES, &TEXTS, &REPORTS],
            ),
        }
    }

    /// Checks that the name of a file does not say that something else is in it.
    ///
    /// # Errors
    /// Usage.
    pub fn check_name(self, path: &Path) -> Result<()> {
        let extension = path.extension().unwrap_or_default();
        let has_it = |names: &&Names| {
            let mut known = names.extensions.iter();
            known.any(|known| extension.eq_ignore_ascii_case(known))
        };
        let (what, advice, own) = self.described();
        match ALL.into_iter().find(has_it) {
            Some(other) if !own.contains(&other) => {
                let message = format!(
                    "this is the name of {}, and {what} would be written",
                    other.what
                );
                Err(Error::usage(message)
                    .with_remedy(format!("{advice}; {}", other.advice))
                    .in_file(path))
            }
            _ => Ok(()),
        }
    }
}

/// Whether a name is that of an archive.
pub fn is_archive_name(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    extension.eq_ignore_ascii_case("ign")
}

#[cfg(test)]
mod tests {
    use ign_arrow::Format;

    use super::*;

    #[test]
    fn the_names_of_tables_are_those_of_the_formats() {
        let mut formats = Format::EXTENSIONS.map(|(extension, _)| extension);
        let mut names = [TABLES.extensions, LINES.extensions].concat();
        formats.sort_unstable();
        names.sort_unstable();
        assert_eq!(names, formats);
    }
}
