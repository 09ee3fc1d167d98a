//! Records of a PGN text: their boundaries, their tags, their comments.
//!
//! A record starts at a line that looks like a tag and follows one that does not, or at a line that
//! begins with move 1 and follows a result, or an empty line if moves are before it. Tags are lines
//! `[Name "value"]`; the first line of another form begins the movetext. The generated texts have
//! tags in no other form.

use std::{borrow::Cow, collections::HashMap, sync::LazyLock};

use regex::bytes::Regex;

/// A record, split into its parts.
#[derive(Debug, Clone)]
pub struct Record<'t> {
    /// The first value of each name, as it is written.
    pub written: HashMap<Vec<u8>, Vec<u8>>,
    /// The first value of each name, without escapes.
    pub tags: HashMap<Vec<u8>, Vec<u8>>,
    /// Number of tags, repeated ones included.
    pub tag_count: usize,
    pub movetext: &'t [u8],
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap()
}

/// A line with its end.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    static LINE: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?-u)[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+"));
    LINE.find_iter(text).map(|line| line.as_bytes())
}

fn looks_like_tag(line: &[u8]) -> bool {
    static TAG: LazyLock<Regex> =
        LazyLock::new(|| pattern(r#"(?-u)^(?:[ \t]*\[Event "|\[[A-Za-z][^\r\n]*")"#));
    TAG.is_match(line)
}

/// The records of a text, those without tags and moves included.
pub fn split(text: &[u8]) -> Vec<Record<'_>> {
    static FIRST_MOVE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?-u)^1\."));
    static ENDED: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?-u)(?:1-0|0-1|1/2-1/2|\*)[ \t\r\n\x0c]*$"));
    static MOVES_APART: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?s-u)(?:^|\n)[0-9A-Za-z].*\n\n$"));
    let follows_game =
        |before: &[u8]| ENDED.is_match(before) || MOVES_APART.is_match(&without_comments(before));
    let mut starts = vec![0];
    let mut at = 0;
    let mut after_tag = true;
    let mut movetext = 0;
    for line in lines(text) {
        let is_tag = looks_like_tag(line);
        if is_tag && !after_tag {
            starts.push(at);
        }
        if is_tag {
            movetext = at + line.len();
        } else if FIRST_MOVE.is_match(line) && at > movetext && follows_game(&text[movetext..at]) {
            starts.push(at);
            movetext = at;
        }
        after_tag = is_tag;
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let ranges = starts.iter().zip(ends);
    ranges
        .map(|(&start, end)| read(&text[start..end]))
        .collect()
}

fn read(record: &[u8]) -> Record<'_> {
    static TAG: LazyLock<Regex> =
        LazyLock::new(|| pattern(r#"(?s-u)^\[([A-Za-z0-9_]+) "([^\r\n]*?)"\](?:\r\n|\r|\n)"#));
    static ESCAPE: LazyLock<Regex> = LazyLock::new(|| pattern(r#"(?-u)\\(["\\])"#));
    let (mut written, mut tags) = (HashMap::new(), HashMap::new());
    let mut tag_count = 0;
    let mut rest = record;
    while let Some(tag) = TAG.captures(rest) {
        let [name, value] = [1, 2].map(|group| tag.get(group).unwrap().as_bytes());
        let meant = ESCAPE.replace_all(value, &b"$1"[..]);
        written
            .entry(name.to_vec())
            .or_insert_with(|| value.to_vec());
        tags.entry(name.to_vec())
            .or_insert_with(|| meant.into_owned());
        tag_count += 1;
        rest = &rest[tag[0].len()..];
    }
    Record {
        written,
        tags,
        tag_count,
        movetext: rest,
    }
}

/// A movetext without its closed comments in braces.
pub fn without_comments(movetext: &[u8]) -> Cow<'_, [u8]> {
    static COMMENT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?s-u)\{[^}]*\}"));
    COMMENT.replace_all(movetext, &b""[..])
}

/// What the comments in braces of a movetext hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Comments {
    pub clocks: bool,
    pub evals: bool,
    pub text: bool,
}

/// The comments of a movetext. Comments to the end of a line (`;`) and escaped lines (`%`) are
/// skipped.
pub fn comments(movetext: &[u8]) -> Comments {
    static COMMENT: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?ms-u)\{(?P<text>[^}]*)\}|;[^\r\n]*|^%[^\r\n]*|\{[^}]*\z"));
    static COMMAND: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?s-u)\[%([^\]]*)\]"));
    static ARGUMENT: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?s-u)^(clk|eval)[ \t\r\n\x0c]+[^ \t\r\n\x0c]"));
    let mut found = Comments::default();
    for comment in COMMENT.captures_iter(movetext) {
        let Some(text) = comment.name("text") else {
            continue;
        };
        for command in COMMAND.captures_iter(text.as_bytes()) {
            if let Some(known) = ARGUMENT.captures(&command[1]) {
                found.clocks |= &known[1] == b"clk";
                found.evals |= &known[1] == b"eval";
            }
        }
        let text = COMMAND.replace_all(text.as_bytes(), &b""[..]);
        found.text |= text.iter().any(|c| !c.is_ascii_whitespace());
    }
    found
}
