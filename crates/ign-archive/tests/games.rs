//! Do the games of an archive equal those that pgn-reader and shakmaty find in the text?

use std::{
    borrow::Cow,
    io::Read as _,
    ops::{ControlFlow, RangeInclusive},
};

use ign_archive::{Archive, Coding, Game, GameData, GameNumber, Input, Packer};
use ign_testing::{Collection, Random, clocked_games, games, games_of_seed};
use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{
    CastlingMode, Chess, EnPassantMode, Position, PositionError,
    fen::Fen,
    variant::{Variant, VariantPosition},
};

/// A game as pgn-reader and shakmaty see it.
#[derive(Debug, Default)]
struct Expected {
    tags: Vec<(String, Vec<u8>)>,
    /// The moves up to the first illegal one.
    moves: Vec<shakmaty::Move>,
    /// The FEN of each position.
    positions: Vec<String>,
    illegal: bool,
    comments: Vec<(usize, Vec<u8>)>,
    sans: usize,
    position: Option<VariantPosition>,
}

impl Expected {
    fn tag(&self, name: &str) -> Option<&[u8]> {
        let tag = self.tags.iter().find(|(known, _)| known == name)?;
        Some(&tag.1)
    }

    fn start(&self) -> Option<VariantPosition> {
        let variant = self.tag("Variant").unwrap_or(b"Standard");
        let variant = Variant::from_ascii(variant).ok()?;
        let Some(fen) = self.tag("FEN") else {
            return Some(VariantPosition::new(variant));
        };
        let setup = Fen::from_ascii(fen).ok()?.into_setup();
        VariantPosition::from_setup(variant, setup, CastlingMode::Chess960)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .ok()
    }

    fn note(&mut self) {
        let position = self.position.as_ref().expect("the game has a start");
        self.positions.push(fen_of(position));
    }
}

fn fen_of(position: &VariantPosition) -> String {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    // The archive counts from the start of the game.
    setup.halfmoves = 0;
    setup.fullmoves = std::num::NonZeroU32::MIN;
    Fen::try_from_setup(setup).unwrap().to_string()
}

struct Oracle;

impl Visitor for Oracle {
    type Tags = Expected;
    type Movetext = Expected;
    type Output = Expected;

    fn begin_tags(&mut self) -> ControlFlow<Expected, Expected> {
        ControlFlow::Continue(Expected::default())
    }

