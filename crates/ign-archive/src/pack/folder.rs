//! The files with games below a folder, as inputs.

use std::{
    ffi::OsStr,
    fs::File,
    path::{Path, PathBuf},
};

use walkdir::WalkDir;

use super::input::Input;
use crate::file_names::name_of_path;
use ign_format::error::{Error, Result};

/// Extensions of files with games.
const EXTENSIONS: &[&str] = &["pgn", "sgf"];

/// The files below a folder.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct FolderFiles {
    /// The files with games by their names: `.pgn` and `.sgf`, also compressed. They are sorted by
    /// their paths, component by component.
    pub inputs: Vec<Input>,
    /// Other files, which are not inputs.
    pub others: Vec<PathBuf>,
}

impl FolderFiles {
    /// Finds the files below a folder. Each input is [named](Input::named) by its path from the
    /// folder on, with the name of the folder in front. Hidden files and folders are left out.
    /// Links are followed; one to a folder that contains it is left out. A link that leads nowhere
    /// is one of the others, unless its name is that of a file with games.
    ///
    /// ```
    /// use ign_archive::pack::FolderFiles;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("club");
    /// # std::fs::create_dir_all(path.join("2024"))?;
    /// # std::fs::write(path.join("2024/may.pgn"), "1. e4 *")?;
    ///
    /// let files = FolderFiles::find(&path)?;
    /// assert_eq!(files.inputs[0].source_name(), b"club/2024/may.pgn");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io) if a folder or one of the inputs cannot be opened.
    pub fn find(folder: &Path) -> Result<Self> {
        let path = folder
            .canonicalize()
            .map_err(|e| Error::from(e).in_file(folder))?;
        let prefix = Path::new(path.file_name().unwrap_or_default());
        let is_hidden = |name: &OsStr| name.as_encoded_bytes().starts_with(b".");
        let entries = WalkDir::new(folder)
            .follow_links(true)
            .min_depth(1)
            .sort_by_file_name()
            .into_iter()
            .filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry.file_name()));
        let mut found = Self::default();
        for entry in entries {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) if error.loop_ancestor().is_some() => continue,
                Err(error) => {
                    let path = error.path().unwrap_or(folder).to_path_buf();
                    if path.is_symlink() && leads_nowhere(&error) && !has_games(&path) {
                        found.others.push(path);
                        continue;
                    }
                    return Err(unreadable(std::io::Error::from(error), &path));
                }
            };
            if entry.file_type().is_dir() {
                continue;
            }
            let path = entry.path();
            if !entry.file_type().is_file() || !has_games(path) {
                found.others.push(path.to_path_buf());
                continue;
            }
            // An input that cannot be read is an error before the work, not in the middle of it.
            File::open(path).map_err(|error| unreadable(error, path))?;
            let below = path.strip_prefix(folder).unwrap_or(path);
            let name = name_of_path(&prefix.join(below));
            found.inputs.push(Input::file(path).named(name));
        }
        Ok(found)
    }
}

/// Whether an error says that a link leads to nothing, or to itself.
fn leads_nowhere(error: &walkdir::Error) -> bool {
    /// The number of the error of links that lead to each other, which has no stable name.
    const LOOP: i32 = if cfg!(target_os = "linux") { 40 } else { 62 };
    error.io_error().is_some_and(|error| {
        error.kind() == std::io::ErrorKind::NotFound || error.raw_os_error() == Some(LOOP)
    })
}

/// The error of a file or a folder that cannot be read.
fn unreadable(error: std::io::Error, path: &Path) -> Error {
    Error::from(error)
        .in_file(path)
        .with_remedy("make it readable, or remove it from the folder, or list the files to pack")
}

/// Whether a file has games by its name.
fn has_games(path: &Path) -> bool {
    let is_one = |path: &Path, extensions: &[&str]| {
        let extension = path.extension().unwrap_or_default();
        extensions
            .iter()
            .any(|one| extension.eq_ignore_ascii_case(one))
    };
    let stem = path.file_stem().map(Path::new).unwrap_or(path);
    is_one(path, EXTENSIONS) || is_one(path, Input::COMPRESSED) && is_one(stem, EXTENSIONS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_games_are_known_by_their_names() {
        for (name, is) in [
            ("a.pgn", true),
            ("a.PGN", true),
            ("a.sgf.GZ", true),
            ("a.pgn.zst", true),
            ("a.zst", false),
            ("pgn", false),
            ("a.pgn.txt", false),
            ("a.ign", false),
        ] {
            assert_eq!(has_games(Path::new(name)), is, "{name}");
        }
    }
}
