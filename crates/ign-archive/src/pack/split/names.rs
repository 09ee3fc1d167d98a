//! Names of parts: values that are safe as parts of file names, no two of them equal.

use std::collections::HashSet;

use crate::pack::input::Input;

/// Maximum length of a name in bytes.
const MAX_LEN: usize = 100;

/// The name of the part of games without a value. No value has this name.
const UNKNOWN: &str = "unknown";

/// Names of values, in their order; `None` is that of games without a value.
pub(super) fn names<'v>(values: impl IntoIterator<Item = Option<&'v str>>) -> Vec<String> {
    let mut used = HashSet::from([UNKNOWN.to_owned()]);
    let name = |value: Option<&str>| {
        let Some(value) = value else {
            return UNKNOWN.to_owned();
        };
        let name = safe(value);
        // Names that differ in case alone are the same file on some systems.
        let numbered = (2u32..).map(|n| format!("{name}-{n}"));
        let mut names = std::iter::once(name.clone()).chain(numbered);
        names
            .find(|name| used.insert(name.to_lowercase()))
            .unwrap_or(name)
    };
    values.into_iter().map(name).collect()
}

/// The name of an input without its extensions: `games` of `games.pgn.zst`.
pub(super) fn without_extensions(name: &str) -> String {
    let without = |name: &str, extensions: &[&str]| {
        let (stem, extension) = name.rsplit_once('.')?;
        let is_one = extensions
            .iter()
            .any(|one| one.eq_ignore_ascii_case(extension));
        (is_one && !stem.is_empty()).then(|| stem.to_owned())
    };
    let name = without(name, Input::COMPRESSED).unwrap_or_else(|| name.to_owned());
    without(&name, &["pgn", "sgf"]).unwrap_or(name)
}

/// The number of a part, counted from 0, as its name.
pub(super) fn numbered(part: usize) -> String {
    format!("{:03}", part + 1)
}

fn safe(value: &str) -> String {
    let mut name: String = value
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || "-+.,".contains(c) {
                c
            } else {
                '_'
            }
        })
        .collect();
    let end = (0..=MAX_LEN.min(name.len())).rev();
    let end = end.into_iter().find(|&end| name.is_char_boundary(end));
    name.truncate(end.unwrap_or(0));
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_become_distinct_file_names() {
        let long = "é".repeat(60);
        let values = [
            "a/b",
            "a\\b",
            "A_b",
            "..",
            "Ünal, A.",
            "1-0",
            "x\n\0",
            "",
            &long,
        ];
        let cut = "é".repeat(50);
        let expected = [
            "a_b",
            "a_b-2",
            "A_b-3",
            "..",
            "Ünal,_A.",
            "1-0",
            "x__",
            "",
            &cut,
        ];
        assert_eq!(names(values.map(Some)), expected);
        assert_eq!(names(["a", "a-2", "A"].map(Some)), ["a", "a-2", "A-3"]);
        assert_eq!(
            names([Some("Unknown"), Some("unknown"), None]),
            ["Unknown-2", "unknown-3", "unknown"]
        );
        assert_eq!((numbered(0), numbered(399)), ("001".into(), "400".into()));
    }

    #[test]
    fn inputs_are_named_without_extensions() {
        for (input, name) in [
            ("games.pgn", "games"),
            ("games.PGN.zst", "games"),
            ("games.sgf.bz2", "games"),
            ("TWIC 1.5", "TWIC 1.5"),
            (".pgn", ".pgn"),
            ("a.pgn.pgn", "a.pgn"),
            ("standard input", "standard input"),
        ] {
            assert_eq!(without_extensions(input), name);
        }
    }
}
