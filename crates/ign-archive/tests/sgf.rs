//! Are games of Go read from SGF as the documents and another reader say?
//!
//! Seed document 002 prints signatures of a game of 1970; `sgf-parse` reads the same records.

use ign_archive::query::{format_a, format_b};
use ign_format::sgf::game::{self, Game, read, write};
use ign_notation::{Game as _, ends, go::Move, plain};
use ign_testing::Collection;
use sgf_parse::go::{Move as Theirs, Prop};

/// Rin Kaiho against Kajiwara Takeo, Meijin league, 1970, White won by resignation: the first 160
/// moves in two letters each, Black's and White's in turn.
const MOVES: &str = "pddppqdcdececfcdqkjqdgfcckcmpfpnnpnnokqqqppprqqrpoopoooqnoqorpqmroqnonomnmnl\
                     mnolornqprmqlmrrpsnkojlkipnrrskojminjnjoiohnjkmofogmfmflemhodocoepdqhpgpgqgo\
                     eqhqdrcrcpcqcnboiqfqhrfrjrmplokqgrnnergijigfgkglgjfiejelekdnfpildljlklkkhlim\
                     ikllkcmhohqcpcrdqdrbrepbobdmsdchbgcjbjdhbhdjdkefegfgeebkbibleheihgihigfhjhbe\
                     fdgdgeffdffeedhe";

fn record(moves: &str) -> String {
    let moves = moves
        .as_bytes()
        .chunks(2)
        .zip(["B", "W"].into_iter().cycle());
    let moves = moves
        .map(|(letters, color)| format!(";{color}[{}]", std::str::from_utf8(letters).unwrap()));
    format!(
        "(;PB[Kajiwara Takeo]PW[Rin Kaiho]{})",
        moves.collect::<String>()
    )
}

fn one(text: &str) -> Game {
    let mut games = read(text.as_bytes()).unwrap();
    assert_eq!(games.len(), 1);
    games.remove(0)
}

#[test]
fn the_signatures_of_the_game_of_1970_are_those_printed() {
    let game = one(&record(MOVES));
    assert!(game.moves.len() > 71);
    assert_eq!(
        (
            &format_a(&game.signature)[..],
            &format_b(&game.signature)[..]
        ),
        ("qqolhn", "rpipep")
    );
}

#[test]
fn the_printed_signatures_are_those_of_a_record_cut_after_moves_51_to_59() {
    // The document prints move 51 (`ip`) and not move 60 (`hn`), so its record had 51 to 59 moves.
    // Cut at move 50 it is if moves are numbered from 0, as the document numbers a handicap.
    let printed = ("qqol??".to_string(), "rpip??".to_string());
    for moves in 0..=MOVES.len() / 2 {
        let cut = one(&record(&MOVES[..2 * moves]));
        let signatures = (format_a(&cut.signature), format_b(&cut.signature));
        let is_printed = (51..60).contains(&moves);
        assert_eq!(signatures == printed, is_printed, "{moves} moves");
    }
    let behind_50 = one(&record(&MOVES[..2 * 50]));
    assert_eq!(format_b(&behind_50.signature), "rp????");
}

#[test]
fn the_integer_is_the_game() {
    let game = one(&record(MOVES));
    let integer = plain::encode(game.start.clone(), &game.moves).unwrap();
    let back = plain::decode(game.start.clone(), &integer, 1000).unwrap();
    assert_eq!(back, game.moves);
    // Its first digit is the point pd: row d is the fourth, p the sixteenth of its columns.
    assert_eq!(integer.clone() % 362u32, 3 * 19 + 15 + 1);
    let stopped = ends::encode(game.start.clone(), &game.moves, ends::EndMoves::Stopped).unwrap();
    let (back, ending) = ends::decode(game.start.clone(), &stopped, 1000).unwrap();
    assert_eq!(
        (back, ending),
        (game.moves.clone(), ends::EndMoves::Stopped)
    );
    let again = one(&write(&game.start, &game.moves));
    assert_eq!(again.moves, game.moves);
}

#[test]
fn written_games_are_read_back_from_any_start() {
    for text in [
        "(;SZ[9]AB[aa][bb]AW[cc];B[dd];W[])",
        "(;SZ[19:7]AB[dd];W[aa];W[bb])",
        "(;SZ[52]RU[NZ];B[ZZ];W[tt];B[])",
        "(;SZ[5]AW[aa]PL[W];W[bb])",
        "(;SZ[3]AB[aa]PL[B])",
    ] {
        let game = one(text);
        let again = one(&write(&game.start, &game.moves));
        assert_eq!(again.moves, game.moves, "{text}");
        assert_eq!(again.start, game.start, "{text}");
    }
}

