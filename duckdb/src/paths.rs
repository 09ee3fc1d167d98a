//! The archives that the first parameter names.

use std::path::{Path, PathBuf};

use ign_archive::{Error, Result};

/// The path of a file, or those of the files that a pattern such as `2013-*.ign` matches, in order
/// of their names. A name that exists is taken as it is.
///
/// # Errors
/// Usage if the pattern is not valid or matches no file; that of reading a folder.
pub fn of(pattern: &str) -> Result<Vec<PathBuf>> {
    if !pattern.contains(['*', '?', '[']) || Path::new(pattern).exists() {
        return Ok(vec![pattern.into()]);
    }
    let wrong = |problem: String| Error::usage(problem).in_file(pattern);
    let found = glob::glob(pattern).map_err(|error| wrong(format!("no valid pattern: {error}")))?;
    let paths = found
        .map(|path| path.map_err(|error| Error::from(std::io::Error::from(error))))
        .collect::<Result<Vec<_>>>()?;
    if paths.is_empty() {
        Err(wrong("no file matches the pattern".to_owned()))
    } else {
        Ok(paths)
    }
}
