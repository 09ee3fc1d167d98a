//! `-o`, `-c` and `-f`: the options of every command that writes one file.

use std::path::{Path, PathBuf};

use super::output::Output;
use ign_archive::{Error, Result};

/// Extensions of texts.
const TEXT: [&str; 3] = ["pgn", "sgf", "txt"];
/// Extensions of archives and of their indexes.
const BINARY: [&str; 2] = ["ign", "idx"];

/// Where a command writes.
#[derive(Debug, clap::Args)]
pub struct Destination {
    /// Write to this file; - is standard output
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Write to standard output
    #[arg(short = 'c', long, conflicts_with = "output")]
    stdout: bool,
    /// Overwrite an existing file
    #[arg(short, long)]
    force: bool,
}

impl Destination {
    /// Whether `-o` or `-c` was given.
    pub fn is_given(&self) -> bool {
        self.stdout || self.output.is_some()
    }

    /// Whether an existing file may be overwritten.
    pub fn is_forced(&self) -> bool {
        self.force
    }

    /// The file to write, `None` for standard output. `default` decides if neither option was
    /// given.
    ///
    /// # Errors
    /// Those of `default`.
    pub fn path(
        &self,
        default: impl FnOnce() -> Result<Option<PathBuf>>,
    ) -> Result<Option<PathBuf>> {
        match &self.output {
            _ if self.stdout => Ok(None),
            Some(path) if path.as_os_str() == "-" => Ok(None),
            Some(path) => Ok(Some(path.clone())),
            None => default(),
        }
    }

    /// Opens a file for an archive.
    ///
    /// # Errors
    /// As [`file`](Self::file); usage, if the name is that of a text.
    pub fn archive_file<'a>(
        &self,
        path: &Path,
        inputs: impl IntoIterator<Item = &'a Path>,
    ) -> Result<Output> {
        Output::refuse_inputs(path, inputs)?;
        if has_extension(path, &TEXT) {
            let error = Error::usage("this is the name of a text, and an archive would be written");
            return Err(error
                .with_remedy("name an archive .ign; ign find --pgn writes text")
                .in_file(path));
        }
        Output::file(path, self.force)
    }

    /// Opens a file for text.
    ///
    /// # Errors
    /// As [`file`](Self::file); usage, if the name is that of an archive.
    pub fn text_file<'a>(
        &self,
        path: &Path,
        inputs: impl IntoIterator<Item = &'a Path>,
    ) -> Result<Output> {
        Output::refuse_inputs(path, inputs)?;
        if has_extension(path, &BINARY) {
            let error = Error::usage("this is the name of an archive, and text would be written");
            return Err(error.with_remedy("name a text .pgn").in_file(path));
        }
        Output::file(path, self.force)
    }

    /// Opens a file.
    ///
    /// # Errors
    /// Usage, if the file is an input, or exists and `-f` was not given; io.
    pub fn file<'a>(
        &self,
        path: &Path,
        inputs: impl IntoIterator<Item = &'a Path>,
    ) -> Result<Output> {
        Output::refuse_inputs(path, inputs)?;
        Output::file(path, self.force)
    }
}

/// Whether a name is that of an archive.
pub fn is_archive_name(path: &Path) -> bool {
    has_extension(path, &["ign"])
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().unwrap_or_default();
    extensions.iter().any(|known| extension == *known)
}
