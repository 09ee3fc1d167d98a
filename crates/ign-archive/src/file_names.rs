//! The names that archives store for packed files: from paths, and back to paths that never leave a
//! folder.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
    path::{Component, Path, PathBuf},
};

use ign_format::{container::index::Source, error::Result};

use crate::{archive::Archive, values::FilePattern};

/// Extensions of compressed files.
pub(crate) const COMPRESSED: &[&str] = &["zst", "gz", "bz2"];
/// Maximum length of a component of a path in bytes, on most systems.
const MAX_COMPONENT: usize = 255;
/// The name of standard input, of what has no name, and of a component without a character.
const UNNAMED: &[u8] = b"unnamed";

/// The name of the file of this path: its components, with `/` between them. Of a path with `..` it
/// is the file name.
pub(crate) fn name_of_path(path: &Path) -> Vec<u8> {
    let mut name: Vec<&[u8]> = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(part) => name.push(part.as_encoded_bytes()),
            Component::ParentDir => {
                let name = path.file_name().unwrap_or_default();
                return name.as_encoded_bytes().to_vec();
            }
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    name.join(&b'/')
}

/// The path that these bytes are, as the system writes paths.
///
/// # Errors
/// Usage, if the system cannot have such a path.
pub(crate) fn path_of_bytes(bytes: &[u8]) -> Result<PathBuf> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        Ok(PathBuf::from(std::ffi::OsStr::from_bytes(bytes)))
    }
    #[cfg(not(unix))]
    match str::from_utf8(bytes) {
        Ok(path) => Ok(PathBuf::from(path)),
        Err(_) => Err(ign_format::error::Error::usage(format!(
            "'{}' is not UTF-8, and not a path here",
            bytes.escape_ascii()
        ))),
    }
}

/// A packed file, which one or several sources hold.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SourceFile {
    /// Where the text of the file is written, below a folder of choice: the name of the source, as
    /// a path that does not leave the folder. No two files of an archive have paths that are equal
    /// or differ in case alone.
    pub path: PathBuf,
    /// Its sources, counted from 0. Several are parts that follow each other.
    pub sources: Range<usize>,
    /// Whether the path differs from the name, apart from the extension of a compressed file.
    pub is_renamed: bool,
}

impl Archive {
    /// The packed files, in order.
    ///
    /// The extension of a compressed file is left out, since an archive holds its text.
    ///
    /// ```
    /// # use ign_archive::{Archive, Input, Packer};
    /// # use std::path::Path;
    /// let inputs = [("club/may.pgn.zst", &b"1. e4 *\n"[..]), ("../../May.pgn", b"1. d4 *\n")];
    /// let inputs = inputs.map(|(name, text)| Input::reader(name, text));
    /// let (bytes, _) = Packer::new().pack(inputs, Vec::new())?;
    /// let files = Archive::from_read_at(bytes, "a.ign")?.source_files();
    /// assert_eq!(files[0].path, Path::new("club/may.pgn"));
    /// assert_eq!(files[1].path, Path::new("May.pgn"));
    /// assert!(files[1].is_renamed);
    /// # Ok::<(), ign_archive::Error>(())
    /// ```
    pub fn source_files(&self) -> Vec<SourceFile> {
        let sources = self.sources();
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for (number, source) in sources.iter().enumerate() {
            match ranges.last_mut() {
                Some(range) if continues(&sources[range.start], source) => range.end += 1,
                _ => ranges.push(number..number + 1),
            }
        }
        let paths: Vec<PathBuf> = ranges
            .iter()
            .map(|range| safe_path(&sources[range.start].name))
            .collect();
        let files = distinct(paths).into_iter().zip(ranges);
        files
            .map(|(path, of)| SourceFile {
                is_renamed: name_of_path(&path) != without_compression(&sources[of.start].name),
                path,
                sources: of,
            })
            .collect()
    }

    /// The packed files whose names match a pattern, in which `*` matches any text: the whole name,
    /// or its last components, in any letter case. The extension of a compressed file may be left
    /// out.
    pub fn source_files_named(&self, pattern: &str) -> Vec<SourceFile> {
        let pattern = FilePattern::new(pattern);
        let mut files = self.source_files();
        files.retain(|file| pattern.matches(&self.sources()[file.sources.start]));
        files
    }
}

/// Whether a source is a part of the same file as the source before it.
pub(crate) fn continues(before: &Source, source: &Source) -> bool {
    before.is_part && source.is_part && before.name == source.name
}

