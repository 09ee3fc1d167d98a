//! Do games with null moves have the moves and positions that python-chess and shakmaty find?

use std::process::Command;

use ign_archive::{
    Archive, Coding, ErrorKind, Input, Packer, Query,
    index::{self, IndexBuilder},
    positions::PositionColumn,
    query::parse_position,
    scan::{ScanColumn, uci_moves},
};
use ign_testing::{Folder, cases, null_games, python};
use shakmaty::{EnPassantMode, Position as _, fen::Fen};

/// For each game a line: the moves in UCI notation, the SAN and the FENs, separated by tabs.
const SCRIPT: &str = r#"
import sys, chess, chess.pgn
source = open(sys.argv[1])
while (game := chess.pgn.read_game(source)) is not None:
    assert not game.errors, game.errors
    board = game.board()
    uci, san, fens = [], [], [board.fen(en_passant="legal")]
    for move in game.mainline_moves():
        uci.append(board.uci(move)); san.append(board.san(move)); board.push(move)
        fens.append(board.fen(en_passant="legal"))
    print(*map("|".join, (uci, san, fens)), sep="\t")
"#;

fn archive_of(text: &str, coding: Coding) -> Archive {
    let input = Input::reader("games.pgn", std::io::Cursor::new(text.to_owned()));
    let packer = Packer::new().coding(coding).block_size(20_000);
    let (bytes, _) = packer.pack([input], Vec::new()).unwrap();
    Archive::from_read_at(bytes, "games.ign").unwrap()
}

#[test]
fn python_chess_has_the_same_moves_and_positions() {
    let Some(python) = python("chess.pgn") else {
        return;
    };
    let text = null_games(cases(60, 300), 7);
    let folder = Folder::with("games.pgn", &text);
    let output = Command::new(python)
        .args(["-c", SCRIPT])
        .arg(folder.path("games.pgn"))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let output = String::from_utf8(output.stdout).unwrap();
    for &coding in Coding::ALL {
        let archive = archive_of(&text, coding);
        assert_eq!(output.lines().count() as u64, archive.len());
        let mut fens = Vec::new();
        for (number, line) in (1..).zip(output.lines()) {
            let game = archive.game(number).unwrap();
            let [uci, san, theirs] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{line}");
            };
            let codes = game.uci_codes().unwrap();
            let codes: Vec<&str> = codes
                .iter()
                .map(|&code| uci_moves().get(code).unwrap())
                .collect();
            assert_eq!(codes.join("|"), uci, "game {number}");
            assert_eq!(game.san().unwrap().join("|"), san, "game {number}");
            fens.extend(theirs.split('|').map(str::to_owned));
        }
        let scan = archive
            .positions()
            .columns([PositionColumn::Fen])
            .final_positions(true);
        let mut ours = Vec::new();
        for batch in scan {
            let batch = batch.unwrap();
            ours.extend((0..batch.len()).map(|row| without_shredder(batch.fen.get(row).unwrap())));
        }
        assert_eq!(ours.len(), fens.len());
        for (ours, theirs) in ours.iter().zip(&fens) {
            assert_eq!(*ours, without_shredder(theirs));
        }
    }
}

/// A FEN with the castling rights of a king on a1 and a8 as python-chess writes them.
fn without_shredder(fen: &str) -> String {
    fen.replace(" Hh ", " Kk ")
        .replace(" H ", " K ")
        .replace(" h ", " k ")
}

#[test]
fn positions_of_shakmaty_go_on_after_null_moves() {
    let archive = archive_of("1. e4 -- 2. e5 d5 3. -- Nf6 4. exf6 *\n", Coding::Ign);
    let game = archive.game(1).unwrap();
    let fens = game.positions().unwrap().map(|position| {
        let setup = position.to_setup(EnPassantMode::Legal);
        Fen::try_from_setup(setup).unwrap().to_string()
    });
    assert_eq!(
        fens.collect::<Vec<_>>(),
        [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2",
            "rnbqkbnr/pppppppp/8/4P3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2",
            "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
            "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 1 3",
            "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 2 4",
            "rnbqkb1r/ppp1pppp/5P2/3p4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 4",
        ]
    );
    assert_eq!(game.plies().unwrap(), 7);
    assert_eq!(game.movetext().unwrap().moves.len(), 7);
    // What cannot express a null move says so.
    let error = game.moves().err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.to_string().contains("null moves"), "{error}");
    #[cfg(feature = "integers")]
    assert_eq!(game.ign().unwrap_err().kind(), ErrorKind::Unsupported);
}

