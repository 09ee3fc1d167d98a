//! Round trips of columns of pseudo-random games, and columns that must be rejected.

use super::{GROUP, Groups, Played};
use crate::{
    block::{
        known_signatures::KnownSignatures,
        starts::{Starts, is_standard},
    },
    container::MAX_PLIES,
    error::Result,
    model::{MoveModel, Parameters, STYLES},
    models::Architecture as _,
    pgn::start::{Start, of_tags},
};
use ign_entropy::frequencies::IntervalLog;
use ign_notation::{
    chess::{Move, rules::LegalMoves as _},
    signature::{Signature, element_of_ply},
};
use proptest::prelude::*;

fn model() -> MoveModel {
    Parameters::builtin()
}

/// Plays the moves whose ordinals `choose` returns; it gets the number of legal moves and of plies
/// so far. Passes at the plies of `nulls` where that is possible.
fn play<B: ign_notation::chess::rules::Board>(
    mut board: B,
    nulls: &[usize],
    choose: &mut impl FnMut(u32, usize) -> Option<u32>,
    moves: &mut Vec<Move>,
    signature: &mut Signature,
) {
    loop {
        let legal = board.legal();
        let played = if nulls.contains(&moves.len()) && legal.may_pass() {
            Move::NULL
        } else {
            match legal.pick(|count| Ok::<_, ()>(choose(count, moves.len()))) {
                Ok(Some(played)) => played,
                _ => return,
            }
        };
        moves.push(played);
        if let Some(element) = element_of_ply(moves.len()) {
            signature[element] = Some(legal.landing(played).to_u32() as u16);
        }
        board.play(played);
    }
}

/// Games of pseudo-random moves, some from unusual starts, and their moves.
fn games(seeds: &[(u64, usize)]) -> (Played, Vec<Vec<Move>>) {
    let fens: [(&[u8], &[u8]); 7] = [
        (
            b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            b"",
        ),
        (b"7k/5Q2/8/8/8/8/8/K7 b - - 0 1", b""),
        (
            b"nrk1bbrq/pppppppp/2n5/8/8/2N5/PPPPPPPP/NRK1BBRQ w GBgb - 0 1",
            b"Chess960",
        ),
        (b"4k3/P6P/8/8/8/8/p6p/4K3 b - - 0 9", b""),
        (
            b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[QNp] w KQkq - 0 1",
            b"Crazyhouse",
        ),
        (
            b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            b"Atomic",
        ),
        (b"4k3/P6P/8/8/8/8/p6p/4K3 b - - 0 9", b"Antichess"),
    ];
    let mut played = Played::default();
    let mut lists = Vec::new();
    for &(seed, plies) in seeds {
        let (fen, variant) = fens[(seed % 7) as usize];
        let start = of_tags(Some(fen), Some(variant)).unwrap();
        let mut state = seed;
        let (mut ordinals, mut moves) = (Vec::new(), Vec::new());
        let mut choose = |count, played| {
            if count == 0 || played >= plies {
                return None;
            }
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let ordinal = (state >> 33) as u32 % count;
            ordinals.push(ordinal);
            Some(ordinal)
        };
        let mut signature = Signature::default();
        // Null moves at the start, twice in a row, at a ply of the signature, and at the end.
        let nulls: &[usize] = match seed % 5 {
            1 => &[0],
            3 => &[0, 2, 3, 19, plies],
            _ => &[],
        };
        match &start {
            Start::Chess(start) => {
                let position = start.position;
                play(position, nulls, &mut choose, &mut moves, &mut signature);
            }
            Start::Variant(start) => {
                let board = start.board.clone();
                play(board, nulls, &mut choose, &mut moves, &mut signature);
            }
        }
        let nulls: Vec<u32> = (0..)
            .zip(&moves)
            .filter(|(_, played)| played.is_null())
            .map(|(ply, _)| ply)
            .collect();
        played.push(&start, ordinals.into_iter(), &nulls, Some(signature));
        lists.push(moves);
    }
    (played, lists)
}

/// The groups of a column, for a reader that knows the signatures.
fn open<'a>(column: &'a [u8], played: &'a Played, plies: u64) -> Result<Groups<'a>> {
    let signatures = KnownSignatures::List(played.signatures.clone());
    Groups::new(column, Some(model()), &played.starts, signatures, plies)
}