/// The name of a source as a path below a folder.
fn safe_path(name: &[u8]) -> PathBuf {
    let parts = name
        .split(|byte| matches!(byte, b'/' | b'\\'))
        .filter(|part| !matches!(*part, b"" | b"." | b".."));
    let mut parts: Vec<Vec<u8>> = parts.map(safe_component).collect();
    match parts.last_mut() {
        None => parts.push(UNNAMED.to_vec()),
        Some(file) => file.truncate(without_compression(file).len()),
    }
    let path = |part: &Vec<u8>| {
        path_of_bytes(part).unwrap_or_else(|_| String::from_utf8_lossy(part).into_owned().into())
    };
    parts.iter().map(path).collect()
}

/// A name without the extension of a compressed file.
pub(crate) fn without_compression(name: &[u8]) -> &[u8] {
    let Some(dot) = name.iter().rposition(|&byte| byte == b'.') else {
        return name;
    };
    let extension = &name[dot + 1..];
    let mut known = COMPRESSED.iter();
    let is_compressed = known.any(|one| extension.eq_ignore_ascii_case(one.as_bytes()));
    let is_hidden = dot == 0 || name[dot - 1] == b'/';
    if is_compressed && !is_hidden {
        &name[..dot]
    } else {
        name
    }
}

/// A component without characters that some systems refuse, of a length that all accept.
fn safe_component(part: &[u8]) -> Vec<u8> {
    let is_unsafe = |byte: &u8| byte.is_ascii_control() || b"<>:\"|?*".contains(byte);
    let mut part = part.to_vec();
    if let Ok(text) = str::from_utf8(&part) {
        part.truncate(text.floor_char_boundary(MAX_COMPONENT));
    }
    part.truncate(MAX_COMPONENT);
    for byte in part.iter_mut().filter(|byte| is_unsafe(byte)) {
        *byte = b'_';
    }
    // Some systems ignore blanks and dots at the end.
    let end = part.iter().rposition(|byte| !matches!(byte, b' ' | b'.'));
    part.truncate(end.map_or(0, |last| last + 1));
    if part.is_empty() {
        UNNAMED.to_vec()
    } else {
        part
    }
}

/// The paths with numbers in the names of files that others, or folders, have too.
fn distinct(paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let key = |path: &Path| path.to_string_lossy().to_lowercase();
    let folders = paths.iter().flat_map(|path| path.ancestors().skip(1));
    let mut used: HashSet<String> = folders.map(key).collect();
    let mut next: HashMap<String, u32> = HashMap::new();
    let mut distinct = Vec::with_capacity(paths.len());
    for path in paths {
        let mut name = path.clone();
        while !used.insert(key(&name)) {
            let number = next.entry(key(&path)).or_insert(1);
            *number += 1;
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            name = path.with_file_name(format!("{stem}-{number}"));
            if let Some(extension) = path.extension() {
                name.as_mut_os_string().push(".");
                name.as_mut_os_string().push(extension);
            }
        }
        distinct.push(name);
    }
    distinct
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_named_below_their_root() {
        for (path, name) in [
            ("a.pgn", "a.pgn"),
            ("./b/a.pgn", "b/a.pgn"),
            ("/home/b//a.pgn", "home/b/a.pgn"),
            ("../b/a.pgn", "a.pgn"),
            ("b/../../a.pgn", "a.pgn"),
        ] {
            assert_eq!(name_of_path(Path::new(path)), name.as_bytes(), "{path}");
        }
    }

    #[test]
    fn names_never_leave_the_folder() {
        let long = "ä".repeat(200);
        for (name, path) in [
            ("a.pgn", "a.pgn"),
            ("b/a.pgn", "b/a.pgn"),
            ("/etc/passwd", "etc/passwd"),
            ("../../a.pgn", "a.pgn"),
            ("b/../a.pgn", "b/a.pgn"),
            ("..\\..\\a.pgn", "a.pgn"),
            ("C:\\b\\a.pgn", "C_/b/a.pgn"),
            ("a\0\n.pgn", "a__.pgn"),
            ("", "unnamed"),
            ("..", "unnamed"),
            ("b/ . /x", "b/unnamed/x"),
            ("a.pgn.zst", "a.pgn"),
            ("a.GZ", "a"),
            (".zst", ".zst"),
            (&long, &long[..254]),
        ] {
            assert_eq!(safe_path(name.as_bytes()), Path::new(path), "{name:?}");
        }
    }

    #[test]
    fn no_two_files_have_one_path() {
        let paths = [
            "a.pgn", "A.pgn", "a-2.pgn", "a.pgn", "b", "b/c", "B/C", "x/y/z", "x/y", "d", "d",
        ];
        let expected = [
            "a.pgn",
            "A-2.pgn",
            "a-2-2.pgn",
            "a-3.pgn",
            "b-2",
            "b/c",
            "B/C-2",
            "x/y/z",
            "x/y-2",
            "d",
            "d-2",
        ];
        let paths = paths.map(PathBuf::from).to_vec();
        assert_eq!(distinct(paths), expected.map(PathBuf::from));
    }
}
