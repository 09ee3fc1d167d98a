//! Are games read as python-chess reads them whose positions have no king of a side, several, or one
//! that can be captured?

use std::process::Command;

use ign_archive::{
    Archive, Archives, Coding, ErrorKind, Input, Packer, Query,
    index::{self, IndexBuilder},
    positions::PositionColumn,
    query::parse_position,
    scan::uci_moves,
};
use ign_notation::chess::{
    Move,
    rules::{Board as _, LegalMoves as _},
    san::Naming,
    variant::{Start, Variant},
};
use ign_testing::{Folder, cases, kings_games, python};

/// For each game a line of five parts, separated by tabs: the FEN, the moves in UCI notation, their
/// SAN, the positions, and for each position its legal moves with their SAN.
///
/// Castling rights are written by the king that castles: python-chess writes them by the last king
/// of a side, wherever it is.
const SCRIPT: &str = r#"
import sys, chess, chess.pgn
source = open(sys.argv[1])
def fen(board):
    letters = ""
    for color, home in ((chess.WHITE, 0), (chess.BLACK, 56)):
        kings = [king for king in board.pieces(chess.KING, color) if king & 56 == home]
        names = "q......k" if kings and min(kings) & 7 == 4 else "abcdefgh"
        rooks = [square for square in (home + 7, home) if board.clean_castling_rights() >> square & 1]
        named = "".join(names[square & 7] for square in rooks)
        letters += named.upper() if color else named
    fields = board.fen(en_passant="xfen").split()
    fields[2] = letters or "-"
    return " ".join(fields)
def legal(board):
    moves = {move.uci(): board.san(move) for move in board.legal_moves}
    for uci, san in moves.items():
        assert board.parse_san(san).uci() == uci
    return " ".join(f"{uci}={san}" for uci, san in sorted(moves.items()))
while (game := chess.pgn.read_game(source)) is not None:
    assert not game.errors, game.errors
    board = game.board()
    uci, san, fens, lists = [], [], [fen(board)], [legal(board)]
    for move in game.mainline_moves():
        uci.append(board.uci(move)); san.append(board.san(move)); board.push(move)
        fens.append(fen(board)); lists.append(legal(board))
    print(game.headers["FEN"], *map("|".join, (uci, san, fens, lists)), sep="\t")
"#;

fn archive_of(text: &str, coding: Coding) -> Archive {
    let input = Input::reader("games.pgn", std::io::Cursor::new(text.to_owned()));
    let packer = Packer::new().coding(coding).block_size(20_000);
    let (bytes, _) = packer.pack([input], Vec::new()).unwrap();
    Archive::from_read_at(bytes, "games.ign").unwrap()
}

/// The answers of python-chess, a line for each game.
fn answers(text: &str) -> Option<String> {
    let folder = Folder::with("games.pgn", text);
    let output = Command::new(python("chess.pgn")?)
        .args(["-c", SCRIPT])
        .arg(folder.path("games.pgn"))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    Some(String::from_utf8(output.stdout).unwrap())
}

/// The legal moves of the positions of a game with their SAN, as the script writes them.
fn lists(fen: &str, moves: &[&str]) -> String {
    let start = Start::from_fen(Variant::Chess, fen.as_bytes()).unwrap();
    let mut board = start.board;
    let mut lists = Vec::new();
    for uci in moves.iter().map(Some).chain([None]) {
        let legal = board.legal();
        assert!(legal.moves().is_sorted());
        let mut list: Vec<String> = Vec::new();
        for (ordinal, &m) in (0..).zip(legal.moves()) {
            let san = legal.write_with(Naming::Standard, m);
            assert_eq!(legal.resolve(san.as_bytes()), Some(m));
            assert_eq!(legal.ordinal_and_count(m), (ordinal, legal.count()));
            let mut after = board.clone();
            after.play(m);
            let mut san = String::from_utf8_lossy(san.as_bytes()).into_owned();
            san.extend(after.legal().sign().map(char::from));
            list.push(format!("{}={san}", m.uci()));
        }
        list.sort_unstable();
        lists.push(list.join(" "));
        if let Some(&uci) = uci {
            let played = legal.moves().iter().find(|m| m.uci() == uci);
            board.play(*played.unwrap_or(&Move::NULL));
        }
    }
    lists.join("|")
}

