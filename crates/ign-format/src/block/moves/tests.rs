//! The moves column of plain games: proven moves, and games decoded in advance.

use super::{MovesColumn, ProvenMoves};
use crate::{
    block::{
        Coding, Options, encode::moves::MovesEncoder, integers::write_game,
        known_signatures::KnownSignatures, starts::Starts,
    },
    error::Result,
    model::Parameters,
    models::Architecture as _,
    pgn::{
        layout::LayoutModel,
        movetext::{Context, Movetext, Parser},
        render::{Names as _, Played},
        start::{Start, of_tags},
    },
};
use ign_entropy::BitWriter;
use ign_notation::{chess::san::Naming, radix};

const GAMES: [&str; 3] = [
    "\n1. e4 e5 2. Nf3 Nc6 3. Bb5 Nge7 4. O-O *\n\n",
    "\n*\n",
    "\n1. f3 e5 2. g4 Qh4# 0-1\n",
];

/// The proven moves of the games, and their integers.
fn proven() -> (ProvenMoves, Vec<u8>) {
    let mut proven = ProvenMoves::default();
    let mut column = Vec::new();
    let mut writer = BitWriter::new(&mut column);
    let (mut parser, mut movetext) = (Parser::default(), Movetext::default());
    let start = Start::default();
    for text in GAMES {
        let context = Context {
            line_end: b"\n",
            start: Some(&start),
            result: None,
        };
        parser.parse(
            text.as_bytes(),
            context,
            &LayoutModel::default(),
            &mut movetext,
        );
        write_game(
            &mut writer,
            &mut radix::Encoder::new(),
            Coding::Ign,
            &movetext,
        );
        proven.push(&movetext);
    }
    writer.finish();
    (proven, column)
}

/// The SAN of all games, if the column encodes the proven moves.
fn names(proven: &ProvenMoves, column: &[u8]) -> Result<Vec<Vec<String>>> {
    let mut starts = Starts::default();
    for _ in GAMES {
        starts.push(Some(&Start::default()), true, &[]);
    }
    let mut integers = MovesColumn::new(
        column,
        Coding::Ign,
        Some(Parameters::builtin()),
        &starts,
        KnownSignatures::default(),
        100,
    )?;
    let mut all = Vec::new();
    for game in 0..GAMES.len() {
        let mut names = integers
            .checked_game(proven, game, game)?
            .names(Naming::Standard)
            .unwrap();
        let mut game = Vec::new();
        while let Some(name) = names.next_name()? {
            game.push(String::from_utf8_lossy(name.as_bytes()).into_owned());
        }
        all.push(game);
    }
    integers.finish()?;
    Ok(all)
}

#[test]
fn returns_the_san_of_proven_games() {
    let (proven, column) = proven();
    let expected = [
        &["e4", "e5", "Nf3", "Nc6", "Bb5", "Nge7", "O-O"][..],
        &[],
        &["f3", "e5", "g4", "Qh4#"],
    ];
    assert_eq!(names(&proven, &column).unwrap(), expected);
}

#[test]
fn rejects_any_other_integer_of_a_proven_game() {
    let (proven, column) = proven();
    for bit in 0..8 * column.len() {
        let mut bad = column.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        assert!(names(&proven, &bad).is_err(), "bit {bit}");
    }
    for place in 0..proven.digits.len() {
        let mut other = proven.clone();
        other.digits[place].0 ^= 1;
        assert!(names(&other, &column).is_err(), "ordinal {place}");
        let mut other = proven.clone();
        other.digits[place].1 += 1;
        let last = proven.ends.contains(&(place + 1));
        assert!(last || names(&other, &column).is_err(), "count {place}");
    }
}

