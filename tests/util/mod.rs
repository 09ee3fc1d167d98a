//! The command `ign`, run in a temporary folder.

use std::{ffi::OsStr, ops::Deref, process::Command};

use ign_testing::Run;

/// A temporary folder for one test, in which `ign` runs.
pub struct Folder(ign_testing::Folder);

impl Folder {
    pub fn new() -> Self {
        Self(ign_testing::Folder::new())
    }

    /// A folder with one file in it.
    pub fn with(name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let folder = Self::new();
        folder.write(name, bytes);
        folder
    }

    /// The command `ign` with these arguments, in the folder.
    pub fn command(&self, args: &[impl AsRef<OsStr>]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ign"));
        command.current_dir(self.path("")).args(args);
        command
    }

    /// Runs `ign` in the folder, with nothing on standard input.
    pub fn ign(&self, args: &[impl AsRef<OsStr>]) -> Run {
        self.ign_fed(b"", args)
    }

    /// Runs `ign` in the folder with these bytes on standard input.
    pub fn ign_fed(&self, input: &[u8], args: &[impl AsRef<OsStr>]) -> Run {
        let words = args.iter().map(|a| a.as_ref().to_string_lossy());
        let name = format!("ign {}", words.collect::<Vec<_>>().join(" "));
        Run::new(&mut self.command(args), input, name)
    }
}

impl Deref for Folder {
    type Target = ign_testing::Folder;

    fn deref(&self) -> &ign_testing::Folder {
        &self.0
    }
}
