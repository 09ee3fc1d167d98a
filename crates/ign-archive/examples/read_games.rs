//! Reads an archive from a program: its totals, a game by number, and its games one by one.
//!
//! ```text
//! ign sample --games 1000 -o games.pgn && ign pack games.pgn
//! cargo run --release --example read_games games.ign
//! ```

use std::{env, io, process::ExitCode};

use ign_archive::{pipeline::unpack::unpack_games, reader::Archive};
use ign_format::{block::decode::Block, error::Result};
use ign_notation::radix;

fn main() -> ExitCode {
    let Some(path) = env::args_os().nth(1) else {
        eprintln!("usage: read_games ARCHIVE");
        return ExitCode::FAILURE;
    };
    match read(path.as_ref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            error.exit_code().into()
        }
    }
}

fn read(path: &std::path::Path) -> Result<()> {
    let archive = Archive::open(path)?;
    let games = archive.index().games();
    println!(
        "{games} games, {} bytes of text",
        archive.index().text_len()
    );

    if games > 0 {
        println!("\nThe first of them:\n");
        let first = 0..1;
        unpack_games(&archive, &[first], &mut io::stdout(), 1)?;
    }

    println!("The longest integers of the first block:\n");
    if archive.index().blocks.is_empty() {
        return Ok(());
    }
    let bytes = archive.block_bytes(0)?;
    let block = Block::open(&bytes)?;
    let records = block.records()?;
    let table = block.table(&records, Some(&["White", "Black"]))?;
    let mut longest = Vec::new();
    block.walk_games(&records, |mut game| {
        let integer = radix::to_integer(&game.ign()?);
        let mut plies = 0;
        game.moves.play(game.start, |_, _| plies += 1)?;
        longest.push((integer.significant_bits(), plies, game.record, integer));
        longest.sort_by_key(|&(bits, ..)| std::cmp::Reverse(bits));
        longest.truncate(3);
        Ok(())
    })?;
    for (bits, plies, record, integer) in longest {
        let name = |tag: &[u8]| {
            let value = table.tag(tag).and_then(|tag| table.value(tag, record));
            String::from_utf8_lossy(value.unwrap_or(b"?")).into_owned()
        };
        let digits = integer.to_string();
        println!(
            "{} - {}: {plies} plies, {bits} bits: {}…",
            name(b"White"),
            name(b"Black"),
            &digits[..digits.len().min(20)]
        );
    }
    Ok(())
}