#[test]
fn searches_and_trees_go_on_after_null_moves() {
    // Enough games that the position is common, and a few in which the side to move passes.
    let mut text = "1. e4 e5 2. Nf3 Nc6 *\n\n".repeat(400);
    text += &"1. e4 -- 2. Nf3 e5 3. Bc4 *\n\n".repeat(40);
    text += "1. e4 e5 2. Nf3 -- 3. Bc4 *\n\n1. -- e5 *\n\n";
    let folder = Folder::new();
    for &coding in Coding::ALL {
        let path = folder.path("games.ign");
        let file = std::fs::File::create(&path).unwrap();
        let input = Input::reader("games.pgn", std::io::Cursor::new(text.clone()));
        Packer::new().coding(coding).pack([input], file).unwrap();
        let plain = Archive::open(&path).unwrap();
        let archives = std::slice::from_ref(&plain);
        let to = index::path_of(&path);
        IndexBuilder::new().build_file(to, archives).unwrap();
        let indexed = Archive::open(&path).unwrap();
        for archive in [plain, indexed] {
            let find = |name: &str, value: &str| {
                let mut query = Query::default();
                query.set(name, value).unwrap();
                archive.find(&query).unwrap().len()
            };
            let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
            assert_eq!(find("position", &format!("{after} w KQkq -")), 40);
            assert_eq!(find("position", &format!("{after} b KQkq -")), 441);
            let bishop = "rnbqkbnr/pppp1ppp/8/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq -";
            assert_eq!(find("position", bishop), 41);
            assert_eq!(find("opening", "1. e4 e5 2. Nf3"), 401);
            assert_eq!(find("opening", "1. e4"), 441);
            assert_eq!(find("opening", "1. Nf3"), 0);
            assert_eq!(find("plies", "5"), 41);

            let tree = |fen: &str| {
                let tree = archive.tree(&parse_position(fen).unwrap(), &Query::default());
                let moves = tree.unwrap().moves.into_iter();
                let moves = moves.map(|m| format!("{} {} {}", m.san, m.uci, m.counts.games));
                moves.collect::<Vec<_>>()
            };
            assert_eq!(
                tree(&format!("{after} b KQkq - 0 1")),
                ["e5 e7e5 401", "-- 0000 40"]
            );
            assert_eq!(tree(&format!("{after} w KQkq - 0 1")), ["Nf3 g1f3 40"]);
            let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
            assert_eq!(tree(start), ["e4 e2e4 441", "-- 0000 1"]);
        }
    }
}

#[test]
fn columns_of_moves_have_null_moves() {
    let archive = archive_of("1. e4 Z0 2. d4 *\n", Coding::Weighted);
    let mut scan = archive
        .scan()
        .columns([ScanColumn::Moves, ScanColumn::Plies]);
    let batch = scan.next().unwrap().unwrap();
    let moves = batch.columns()[0].as_moves().unwrap();
    let codes: Vec<&str> = moves
        .get(0)
        .unwrap()
        .iter()
        .map(|&code| uci_moves().get(code).unwrap())
        .collect();
    assert_eq!(codes, ["e2e4", "0000", "d2d4"]);
}

#[cfg(feature = "integers")]
#[test]
fn integers_refuse_null_moves() {
    use ign_archive::integers::{Options, encode};
    let error = encode(b"1. e4 -- 2. d4", &Options::default(), false, |_| Ok(())).unwrap_err();
    assert!(error.to_string().contains("null move"), "{error}");
}
