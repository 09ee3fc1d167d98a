//! `-o`, `-c` and `-f`: the options of every command that writes one file.

use std::path::{Path, PathBuf};

use super::{content::Content, output::Output};
use ign_archive::Result;

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

    /// Opens an archive that can be continued, as [`Output::resumable`].
    ///
    /// # Errors
    /// As [`file`](Self::file) and [`Output::resumable`].
    pub fn resumable_archive<'a>(
        &self,
        path: &Path,
        inputs: impl IntoIterator<Item = &'a Path>,
        resume: bool,
    ) -> Result<Output> {
        Output::refuse_inputs(path, inputs)?;
        Content::Archive.check_name(path)?;
        Output::resumable(path, self.force, resume)
    }

    /// Opens a file for this content.
    ///
    /// # Errors
    /// Usage, if the file is an input, if its name is that of another content, or if it exists and
    /// `-f` was not given; io.
    pub fn file<'a>(
        &self,
        path: &Path,
        content: Content,
        inputs: impl IntoIterator<Item = &'a Path>,
    ) -> Result<Output> {
        Output::refuse_inputs(path, inputs)?;
        content.check_name(path)?;
        Output::file(path, self.force)
    }
}
