//! Inputs, and the sources of archives that they become.

use std::{collections::HashMap, path::PathBuf};

use super::{common::Common, messages::say};
use ign_archive::{Error, Input, Result, Source};

/// The inputs of these names.
///
/// # Errors
/// Usage, if standard input is named twice.
pub fn inputs(names: &[PathBuf]) -> Result<Vec<Input>> {
    if names.iter().filter(|name| name.as_os_str() == "-").count() > 1 {
        return Err(Error::usage("standard input can be read only once").with_remedy("give - once"));
    }
    Ok(names.iter().map(Input::from_name).collect())
}

/// Warns of sources that repeat the text of an earlier one, if they are not among the first `known`
/// sources.
pub fn warn_of_repeated<'s>(
    sources: impl IntoIterator<Item = &'s Source>,
    known: usize,
    common: &Common,
) {
    if common.quiet {
        return;
    }
    let mut earlier: HashMap<_, &Source> = HashMap::new();
    for (number, source) in sources.into_iter().enumerate() {
        let text = (source.text_len, source.text_checksum, source.is_part);
        match earlier.get(&text) {
            None => _ = earlier.insert(text, source),
            Some(first) if number >= known && source.text_len > 0 => say(format_args!(
                "warning: {} has the same text as {}, which is in the archive already",
                source.title(),
                first.title()
            )),
            Some(_) => {}
        }
    }
}
