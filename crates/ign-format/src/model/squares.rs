//! What the model sees of squares, worked out for all 64 at once: keys of the tables of
//! [`lanes`](super::lanes).

use shakmaty::Role;

use super::{
    features::PositionFeatures,
    lanes::{AIMS_LAST, EXCHANGES, GOES_BACK, LAST_ATTACKS, TAKES_LAST},
    parameters::Aligned,
    vectors::{Bytes, Vectors},
};
use ign_notation::chess::bits::{FILE_A, FILE_H};

/// Pieces, rounded up to a power of two.
pub(super) const PIECES: usize = 8;

/// Keys of squares.
pub(super) struct Squares {
    /// The pieces: 1 pawn … 6 king, 0 for none.
    pub board: Bytes,
    /// The enemy's.
    pub enemies: Bytes,
    /// Of a piece: whether its own side guards it against anything cheaper, and twice whether the
    /// other side attacks it.
    pub state: Bytes,
    /// What moves come from.
    pub origin: Bytes,
    /// What they find where they go, those of pieces and those of pawns.
    pub exchange: [Bytes; 2],
    /// What they do there about the moves before.
    pub relation: Bytes,
    /// What pieces aim at from there, by piece.
    pub aims: [Bytes; PIECES],
    /// Eight times the distance to the enemy's king, and the distance to the own one.
    pub distance: Bytes,
    /// Of pieces that go there, nothing, and of pawns, but for what attacks and guards them.
    pub pawn: [Bytes; 2],
}

const NOTHING: Bytes = Aligned([0; 64]);

/// A byte for each square, of the bytes of others.
#[inline(always)]
fn each(byte: impl Fn(usize) -> u8) -> Bytes {
    let mut bytes = [0; 64];
    for (i, into) in bytes.iter_mut().enumerate() {
        *into = byte(i);
    }
    Aligned(bytes)
}

impl Squares {
    #[inline(always)]
    pub fn of(features: &PositionFeatures, vectors: impl Vectors) -> Self {
        let position = features.line.position();
        let of = |role| position.by_role(role).0;
        let (pawns, knights, bishops) = (of(Role::Pawn), of(Role::Knight), of(Role::Bishop));
        let (rooks, queens, kings) = (of(Role::Rook), of(Role::Queen), of(Role::King));
        // The bits of their numbers.
        let ones = vectors.spread(pawns | bishops | queens);
        let twos = vectors.spread(knights | bishops | kings);
        let fours = vectors.spread(rooks | queens | kings);
        let [low, middle, high] = features.cheapest;
        let (low, middle, high) = (
            vectors.spread(low),
            vectors.spread(middle),
            vectors.spread(high),
        );
        let [last, own, _] = features.line.steps();
        let square_of = |role: u8, square: u8| match role {
            0 => 0,
            _ => 1u64 << square,
        };

        let guarded = vectors.spread(features.ours.any);
        let saves = vectors.spread(features.hanging.1);
        let attacked = vectors.spread(features.last_attacks);
        let same = vectors.spread(square_of(own.role, own.to));
        let origin = each(|i| {
            (same.0[i] & 1)
                | (attacked.0[i] & 2)
                | (saves.0[i] & 4)
                | (guarded.0[i] & 8)
                | (low.0[i] & 16)
                | (middle.0[i] & 32)
                | (high.0[i] & 64)
        });

        let enemies_at = position.them().0;
        let enemies = vectors.spread(enemies_at);
        let twice = vectors.spread(features.ours.twice);
        let exchange = each(|i| {
            (twice.0[i] & 1)
                + (low.0[i] & 2)
                + (middle.0[i] & 4)
                + (high.0[i] & 8)
                + (ones.0[i] & enemies.0[i] & 12)
                + (twos.0[i] & enemies.0[i] & 24)
                + (fours.0[i] & enemies.0[i] & 48)
        });
        let en_passant = vectors.spread(position.en_passant().0);
        let pawns_begin = EXCHANGES as u8;
        // Pawns take where an enemy stands; elsewhere they go straight on, and guard nothing.
        let pawn_exchange = each(|i| {
            let steps = !enemies.0[i] & !en_passant.0[i];
            let guard = (guarded.0[i] & steps & 1) | (twice.0[i] & !steps & 1);
            (exchange.0[i] & !1 | guard) + (en_passant.0[i] & 12) + pawns_begin
        });

        let taken = vectors.spread(square_of(last.role, last.to));
        let back = vectors.spread(square_of(own.role, own.from));
        let relation = each(|i| {
            (taken.0[i] & enemies.0[i] & TAKES_LAST)
                | (attacked.0[i] & LAST_ATTACKS)
                | (back.0[i] & GOES_BACK)
        });

        let [pawn_aims, knight, bishop, rook] = [
            features.aims_of(vectors, 0),
            features.aims_of(vectors, 1),
            features.aims_of(vectors, 2),
            features.aims_of(vectors, 3),
        ];
        let queen = each(|i| bishop.0[i] | rook.0[i]);
        let king = vectors.spread(features.aims_last[5]);
        let king = each(|i| king.0[i] & AIMS_LAST);

        let (enemy_king, own_king) = (features.enemy_king, features.own_king);
        let distance = each(|i| 8 * enemy_king[i] + own_king[i]);
        let passed = vectors.spread(features.passed());
        let pawn = &PAWN[usize::from(features.turn != 0)];
        let attacked = (features.theirs.any & position.us().0) | (features.ours.any & enemies_at);
        let attacked = vectors.spread(attacked);
        let guarded = vectors.spread(features.guarded());
        Self {
            state: each(|i| (attacked.0[i] & 2) | (guarded.0[i] & 1)),
            enemies,
            board: each(|i| (ones.0[i] & 1) | (twos.0[i] & 2) | (fours.0[i] & 4)),
            origin,
            exchange: [exchange, pawn_exchange],
            relation,
            aims: [
                pawn_aims, knight, bishop, rook, queen, king, NOTHING, NOTHING,
            ],
            distance,
            pawn: [NOTHING, each(|i| pawn.0[i] | (passed.0[i] & 4))],
        }
    }
}

