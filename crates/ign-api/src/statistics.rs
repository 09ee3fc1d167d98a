//! Statistics of archives as JSON.

use crate::collection::View;

/// The statistics of the archives of a view. `progress` gets the part that is done, from 0 to 1.
///
/// # Errors
/// Those of reading the archives.
#[cfg(feature = "stats")]
pub fn json(view: &View, progress: impl Fn(f64)) -> ign_archive::Result<Vec<u8>> {
    use std::ops::ControlFlow;

    use ign_archive::{
        Progress,
        stats::{Stats, StatsBuilder},
    };

    use crate::{answer::to_json, played::Played, report::Report};

    let archives = view.archives.archives();
    let total: u64 = archives.iter().map(|a| a.blocks_len()).sum();
    let (mut all, mut before) = (Stats::default(), 0);
    for archive in archives {
        let mut done = 0;
        let on_progress = |of_archive: Progress| {
            done = of_archive.bytes;
            progress((before + done) as f64 / total.max(1) as f64);
            ControlFlow::Continue(())
        };
        all.merge(
            &StatsBuilder::new()
                .on_progress(on_progress)
                .of_archive(archive)?,
        );
        before += done;
    }
    let mut played = Played::default();
    for archive in archives {
        for batch in archive.scan().columns(Played::COLUMNS) {
            played.add(&batch?);
        }
    }
    to_json(&Report::new(&all, &played))
}

/// The statistics of the archives of a view, which this program does not compute.
///
/// # Errors
/// Usage.
#[cfg(not(feature = "stats"))]
pub fn json(_: &View, _: impl Fn(f64)) -> ign_archive::Result<Vec<u8>> {
    Err(ign_archive::Error::usage(
        "this program computes no statistics",
    ))
}
