//! Prints a training sample per position of standard chess: `training_samples A.ign`.
//! A line is the FEN, the move played in UCI, and the result.

use std::io::{BufWriter, Write, stdout};

use ign_archive::shakmaty::{CastlingMode, EnPassantMode, Position, fen::Fen};
use ign_archive::{Archive, GameData, Result};

fn main() -> Result<()> {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: training_samples A.ign");
        std::process::exit(1);
    };
    let mut out = BufWriter::new(stdout().lock());
    for game in Archive::open(path)?
        .games()
        .decoding([GameData::Tags, GameData::Moves])
    {
        let game = game?;
        let result = game
            .result()?
            .map_or_else(|| "*".into(), |result| result.to_string());
        for (position, played) in game.positions()?.zip(game.moves()?) {
            let fen = Fen::try_from_setup(position.to_setup(EnPassantMode::Legal));
            let played = played.to_uci(CastlingMode::Standard);
            writeln!(out, "{}\t{played}\t{result}", fen.unwrap_or_default())?;
        }
    }
    out.flush()?;
    Ok(())
}
