//! Features of squares, computed for all 64 at once, one byte per square. They are the keys of the
//! tables in [`index_lanes`](super::index_lanes).

use shakmaty::Role;

use super::{
    aligned::Aligned,
    features::PositionFeatures,
    index_lanes::{
        ATTACKED_BY_LAST_MOVER, ATTACKS_LAST_MOVER, EXCHANGE_KEYS, GOES_BACK, TAKES_LAST_MOVER,
    },
    kernels::{Bytes, Kernels},
};
use ign_notation::chess::bits::{FILE_A, FILE_H};

/// Piece types, rounded up to a power of two.
pub(super) const PIECES: usize = 8;

/// Features by square.
pub(super) struct SquareFeatures {
    /// The piece on the square: 1 pawn … 6 king, 0 for none.
    pub pieces: Bytes,
    /// All bits set where an enemy piece is.
    pub enemies: Bytes,
    /// Of the piece on the square: bit 0, its own side guards it and nothing less valuable attacks
    /// it; bit 1, the other side attacks it.
    pub safety: Bytes,
    /// The key of the square as an origin.
    pub origin: Bytes,
    /// The keys of the square as a destination: victim, attackers and guards; for pieces, for
    /// pawns.
    pub exchange: [Bytes; 2],
    /// The key of the square as a destination in relation to the last moves.
    pub relation: Bytes,
    /// By piece type: the targets that it would attack from the square.
    pub targets: [Bytes; PIECES],
    /// Eight times the distance to the enemy king, plus the distance to the own king.
    pub distance: Bytes,
    /// The keys of the square as a destination of pieces (0) and of pawns (rank and passed).
    pub pawn: [Bytes; 2],
}

const ZERO: Bytes = Aligned([0; 64]);

/// Computes a byte for each square.
#[inline(always)]
fn each(byte: impl Fn(usize) -> u8) -> Bytes {
    let mut bytes = [0; 64];
    for (i, into) in bytes.iter_mut().enumerate() {
        *into = byte(i);
    }
    Aligned(bytes)
}

impl SquareFeatures {
    /// The features of all squares of a position.
    #[inline(always)]
    pub fn of(features: &PositionFeatures, simd: impl Kernels) -> Self {
        let position = features.history.position();
        let of = |role| position.by_role(role).0;
        let (pawns, knights, bishops) = (of(Role::Pawn), of(Role::Knight), of(Role::Bishop));
        let (rooks, queens, kings) = (of(Role::Rook), of(Role::Queen), of(Role::King));
        // The bit planes of the piece numbers.
        let ones = simd.spread(pawns | bishops | queens);
        let twos = simd.spread(knights | bishops | kings);
        let fours = simd.spread(rooks | queens | kings);
        let [low, middle, high] = features.least_attacker;
        let (low, middle, high) = (simd.spread(low), simd.spread(middle), simd.spread(high));
        let [last, own, _] = features.history.last_moves();
        let square_of = |role: u8, square: u8| match role {
            0 => 0,
            _ => 1u64 << square,
        };

        let guarded = simd.spread(features.ours.any);
        let hanging = simd.spread(features.hanging.1);
        let attacked = simd.spread(features.last_mover_attacks);
        let same_piece = simd.spread(square_of(own.role, own.to));
        let origin = each(|i| {
            (same_piece.0[i] & 1)
                | (attacked.0[i] & 2)
                | (hanging.0[i] & 4)
                | (guarded.0[i] & 8)
                | (low.0[i] & 16)
                | (middle.0[i] & 32)
                | (high.0[i] & 64)
        });

        let enemies_at = position.them().0;
        let enemies = simd.spread(enemies_at);
        let twice = simd.spread(features.ours.twice);
        let exchange = each(|i| {
            (twice.0[i] & 1)
                + (low.0[i] & 2)
                + (middle.0[i] & 4)
                + (high.0[i] & 8)
                + (ones.0[i] & enemies.0[i] & 12)
                + (twos.0[i] & enemies.0[i] & 24)
                + (fours.0[i] & enemies.0[i] & 48)
        });
        let en_passant = simd.spread(position.en_passant().0);
        let pawn_keys = EXCHANGE_KEYS as u8;
        // A pawn captures if an enemy is on the square. Otherwise it advances straight; then it
        // does not attack the square itself, and one other guard is enough.
        let pawn_exchange = each(|i| {
            let advances = !enemies.0[i] & !en_passant.0[i];
            let guard = (guarded.0[i] & advances & 1) | (twice.0[i] & !advances & 1);
            (exchange.0[i] & !1 | guard) + (en_passant.0[i] & 12) + pawn_keys
        });

        let taken = simd.spread(square_of(last.role, last.to));
        let back = simd.spread(square_of(own.role, own.from));
        let relation = each(|i| {
            (taken.0[i] & enemies.0[i] & TAKES_LAST_MOVER)
                | (attacked.0[i] & ATTACKED_BY_LAST_MOVER)
                | (back.0[i] & GOES_BACK)
        });

        let [pawn_targets, knight, bishop, rook] = [
            features.targets_of(simd, 0),
            features.targets_of(simd, 1),
            features.targets_of(simd, 2),
            features.targets_of(simd, 3),
        ];
        let queen = each(|i| bishop.0[i] | rook.0[i]);
        let attacks_of_king = simd.spread(features.last_mover_attack_from[5]);
        let king = each(|i| attacks_of_king.0[i] & ATTACKS_LAST_MOVER);

        let (enemy_king, own_king) = (features.enemy_king_distance, features.own_king_distance);
        let distance = each(|i| 8 * enemy_king[i] + own_king[i]);
        let passed = simd.spread(features.passed());
        let pawn = &PAWN[usize::from(features.flip != 0)];
        let attacked =
            simd.spread((features.theirs.any & position.us().0) | (features.ours.any & enemies_at));
        let guarded = simd.spread(features.guarded());
        Self {
            safety: each(|i| (attacked.0[i] & 2) | (guarded.0[i] & 1)),
            enemies,
            pieces: each(|i| (ones.0[i] & 1) | (twos.0[i] & 2) | (fours.0[i] & 4)),
            origin,
            exchange: [exchange, pawn_exchange],
            relation,
            targets: [pawn_targets, knight, bishop, rook, queen, king, ZERO, ZERO],
            distance,
            pawn: [ZERO, each(|i| pawn.0[i] | (passed.0[i] & 4))],
        }
    }
}

