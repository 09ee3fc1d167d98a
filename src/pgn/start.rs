//! Where a record's game starts, by its tags FEN and Variant (spec §4.2.1).

use crate::chess::Start;

/// Names of the variants whose rules are those of chess, Chess960 included.
const CHESS: [&[u8]; 8] = [
    b"",
    b"standard",
    b"chess",
    b"normal",
    b"chess960",
    b"chess 960",
    b"fischerandom",
    b"from position",
];

/// Where the game starts; none when it cannot be played by the rules of chess,
/// and so has no integer.
pub fn of_tags(fen: Option<&[u8]>, variant: Option<&[u8]>) -> Option<Start> {
    let is_chess = |name: &[u8]| CHESS.iter().any(|known| name.eq_ignore_ascii_case(known));
    if !variant.is_none_or(is_chess) {
        return None;
    }
    match fen {
        None => Some(Start::default()),
        Some(fen) => Start::from_fen(fen).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_chess_positions_start_a_game() {
        assert!(of_tags(None, None).is_some());
        assert!(of_tags(None, Some(b"Standard")).is_some());
        assert!(of_tags(None, Some(b"Crazyhouse")).is_none());
        assert!(of_tags(Some(b"8/8/8/8/8/8/8/8 w - - 0 1"), None).is_none());
        let start = of_tags(Some(b"4k3/8/8/8/8/8/8/4K2R b K - 0 17"), None).unwrap();
        assert_eq!(start.fullmoves.get(), 17);
    }
}
