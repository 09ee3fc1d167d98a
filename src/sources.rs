//! Inputs, and the sources of archives that they become.

use std::{
    collections::HashMap,
    io::{self, Read},
    path::{Path, PathBuf},
};

use super::{
    common::Common,
    messages::{printable, say},
    numbers::counted,
};
use ign_archive::{Archive, Error, Input, Result, Source, location::local_path, pack::FolderFiles};

/// The number of files that a message names.
const MAX_NAMED: usize = 3;

/// The inputs of commands that pack or train.
#[derive(Debug, clap::Args)]
pub struct InputArgs {
    /// Files and folders, in this order; - is standard input. Of a folder, the files .pgn and .sgf
    /// in it and in its folders are read, also compressed, in the order of their paths, which an
    /// archive keeps; hidden ones are left out
    #[arg(required_unless_present = "files_from", value_name = "IN")]
    pub inputs: Vec<PathBuf>,
    /// Then read the files that this list names, one per line; - is standard input. An archive
    /// keeps their paths
    #[arg(long, value_name = "LIST")]
    files_from: Option<PathBuf>,
    /// Names in the list end with a NUL byte, as find -print0 writes them
    #[arg(short = '0', long, requires = "files_from")]
    null: bool,
}

impl InputArgs {
    /// The list of files.
    pub fn list(&self) -> Option<&Path> {
        self.files_from.as_deref()
    }

    /// The inputs; says which files of folders are left out.
    ///
    /// # Errors
    /// Usage, if standard input is named twice, or if there is no input; io.
    pub fn inputs(&self, common: &Common) -> Result<Vec<Input>> {
        let list = self.list();
        let names = self.inputs.iter().map(PathBuf::as_path);
        check_stdin(names.chain(list))?;
        let mut inputs = Vec::new();
        let mut others = Vec::new();
        for name in &self.inputs {
            match local_path(name) {
                Ok(path) if path.is_dir() => {
                    let found = FolderFiles::find(&path)?;
                    if found.inputs.is_empty() {
                        return Err(
                            Error::usage("there are no .pgn or .sgf files in this folder")
                                .with_remedy("--files-from packs any file")
                                .in_file(name),
                        );
                    }
                    inputs.extend(found.inputs);
                    others.extend(found.others);
                }
                _ => inputs.push(Input::from_name(name)),
            }
        }
        if let Some(list) = list {
            let separator = if self.null { 0 } else { b'\n' };
            let listed = Input::listed(&read(list)?, separator)?;
            if listed.is_empty() {
                return Err(Error::usage("the list names no file").in_file(list));
            }
            for input in &listed {
                // An input that is not there is an error before the work, not in the middle of it.
                input.len()?;
            }
            inputs.extend(listed);
        }
        if let Some(some) = others.get(..others.len().min(MAX_NAMED))
            && !some.is_empty()
            && !common.quiet
        {
            let some: Vec<String> = some
                .iter()
                .map(|path| printable(&path.to_string_lossy()))
                .collect();
            let dots = if others.len() > some.len() {
                ", …"
            } else {
                ""
            };
            say(format_args!(
                "left out: {} not named .pgn or .sgf: {}{dots}",
                counted(others.len() as u64, "file"),
                some.join(", ")
            ));
        }
        Ok(inputs)
    }
}

/// The bytes of a list.
fn read(list: &Path) -> Result<Vec<u8>> {
    if list.as_os_str() != "-" {
        return Input::file(list).text();
    }
    let mut bytes = Vec::new();
    let read = io::stdin().read_to_end(&mut bytes);
    read.map_err(|error| Error::from(error).in_file(list))?;
    Ok(bytes)
}

/// Refuses a second `-`.
fn check_stdin<'n>(names: impl IntoIterator<Item = &'n Path>) -> Result<()> {
    let names = names.into_iter();
    match names.filter(|name| name.as_os_str() == "-").count() {
        0 | 1 => Ok(()),
        _ => Err(Error::usage("standard input can be read only once").with_remedy("give - once")),
    }
}

/// The inputs of these names.
///
/// # Errors
/// Usage, if standard input is named twice.
pub fn inputs(names: &[PathBuf]) -> Result<Vec<Input>> {
    check_stdin(names.iter().map(PathBuf::as_path))?;
    Ok(names.iter().map(Input::from_name).collect())
}

/// Warns of sources that repeat the text of an earlier one, if they are not among the first `known`
/// sources.
pub fn warn_of_repeated<'a>(
    archives: impl IntoIterator<Item = &'a Archive>,
    known: usize,
    common: &Common,
) {
    if common.quiet {
        return;
    }
    let mut earlier: HashMap<Identity, &Source> = HashMap::new();
    let mut repeated = 0;
    let sources = archives
        .into_iter()
        .flat_map(|archive| archive.sources().iter().zip(identities(archive)));
    for (number, (source, identity)) in sources.enumerate() {
        if source.text_len == 0 {
            continue;
        }
        match earlier.get(&identity) {
            None => _ = earlier.insert(identity, source),
            Some(first) if number >= known => {
                repeated += 1;
                if repeated <= MAX_NAMED {
                    say(format_args!(
                        "warning: {} has the same text as {}, which is in the archive already",
                        source.title(),
                        first.title()
                    ));
                }
            }
            Some(_) => {}
        }
    }
    if repeated > MAX_NAMED {
        let further = counted((repeated - MAX_NAMED) as u64, "further file");
        say(format_args!(
            "warning: the archive has the text of {further} already"
        ));
    }
}

/// What shows that two sources have the same text.
#[derive(PartialEq, Eq, Hash)]
struct Identity {
    text_len: u64,
    /// Where its text begins in its first block; `None` if it has a checksum.
    offset: Option<u64>,
    /// Its checksum, or those of the heads of its blocks.
    checksums: Vec<u64>,
}

/// The identities of the sources of an archive.
fn identities(archive: &Archive) -> impl Iterator<Item = Identity> {
    let blocks = archive.blocks();
    let mut start = 0;
    archive.sources().iter().map(move |source| {
        let text_len = source.text_len;
        let end = start + text_len;
        let first = blocks.partition_point(|block| block.text_offset + block.text_len <= start);
        let own = blocks[first..]
            .iter()
            .take_while(|block| block.text_offset < end);
        let identity = match source.text_checksum {
            Some(checksum) => Identity {
                text_len,
                offset: None,
                checksums: vec![checksum],
            },
            None => Identity {
                text_len,
                offset: blocks.get(first).map(|block| start - block.text_offset),
                checksums: own.map(|block| block.head_checksum).collect(),
            },
        };
        start = end;
        identity
    })
}
