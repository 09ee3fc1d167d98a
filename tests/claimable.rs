//! Are games with claimable draws found and counted correctly?
//!
//! The reference compares the FEN of each position, by shakmaty, with all earlier positions of the
//! game, and uses shakmaty's halfmove clock.

use std::collections::HashMap;

use ign_testing::{Random, both};
use serde_json::Value;
use shakmaty::{EnPassantMode, Position as _, fen::Fen, san::SanPlus};

use crate::util::Folder;

/// Positions from which random moves return to earlier positions, with castling rights and en
/// passant captures.
const STARTS: [&str; 7] = [
    "k7/p7/P7/8/8/8/8/K7 w - - 0 1",
    "8/8/8/p1p5/P1P5/8/k7/2K5 b - - 0 1",
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "r3k3/p7/P7/8/8/8/8/4K3 b q - 0 1",
    "7k/8/8/8/1pPp4/1P1P4/8/K7 b - c3 0 1",
    "1k6/8/8/8/8/8/P7/KB6 w - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
];

/// Whether a draw of each kind can be claimed: anywhere, at the end.
#[derive(Default)]
struct Claims {
    repetition: [bool; 2],
    fifty_moves: [bool; 2],
}

/// The record of a random game, and its claimable draws.
fn random_game(start: &str, random: &mut Random, result: &str) -> (String, Claims) {
    let (_, mut position) = both(start);
    let mut text =
        format!("[Event \"?\"]\n[Result \"{result}\"]\n[SetUp \"1\"]\n[FEN \"{start}\"]\n\n");
    let mut claims = Claims::default();
    let mut times = HashMap::new();
    let plies = 20 + random.below(200);
    for ply in 0..=plies {
        let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
        let counted = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
        let count = times.entry(counted).or_insert(0);
        *count += 1;
        claims.repetition[1] = *count >= 3;
        claims.fifty_moves[1] = position.halfmoves() >= 100;
        claims.repetition[0] |= claims.repetition[1];
        claims.fifty_moves[0] |= claims.fifty_moves[1];
        let legal = position.legal_moves();
        if ply == plies || legal.is_empty() {
            break;
        }
        let number = position.fullmoves();
        match (position.turn().is_white(), ply) {
            (true, _) => text += &format!("{number}. "),
            (false, 0) => text += &format!("{number}... "),
            _ => {}
        }
        let chosen = legal[random.below(legal.len())];
        text += &format!(
            "{} ",
            SanPlus::from_move_and_play_unchecked(&mut position, chosen)
        );
    }
    (text + result + "\n\n", claims)
}

#[test]
fn claims_agree_with_comparing_whole_positions() {
    let mut random = Random(5);
    let mut text = String::new();
    let mut games = Vec::new();
    for number in 0..210 {
        let result = ["1/2-1/2", "1-0", "*"][random.below(3)];
        let (game, claims) = random_game(STARTS[number % STARTS.len()], &mut random, result);
        text += &game;
        games.push((claims, result == "1/2-1/2"));
    }
    let folder = Folder::with("a.pgn", text);
    folder.ign(&["pack", "-B4K", "a.pgn"]).done();
    type Wanted = fn(&Claims) -> bool;
    let options: [(&[&str], Wanted); 3] = [
        (&["--repetition"], |claims| claims.repetition[0]),
        (&["--fifty-moves"], |claims| claims.fifty_moves[0]),
        (&["--repetition", "--fifty-moves"], |claims| {
            claims.repetition[0] && claims.fifty_moves[0]
        }),
    ];
    for (options, wanted) in options {
        let numbered = (1u64..)
            .zip(&games)
            .filter(|(_, (claims, _))| wanted(claims));
        let wanted: Vec<u64> = numbered.map(|(number, _)| number).collect();
        assert!(
            wanted.len() > 5 && wanted.len() < 200,
            "{options:?}: {}",
            wanted.len()
        );
        let args = [&["find", "a.ign", "--json"][..], options].concat();
        let found = folder.ign(&args).objects();
        let found: Vec<&Value> = found.iter().map(|game| &game["game"]).collect();
        assert_eq!(found, wanted, "{options:?}");
    }
    let stats = folder.ign(&["stats", "a.pgn", "--json"]).done();
    let stats: Value = serde_json::from_slice(&stats).unwrap();
    type Of = fn(&Claims) -> [bool; 2];
    let kinds: [(&str, Of); 2] = [
        ("repetition", |claims| claims.repetition),
        ("fifty_moves", |claims| claims.fifty_moves),
    ];
    for (kind, of) in kinds {
        let count = |wanted: &dyn Fn([bool; 2], bool) -> bool| {
            let games = games
                .iter()
                .filter(|(claims, drawn)| wanted(of(claims), *drawn));
            games.count()
        };
        let counted = &stats["claimable"][kind];
        assert_eq!(counted["games"], count(&|claims, _| claims[0]), "{kind}");
        assert_eq!(counted["at_end"], count(&|claims, _| claims[1]), "{kind}");
        let drawn = count(&|claims, drawn| claims[1] && drawn);
        assert_eq!(counted["at_end_drawn"], drawn, "{kind}");
    }
}

