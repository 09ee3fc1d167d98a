//! Where the model's tables and rows begin: numbers shared by scoring, training and the spec.

use super::STYLES;

/// Where parts of these sizes begin when the first begins at `from`, and where the last ends.
const fn offsets<const PARTS: usize, const ENDS: usize>(
    from: usize,
    sizes: [usize; PARTS],
) -> [usize; ENDS] {
    assert!(ENDS == PARTS + 1);
    let mut offsets = [from; ENDS];
    let mut part = 0;
    while part < PARTS {
        offsets[part + 1] = offsets[part] + sizes[part];
        part += 1;
    }
    offsets
}

/// Rows of the network's last layer that are choices' own: one for each way a piece can move,
/// promotions, castling, and the end.
pub const ROWS: usize = END_ROW + 1;
/// Ways to move of pawns, knights, bishops, rooks, queens and kings on an empty board.
pub(super) const PROMOTION_ROWS: usize = 118 + 336 + 560 + 896 + 1456 + 420;
pub(super) const CASTLING_ROWS: usize = PROMOTION_ROWS + 8 * 3 * 4;
pub(super) const END_ROW: usize = CASTLING_ROWS + 2;

/// Contexts of a choice: like its own row, each has weights in the network's last layer.
pub const CONTEXTS: usize = 4;
pub(super) const CONTEXT: [usize; CONTEXTS + 1] = offsets(
    ROWS,
    [6 * 6 * 6 * 2, 6 * 4 * 6 * 2 * 2, 6 * 16 * 2 * 2, 6 * 16 * 4],
);
/// Rows of the last layer, those of contexts included.
pub const ALL_ROWS: usize = CONTEXT[CONTEXTS];

/// Traits of a move.
pub const TRAITS: usize = 14;
/// Traits of the end, behind those of moves.
pub const END_TRAITS: usize = 4;

/// Where the tables of traits begin.
pub(super) const TRAIT: [usize; TRAITS + 1] = offsets(
    0,
    [
        6 * 6 * 6 * 2 * 6 * 2 * 2,
        LANDINGS * LANDINGS_OF_ONE,
        6 * 4 * 2 * 2 * 2,
        7 * 2 * 16 * 6 * 2,
        LANDINGS * LANDINGS_OF_ONE,
        6 * 2 * 2 * 2 * 2 * 3,
        6 * 8 * 8 * 3,
        6 * 8 * 8 * 3,
        1 + 8 * 2 * 3 * 2 * 2,
        1 + OPENINGS,
        7 * 6 * 2,
        6 * 16 * 2 * 2,
        3 * 6 * 6 * 5,
        5 * 2 * 6 * 2 * 6,
    ],
);
pub(super) const END: [usize; END_TRAITS + 1] = offsets(
    TRAIT[TRAITS],
    [25 * 3 * 2, 64 * STYLES as usize, 2 * 5 * 3, 33 * 2],
);
/// Entries of the tables of all traits.
pub const TRAIT_COUNT: usize = END[END_TRAITS];

/// Roles and squares where a move may have landed, and none.
pub(super) const LANDINGS: usize = NOWHERE + 1;
pub(super) const NOWHERE: usize = LANDINGS_OF_ONE;
/// Roles and squares where a move may land.
pub(super) const LANDINGS_OF_ONE: usize = 6 * 64;
/// Entries of the table of openings.
pub(super) const OPENINGS: usize = 1 << 17;

/// Where the table of a trait begins.
pub fn trait_start(number: usize) -> usize {
    TRAIT[number]
}

/// Which tables are of pairs of moves or of openings: many values, each seen seldom.
pub fn is_sparse(entry: usize) -> bool {
    [TRAIT[1]..TRAIT[2], TRAIT[4]..TRAIT[5], TRAIT[9]..TRAIT[10]]
        .iter()
        .any(|table| table.contains(&entry))
}