#[test]
fn python_chess_has_the_same_moves_and_positions() {
    let text = kings_games(cases(400, 4000), 5);
    let Some(output) = answers(&text) else {
        return;
    };
    let lines: Vec<Vec<&str>> = output
        .lines()
        .map(|line| line.split('\t').collect())
        .collect();
    let (mut plies, mut passed, mut castled) = (0, 0, 0);
    for line in &lines {
        let [fen, uci, san, _, legal] = line[..] else {
            panic!("{line:?}");
        };
        let moves: Vec<&str> = uci.split('|').filter(|uci| !uci.is_empty()).collect();
        assert_eq!(lists(fen, &moves), legal, "{fen} {uci}");
        plies += moves.len();
        passed += moves.iter().filter(|uci| **uci == "0000").count();
        castled += san.split('|').filter(|san| san.starts_with("O-O")).count();
    }
    assert!(
        plies > 5000 && passed > 50 && castled > 20,
        "{plies} {passed} {castled}"
    );
    for &coding in Coding::ALL {
        let archive = archive_of(&text, coding);
        assert_eq!(lines.len() as u64, archive.len());
        let mut fens = Vec::new();
        for (number, line) in (1..).zip(&lines) {
            let game = archive.game(number).unwrap();
            let codes = game.uci_codes().unwrap();
            let codes = codes.iter().map(|&code| uci_moves().get(code).unwrap());
            let san = game.san().unwrap();
            assert_eq!(san.join("|"), line[2], "game {number}");
            // Castling has two forms, which python-chess may mix in a game that is not of Chess960.
            let form = |(uci, san): (&str, &String)| {
                if san.starts_with("O-O") {
                    uci[..2].to_owned()
                } else {
                    uci.to_owned()
                }
            };
            let ours: Vec<String> = codes.zip(&san).map(form).collect();
            let theirs: Vec<String> = line[1].split('|').zip(&san).map(form).collect();
            assert_eq!(ours, theirs, "game {number}");
            // A game without moves has no positions.
            let positions = line[3].split('|').filter(|_| !line[1].is_empty());
            fens.extend(positions.map(str::to_owned));
        }
        let positions = archive.positions().columns([PositionColumn::Fen]);
        let mut ours = Vec::new();
        for batch in positions.variants(true).final_positions(true) {
            let batch = batch.unwrap();
            ours.extend((0..batch.len()).map(|row| batch.fen.get(row).unwrap().to_owned()));
        }
        assert_eq!(ours.len(), fens.len());
        for (ours, theirs) in ours.iter().zip(&fens) {
            assert_eq!(ours, theirs);
        }
    }
}

/// A game without kings, one of chess, one without a white king with a null move, one with two.
const GAMES: &str = "\
[Event \"a\"]
[FEN \"8/8/5ppp/8/5PPP/8/8/8 w - - 0 1\"]
[Variant \"No king\"]

1. g5 hxg5 2. f5 gxf5 3. h5 *

[Event \"b\"]

1. e4 e5 *

[Event \"c\"]
[FEN \"4k3/8/8/8/8/8/8/N7 w - - 0 1\"]

1. Nb3 -- 2. Nc5 Kd8 (2... Kf8 3. Nd7+) 3. Nb7+ *

[Event \"d\"]
[FEN \"4k3/4p3/8/3P4/8/8/8/3KK3 b - - 0 1\"]

1... e5 2. dxe6 Kf8 3. e7+ Kxe7 *
";

#[test]
fn positions_with_other_kings_are_found() {
    for &coding in Coding::ALL {
        let folder = Folder::new();
        let path = folder.path("games.ign");
        let file = std::fs::File::create(&path).unwrap();
        let input = Input::reader("games.pgn", GAMES.as_bytes());
        Packer::new().coding(coding).pack([input], file).unwrap();
        let plain = Archive::open(&path).unwrap();
        let to = index::path_of(&path);
        IndexBuilder::new()
            .build_file(to, std::slice::from_ref(&plain))
            .unwrap();
        let archive = Archive::open(&path).unwrap();
        archive.verify().unwrap();
        for (name, value, expected) in [
            ("position", "8/8/5p2/5ppP/8/8/8/8 b - -", &[1][..]),
            ("position", "4k3/8/8/8/8/8/8/N7 w - -", &[3]),
            ("position", "3k4/1N6/8/8/8/8/8/8 b - -", &[3]),
            ("position", "4k3/8/8/3Pp3/8/8/8/3KK3 w - e6", &[4]),
            ("position", "4k3/8/8/3Pp3/8/8/8/3KK3 w - -", &[]),
            ("position", "8/4k3/8/8/8/8/8/3KK3 w - -", &[4]),
            ("board", "8/8/5p2/5ppP/8/8/8/8", &[1]),
            ("material", "K=0,k=1", &[3]),
            ("material", "Kk=3", &[4]),
            ("plies", "5", &[1, 3, 4]),
            ("not_understood", "false", &[1, 2, 3, 4]),
            ("ending", "checkmate", &[]),
        ] {
            let mut query = Query::new();
            query.set(name, value).unwrap();
            for uses_index in [true, false] {
                let archive = archive.clone().with_search_index(uses_index);
                let found = archive.find(&query).unwrap();
                assert_eq!(found, expected, "{name} {value} {coding:?} {uses_index}");
            }
        }
    }
}

#[test]
fn what_shakmaty_does_not_express_is_refused() {
    let archive = archive_of(GAMES, Coding::Ign);
    let game = archive.game(1).unwrap();
    assert_eq!(
        game.positions().err().unwrap().kind(),
        ErrorKind::Unsupported
    );
    assert_eq!(game.moves().unwrap().count(), 5);
    assert_eq!(archive.plies(), 17);
    // A tree counts games of chess.
    let fen = "4k3/8/8/8/8/8/8/N7 w - -";
    assert_eq!(parse_position(fen).unwrap_err().kind(), ErrorKind::Usage);
    let query = Query::new();
    let mut asked = Query::new();
    asked.set("position", fen).unwrap();
    let position = asked.position_condition().unwrap();
    let tree = Archives::from(&archive).tree(position, &query);
    assert_eq!(tree.err().unwrap().kind(), ErrorKind::Usage);
}