/// By side: eight times the rank of each square, as the side sees it.
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
    /// Pieces of both sides that their own side guards, and nothing cheaper attacks.
    #[inline(always)]
    fn guarded(&self) -> u64 {
        let position = self.line.position();
        let mut guarded = 0;
        for (squares, guards, attacks) in [
            (position.us(), &self.ours, &self.theirs),
            (position.them(), &self.theirs, &self.ours),
        ] {
            for role in Role::ALL {
                let safe = position.by_role(role).0 & !attacks.by_cheaper(role);
                guarded |= squares.0 & guards.any & safe;
            }
        }
        guarded
    }

    /// What a piece would aim at from each square.
    #[inline(always)]
    fn aims_of(&self, vectors: impl Vectors, piece: usize) -> Bytes {
        let [king, queen, rook, minor, free] = self.aims[piece];
        let (king, queen) = (vectors.spread(king), vectors.spread(queen));
        let (rook, minor) = (vectors.spread(rook), vectors.spread(minor));
        let free = vectors.spread(free);
        let last = vectors.spread(self.aims_last[piece]);
        each(|i| {
            (king.0[i] & 1)
                | (queen.0[i] & 2)
                | (rook.0[i] & 4)
                | (minor.0[i] & 8)
                | (free.0[i] & 16)
                | (last.0[i] & AIMS_LAST)
        })
    }

    /// Where no enemy pawn would stand in the way of a pawn of ours.
    #[inline(always)]
    fn passed(&self) -> u64 {
        let pawns = self.enemy_pawns;
        let mut guarded = pawns | (pawns << 1 & !FILE_A) | (pawns >> 1 & !FILE_H);
        guarded >>= 8;
        guarded |= guarded >> 8;
        guarded |= guarded >> 16;
        guarded |= guarded >> 32;
        let passed = !guarded;
        if self.turn == 0 {
            passed
        } else {
            passed.swap_bytes()
        }
    }
}
