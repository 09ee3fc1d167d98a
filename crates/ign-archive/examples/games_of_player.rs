//! Prints the games of a player: `games_of_player A.ign NAME`.

use std::io::{Write, stdout};

use ign_archive::{Archive, Result};

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let (Some(path), Some(name)) = (args.next(), args.next()) else {
        eprintln!("usage: games_of_player A.ign NAME");
        std::process::exit(1);
    };
    let mut out = stdout().lock();
    for game in Archive::open(path)?.games() {
        let game = game?;
        let plays = |color| Ok::<_, ign_archive::Error>(game.tag(color)?.as_deref() == Some(&name));
        if plays("White")? || plays("Black")? {
            out.write_all(game.pgn()?)?;
        }
    }
    Ok(())
}
