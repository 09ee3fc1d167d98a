//! Does a search find exactly the games that match? Expected numbers are written down for odd
//! games, computed game by game for generated ones, and by pgn-reader and shakmaty for positions.

use std::{num::NonZeroU32, ops::ControlFlow, sync::OnceLock};

use crate::oracle::Indexed;
use ign_archive::{
    Archive, Coding, Input, Packer, Query,
    query::{
        Bounds, Date, Eco, Ending, GameResult, Ranges, Score, Speed, parse_opening, parse_position,
        parse_signature,
    },
};
use ign_testing::clocked_games;
use pgn_reader::{Reader, SanPlus, Skip, Visitor};
use shakmaty::{Chess, Color, EnPassantMode, Position, Role, fen::Fen};

/// Games with odd tags, of variants, from positions, with mistakes. Numbered from 1.
const ODD: &[u8] = b"[Event \"Casual\"]
[Site \"https://lichess.org/abcdefgh\"]
[Date \"2012.12.31\"]
[White \"Ann\"]
[Black \"Ben\"]
[Result \"1-0\"]
[UTCDate \"2013.01.05\"]
[WhiteElo \"2200\"]
[BlackElo \"2100\"]
[ECO \"C50h\"]
[Opening \"Italian Game\"]
[TimeControl \"300+3\"]
[Termination \"Normal\"]

1. e4 { [%clk 0:03:00] } e5 2. Nf3 Nc6 3. Bc4 Bc5 1-0

[White \"J\xf6rg\"]
[Black \"?\"]
[Result \"*\"]
[Date \"2013.01.??\"]
[WhiteElo \"?\"]
[BlackElo \"2300\"]

1. d4 d5 2. c4 { best } dxc4 *

[White \"ann\"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 *

[White \"Cid\"]
[White \"Dan\"]
[Result \"0-1\"]

1. f3 e5 2. g4 Qh4# 0-1

[White \"Eve\"]
[Variant \"Crazyhouse\"]
[Result \"*\"]

1. e4 d5 2. exd5 Qxd5 3. P@e6 *

[White \"Fay\"]
[Result \"1/2-1/2\"]

1. e5 e4 2. Ke3 1/2-1/2

[White \"Gus\"]
[FEN \"1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1\"]
[SetUp \"1\"]

1. Rd1+ Ke7 2. Rd4 Ra1 *

[White \"Hal\"]
[Black \"Ann\"]
[Result \"1-0\"]

1-0

[White \"Ida\"]
[Result \"1/2-1/2\"]
[TimeControl \"-\"]

1. Nf3 { [%eval 0.1] } Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2

[White \"Jan\"]
[Variant \"Antichess\"]

1. e3 b5 2. Bxb5 *

[White \"Kit\"]
[Site \"abcdefgh\"]

1. e4 a6 2. e5 d5 3. exd6 (3. d4 { [%clk 0:01:00] }) 3... cxd6 *

[White \"Lee\"]

1. e4 e5 2. Ke2 Ke7 3. Ke4 *

";

fn pack(text: &[u8], coding: Coding, block_size: usize) -> Archive {
    let packer = Packer::new()
        .coding(coding)
        .block_size(block_size)
        .threads(2);
    let input = Input::reader("games.pgn", std::io::Cursor::new(text.to_vec()));
    let (bytes, _) = packer.pack([input], Vec::new()).unwrap();
    Archive::from_read_at(bytes, "games.ign").unwrap()
}

const CODINGS: [Coding; 3] = [Coding::Ign, Coding::IgnEnd, Coding::Weighted];

/// The odd games in each coding.
fn odd() -> &'static [Archive] {
    static ARCHIVES: OnceLock<Vec<Archive>> = OnceLock::new();
    ARCHIVES.get_or_init(|| {
        let mut text = ODD.to_vec();
        text.extend_from_slice(b"[White \"Max\"]\n[FEN \"k7/p7/8/8/8/8/8/K6R w - - 0 1\"]\n\n");
        text.extend_from_slice("Rh2 Kb7 Rh1 Ka8 ".repeat(25).as_bytes());
        text.extend_from_slice(b"*\n\n");
        CODINGS.map(|coding| pack(&text, coding, 1 << 20)).into()
    })
}

/// The number of generated games.
const GAMES: u64 = 400;

/// Generated games in several blocks, in each coding.
fn generated() -> &'static (Vec<u8>, Vec<Archive>) {
    static ARCHIVES: OnceLock<(Vec<u8>, Vec<Archive>)> = OnceLock::new();
    ARCHIVES.get_or_init(|| {
        let text = clocked_games(GAMES, 5);
        let archives = CODINGS.map(|coding| pack(&text, coding, 200_000));
        assert!(archives[0].blocks().len() > 2);
        (text, archives.into())
    })
}

fn q() -> Query {
    Query::new()
}

/// Asserts what a search finds, in every way to search.
fn assert_found(archive: &Archive, query: &Query, expected: &[u64]) {
    for threads in [1, 2] {
        let archive = archive.clone().with_threads(threads);
        assert_eq!(archive.find(query).unwrap(), expected, "{query:?}");
        let first = archive.find_first(query, 2).unwrap();
        assert_eq!(first, expected[..expected.len().min(2)], "{query:?}");
        let explained = archive.explain(query).unwrap();
        assert_eq!(explained.found, expected, "{query:?}");
        let left: Vec<u64> = explained.stages.iter().map(|stage| stage.games).collect();
        assert!(left.is_sorted_by(|a, b| a >= b), "{explained}");
        let last = left.last().copied().unwrap_or(archive.len());
        assert_eq!(last, expected.len() as u64, "{explained}");
    }
}

/// The games that match by the definition.
fn by_definition(archive: &Archive, query: &Query) -> Vec<u64> {
    let games = archive.games().map(Result::unwrap);
    let matching = games.filter(|game| query.matches(game).unwrap());
    matching.map(|game| game.number().get()).collect()
}

fn assert_odd(expected: &[u64], query: Query) {
    for archive in odd() {
        assert_found(archive, &query, expected);
        assert_eq!(by_definition(archive, &query), expected, "{query:?}");
    }
}

fn exact(fen: &str) -> ign_notation::chess::Position {
    parse_position(fen).unwrap()
}

#[test]
fn conditions_on_tags_find_the_games_with_such_values_and_no_others() {
    assert_odd(&[1, 3], q().white("Ann"));
    assert_odd(&[1, 3, 8], q().player("a*"));
    assert_odd(&[2], q().black("?"));
    assert_odd(&[2], q().tag("White", "^Jörg$").unwrap());
    assert_odd(&[4], q().white("Cid"));
    assert_odd(&[], q().white("Dan"));
    assert_odd(&[1], q().elo(2000..));
    assert_odd(&[1, 2], q().black_elo(2000..));
    assert_odd(&[1], q().white_elo(..=3000));
    assert_odd(&[1], q().elo_diff(100..=100));
    assert_odd(&[], q().elo_diff(..=99));
    assert_odd(&[1], q().mean_elo(ranges("0..10,2050..")));
    assert_odd(&[], q().mean_elo(0..=10));
    assert_odd(&[1, 2], q().date("2013".parse::<Bounds<Date>>().unwrap()));
    assert_odd(
        &[1],
        q().date("2013-01-01..2013-01-30".parse::<Bounds<Date>>().unwrap()),
    );
    assert_odd(&[], q().date("2012".parse::<Bounds<Date>>().unwrap()));
    // Games without a Result tag have the result of their movetext.
    let open = [2, 3, 5, 7, 10, 11, 12, 13];
    assert_odd(&open, q().result([GameResult::Unknown]));
    let decided = vec![GameResult::WhiteWins, GameResult::BlackWins];
    // Game 4 has two White tags before its result.
    assert_odd(&[1, 4, 8], q().result(decided));
    assert_odd(&[1], q().eco("C50".parse::<Bounds<Eco>>().unwrap()));
    assert_odd(&[1], q().opening_name("italian*"));
    assert_odd(&[1], q().speed([Speed::Blitz]));
    assert_odd(&[1, 9], q().speed([Speed::Correspondence, Speed::Blitz]));
    assert_odd(&[9], q().time_control("-"));
    assert_odd(&[1], q().event("casual"));
    assert_odd(&[1], q().site("*lichess*"));
    assert_odd(&[1], q().termination("normal"));
    assert_odd(&[1, 11], q().id("abcdefgh".parse().unwrap()));
    assert_odd(&[7], q().tag("SetUp", "1").unwrap());
    assert_odd(&[], q().tag("Absent", "").unwrap());
    assert_odd(&[1], q().white("ann").result([GameResult::WhiteWins]));
}

#[test]
fn conditions_on_moves_find_games_that_have_moves() {
    assert_odd(&[6, 8], q().plies(0));
    assert_odd(&[1, 3, 11], q().plies(6));
    assert_odd(&[9, 13], q().plies(7..));
    assert_odd(&[1, 3], q().opening(parse_opening("e4 e5 Nf3").unwrap()));
    assert_odd(&[1, 3, 12], q().opening(parse_opening("e4 e5").unwrap()));
    assert_odd(&[9, 13], q().repetition(true));
    assert_odd(&[13], q().fifty_moves(true));
    assert_odd(&[1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12], q().repetition(false));
    assert_odd(&[9], q().repetition(true).fifty_moves(false));
    assert_odd(
        &[13],
        q().signature(parse_signature(&["A=a8a8??"]).unwrap()),
    );
    let score = |text: &str| Score::read(text.as_bytes()).unwrap();
    assert_odd(&[1, 3], q().like(score("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5")));
    assert_odd(&[5], q().like(score("e4 d5 exd5 Qxd5 P@e6 c6 d4")));
}

#[test]
fn positions_are_those_of_the_moves_and_of_variants() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_odd(&[1, 2, 3, 4, 5, 9, 11, 12], q().position(exact(start)));
    assert_odd(&[1, 2, 3, 4, 5, 9, 10, 11, 12], q().board(exact(start)));
    assert_odd(&[9], q().board(exact(start)).last_position(true));
    let e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert_odd(&[1, 3, 5, 11, 12], q().position(exact(e4)));
    // The capture en passant is possible, and part of the position.
    let d5 = "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq";
    assert_odd(&[11], q().position(exact(&format!("{d5} d6 0 3"))));
    assert_odd(&[], q().position(exact(&format!("{d5} - 0 3"))));
    let dropped = "rnb1kbnr/ppp1pppp/4P3/3q4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3";
    assert_odd(&[5], q().position(exact(dropped)));
    let captured = "rnbqkbnr/p1pppppp/8/1B6/8/4P3/PPPP1PPP/RNBQK1NR b - - 0 2";
    assert_odd(&[10], q().position(exact(captured)));
    assert_odd(&[7], q().material("KRPKR".parse().unwrap()));
    assert_odd(&[7], q().material("KRP-KR".parse().unwrap()));
    assert_odd(&[], q().material("KR-KRP".parse().unwrap()));
    assert_odd(&[13], q().material("KPKR".parse().unwrap()));
    assert_odd(&[1, 3], q().pattern("Bc4,Nf3,_f1".parse().unwrap()));
    assert_odd(
        &[1, 3, 9],
        q().pattern("*/*/*n*/*/*/*N*/*/*KB_R".parse().unwrap()),
    );
    // One and the same position must meet all conditions.
    assert_odd(
        &[12],
        q().pattern("Ke2".parse().unwrap()).last_position(true),
    );
    assert_odd(
        &[],
        q().pattern("Bc4".parse().unwrap())
            .board(parse_position(start).unwrap()),
    );
}

#[test]
fn conditions_on_comments_include_variations() {
    assert_odd(&[1, 11], q().has_clocks(true));
    assert_odd(&[9], q().has_evals(true));
    assert_odd(&[2], q().commented(true));
    assert_odd(
        &[1],
        q().opening(parse_opening("e4 e5 Nf3").unwrap())
            .has_clocks(true)
            .has_evals(false),
    );
    assert_odd(&[2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13], q().has_clocks(false));
    assert_odd(&[], q().has_clocks(true).has_evals(true));
}

#[test]
fn an_empty_query_matches_all_games() {
    assert!(Query::default().is_empty());
    assert!(!q().commented(true).is_empty());
    assert!(q().last_position(true).is_empty());
    assert_odd(&(1..=13).collect::<Vec<_>>(), q());
}

fn ranges(text: &str) -> Ranges<u16> {
    text.parse().unwrap()
}

/// A query of each kind, of which some but not all generated games match.
fn queries() -> Vec<Query> {
    let score = Reader::new(&generated().0[..])
        .read_game(&mut Sans)
        .unwrap();
    vec![
        q().white("a*"),
        q().black("*e*"),
        q().player("*er*"),
        q().players(["a*", "*e*"]),
        q().elo(ranges("1500..1700")),
        q().white_elo(ranges("..1500")),
        q().black_elo(ranges("1800..")),
        q().black_elo(ranges("1500..1550,1700,1800..1850")),
        q().elo_diff(-20..=20),
        q().mean_elo(ranges("1500..1599,1700..")),
        q().result([GameResult::Draw]),
        q().eco("B00..B99".parse::<Bounds<Eco>>().unwrap()),
        q().eco("B20..B40,C50,D00..".parse::<Ranges<Eco>>().unwrap()),
        q().opening_name("*Defense*"),
        q().speed([Speed::Blitz, Speed::Rapid]),
        q().time_control("300+*"),
        q().event("*blitz*"),
        q().site("*A*"),
        q().termination("Time*"),
        q().plies(60..=90),
        q().plies("10..20,61,80..90".parse::<Ranges<u32>>().unwrap()),
        q().opening(parse_opening("e4 e5").unwrap()),
        q().signature(parse_signature(&["A=e4????"]).unwrap()),
        q().repetition(true),
        q().repetition(false),
        q().like(Score::read(score.unwrap().as_bytes()).unwrap()),
        q().tag("UTCTime", ":3").unwrap(),
        q().material("KRPKR".parse().unwrap()),
        q().material("Qq=0,Rr=..2,NnBb=0,Pp=..6".parse().unwrap()),
        q().material("Qq=0,R=1,r=0,NnBb=..2,Pp=..6".parse().unwrap())
            .flipped(true),
        q().material("Rr=2,Pp=..8".parse().unwrap())
            .lasting(NonZeroU32::new(5).unwrap()),
        q().material("Qq=..1,Rr=..2,NnBb=0,Pp=..4".parse().unwrap())
            .last_position(true),
        q().material("Qq=0,Rr=2,NnBb=0,Pp=..6".parse().unwrap())
            .later(q().material("Qq=0,Rr=..1,NnBb=0,Pp=..6".parse().unwrap()))
            .unwrap(),
        q().ending([Ending::Resignation]),
        q().ending([Ending::Checkmate, Ending::Time, Ending::Agreed]),
        q().ending([Ending::Repetition, Ending::FiftyMoves, Ending::Time]),
        q().pattern("Kg1,[^p]g7,kg8".parse().unwrap()),
        q().pattern("*/*/*/*/*/*/*/*RK*".parse().unwrap())
            .last_position(true),
        q().speed([Speed::Blitz])
            .opening(parse_opening("e4").unwrap())
            .plies(40..)
            .pattern("Nf3".parse().unwrap())
            .has_clocks(true),
    ]
}

/// Writes the moves of the first game.
struct Sans;

impl Visitor for Sans {
    type Tags = ();
    type Movetext = String;
    type Output = String;

    fn begin_tags(&mut self) -> ControlFlow<String> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<String, String> {
        ControlFlow::Continue(String::new())
    }

    fn san(&mut self, moves: &mut String, san: SanPlus) -> ControlFlow<String> {
        *moves += &format!("{san} ");
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, moves: String) -> String {
        moves
    }
}

#[test]
fn finds_the_games_that_match_by_the_definition() {
    let queries = queries();
    let mut found = vec![Vec::new(); queries.len()];
    for game in generated().1[0].games() {
        let game = game.unwrap();
        for (found, query) in found.iter_mut().zip(&queries) {
            if query.matches(&game).unwrap() {
                found.push(game.number().get());
            }
        }
    }
    let indexed = Indexed::of(&generated().0, Coding::Ign, 40_000);
    for (expected, query) in found.iter().zip(&queries) {
        assert!((1..GAMES as usize).contains(&expected.len()), "{query:?}");
        let [plain, others @ ..] = &generated().1[..] else {
            panic!("an archive for each coding");
        };
        assert_found(plain, query, expected);
        assert_found(&indexed.archive, query, expected);
        for archive in others {
            assert_eq!(&archive.find(query).unwrap(), expected, "{query:?}");
        }
    }
}

/// The positions of a game of standard chess, by pgn-reader and shakmaty.
struct Replay;

impl Visitor for Replay {
    type Tags = ();
    type Movetext = Vec<Chess>;
    type Output = Vec<Chess>;

    fn begin_tags(&mut self) -> ControlFlow<Vec<Chess>> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Vec<Chess>, Vec<Chess>> {
        ControlFlow::Continue(vec![Chess::default()])
    }

    fn san(&mut self, positions: &mut Vec<Chess>, san: SanPlus) -> ControlFlow<Vec<Chess>> {
        let mut position = positions.last().unwrap().clone();
        let played = san.san.to_move(&position).unwrap();
        position.play_unchecked(played);
        positions.push(position);
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Vec<Chess>) -> ControlFlow<Vec<Chess>, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, positions: Vec<Chess>) -> Vec<Chess> {
        positions
    }
}

/// A position as text, without its counters.
fn text_of(position: &Chess) -> String {
    let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// The pieces of both sides: `KRP-KR`.
fn material_of(position: &Chess) -> String {
    let side = |color: Color| {
        let roles = [
            Role::King,
            Role::Queen,
            Role::Rook,
            Role::Bishop,
            Role::Knight,
            Role::Pawn,
        ];
        let of = |role: Role| {
            let count = position.board().by_piece(role.of(color)).count();
            role.upper_char().to_string().repeat(count)
        };
        roles.map(of).concat()
    };
    format!("{}-{}", side(Color::White), side(Color::Black))
}

#[test]
fn positions_and_material_are_found_where_shakmaty_has_them() {
    let (text, archives) = generated();
    let mut games: Vec<Vec<Chess>> = Vec::new();
    let mut reader = Reader::new(&text[..]);
    while let Some(positions) = reader.read_game(&mut Replay).unwrap() {
        games.push(positions);
    }
    let numbers = |matches: &dyn Fn(&Chess) -> bool| -> Vec<u64> {
        let numbered = (1..).zip(&games);
        let found = numbered.filter(|(_, positions)| positions.iter().any(matches));
        found.map(|(number, _)| number).collect()
    };
    let mut several = 0;
    for (game, ply) in (0..games.len())
        .step_by(17)
        .zip([2, 4, 6, 10, 20, 70].into_iter().cycle())
    {
        let position = &games[game][ply.min(games[game].len() - 1)];
        let fen = text_of(position);
        let expected = numbers(&|position| text_of(position) == fen);
        several += usize::from(expected.len() > 1);
        let query = q().position(exact(&format!("{fen} 0 1")));
        for archive in archives {
            assert_eq!(archive.find(&query).unwrap(), expected, "{fen}");
        }
    }
    assert!(several > 2, "{several}");
    for game in (0..games.len()).step_by(47) {
        let material = material_of(games[game].last().unwrap());
        let expected = numbers(&|position| material_of(position) == material);
        let query = q().material(material.parse().unwrap());
        for archive in archives {
            assert_eq!(archive.find(&query).unwrap(), expected, "{material}");
        }
    }
}