/// By side to move: eight times the relative rank of each square.
static PAWN: [Bytes; 2] = {
    let mut table = [Aligned([0; 64]); 2];
    let mut square = 0;
    while square < 64 {
        let rank = square as u8 / 8;
        table[0].0[square] = 8 * rank;
        table[1].0[square] = 8 * (7 - rank);
        square += 1;
    }
    table
};

impl PositionFeatures<'_> {
    /// Pieces of both sides that their own side guards and no less valuable piece attacks.
    #[inline(always)]
    fn guarded(&self) -> u64 {
        let position = self.history.position();
        let mut guarded = 0;
        for (squares, guards, attacks) in [
            (position.us(), &self.ours, &self.theirs),
            (position.them(), &self.theirs, &self.ours),
        ] {
            for role in Role::ALL {
                let safe = position.by_role(role).0 & !attacks.by_less_valuable(role);
                guarded |= squares.0 & guards.any & safe;
            }
        }
        guarded
    }

    /// The targets that a piece would attack from each square.
    #[inline(always)]
    fn targets_of(&self, simd: impl Kernels, piece: usize) -> Bytes {
        let [king, queen, rook, minor, unguarded] = self.attack_from[piece];
        let (king, queen) = (simd.spread(king), simd.spread(queen));
        let (rook, minor) = (simd.spread(rook), simd.spread(minor));
        let unguarded = simd.spread(unguarded);
        let last = simd.spread(self.last_mover_attack_from[piece]);
        each(|i| {
            (king.0[i] & 1)
                | (queen.0[i] & 2)
                | (rook.0[i] & 4)
                | (minor.0[i] & 8)
                | (unguarded.0[i] & 16)
                | (last.0[i] & ATTACKS_LAST_MOVER)
        })
    }

    /// The squares where an own pawn would be passed.
    #[inline(always)]
    fn passed(&self) -> u64 {
        let pawns = self.enemy_pawns;
        // The squares in front of enemy pawns, on their files and the adjacent ones.
        let mut stopped = pawns | (pawns << 1 & !FILE_A) | (pawns >> 1 & !FILE_H);
        stopped >>= 8;
        stopped |= stopped >> 8;
        stopped |= stopped >> 16;
        stopped |= stopped >> 32;
        let passed = !stopped;
        if self.flip == 0 {
            passed
        } else {
            passed.swap_bytes()
        }
    }
}
