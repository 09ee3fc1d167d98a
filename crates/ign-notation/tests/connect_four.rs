//! Is the game of `examples/connect_four.rs` connect four, and are its integers right?

use std::collections::HashSet;

use ign_notation::{
    Game,
    ends::{self, EndMoves},
    plain,
    residue::Residue,
};

#[path = "../examples/connect_four.rs"]
mod example;

use example::ConnectFour;

/// Whether the game is over.
fn is_over(game: ConnectFour) -> bool {
    game.count() == 0
}

#[test]
fn the_example_runs() {
    example::main().unwrap();
}

#[test]
fn integers_equal_those_computed_by_hand() {
    let start = ConnectFour::default();
    let moves = [3, 2, 3, 2, 3, 2, 3];
    // Columns are numbered from 1 in plain notation; all seven are open for six moves.
    let by_hand = moves
        .iter()
        .rev()
        .fold(0, |rest, &column| (u32::from(column) + 1) + 7 * rest);
    let integer = plain::encode(start, &moves).unwrap();
    assert_eq!(integer, by_hand);
    assert_eq!(plain::decode(start, &integer, 42).unwrap(), moves);
    // A full column is not a move, and after the win there are no moves.
    assert!(plain::encode(start, &[0; 7]).is_err());
    assert!(plain::encode(start, &[3, 2, 3, 2, 3, 2, 3, 2]).is_err());
    let stopped = ends::encode(start, &[6], EndMoves::Stopped).unwrap();
    assert_eq!(stopped, 6 + 8 * 7);
    let opening = Residue::plain(start, &moves[..2]).unwrap();
    assert_eq!(
        (opening.residue(), opening.modulus()),
        (25.into(), &49.into())
    );
    assert!(opening.is_prefix_of(&integer));
}

#[test]
fn the_numbers_of_positions_are_the_known_ones() {
    // OEIS A212693: the number of positions of connect four after n discs.
    let known = [1, 7, 49, 238, 1120, 4263, 16422, 54859];
    let mut positions = HashSet::from([ConnectFour::default()]);
    let mut moves = Vec::new();
    for (discs, count) in known.into_iter().enumerate() {
        assert_eq!(positions.len(), count, "{discs} discs");
        let mut next = HashSet::new();
        for position in &positions {
            position.legal_moves(&mut moves);
            for &column in &moves {
                let mut after = *position;
                after.play(column);
                next.insert(after);
            }
        }
        positions = next;
    }
}

#[test]
fn lines_win_in_every_direction() {
    for moves in [
        &[0, 1, 0, 1, 0, 1, 0][..],
        &[0, 0, 1, 1, 2, 2, 3],
        &[0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3],
        &[6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3],
    ] {
        let mut game = ConnectFour::default();
        for &column in moves {
            assert!(!is_over(game));
            game.play(column);
        }
        assert!(is_over(game), "{moves:?}");
    }
}