/// Fischer and Petrosian, Buenos Aires 1971, third game, drawn by repetition, without its last ply
/// 33... Qf6, which repeats the position after 29... Kh7 and 31... Qf6.
const BUENOS_AIRES: &str = "1. e4 e6 2. d4 d5 3. Nc3 Nf6 4. Bg5 dxe4 5. Nxe4 Be7 6. Bxf6 gxf6 \
    7. g3 f5 8. Nc3 Bf6 9. Nge2 Nc6 10. d5 exd5 11. Nxd5 Bxb2 12. Bg2 O-O 13. O-O Bh8 14. Nef4 Ne5 \
    15. Qh5 Ng6 16. Rad1 c6 17. Ne3 Qf6 18. Kh1 Bg7 19. Bh3 Ne7 20. Rd3 Be6 21. Rfd1 Bh6 22. Rd4 \
    Bxf4 23. Rxf4 Rad8 24. Rxd8 Rxd8 25. Bxf5 Nxf5 26. Nxf5 Rd5 27. g4 Bxf5 28. gxf5 h6 29. h3 Kh7 \
    30. Qe2 Qe5 31. Qh5 Qf6 32. Qe2 Qe5 33. Qh5";

#[test]
fn repetition_needs_the_position_on_the_board() {
    let game = |tags: &str, moves: &str| format!("[Event \"?\"]\n{tags}\n{moves} 1/2-1/2\n\n");
    let knights = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";
    let text = [
        game("", BUENOS_AIRES),
        game("", &format!("{BUENOS_AIRES} Qf6")),
        game("[Variant \"King of the Hill\"]\n", knights),
        game("[Variant \"Crazyhouse\"]\n", knights),
        game(
            "[Variant \"Horde\"]\n",
            "1. a5 Nf6 2. b5 Ng8 3. c5 Nf6 4. d5 Ng8",
        ),
        // The number of remaining checks is part of the position.
        game(
            "[Variant \"Three-check\"]\n[FEN \"4k3/8/8/8/8/8/8/3QK3 w - - 0 1\"]\n",
            "1. Qe2+ Kd8 2. Qd1+ Ke8 3. Ke2 Ke7 4. Ke1 Ke8 5. Ke2 Ke7 6. Ke1 Ke8",
        ),
    ];
    let folder = Folder::with("a.pgn", text.concat());
    folder.ign(&["pack", "a.pgn"]).done();
    let found = folder.ign(&["find", "a.ign", "--repetition"]).done();
    assert_eq!(String::from_utf8(found).unwrap(), "2\n3\n4\n6\n");
    let opening = [
        "find",
        "a.ign",
        "--repetition",
        "--opening",
        "1. e4",
        "--count",
    ];
    assert_eq!(folder.ign(&opening).done(), b"1\n");
    folder
        .ign(&["find", "a.ign", "--fifty-moves"])
        .failed(1, "0 games");
}
