//! Counts the openings of an archive with White's score: `count_openings A.ign [PLIES]`.

use std::collections::HashMap;

use ign_archive::{Archive, GameData, Result, shakmaty::KnownOutcome};

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let Some(path) = args.next() else {
        eprintln!("usage: count_openings A.ign [PLIES]");
        std::process::exit(1);
    };
    let plies = args.next().and_then(|n| n.parse().ok()).unwrap_or(4);
    let mut openings: HashMap<String, (u32, f64)> = HashMap::new();
    for game in Archive::open(path)?
        .games()
        .decoding([GameData::Tags, GameData::Moves])
    {
        let game = game?;
        let moves: Vec<String> = game.moves()?.take(plies).map(|m| m.to_string()).collect();
        let score = match game.result()?.and_then(|result| result.known()) {
            None => continue,
            Some(KnownOutcome::Draw) => 0.5,
            Some(KnownOutcome::Decisive { winner }) => f64::from(u8::from(winner.is_white())),
        };
        let opening = openings.entry(moves.join(" ")).or_default();
        opening.0 += 1;
        opening.1 += score;
    }
    let mut openings: Vec<_> = openings.into_iter().collect();
    openings.sort_by(|(a, (n, _)), (b, (m, _))| m.cmp(n).then_with(|| a.cmp(b)));
    for (moves, (games, score)) in openings.into_iter().take(20) {
        println!(
            "{games:>8}  {:5.1}%  {moves}",
            100.0 * score / f64::from(games)
        );
    }
    Ok(())
}
