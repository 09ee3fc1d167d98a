//! Are endgames solved as chess is played, and as long as everybody says?

mod util;

use ign_endgame::{material::Material, summary::Summary, tables::Tables, value::Value};
use ign_notation::chess::Position;
use ign_testing::Random;
use shakmaty::{Bitboard, Board, CastlingMode, Chess, Color, FromSetup, Setup, Square};
use shakmaty::{EnPassantMode, Position as _, fen::Fen};
use util::Folder;

fn solve(name: &str) -> Tables {
    Tables::solve(&Material::parse(name).unwrap(), 2, &|_, _| {}).unwrap()
}

/// The men of an endgame on these squares, if that is a position of chess.
fn place(men: &[shakmaty::Piece], squares: &[u32], turn: Color) -> Option<Chess> {
    let mut board = Board::empty();
    for (&man, &square) in men.iter().zip(squares) {
        if board.piece_at(Square::new(square)).is_some() {
            return None;
        }
        board.set_piece_at(Square::new(square), man);
    }
    let setup = Setup {
        board,
        turn,
        castling_rights: Bitboard::EMPTY,
        ..Setup::empty()
    };
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(shakmaty::PositionError::ignore_impossible_check)
        .or_else(shakmaty::PositionError::ignore_too_much_material)
        .ok()
}

fn ours(chess: &Chess) -> Position {
    let fen = Fen::from_position(chess, EnPassantMode::Legal).to_string();
    Position::from_fen(fen.as_bytes()).unwrap()
}

/// A position is worth what the best move by somebody else's rules leads to. If that is so
/// everywhere, wins and losses are right by induction on their length, and where the values say
/// draw, nobody can leave the drawn positions but to lose.
fn check(tables: &Tables, chess: &Chess) {
    let told = tables.value(&ours(chess)).unwrap();
    let after = chess.legal_moves().into_iter().map(|m| {
        let mut next = chess.clone();
        next.play_unchecked(m);
        tables.value(&ours(&next)).unwrap().before()
    });
    let expected = after
        .reduce(Value::better)
        .unwrap_or(match chess.is_check() {
            true => Value::Loss(0),
            false => Value::Draw,
        });
    let fen = Fen::from_position(chess, EnPassantMode::Legal);
    assert_eq!(told, expected, "{fen}");
}

/// All positions of three men, or as many by chance of four.
fn check_endgame(name: &str, by_chance: usize) {
    let tables = solve(name);
    let material = Material::parse(name).unwrap();
    let men = material.men();
    let mut checked = 0;
    let mut try_one = |squares: &[u32]| {
        for turn in Color::ALL {
            if let Some(chess) = place(men, squares, turn) {
                checked += 1;
                check(&tables, &chess);
            }
        }
    };
    if men.len() == 3 {
        for number in 0..64u32.pow(3) {
            // The board's other halves are the same by construction; see the folds' own tests.
            if number & 7 < 4 {
                try_one(&[number & 63, number >> 6 & 63, number >> 12]);
            }
        }
        assert!(checked > 100_000, "{checked}");
    } else {
        let mut random = Random(name.bytes().map(u64::from).sum());
        for _ in 0..by_chance {
            let squares = [(); 4].map(|()| random.below(64) as u32);
            try_one(&squares);
        }
        assert!(checked > by_chance / 4, "{checked}");
    }
}

#[test]
fn three_men_are_worth_what_their_best_move_is() {
    for name in ["KQK", "KRK", "KPK", "KKP"] {
        check_endgame(name, 0);
    }
}

#[test]
fn four_men_are_worth_what_their_best_move_is() {
    check_endgame("KBBK", 3_000);
}

/// Minutes in a debug build: `make endgames`.
#[test]
#[ignore = "slow"]
fn more_of_four_men_and_pawns_that_take_in_passing() {
    for name in ["KBNK", "KQKR", "KRKN", "KPKP"] {
        check_endgame(name, 50_000);
    }
    let tables = solve("KPKP");
    for fen in [
        "8/8/8/8/k1Pp4/8/8/4K3 b - c3",
        "8/8/8/8/2Pp4/3k4/8/K7 b - c3",
        "7k/8/8/2pP4/8/8/8/7K w - c6",
    ] {
        let chess: Chess = fen
            .parse::<Fen>()
            .unwrap()
            .into_position(CastlingMode::Standard)
            .unwrap();
        check(&tables, &chess);
    }
}

/// Longest wins of White, in moves, White to move.
fn longest(name: &str) -> Option<usize> {
    Summary::new(solve(name).wanted(), Color::White).longest_win_moves()
}

#[test]
fn the_longest_wins_are_the_known_ones() {
    for (name, moves) in [
        ("KQK", Some(10)),
        ("KRK", Some(16)),
        ("KPK", Some(28)),
        ("KBK", None),
        ("KNK", None),
        ("KBBK", Some(19)),
    ] {
        assert_eq!(longest(name), moves, "{name}");
    }
}