#[test]
fn lookahead_returns_the_same_games_as_one_by_one() {
    let crazyhouse = of_tags(None, Some(b"Crazyhouse")).unwrap();
    let standard = Start::default();
    let records: Vec<(Option<&Start>, &str)> = (0..150)
        .map(|i| match i % 50 {
            7 | 40 => (None, GAMES[1]),
            9 | 10 | 48 => (Some(&crazyhouse), "\n1. e4 d5 2. exd5 Qxd5 3. P@d4 *\n"),
            _ => (Some(&standard), GAMES[i % 3]),
        })
        .collect();
    let (mut column, mut starts) = (Vec::new(), Starts::default());
    let mut writer = BitWriter::new(&mut column);
    let (mut parser, mut movetext) = (Parser::default(), Movetext::default());
    for &(start, text) in &records {
        starts.push(start, true, &[]);
        if start.is_some() {
            let context = Context {
                line_end: b"\n",
                start,
                result: None,
            };
            let text = text.as_bytes();
            parser.parse(text, context, &LayoutModel::default(), &mut movetext);
            write_game(
                &mut writer,
                &mut radix::Encoder::new(),
                Coding::Ign,
                &movetext,
            );
        }
    }
    writer.finish();
    for naming in Naming::ALL {
        let open = || {
            MovesColumn::new(
                &column,
                Coding::Ign,
                Some(Parameters::builtin()),
                &starts,
                KnownSignatures::default(),
                9999,
            )
            .unwrap()
        };
        let (mut ahead, mut one_by_one) = (open(), open());
        for (i, &(start, _)) in records.iter().enumerate() {
            ahead.look_ahead(Some(naming));
            if i % 5 == 3 {
                ahead.skip().unwrap();
                one_by_one.skip().unwrap();
                continue;
            }
            let (game, other) = (ahead.next_game().unwrap(), one_by_one.next_game().unwrap());
            let Some(Start::Chess(start)) = start else {
                assert!(game.names(naming).is_none());
                continue;
            };
            let mut names = game.names(naming).unwrap();
            let another = Naming::ALL.into_iter().find(|&other| other != naming);
            assert!(game.names(another.unwrap()).is_none());
            let mut played = Played::new(start.position, other, naming);
            while let Some(name) = played.next_name().unwrap() {
                assert_eq!(names.next_name().unwrap(), Some(name));
            }
            assert_eq!(names.next_name().unwrap(), None);
            assert_eq!(names.position(), played.position());
        }
        ahead.finish().unwrap();
    }
}

/// The moves of one game from its column, with null moves at these plies.
fn with_nulls(column: &[u8], coding: Coding, nulls: &[u32]) -> Result<Vec<String>> {
    let start = Start::default();
    let mut starts = Starts::default();
    starts.push(Some(&start), true, nulls);
    let signatures = KnownSignatures::List(vec![None]);
    let model = Some(Parameters::builtin());
    let mut moves = MovesColumn::new(column, coding, model, &starts, signatures, 9)?;
    let mut played = Vec::new();
    moves
        .next_game()?
        .play(&start, |_, played_now| played.push(played_now.uci()))?;
    moves.finish()?;
    Ok(played)
}

#[test]
fn null_moves_are_played_at_their_plies_and_impossible_ones_are_rejected() {
    let context = Context {
        line_end: b"\n",
        start: Some(&Start::default()),
        result: None,
    };
    let (mut parser, mut movetext) = (Parser::default(), Movetext::default());
    let text = b"1. -- e5 2. e4 -- 3. -- f5 4. Qh5+ *";
    parser.parse(text, context, &LayoutModel::default(), &mut movetext);
    assert_eq!(movetext.nulls, [0, 3, 4]);
    for &coding in Coding::ALL {
        let options = Options {
            coding,
            ..Options::default()
        };
        let mut column = Vec::new();
        let mut encoder = MovesEncoder::new(&options, &mut column);
        encoder.push(context.start, &movetext);
        encoder.finish();
        let expected = ["0000", "e7e5", "e2e4", "0000", "0000", "f7f5", "d1h5"];
        assert_eq!(with_nulls(&column, coding, &[0, 3, 4]).unwrap(), expected);
        for nulls in [
            // In check; after the end; beyond the plies of the block.
            &[0, 3, 4, 7][..],
            &[0, 3, 4, 8],
            &[0, 3, 4, 60_000],
            &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        ] {
            let read = with_nulls(&column, coding, nulls);
            assert!(read.is_err(), "{coding:?} {nulls:?}");
        }
        // Other lists are other games, or none.
        for nulls in [&[][..], &[1], &[0, 3], &[0, 3, 4, 5]] {
            let read = with_nulls(&column, coding, nulls);
            assert!(read.is_err() || read.unwrap() != expected);
        }
    }
}

#[test]
fn verification_compares_null_moves() {
    let (proven, column) = proven();
    for nulls in [&[0][..], &[6], &[7]] {
        let mut starts = Starts::default();
        for game in 0..GAMES.len() {
            let nulls = if game == 0 { nulls } else { &[] };
            starts.push(Some(&Start::default()), true, nulls);
        }
        let mut moves = MovesColumn::new(
            &column,
            Coding::Ign,
            Some(Parameters::builtin()),
            &starts,
            KnownSignatures::default(),
            100,
        )
        .unwrap();
        assert!(moves.checked_game(&proven, 0, 0).is_err(), "{nulls:?}");
    }
}
