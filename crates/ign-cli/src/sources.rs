//! The sources of archives in messages.

use std::collections::HashMap;

use super::{common::Common, messages::say};
use ign_archive::format::container::index::Source;

/// The name of a source.
pub fn name_of(source: &Source) -> String {
    match String::from_utf8_lossy(&source.name) {
        name if name.is_empty() => "standard input".into(),
        name => name.into(),
    }
}

/// Warns of sources that repeat the text of an earlier one, if they are not among the first `known` sources.
pub fn warn_of_repeated<'s>(
    sources: impl IntoIterator<Item = &'s Source>,
    known: usize,
    common: &Common,
) {
    if common.quiet {
        return;
    }
    let mut earlier = HashMap::new();
    for (number, source) in sources.into_iter().enumerate() {
        let text = (source.text_len, source.text_checksum, source.is_part);
        let first = *earlier.entry(text).or_insert(source);
        if number >= known && source.text_len > 0 && !std::ptr::eq(first, source) {
            let (name, first) = (name_of(source), name_of(first));
            say(format_args!(
                "warning: {name} has the same text as {first}, which is in the archive already"
            ));
        }
    }
}
