//! A move has the name that shakmaty gives it, and a name that shakmaty writes is read as the same
//! move.
//!
//! The input is a game, as ordinals of legal moves, an end mark, and a token that is read in the
//! last position.
#![no_main]

use ign_notation::chess::{Legal, Position, san};
use ign_testing::ours;
use libfuzzer_sys::fuzz_target;
use shakmaty::{Chess, Position as _, san::San, san::SanPlus};

/// Ends the game.
const END: u8 = 0xff;

fuzz_target!(|bytes: &[u8]| {
    let (mut position, mut chess) = (Position::default(), Chess::default());
    let mut rest = bytes.iter();
    for &choice in rest.by_ref().take_while(|&&byte| byte != END) {
        let legal = Legal::new(&position);
        let count = legal.count();
        if count == 0 {
            break;
        }
        let played = legal.nth(u32::from(choice) % count);
        let moves = chess.legal_moves();
        let theirs = *moves
            .iter()
            .find(|&&theirs| ours(theirs) == played)
            .expect("a legal move");
        // The name of the move, and what it is read as, with a sign of check or mate and without.
        let name = SanPlus::from_move(chess.clone(), theirs);
        let written = san::write(&legal, played);
        assert_eq!(written.as_bytes(), name.san.to_string().as_bytes());
        for name in [name.to_string(), name.san.to_string()] {
            let resolved = san::resolve(&legal, name.as_bytes());
            assert_eq!(resolved, Some(played), "{name}");
        }
        position.play(played);
        chess.play_unchecked(theirs);
    }
    let legal = Legal::new(&position);
    assert_eq!(legal.count() as usize, chess.legal_moves().len());
    let token = rest.as_slice();
    let resolved = san::resolve(&legal, token);
    if let Some(resolved) = resolved {
        assert!(legal.contains(resolved), "an illegal move");
    }
    // Shakmaty reads more than names that it would write.
    let Ok(name) = San::from_ascii(token) else {
        return;
    };
    let Ok(theirs) = name.to_move(&chess) else {
        return;
    };
    if SanPlus::from_move(chess, theirs).san.to_string().as_bytes() == token {
        assert_eq!(resolved, Some(ours(theirs)), "{name}");
    }
});
