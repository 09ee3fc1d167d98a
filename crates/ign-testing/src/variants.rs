//! Games of chess variants.

use ign_notation::chess::{
    rules::{Board as _, LegalMoves as _},
    san::Naming,
    variant::{Start, Variant},
};

/// Positions of variants with features that the starting position lacks.
const VARIANT_FENS: [(Variant, &str); 12] = [
    (
        Variant::Crazyhouse,
        "r1b1k2r/pP1p1ppp/8/4p3/4P3/8/PP3PpP/R3K2R[QRBNPqrbnp] w KQkq - 0 9",
    ),
    (
        Variant::Crazyhouse,
        "4k3/Q~6p/8/3N~4/8/8/1r~6/R3K3/PPn w Q - 0 30",
    ),
    (
        Variant::Crazyhouse,
        "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN[] w GEge - 0 1",
    ),
    (
        Variant::ThreeCheck,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1+2 0 1",
    ),
    (
        Variant::ThreeCheck,
        "rnb1kbnr/pppp1ppp/8/4p1q1/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 2 3 +2+0",
    ),
    (Variant::KingOfTheHill, "8/5p2/2k5/8/8/4K3/2P5/8 w - - 0 1"),
    (Variant::Antichess, "8/2PK1k2/3P4/8/8/5p2/6p1/8 w - - 0 40"),
    (Variant::Antichess, "4k3/8/2KK4/8/8/2K5/8/8 w - - 0 1"),
    (
        Variant::Atomic,
        "r3k2r/ppp2ppp/8/2b1p3/3PP3/2n2N2/PPP2PPP/R1B1K2R w KQkq - 0 9",
    ),
    (
        Variant::Losers,
        "r3k2r/ppp2ppp/8/2b1p3/3PP3/5N2/PPP2PPP/R1B1K2R w KQkq - 0 9",
    ),
    (
        Variant::Horde,
        "4k3/pp4q1/3P2p1/8/P3PP2/PPP2r2/PPP5/PPPP4 b - - 0 20",
    ),
    (Variant::RacingKings, "8/1k4K1/8/8/8/8/2bnNB2/8 w - - 0 1"),
];

/// `times` games of each variant, from its starting position and from others, of random moves with
/// a fixed seed.
pub fn variant_games(times: u64) -> String {
    let usual = Variant::ALL.iter().copied().filter_map(|variant| {
        let start = Start::usual(variant)?;
        Some((variant, String::new(), start))
    });
    let others = VARIANT_FENS.into_iter().map(|(variant, fen)| {
        let start = Start::from_fen(variant, fen.as_bytes()).unwrap();
        (variant, format!("[FEN \"{fen}\"]\n[SetUp \"1\"]\n"), start)
    });
    let starts: Vec<_> = usual.chain(others).collect();
    let mut state = 7u64;
    let mut out = String::new();
    for (variant, tags, start) in (0..times).flat_map(|_| &starts) {
        let mut board = start.board.clone();
        let black_starts = u32::from(board.turn().is_black());
        let mut moves = String::new();
        for ply in 0..80 {
            let legal = board.legal();
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let random = (state >> 33) as u32;
            let choose = |count: u32| Ok::<_, ()>((count > 0).then(|| random % count));
            let Ok(Some(played)) = legal.pick(choose) else {
                break;
            };
            let number = u32::from(start.fullmoves) + (ply + black_starts) / 2;
            match (ply, board.turn().is_white()) {
                (_, true) => moves += &format!("{number}. "),
                (0, false) => moves += &format!("{}... ", u32::from(start.fullmoves)),
                _ => {}
            }
            let name = legal.write_with(Naming::Standard, played);
            moves += std::str::from_utf8(name.as_bytes()).unwrap();
            board.play(played);
            moves.extend(board.legal().sign().map(char::from));
            moves.push(' ');
        }
        out += &format!(
            "[Event \"?\"]\n[Result \"1-0\"]\n[Variant \"{variant}\"]\n{tags}\n{moves}1-0\n\n"
        );
    }
    out
}
