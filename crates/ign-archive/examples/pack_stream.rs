//! Packs standard input into an archive, with progress; Ctrl-D ends it: `pack_stream OUT.ign`.

use std::{fs::File, io::BufWriter, ops::ControlFlow};

use ign_archive::{Coding, Input, Packer, Result};

fn main() -> Result<()> {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: pack_stream OUT.ign < GAMES.pgn");
        std::process::exit(1);
    };
    let out = BufWriter::new(File::create_new(path)?);
    let (_, summary) = Packer::new()
        .coding(Coding::Weighted)
        .on_progress(|progress| {
            eprint!("\r{} games", progress.games);
            ControlFlow::Continue(())
        })
        .pack([Input::stdin()], out)?;
    eprintln!("\r{} games in {} bytes", summary.games, summary.archive_len);
    Ok(())
}