    fn tag(&mut self, game: &mut Expected, name: &[u8], value: RawTag) -> ControlFlow<Expected> {
        let name = String::from_utf8_lossy(name).into_owned();
        game.tags.push((name, value.as_bytes().to_vec()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, mut game: Expected) -> ControlFlow<Expected, Expected> {
        game.position = game.start();
        game.illegal = game.position.is_none();
        if !game.illegal {
            game.note();
        }
        ControlFlow::Continue(game)
    }

    fn san(&mut self, game: &mut Expected, san: SanPlus) -> ControlFlow<Expected> {
        game.sans += 1;
        if game.illegal {
            return ControlFlow::Continue(());
        }
        let position = game.position.as_mut().expect("the game has a start");
        match san.san.to_move(position) {
            Ok(played) => {
                game.moves.push(played);
                position.play_unchecked(played);
                game.note();
            }
            Err(_) => game.illegal = true,
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, game: &mut Expected, comment: RawComment) -> ControlFlow<Expected> {
        let text = comment.as_bytes().trim_ascii().to_vec();
        game.comments.push((game.sans, text));
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Expected) -> ControlFlow<Expected, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, game: Expected) -> Expected {
        game
    }
}

fn archive_of(text: &[u8], coding: Coding, threads: usize) -> Archive {
    let input = Input::reader("games.pgn", std::io::Cursor::new(text.to_vec()));
    let packer = Packer::new().coding(coding).block_size(20_000).threads(2);
    let (bytes, _) = packer.pack([input], Vec::new()).unwrap();
    Archive::from_read_at(bytes, "games.ign")
        .unwrap()
        .with_threads(threads)
}

/// Compares a game with the expected one.
fn assert_equal(game: &Game, expected: &Expected) {
    let place = format!("game {}", game.number());
    let tags: Vec<(String, String)> = game
        .tags()
        .unwrap()
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect();
    assert_eq!(tags.len(), expected.tags.len(), "{place}");
    for ((name, value), (tag, bytes)) in tags.iter().zip(&expected.tags) {
        assert_eq!(name, tag, "{place}");
        assert_eq!(
            game.tag_bytes(name).unwrap(),
            Some(&bytes[..]),
            "{place}: {name}"
        );
        assert_eq!(
            game.tag(name).unwrap().as_deref(),
            Some(&value[..]),
            "{place}"
        );
    }
    assert_eq!(game.tag("NoSuchTag").unwrap(), None);
    let moves: Vec<shakmaty::Move> = game.moves().unwrap().collect();
    assert_eq!(moves, expected.moves, "{place}");
    assert_eq!(game.plies().unwrap(), moves.len());
    if expected.position.is_some() && !moves.is_empty() {
        let positions: Vec<String> = game.positions().unwrap().map(|p| fen_of(&p)).collect();
        assert_eq!(positions, expected.positions, "{place}");
    }
    let comments: Vec<(usize, Vec<u8>)> = game
        .comments()
        .unwrap()
        .into_iter()
        .map(|(plies, comment)| (plies, comment.chars().map(|c| c as u32 as u8).collect()))
        .collect();
    if expected
        .comments
        .iter()
        .all(|(_, comment)| comment.is_ascii())
    {
        assert_eq!(comments, expected.comments, "{place}");
    }
}

/// All ways to reach the games of a text agree with the oracle.
fn check(text: &[u8]) -> usize {
    let expected: Vec<Expected> = Reader::new(text)
        .read_games(&mut Oracle)
        .collect::<Result<_, _>>()
        .unwrap();
    for &coding in Coding::ALL {
        let archive = archive_of(text, coding, 2);
        assert_eq!(archive.len(), expected.len() as u64);
        let mut all = Vec::new();
        let games = archive
            .games()
            .decoding([GameData::Tags, GameData::Moves, GameData::Text]);
        for (game, expected) in games.zip(&expected) {
            let game = game.unwrap();
            assert_equal(&game, expected);
            all.extend_from_slice(game.pgn().unwrap());
        }
        assert!(all == text, "the games are not the text");
        // Without parts decoded in advance, and one by one.
        for (game, expected) in archive.games().decoding([]).zip(&expected).step_by(7) {
            assert_equal(&game.unwrap(), expected);
        }
        for number in (1..=archive.len()).step_by(11) {
            let game = archive.game(number).unwrap();
            assert_eq!(game.number(), number);
            assert_equal(&game, &expected[number as usize - 1]);
            let numbered = archive.games().range(number..).next().unwrap().unwrap();
            assert_eq!(numbered.ign().unwrap(), game.ign().unwrap());
            assert_eq!(numbered.signature().unwrap(), game.signature().unwrap());
            assert_eq!(numbered.pgn().unwrap(), game.pgn().unwrap());
        }
        let mut stream = Vec::new();
        archive.reader().read_to_end(&mut stream).unwrap();
        assert!(stream == text);
        archive.verify().unwrap();
    }
    expected.len()
}

#[test]
fn made_up_games_equal_the_oracle() {
    let text = games_of_seed(400, 7);
    assert_eq!(check(&text), 400);
}

#[test]
fn odd_games_equal_the_oracle() {
    let games = [
        "[Event \"Mate\"]\n[ECO \"A00\"]\n[PlyCount \"4\"]\n\n1. f3 { a } { b } e5 (1... d5) 2. g4?? $6 Qh4# { c } 0-1\n\n",
        "[Event \"960\"]\n[Variant \"Chess960\"]\n[FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"]\n[SetUp \"1\"]\n\n9. O-O *\n\n",
        "[Event \"House\"]\n[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@d4 Nf6 4. Nc3 *\n\n",
        "[Event \"Three\"]\n[Variant \"Three-check\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Bxf7+ Kxf7 *\n\n",
        "[Event \"King\"]\n[Variant \"King of the Hill\"]\n\n1. e4 e5 2. Ke2 Ke7 *\n\n",
        "[Event \"Anti\"]\n[Variant \"Antichess\"]\n\n1. e3 b5 2. Bxb5 *\n\n",
        "[Event \"Atomic\"]\n[Variant \"Atomic\"]\n\n1. Nf3 f6 2. Nd4 c6 *\n\n",
        "[Event \"Illegal\"]\n\n1. e4 e5 2. Ke3 Nc6 *\n\n",
        "[Event \"En passant\"]\n\n{ first } 1. e4 a6 2. e5 d5 3. exd6 Bg4 4. dxc7 Bxd1 5. cxb8=N *\n\n",
        "[Event \"Castling\"]\n\n1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O 5. d3 d6 *\n\n",
        "[Event \"No moves\"]\n[Result \"1-0\"]\n\n1-0\n\n",
        "[Event \"Clock\"]\n\n1. e4 { [%eval 0.2] [%clk 0:03:00] } 1... c5 { [%clk 0:02:59.5] } *\n\n",
    ];
    assert_eq!(check(games.concat().repeat(3).as_bytes()), 36);
}

#[test]
fn real_games_equal_the_oracle() {
    for (file, games) in [
        ("lichess_2013-01.pgn.zst", 300),
        ("lichess_users_clk.pgn.zst", 150),
        ("computer.pgn.zst", 40),
    ] {
        let mut text = Collection::open(file).first_bytes(2_000_000);
        // Whole games alone.
        let starts: Vec<usize> = memchr::memmem::find_iter(&text, b"\n[Event \"").collect();
        text.truncate(starts[games] + 1);
        check(&text);
    }
}

/// What a loop asks of a game.
fn ask(game: &Game, parts: &[GameData]) -> (Vec<(String, String)>, Vec<u16>, Vec<u8>) {
    let has = |part| parts.contains(&part);
    let (mut tags, mut moves, mut text) = Default::default();
    if has(GameData::Tags) {
        let owned = |(name, value): (Cow<str>, Cow<str>)| (name.into_owned(), value.into_owned());
        tags = game.tags().unwrap().map(owned).collect();
    }
    if has(GameData::Moves) {
        moves = game.uci_codes().unwrap();
    }
    if has(GameData::Text) {
        text = game.pgn().unwrap().to_vec();
    }
    (tags, moves, text)
}

#[test]
fn loops_over_chosen_games_return_what_single_games_return() {
    const ALL: [GameData; 3] = [GameData::Tags, GameData::Moves, GameData::Text];
    let mut random = Random(11);
    let mut text = games_of_seed(60, 3);
    text.extend(clocked_games(60, 3));
    text.extend(
        b"[Event \"Two\"]\n\n1. e4 (1. d4 d5) e5 {a} *\n\n[Event \"None\"]\n\n*\n\n".repeat(9),
    );
    for &coding in Coding::ALL {
        let archive = archive_of(&text, coding, 2);
        assert!(archive.blocks().len() > 3);
        let single: Vec<Game> = (1..=archive.len())
            .map(|number| archive.game(number).unwrap())
            .collect();
        for one_in in [1, 2, 10, 50] {
            let numbers = (1..=archive.len()).filter(|_| random.below(one_in) == 0);
            let chosen: Vec<GameNumber> = numbers.filter_map(GameNumber::new).collect();
            for asked in [&ALL[..1], &ALL[1..2], &ALL[2..], &ALL] {
                let games = || archive.games().only(chosen.clone());
                for games in [games(), games().decoding([]), games().decoding(ALL)] {
                    let mut numbers = Vec::new();
                    for game in games {
                        let game = game.unwrap();
                        let expected = &single[game.number().index() as usize];
                        assert_eq!(ask(&game, asked), ask(expected, asked), "{coding:?}");
                        numbers.push(game.number());
                    }
                    assert_eq!(numbers, chosen);
                }
            }
        }
    }
}

#[test]
fn chosen_games_may_be_repeated_missing_and_outside_of_the_range() {
    let archive = archive_of(&games(60), Coding::Ign, 2);
    let numbers = |chosen: &[u64], range: RangeInclusive<u64>| -> Vec<u64> {
        let chosen = chosen.iter().copied().filter_map(GameNumber::new);
        let games = archive.games().only(chosen.collect::<Vec<_>>());
        let games = games.range(range);
        games.map(|game| game.unwrap().number().get()).collect()
    };
    assert_eq!(
        numbers(&[3, 3, 7, 59, 60, 61, 900], 1..=u64::MAX),
        [3, 7, 59, 60]
    );
    assert_eq!(numbers(&[1, 2, 30, 40], 2..=30), [2, 30]);
    assert_eq!(numbers(&[5], 6..=9), [0; 0]);
    assert_eq!(numbers(&[], 1..=9), [0; 0]);
}

#[test]
fn games_of_go_have_tags_and_text() {
    let text = b"(;GM[1]SZ[9]PB[Ann]PW[Ben]RE[B+1];B[ee];W[cc])\n".repeat(3);
    let archive = archive_of(&text, Coding::Ign, 1);
    assert_eq!(archive.len(), 3);
    let game = archive.game(2).unwrap();
    assert_eq!(game.tag("PB").unwrap().as_deref(), Some("Ann"));
    assert_eq!(game.moves().unwrap().count(), 0);
    assert_eq!(game.pgn().unwrap(), &text[..text.len() / 3]);
}

#[test]
fn numbers_that_do_not_exist_are_errors() {
    let archive = archive_of(b"1. e4 *\n", Coding::Ign, 1);
    for number in [0, 2, u64::MAX] {
        let error = archive.game(number).err().unwrap();
        assert_eq!(error.kind(), ign_archive::ErrorKind::Usage);
    }
    assert_eq!(archive.games().range(2..).count(), 0);
    assert_eq!(archive.games().range(..=5).count(), 1);
}

#[test]
fn an_iterator_that_is_dropped_early_leaves_nothing_running() {
    let text = games(300);
    let archive = archive_of(&text, Coding::Ign, 4);
    for taken in [0, 1, 50] {
        assert_eq!(archive.games().take(taken).count(), taken);
    }
}

#[test]
fn packing_is_cancelled_by_its_callback() {
    let text = games(300);
    let input = Input::reader("games", std::io::Cursor::new(text));
    let mut calls = 0;
    let packed = Packer::new().block_size(4096).on_progress(|progress| {
        calls += 1;
        assert!(progress.games > 0);
        if calls < 3 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    let error = packed.pack([input], Vec::new()).err().unwrap();
    assert_eq!(error.kind(), ign_archive::ErrorKind::Cancelled);
    assert_eq!(calls, 3);
}

/// The position type of plain chess converts into the one that games return.
#[test]
fn positions_of_chess_are_chess() {
    let archive = archive_of(b"1. e4 *\n", Coding::Weighted, 1);
    let first = archive
        .game(1)
        .unwrap()
        .positions()
        .unwrap()
        .next()
        .unwrap();
    assert_eq!(first, VariantPosition::from(Chess::default()));
}