#[test]
#[ignore = "slow"]
fn the_longest_wins_of_four_men_are_the_known_ones() {
    for (name, moves) in [
        ("KBNK", Some(33)),
        // Helpmates in a corner, but nothing longer.
        ("KNNK", Some(1)),
        ("KQKR", Some(35)),
        ("KRKN", Some(40)),
        ("KPKP", Some(33)),
    ] {
        assert_eq!(longest(name), moves, "{name}");
    }
}

#[test]
fn king_and_queen_against_king_is_counted_as_by_others() {
    let summary = |turn| Summary::new(solve("KQK").wanted(), turn);
    let (white, black) = (summary(Color::White), summary(Color::Black));
    // Every position is won with White to move; with Black to move he takes the queen or is
    // stalemated in the others.
    assert_eq!((white.positions, white.drawn), (144_508, 0));
    assert_eq!(black.positions, 223_944);
    assert_eq!(black.losses[0], 364);
    assert_eq!(black.losses.len(), 11);
    assert_eq!(
        black.positions,
        black.drawn + black.losses.iter().sum::<u64>()
    );
    assert_eq!(black.wins, Vec::<u64>::new());
}

#[test]
fn the_command_tells_what_the_document_tells() {
    let folder = Folder::new();
    let out = folder
        .ign(&["endgame", "KQK", "--fix", "WK=e8,BK=a8"])
        .done();
    let out = String::from_utf8(out).unwrap();
    let line = |start: &str| {
        let line = out.lines().find(|line| line.starts_with(start)).unwrap();
        line.split_whitespace()
            .map(String::from)
            .collect::<Vec<_>>()
    };
    assert_eq!(line("F1").last().unwrap(), "10");
    assert_eq!(line("F2").last().unwrap(), "2");
    let best = line("as the document");
    assert_eq!(best[best.len() - 2..], ["2", "720"]);
    assert!(out.contains("positions 45, values 2"), "{out}");
    let order = [
        "endgame",
        "KQK",
        "--fix",
        "WK=e8,BK=a8",
        "--json",
        "--order",
    ];
    let json = folder
        .ign(&[&order[..], &["BKR BKF WKR WKF WQR WQF"]].concat())
        .done();
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["families"][0]["intervals"], 10);
}

#[test]
fn a_table_that_was_written_is_looked_up() {
    let folder = Folder::new();
    let order = "BKR WKF WKR BKF WQR WQF";
    folder
        .ign(&["endgame", "KQK", "--order", order, "-o", "kqk.m"])
        .done();
    folder
        .ign(&["endgame", "KQK", "--order", order, "-o", "kqk.m"])
        .failed(1, "already exists");
    let told = |men: &str, fen: &str| {
        let out = String::from_utf8(folder.ign(&["endgame", men, fen]).done()).unwrap();
        out.lines().next().unwrap().to_string()
    };
    for fen in ["8/8/8/8/8/2k5/8/KQ6 w - -", "k7/8/1K6/8/8/8/8/6Q1 w - -"] {
        assert_eq!(told("KQK", fen), told("kqk.m", fen));
        assert!(told("kqk.m", fen).starts_with("White mates in "));
    }
    let table = String::from_utf8(folder.ign(&["endgame", "kqk.m"]).done()).unwrap();
    assert!(table.contains(order), "{table}");
    folder
        .ign(&["endgame", "KQK", "--order", order, "--raw", "-o", "kqk.raw"])
        .done();
    assert_eq!(folder.read("kqk.raw").len(), 262_144);
    folder
        .ign(&["endgame", "kqk.raw"])
        .failed(2, "kqk.raw: no endgame frame");
    let mut bytes = folder.read("kqk.m");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    folder.write("bad.m", bytes);
    folder
        .ign(&["endgame", "bad.m", "k7/8/1K6/8/8/8/8/6Q1 w - -"])
        .failed(2, "bad.m: the checksum");
}

#[test]
fn what_is_no_endgame_is_said_to_be_none() {
    let folder = Folder::new();
    for (args, words) in [
        (&["KQ"][..], "'KQ' is no endgame"),
        (&["KQRBK"], "at most four in all"),
        (&["missing.m"], "is no endgame"),
        (&["KQK", "8/8/8 w"], "is not a position"),
        (
            &["KQK", "k7/8/1K6/8/8/8/8/7R w - -"],
            "one of KRK, not of KQK",
        ),
        (&["KRK", "4k3/8/8/8/8/8/8/4K2R w K -"], "castle"),
        (
            &["KQK", "--order", "WKR"],
            "is not an order of all coordinates",
        ),
        (&["KQK", "--fix", "WR=e4"], "is not a piece and its square"),
        (&["KQK", "--fix", "WQ=e9"], "is not a piece and its square"),
        (&["KQK", "--fix", "WK=e8,BK=e8"], "on one square"),
        (&["KQK", "--fix", "WK=e8,WK=e7"], "on two squares"),
        (&["KPK", "--fix", "WP=e1"], "is a pawn on rank 1 or 8"),
        (&["KQK", "-o", "-"], "name a file"),
    ] {
        folder.ign(&[&["endgame"], args].concat()).failed(1, words);
    }
}
