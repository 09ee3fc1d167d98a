//! `--sort`: the order of the games.

use std::ops::ControlFlow;

use ign_archive::{Archives, GameNumber, Result, SortKey, Sorter};

use super::{common::Common, hints, numbers::counted, progress::with_status};

/// By what games are sorted.
#[derive(Debug, clap::Args)]
pub struct Order {
    /// Sort the games by this key, ascending: elo, white-elo, black-elo, elo-diff, date, plies,
    /// white, black, eco, result, event or another key of ign count; elo is the mean of both
    /// ratings, not rounded. With :desc descending: elo:desc. Repeat it for further keys, or
    /// separate them by commas
    #[arg(long = "sort", value_name = "KEY[:desc]", value_delimiter = ',', allow_hyphen_values = true, value_parser = key)]
    keys: Vec<SortKey>,
}

/// A key of a list, perhaps with space around it.
fn key(text: &str) -> Result<SortKey> {
    text.trim().parse()
}

impl Order {
    /// Whether the games are sorted.
    pub fn is_given(&self) -> bool {
        !self.keys.is_empty()
    }

    /// The first `limit` of the games, which ascend, in the order of the keys.
    ///
    /// # Errors
    /// As [`Sorter::sort`].
    pub fn sorted(
        &self,
        archives: &Archives,
        games: &[GameNumber],
        limit: usize,
        common: &Common,
    ) -> Result<Vec<GameNumber>> {
        hints::of_keys(self.keys.iter().map(SortKey::key), archives, common)?;
        with_status(!common.quiet, |status| {
            Sorter::new(self.keys.clone())
                .limit(limit)
                .on_progress(|progress| {
                    status.set(counted(progress.games, "game"));
                    ControlFlow::Continue(())
                })
                .sort(archives, games)
        })
    }
}
