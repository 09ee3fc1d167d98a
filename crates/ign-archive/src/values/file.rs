//! Patterns for the names of packed files.

use ign_format::container::index::Source;

use super::TextPattern;
use crate::file_names::without_compression;

/// A pattern for the name of a packed file: the whole stored name, or its last components. The
/// extension of a compressed file may be left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePattern(TextPattern);

impl FilePattern {
    /// The pattern of this text.
    pub fn new(pattern: impl Into<TextPattern>) -> Self {
        Self(pattern.into())
    }

    /// Whether the name of a source matches.
    pub fn matches(&self, source: &Source) -> bool {
        let name = &source.name[..];
        let text_name = without_compression(name);
        let slashes = memchr::memchr_iter(b'/', name).map(|slash| slash + 1);
        let mut starts = std::iter::once(0).chain(slashes);
        starts.any(|start| {
            self.0.matches(&name[start..])
                || text_name
                    .get(start..)
                    .is_some_and(|name| self.0.matches(name))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_name_or_its_last_components_match() {
        for (pattern, name, expected) in [
            ("a.pgn", "a.pgn", true),
            ("a.pgn", "games/2020/a.pgn", true),
            ("A.PGN", "games/a.pgn", true),
            ("a.*", "games/2020/a.pgn", true),
            ("games/2020/a.pgn", "games/2020/a.pgn", true),
            ("games/*", "games/2020/a.pgn", true),
            ("*2020*", "games/2020/a.pgn", true),
            ("uber.pgn", "Über.pgn", true),
            ("", "", true),
            ("*", "", true),
            ("a.pgn", "games/ba.pgn", false),
            ("a.pgn", "a.pgn/b.pgn", false),
            ("2020/a.pgn", "games/2020/a.pgn", true),
            ("2020/*", "games/2020/a.pgn", true),
            ("a.pgn", "games/a.pgn.zst", true),
            ("a.pgn.zst", "games/a.pgn.zst", true),
            ("020/a.pgn", "games/2020/a.pgn", false),
            ("2020", "games/2020/a.pgn", false),
            ("a", "a.pgn", false),
            ("", "a.pgn", false),
        ] {
            let source = Source::new(name.into(), 0, 0);
            assert_eq!(
                FilePattern::new(pattern).matches(&source),
                expected,
                "{pattern} {name}"
            );
        }
    }
}
