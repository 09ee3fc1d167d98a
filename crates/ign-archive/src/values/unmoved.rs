//! What the unmoved pawns of a game exclude: a position in which one of them is missing cannot
//! occur in the game.

use ign_format::columns::pawns;
use shakmaty::Bitboard;

use super::{Material, PositionFilter};

/// The least number of squares on which unmoved pawns exclude positions, for them to be read.
/// In most games most of these pawns have moved, and for few squares a replay of the first moves is
/// faster.
const MIN_EXCLUDING: usize = 3;

impl PositionFilter {
    /// Whether a game of chess with these unmoved pawns, among
    /// [`SQUARES`](pawns::SQUARES), may have a position that meets the conditions.
    pub(crate) fn allows_unmoved(&self, unmoved: Bitboard) -> bool {
        let flipped = self.flipped.as_ref();
        self.allows_as_written(unmoved)
            || flipped.is_some_and(|flipped| flipped.allows_as_written(unmoved))
    }

    fn allows_as_written(&self, unmoved: Bitboard) -> bool {
        let exact = [&self.position, &self.board].into_iter().flatten();
        exact.into_iter().all(|wanted| {
            if self.last_only {
                pawns::unmoved(wanted) == unmoved
            } else {
                (unmoved & !pawns::unmoved(wanted)).is_empty()
            }
        }) && self
            .material
            .as_ref()
            .is_none_or(|material| material.allows_unmoved(unmoved))
            && self
                .pattern
                .as_ref()
                .is_none_or(|pattern| pattern.allows_unmoved(unmoved))
    }

    /// Whether the unmoved pawns exclude enough games to be worth reading.
    pub(crate) fn is_decided_by_unmoved(&self) -> bool {
        let is_exact = self.position.is_some() || self.board.is_some();
        let limits_pawns = self.material.as_ref().is_some_and(Material::limits_pawns);
        if limits_pawns || self.last_only && is_exact {
            return true;
        }
        let excludes = |&square: &_| !self.allows_unmoved(Bitboard::from_square(square));
        pawns::SQUARES
            .iter()
            .filter(|square| excludes(square))
            .count()
            >= MIN_EXCLUDING
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::parse_position;
    use shakmaty::{Rank, Square};

    fn squares<const N: usize>(squares: [Square; N]) -> Bitboard {
        Bitboard::from_iter(squares)
    }

    #[test]
    fn positions_without_an_unmoved_pawn_are_excluded() {
        let endgame = parse_position("8/5pkp/6p1/8/8/1P4P1/P4PK1/8 w - -").unwrap();
        for filter in [
            PositionFilter {
                position: Some(endgame),
                ..PositionFilter::default()
            },
            PositionFilter {
                board: Some(endgame),
                ..PositionFilter::default()
            },
        ] {
            assert!(filter.is_decided_by_unmoved());
            assert!(filter.allows_unmoved(squares([])));
            assert!(filter.allows_unmoved(squares([Square::A2, Square::F7])));
            assert!(!filter.allows_unmoved(squares([Square::A2, Square::H2])));
            assert!(!filter.allows_unmoved(squares([Square::A7])));
            let last = PositionFilter {
                last_only: true,
                ..filter
            };
            let all = squares([Square::A2, Square::F2, Square::F7, Square::H7]);
            assert!(last.allows_unmoved(all));
            assert!(!last.allows_unmoved(squares([Square::A2, Square::F7])));
        }
    }

    #[test]
    fn early_positions_are_not_decided_by_unmoved_pawns() {
        let early = parse_position("rnbqkb1r/pp1ppppp/5n2/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -");
        let filter = PositionFilter {
            position: Some(early.unwrap()),
            ..PositionFilter::default()
        };
        assert!(!filter.is_decided_by_unmoved());
    }

    #[test]
    fn material_needs_as_many_pawns_of_either_side() {
        let of = |material: &str| PositionFilter {
            material: Some(material.parse().unwrap()),
            ..PositionFilter::default()
        };
        let (white, black) = (squares([Square::A2, Square::B2]), squares([Square::A7]));
        assert!(of("KRPPKRP").allows_unmoved(white | black));
        assert!(of("KRPKRPP").allows_unmoved(white | black));
        assert!(!of("KRP-KRPP").allows_unmoved(white | black));
        assert!(of("KRP-KRPP").allows_unmoved(black));
        assert!(!of("KQKR").allows_unmoved(black));
        assert!(of("P=2,p=1").allows_unmoved(white | black));
        assert!(!of("P=..1").allows_unmoved(white | black));
        assert!(!of("QPp=..2").allows_unmoved(white | black));
        assert!(of("Q=0,p=..1").allows_unmoved(white | black));
        assert!(of("p=..1").is_decided_by_unmoved() && !of("Q=0").is_decided_by_unmoved());
    }

    #[test]
    fn patterns_exclude_pawns_from_their_squares() {
        let of = |pattern: &str| PositionFilter {
            pattern: Some(pattern.parse().unwrap()),
            ..PositionFilter::default()
        };
        let pawns = squares([Square::A2, Square::H7]);
        assert!(of("Pa2,?h7,Kg1").allows_unmoved(pawns));
        assert!(!of("_a2").allows_unmoved(pawns));
        assert!(!of("Ph7").allows_unmoved(pawns));
        assert!(of("*/*p/*/*/*/*/*[PR]*/*").allows_unmoved(pawns));
        assert!(!of("*/*p_/*/*/*/*/*/*").allows_unmoved(pawns));
        assert!(!of("*/*/*/*/*/*/r*/*").allows_unmoved(pawns));
        assert!(of("[^Pp]a..h").allows_unmoved(pawns));
        assert!(!of("[^P]a..a").allows_unmoved(pawns));
        assert!(!of("[^Pp]a..h").allows_unmoved(Bitboard::from_rank(Rank::Second)));
        assert!(of("[^p]a..h").allows_unmoved(Bitboard::from_rank(Rank::Second)));
    }
}
