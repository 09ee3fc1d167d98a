//! The shape of the model: sizes of its layers, rows of the output table, and where the feature
//! tables begin. Scoring, training and the specification share these numbers (spec §8.5).
//!
//! Models may have fewer styles and opening buckets than these numbers allow. Their parameters are
//! converted to the layout described here when they are read ([`Shape`](super::parameters::Shape)).

/// Styles of play that the built-in model distinguishes: amateurs online, masters, engines.
pub const STYLES: u8 = 3;
/// Styles that a model may have at most (spec §8.5.1).
pub const MAX_STYLES: u8 = 16;

/// Activations of the network: products of two hidden units each.
pub const ACTIVATIONS: usize = 128;
/// Hidden units: sums of the embeddings of the inputs.
pub const HIDDEN_UNITS: usize = 2 * ACTIVATIONS;

/// Where consecutive parts of these sizes begin when the first begins at `from`, and where the
/// last ends.
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

/// Rows of the output table that identify a choice: one for each way a piece can move on an empty
/// board, for each promotion, for castling to each side, and for the end of the game.
pub const OWN_ROWS: usize = END_ROW + 1;
/// The first row of promotions. The rows before it are the moves of pawns, knights, bishops,
/// rooks, queens and kings on an empty board.
pub(super) const PROMOTION_ROWS: usize = 118 + 336 + 560 + 896 + 1456 + 420;
pub(super) const CASTLING_ROWS: usize = PROMOTION_ROWS + 8 * 3 * 4;
pub(super) const END_ROW: usize = CASTLING_ROWS + 2;

/// Contexts of a move. Each is a categorical feature with one row of the output table per value.
pub const CONTEXTS: usize = 4;
/// The first row of each context.
pub(super) const CONTEXT_ROW: [usize; CONTEXTS + 1] = offsets(
    OWN_ROWS,
    [6 * 6 * 6 * 2, 6 * 4 * 6 * 2 * 2, 6 * 16 * 2 * 2, 6 * 16 * 4],
);
/// Rows of the output table.
pub const OUTPUT_ROWS: usize = CONTEXT_ROW[CONTEXTS];

/// Feature tables of moves: a move has one entry in each. The specification calls these features
/// traits.
pub const MOVE_TABLES: usize = 14;
/// Feature tables of the end of the game; they follow those of moves.
pub const END_TABLES: usize = 4;

/// The first entry of each feature table of moves.
pub(super) const MOVE_TABLE: [usize; MOVE_TABLES + 1] = offsets(
    0,
    [
        6 * 6 * 6 * 2 * 6 * 2 * 2,
        (LANDINGS + 1) * LANDINGS,
        6 * 4 * 2 * 2 * 2,
        7 * 2 * 16 * 6 * 2,
        (LANDINGS + 1) * LANDINGS,
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
/// The table of replies: pairs of the opponent's last move and a move.
pub(super) const REPLY_TABLE: usize = 1;
/// The table of continuations: pairs of the player's own last move and a move.
pub(super) const CONTINUATION_TABLE: usize = 4;
/// The hashed table of opening moves.
pub(super) const OPENING_TABLE: usize = 9;
/// The first entry of each feature table of the end.
pub(super) const END_TABLE: [usize; END_TABLES + 1] = offsets(
    MOVE_TABLE[MOVE_TABLES],
    [25 * 3 * 2, 64 * MAX_STYLES as usize, 2 * 5 * 3, 33 * 2],
);
/// Entries of all feature tables.
pub const TABLE_ENTRIES: usize = END_TABLE[END_TABLES];

/// Pairs of a role and a destination square.
pub(super) const LANDINGS: usize = 6 * 64;
/// The number that stands for no previous move.
pub(super) const NO_LANDING: usize = LANDINGS;
/// Binary logarithm of the hash buckets of the table of opening moves; a model may have fewer (spec
/// §8.5.1).
pub const OPENING_BITS: u8 = 17;
/// Hash buckets of the table of opening moves.
pub(super) const OPENINGS: usize = 1 << OPENING_BITS;

/// The first entries of the tables of pairs of moves: replies, continuations.
pub const PAIR_TABLES: [usize; 2] = [MOVE_TABLE[REPLY_TABLE], MOVE_TABLE[CONTINUATION_TABLE]];

/// Whether an entry belongs to a table with many values that each occur rarely: pairs of moves and
/// opening moves.
pub fn is_sparse(entry: usize) -> bool {
    [REPLY_TABLE, CONTINUATION_TABLE, OPENING_TABLE]
        .iter()
        .any(|&table| (MOVE_TABLE[table]..MOVE_TABLE[table + 1]).contains(&entry))
}
