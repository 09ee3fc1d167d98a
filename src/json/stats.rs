//! The figures of `ign stats`, which `ign_archive::stats::Report::json` makes, for `docs/json.md`.

use super::page::Row;

/// Key, type and meaning of each figure. The name of a group in place of a type stands for an
/// object with its keys.
const FIGURES: &str = "
archive | string | The archive, or the text, that was measured.
games | integer | Games.
plies | integer | Plies that are coded as moves.
text_bytes | integer | Bytes of the text.
archive_bytes | integer | Bytes of the archive; of a text, of the archive that it would be.
bytes_per_game | number or null | Bytes of the archive for each game.
ratio | number or null | How many times smaller than the text the archive is.
blocks | integer | Blocks.
other_records | integer | Records of the text that are not games.
not_understood | map of integers | Games that are not, or only partly, understood: their number as `games`, then that for each reason.
columns | map of integers | Bytes of each column.
block_head_bytes | integer | Bytes of the heads of the blocks, without the streams in them.
signature_bytes | integer | Bytes of the signatures.
other_bytes | integer | Bytes of all other frames.
moves | object | The moves as they are stored.
moves.coding | string or null | The coding; several are joined by `and`.
moves.integer_bits | integer | Bits of the integers.
moves.prefix_bits | integer | Bits of their lengths.
moves.group_bits | integer | Bits of groups of weighted games.
moves.bits | integer | All bits.
moves.bits_with_signatures | integer | All bits with those of the signatures.
moves.bits_per_ply | number or null | `moves.bits` for each ply.
moves.integer_bits_per_ply | number or null | `moves.integer_bits` for each ply.
moves.bits_per_position | number or null | `moves.bits` for each position of a game.
moves.bits_per_game | SUMMARY | Bits of a game.
moves.integer_bits_per_game | SUMMARY | Bits of the integer of a game.
encodings | object | What the moves take in several encodings.
encodings.ign | COST | Integer Game Notation.
encodings.ign-end | COST | Integer Game Notation with end moves.
encodings.weighted | BITS | Weighted Integer Game Notation.
encodings.squares | BITSI | Two squares for each move.
encodings.whole_bits | BITSI | Each move in whole bits.
encodings.entropy | BITS | The logarithm of the number of legal moves.
likelihood | object | The probabilities that the move model gives to the moves.
likelihood.model_version | integer | The version of the model.
likelihood.model | string | Its identity: the number of its architecture, and a hash.
likelihood.all | PROB | All moves.
likelihood.phases | object | The moves by the phase of the game.
likelihood.phases.opening | PROB | The opening.
likelihood.phases.middle | PROB | The middlegame.
likelihood.phases.end | PROB | The endgame.
likelihood.by_plies | array of objects | The moves by ranges of plies.
likelihood.by_plies[] | PROB |
likelihood.by_plies[].from | integer | The first ply of the range.
likelihood.by_plies[].to | integer or null | The last ply of the range; null if it has no end.
likelihood.by_ply | array of numbers or null | Bits of a move by the number of plies before it.
likelihood.by_rank | array of integers | Moves that the model gives the first rank, the second, and so on.
likelihood.ends | integer | Ends of games.
likelihood.end_bits | number | Bits of the ends of games.
likelihood.bits_per_game | SUMMARY | Bits of a game.
likelihood.in_print_bits_per_ply | array of objects | Estimates in print.
likelihood.in_print_bits_per_ply[].who | string | Whose games.
likelihood.in_print_bits_per_ply[].from | number | The least bits of a ply.
likelihood.in_print_bits_per_ply[].to | number | The most bits of a ply.
game_plies | SUMMARY | Plies of a game.
legal_moves | SUMMARY | Legal moves of a position.
by_ply | array of objects | Positions by the number of plies before them.
by_ply[].positions | integer | Positions.
by_ply[].legal_moves | number or null | Legal moves of a position.
by_ply[].bits | number | The logarithm of their number.
signatures | object | How well signatures identify games.
signatures.games | integer | Games with a signature.
signatures.different | integer | Different signatures.
signatures.unique_a | integer | Games that the squares of A identify.
signatures.unique_b | integer | Games that the squares of B identify.
signatures.unique | integer | Games that the signature identifies.
signatures.complete | integer | Games with all six squares.
signatures.unique_complete | integer | Those of them that the signature identifies.
signatures.without | integer | Games without a signature.
signatures.largest | object or null | The signature that most games have.
signatures.largest.a | string | Its squares of plies 20, 40 and 60.
signatures.largest.b | string | Its squares of plies 31, 51 and 71.
signatures.largest.games | integer | Its games.
claimable | object | Games in which a draw could be claimed.
claimable.repetition | CLAIM | By threefold repetition.
claimable.fifty_moves | CLAIM | By the rule of fifty moves.
claims | array of objects | Claims of the documents with the measured values; empty for Go.
claims[].seed | string | The document.
claims[].subject | string | What is claimed.
claims[].claimed | string | The claimed value.
claims[].measured | number or null | The measured value.
claims[].unit | string | The unit.
claims[].games | integer or null | Games that were measured.
";

/// The keys of objects that occur several times, after the name of the group.
const GROUPS: &str = "
SUMMARY | min | integer or null | The least.
SUMMARY | median | integer or null | The median.
SUMMARY | mean | number or null | The mean.
SUMMARY | p99 | integer or null | 99 of 100 are at most this.
SUMMARY | max | integer or null | The greatest.
COST | integer_bits | integer | Bits of the integers.
COST | prefix_bits | integer | Bits of their lengths.
COST | bits | integer | All bits.
COST | bits_per_ply | number or null | All bits for each ply.
BITS | bits | number | All bits.
BITS | bits_per_ply | number or null | All bits for each ply.
BITSI | bits | integer | All bits.
BITSI | bits_per_ply | number or null | All bits for each ply.
PROB | moves | integer | Moves.
PROB | bits | number | Their bits.
PROB | bits_per_move | number or null | Bits of a move.
PROB | uniform_bits_per_move | number or null | Bits of a move if all legal moves were equally likely.
PROB | guessed_first | number or null | The share of moves that the model finds most likely.
CLAIM | games | integer | Games.
CLAIM | at_end | integer | Those in which it was possible in the last position.
CLAIM | at_end_drawn | integer | Those of them that were drawn.
";

fn cells<const N: usize>(table: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    let lines = table.lines().filter(|line| !line.is_empty());
    lines.map(|line| {
        let mut cells = line.split('|').map(str::trim);
        std::array::from_fn(|_| cells.next().unwrap_or_default())
    })
}

/// The rows of the table.
pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for [key, kind, meaning] in cells(FIGURES) {
        let group = cells::<4>(GROUPS).filter(|row| row[0] == kind);
        let inner: Vec<Row> = group
            .map(|[_, inner, kind, meaning]| {
                [
                    format!("{key}.{inner}"),
                    kind.to_owned(),
                    meaning.to_owned(),
                ]
            })
            .collect();
        let kind = if inner.is_empty() { kind } else { "object" };
        if !meaning.is_empty() {
            rows.push([key, kind, meaning].map(str::to_owned));
        }
        rows.extend(inner);
    }
    rows
}