#[test]
fn rejects_text_that_is_no_game_of_go() {
    for (text, words) in [
        ("[Event \"x\"]\n\n1. e4 *\n", "not SGF"),
        ("(;GM[2];B[aa])", "does not start a game of Go"),
        ("(;SZ[53];B[aa])", "SZ[52]"),
        ("(;SZ[9]AB[aa][aa];W[bb])", "does not start a game of Go"),
        ("(;B[aa];W[aa])", "move 2 is not legal"),
        ("(;SZ[9];B[aa];W[jj])", "move 2 is not legal"),
        ("(;SZ[9];W[ab];B[cc];W[ba];B[aa])", "move 4 is not legal"),
    ] {
        let error = read(text.as_bytes()).unwrap_err();
        assert!(error.to_string().contains(words), "{text}: {error}");
        assert!(error.is_data_error());
    }
    assert!(game::start(&[("SZ".into(), b"x".to_vec())]).is_err());
}

/// The moves that the other reader finds in the first variation.
fn their_moves(text: &str) -> Option<Vec<(bool, Move)>> {
    let trees = sgf_parse::go::parse(text).ok()?;
    let moves = trees.first()?.main_variation().filter_map(|node| {
        let (black, played) = match node.get_move()? {
            Prop::B(played) => (true, played),
            Prop::W(played) => (false, played),
            _ => return None,
        };
        let played = match played {
            Theirs::Pass => Move::Pass,
            // Until version 3 of SGF `tt` was a pass; the other reader leaves that to its user.
            Theirs::Move(point) if (point.x, point.y) == (19, 19) => Move::Pass,
            Theirs::Move(point) => Move::Stone(ign_notation::go::Point {
                row: point.y,
                column: point.x,
            }),
        };
        Some((black, played))
    });
    Some(moves.collect())
}

/// Ours, without the passes that the record does not say.
fn our_moves(text: &str) -> Vec<(bool, Move)> {
    let mut moves = Vec::new();
    ign_format::sgf::parse::Parser::default().parse(
        text.as_bytes(),
        &mut Default::default(),
        |played| {
            if played.main && played.said {
                let black = played.position.turn() == ign_notation::go::Color::Black;
                moves.push((black, played.played));
            }
        },
    );
    moves
}

#[test]
fn another_reader_finds_the_same_main_line() {
    for text in [
        record(MOVES),
        "(;GM[1]FF[4]SZ[19];B[pd]C[a \\] b];W[dd](;B[pp];W[dp](;B[aa])(;B[bb]))(;B[dp]))".into(),
        "(;FF[4]SZ[9]AB[aa];W[bb];W[];B[cc]N[x](;W[dd];B[ee])(;W[ff]))".into(),
    ] {
        let theirs = their_moves(&text).unwrap();
        assert!(!theirs.is_empty());
        assert_eq!(our_moves(&text), theirs, "{text}");
    }
}

#[test]
fn another_reader_finds_the_same_main_lines_in_real_collections() {
    for name in ["go_foxwq_pro.sgf.zst", "go_pro_records_head.sgf.zst"] {
        let collection = Collection::open(name);
        let is_real = collection.is_real;
        let text = collection.first_bytes(4 << 20);
        let mut finder = ign_format::sgf::syntax::RecordFinder::default();
        let (mut at, mut same, mut games) = (0, 0, 0);
        while at < text.len() {
            let end = finder.record_end(&text, at);
            let record = String::from_utf8_lossy(&text[at..end]).into_owned();
            at = end;
            games += 1;
            let Some(theirs) = their_moves(&record) else {
                continue;
            };
            let ours = our_moves(&record);
            // A move that the rules forbid ends ours.
            assert!(
                theirs.starts_with(&ours),
                "{}",
                &record[..200.min(record.len())]
            );
            same += usize::from(ours == theirs);
        }
        assert!(games > 1000, "{games}");
        // Generated games have many moves that the rules forbid.
        assert!(!is_real || same * 100 > games * 97, "{same} of {games}");
    }
}

#[test]
fn the_first_choice_of_a_game_has_362() {
    assert_eq!(one(&record(MOVES)).start.count(), 362);
}
