//! `--damaged`: archives of which damaged blocks are left out, and the exit status for that. The
//! status for damage without the option is that of the error, `messages::exit_code`.

use std::{path::Path, process::ExitCode};

use super::{
    archive_file::{advised_of_numbers, open_archive},
    common::Common,
    messages::say,
};
use ign_archive::{Archive, Result, check::Damage, location::expand, text::games_text};

/// Exit status of a command that did its work, but left damaged games out.
pub const LEFT_OUT: u8 = 4;

/// Whether damaged blocks are left out.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub struct Damaged {
    /// Read the intact parts of a damaged archive: its checksums are compared first, and damaged
    /// blocks are left out, with a warning that names their games. The exit status is then 4
    /// instead of 0
    #[arg(long)]
    damaged: bool,
    /// Whether games that need a model of which no copy is whole are listed without what it codes.
    #[arg(skip)]
    lists_unread: bool,
}

impl Damaged {
    /// The same, for lists: games that need a model of which no copy is whole are listed without
    /// what it codes.
    pub fn to_list(self) -> Self {
        Self {
            lists_unread: true,
            ..self
        }
    }

    /// Whether the option was given.
    pub fn is_given(self) -> bool {
        self.damaged
    }

    /// Opens an archive, without its damaged blocks if that is asked for. Returns whether something
    /// was left out.
    ///
    /// # Errors
    /// As [`Archive::open`] and [`Archive::open_damaged`].
    pub fn open(self, path: &Path, common: &Common) -> Result<(Archive, bool)> {
        if !self.damaged {
            return Ok((open_archive(path, common)?, false));
        }
        let opened = if self.lists_unread {
            Archive::open_damaged_to_list(path)
        } else {
            Archive::open_damaged(path)
        };
        let (archive, damage) = opened.map_err(|e| advised_of_numbers(e, path))?;
        for damage in &damage {
            self.warn(archive.path(), damage, common);
        }
        let archive = archive.with_threads(common.threads());
        Ok((archive, damage.iter().any(Damage::loses_games)))
    }

    /// Opens the archives that arguments name, each as [`open`](Self::open). Returns whether
    /// something was left out of one.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_all(
        self,
        paths: &[impl AsRef<Path>],
        common: &Common,
    ) -> Result<(Vec<Archive>, bool)> {
        let mut is_left_out = false;
        let mut archives = Vec::with_capacity(paths.len());
        for path in paths {
            for path in expand(path)? {
                let (archive, left_out) = self.open(&path, common)?;
                is_left_out |= left_out;
                archives.push(archive);
            }
        }
        Ok((archives, is_left_out))
    }

    fn warn(self, path: &Path, damage: &Damage, common: &Common) {
        if common.quiet {
            return;
        }
        let path = path.display();
        let error = damage.error.message();
        let what = if self.lists_unread && damage.lacks_model {
            "listed without what a model codes:"
        } else {
            "left out"
        };
        match (&damage.games, damage.error.block()) {
            (Some(games), Some(block)) => say(format_args!(
                "warning: {path}: {what} {}, block {block}: {error}",
                games_text(games)
            )),
            (None, Some(block)) => say(format_args!("warning: {path}: block {block}: {error}")),
            _ => say(format_args!(
                "warning: {path}: {}: {error}",
                damage.place.name()
            )),
        }
    }
}

/// The exit status, if the work was done.
pub fn status(is_left_out: bool) -> ExitCode {
    if is_left_out {
        LEFT_OUT.into()
    } else {
        ExitCode::SUCCESS
    }
}