fn seeds(count: u64, plies: usize) -> Vec<(u64, usize)> {
    let spread = |seed: u64| (seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as usize;
    (0..count)
        .map(|seed| (seed, spread(seed) % plies))
        .collect()
}

#[test]
fn round_trips_games_in_order_and_one_by_one() {
    for count in [0, 1, 31, 32, 33, 100] {
        let (played, lists) = games(&seeds(count, 90));
        let plies = lists.iter().map(Vec::len).sum::<usize>() as u64;
        let column = played.write(&model(), None);
        assert_eq!(column.is_empty(), count == 0);
        let open = || open(&column, &played, plies).unwrap();
        let mut groups = open();
        for (game, moves) in lists.iter().enumerate() {
            assert_eq!(groups.game(game).unwrap(), moves);
            assert_eq!(open().game(game).unwrap(), moves);
        }
        assert_eq!(groups.decoder.plies_left, 0);
    }
}

#[test]
fn finds_games_by_their_opening_prefix() {
    let (played, lists) = games(&seeds(100, 6));
    let column = played.write(&model(), None);
    let standard = |game: usize| is_standard(played.starts.of(game).unwrap());
    for sought in &lists {
        let mut found = Vec::new();
        let mut groups = open(&column, &played, 600).unwrap();
        for group in 0..groups.len() {
            groups.with_prefix(group, sought, &mut found).unwrap();
        }
        let has_prefix = |&game: &usize| standard(game) && lists[game].starts_with(sought);
        let expected: Vec<usize> = (0..lists.len()).filter(has_prefix).collect();
        assert_eq!(found, expected, "{sought:?}");
    }
}

#[test]
fn round_trips_a_game_of_maximum_length() {
    let start = Start::default();
    let mut played = Played::default();
    played.push(&start, std::iter::repeat_n(0, MAX_PLIES), &[], None);
    let column = played.write(&model(), None);
    let mut groups = open(&column, &played, MAX_PLIES as u64).unwrap();
    assert_eq!(groups.game(0).unwrap().len(), MAX_PLIES);
}

#[test]
fn check_accepts_only_streams_that_encode_the_known_intervals() {
    let (played, _) = games(&seeds(70, 60));
    let mut known = IntervalLog::default();
    let column = played.write(&model(), Some(&mut known));
    let groups = open(&column, &played, 9999).unwrap();
    assert!((0..groups.len()).all(|group| groups.check(group, &known).is_ok()));
    let first = column.len() - groups.streams.len();
    for bit in 8 * first..8 * column.len() {
        let mut bad = column.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        let groups = open(&bad, &played, 9999).unwrap();
        let passes = (0..groups.len()).all(|group| groups.check(group, &known).is_ok());
        if passes {
            // The last bits of a stream may differ without changing its meaning.
            let mut moves = open(&bad, &played, 9999).unwrap();
            let mut same = open(&column, &played, 9999).unwrap();
            assert!((0..70).all(|game| moves.game(game).unwrap() == same.game(game).unwrap()));
        }
    }
}

#[test]
fn known_signatures_shorten_the_column() {
    let (mut played, lists) = games(&seeds(64, 120));
    let plies = lists.iter().map(Vec::len).sum::<usize>() as u64;
    let with = played.write(&model(), None);
    let known = std::mem::take(&mut played.signatures);
    played.signatures = vec![None; 64];
    let without = played.write(&model(), None);
    assert!(
        with.len() + 64 < without.len(),
        "{} {}",
        with.len(),
        without.len()
    );
    // The signatures of other games do not decode them.
    played.signatures = known;
    played.signatures.rotate_right(1);
    let mut groups = open(&with, &played, plies).unwrap();
    assert!((0..64).any(|game| groups.game(game).is_err()));
}

#[test]
fn marks_copies_of_the_game_before() {
    // Games of 60 plies: two, one and three equal ones.
    let kinds = [1, 1, 2, 3, 3, 3].repeat(20);
    let copied: Vec<(u64, usize)> = kinds.iter().map(|&kind| (7 * kind, 60)).collect();
    let (played, lists) = games(&copied);
    let plies = lists.iter().map(Vec::len).sum::<usize>() as u64;
    let column = played.write(&model(), None);
    let (once, _) = games(&[(7, 60), (14, 60), (21, 60)].repeat(20));
    // The first game of each of the eight groups is not a copy.
    let limit = once.write(&model(), None).len() * (60 + 8) / 60;
    assert!(column.len() < limit, "{} {limit}", column.len());
    let mut groups = open(&column, &played, plies).unwrap();
    for (game, moves) in lists.iter().enumerate() {
        assert_eq!(groups.game(game).unwrap(), moves);
        let mut alone = open(&column, &played, plies).unwrap();
        assert_eq!(alone.game(game).unwrap(), moves);
    }
    assert_eq!(groups.decoder.plies_left, 0);
    // Plies of copies count towards the limit.
    let mut groups = open(&column, &played, plies - 1).unwrap();
    assert!((0..lists.len()).any(|game| groups.game(game).is_err()));
    // A copy must have the same start.
    let fen = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2";
    let mut starts = Starts::default();
    for game in 0..lists.len() {
        let start = if game == 1 {
            of_tags(Some(fen), None).unwrap()
        } else {
            Start::default()
        };
        starts.push(Some(&start), true, played.starts.nulls(game));
    }
    let signatures = KnownSignatures::List(played.signatures.clone());
    let mut groups = Groups::new(&column, Some(model()), &starts, signatures, plies).unwrap();
    assert!(groups.game(0).is_err() && groups.game(GROUP).is_ok());
    // A copy must have the same null moves.
    let mut starts = Starts::default();
    for game in 0..lists.len() {
        let nulls = played.starts.nulls(game);
        starts.push(
            Some(&Start::default()),
            true,
            if game == 1 { &[5] } else { nulls },
        );
    }
    let signatures = KnownSignatures::List(played.signatures.clone());
    let mut groups = Groups::new(&column, Some(model()), &starts, signatures, plies).unwrap();
    assert!(groups.game(0).is_err() && groups.game(GROUP).is_ok());
    // A copy must have the same signature.
    let mut other = played.signatures.clone();
    other[1] = Some(
        other[1]
            .unwrap()
            .map(|square| square.map_or(Some(9), |_| None)),
    );
    let mut groups = Groups::new(
        &column,
        Some(model()),
        &played.starts,
        KnownSignatures::List(other),
        plies,
    )
    .unwrap();
    assert!(groups.game(0).is_err() && groups.game(GROUP).is_ok());
}

#[test]
fn rejects_columns_whose_lengths_or_limits_do_not_fit() {
    let (played, lists) = games(&seeds(70, 60));
    let column = played.write(&model(), None);
    let plies = lists.iter().map(Vec::len).sum::<usize>() as u64;
    for len in 0..column.len() {
        assert!(open(&column[..len], &played, plies).is_err());
    }
    let mut long = column.clone();
    long.push(0);
    assert!(open(&long, &played, plies).is_err());
    assert!(
        Groups::new(
            &column,
            Some(model()),
            &Starts::default(),
            KnownSignatures::default(),
            plies
        )
        .is_err()
    );
    let mut style = column.clone();
    style[0] = STYLES;
    assert!(open(&style, &played, plies).is_err());
    // One ply fewer than the games have.
    let mut groups = open(&column, &played, plies - 1).unwrap();
    assert!((0..lists.len()).any(|game| groups.game(game).is_err()));
}

proptest! {
    #[test]
    fn decoding_arbitrary_bytes_terminates(
        bytes in prop::collection::vec(any::<u8>(), 0..200), games in 0..100u32, plies in 0..500u64
    ) {
        let mut column = vec![0];
        column.extend_from_slice(&bytes);
        let mut starts = Starts::default();
        for _ in 0..games {
            starts.push(Some(&Start::default()), true, &[]);
        }
        let signatures = KnownSignatures::List(vec![Some(Signature::default()); games as usize]);
        if let Ok(mut groups) = Groups::new(&column, Some(model()), &starts, signatures, plies) {
            for game in 0..games as usize {
                _ = groups.game(game);
            }
        }
    }
}
