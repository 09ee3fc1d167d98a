//! Ordinals without lists: how many legal moves there are, which number one carries, which move
//! carries a number.
//!
//! The canonical order goes by origin square (a1, b1, … h8), then destination square in the same
//! order, then promotion to bishop, knight, queen, rook. The order is that of the squares, so a
//! move's ordinal is the number of moves from lower squares plus the number of lower
//! destinations of its own piece: both are counts over bitboards, and no list is ever built or
//! sorted.
//!
//! [`Legal::new`] works out once what legality depends on: checks, pins, squares the king may go
//! to, the pawns' moves. Counting visits no piece: the eight directions are worked out at once for
//! all squares (`chess::rays`), as planes of bits that tell how many moves start where.
//! [`Legal::ordinal_and_count`] adds up the bits before the move, [`Legal::numbering`] keeps the
//! counts by rank and the planes, from which the move of any number is a search of one rank. SAN
//! asks for no counts at all.
//!
//! Invariant: the moves numbered are exactly the legal ones, `nth` and `ordinal_and_count`
//! invert each other, and `nth` ascends in the order of [`Move`].

use std::hint::select_unpredictable;

use shakmaty::{Bitboard, CastlingSide, Color, Role, Square, attacks};

use super::{
    lines,
    moves::Move,
    pawns::{self, PROMOTIONS, PawnMoves, bits_by_byte},
    position::Position,
    rays,
    vectors::{self, EVERY_BYTE, Planes, Portable, Rays, Words, Work},
};

/// The legal moves of one position.
#[derive(Clone, Debug)]
pub struct Legal {
    position: Position,
    movers: Movers,
    king: Square,
    /// Enemy pieces giving check.
    checkers: Bitboard,
    /// Where a piece other than the king may go: not onto its own side, and in check only where
    /// it ends the check.
    targets: Bitboard,
    /// Own pieces that shield their king from an enemy piece; they stay on its line.
    pinned: Bitboard,
    /// Where the king may step.
    king_steps: Bitboard,
    /// Canonical destinations of the legal castlings.
    castlings: Bitboard,
    pawns: PawnMoves,
}

/// Own pieces by the way they move, and what they move between. They stand in the position too, but
/// reading them there would wait for the copy of it.
#[derive(Clone, Copy, Debug)]
struct Movers {
    occupied: Bitboard,
    /// Those that move along ranks and files, along diagonals, and by leaps.
    straight: Bitboard,
    diagonal: Bitboard,
    knights: Bitboard,
}

/// The legal moves of a position counted by origin, so that the move of a number is found.
#[derive(Clone, Debug)]
pub struct Numbering<'a> {
    legal: &'a Legal,
    /// Moves by direction and origin, the king's left out.
    planes: Planes<Rays>,
    /// Moves from each rank, a byte each, if all moves together are no more than a byte holds;
    /// only positions that no game reaches have more.
    by_rank: u64,
    count: u32,
}

impl Legal {
    /// Works out the legal moves of a position.
    #[inline]
    pub fn new(position: &Position) -> Legal {
        struct New<'a>(&'a Position);
        impl Work for New<'_> {
            type Output = Legal;
            #[inline(always)]
            fn on(self, vectors: impl Words) -> Legal {
                Legal::with(vectors, self.0)
            }
        }
        vectors::here(New(position))
    }

    /// [`new`](Legal::new) as part of its caller, for what the caller is compiled for.
    #[inline(always)]
    pub fn with(vectors: impl Words, position: &Position) -> Legal {
        let (us, them, occupied) = (position.us(), position.them(), position.occupied());
        let king = position.king(position.turn());
        let queens = position.by_role(Role::Queen);
        let diagonal = position.by_role(Role::Bishop) | queens;
        let straight = position.by_role(Role::Rook) | queens;
        let enemies = rays::sliders(vectors, them & straight, them & diagonal);

        // Seen from the king: an enemy slider that its line ends at gives check, and what it ends
        // at is pinned if such a slider is next behind.
        let on_king = vectors.all(Bitboard::from_square(king).0);
        let seen = rays::slide(vectors, on_king, occupied.0);
        let pins = rays::screens(vectors, seen, us, enemies, occupied.0);
        let checking = vectors.and(seen, enemies);
        // Most positions have neither. Told by a branch, that is predicted; else all that follows
        // would wait until it is worked out.
        let mut pinned = Bitboard::EMPTY;
        if vectors.has_any(pins) {
            pinned = Bitboard(vectors.any(pins));
        }
        let mut checkers = them
            & ((attacks::knight_attacks(king) & position.by_role(Role::Knight))
                | (attacks::pawn_attacks(position.turn(), king) & position.by_role(Role::Pawn)));
        let mut ends_check = Bitboard::FULL;
        if checkers.any() || vectors.has_any(checking) {
            let lines = Bitboard(vectors.any(vectors.and_where_any(seen, checking)));
            checkers |= lines & them;
            ends_check = match checkers.more_than_one() {
                true => Bitboard::EMPTY,
                false => checkers | lines,
            };
        }
        let targets = ends_check & !us;

        let without_king = occupied ^ Bitboard::from_square(king);
        let by_sliders = rays::slide(vectors, enemies, without_king.0);
        let by_knights = rays::leap(vectors, (them & position.by_role(Role::Knight)).0);
        let enemy = !position.turn();
        let [east, west] = pawns::attacked(enemy, them & position.by_role(Role::Pawn));
        let attacked = Bitboard(vectors.any(vectors.or(by_sliders, by_knights)))
            | east
            | west
            | attacks::king_attacks(position.king(enemy));
        let king_steps = attacks::king_attacks(king) & !us & !attacked;

        let mut castlings = Bitboard::EMPTY;
        if checkers.is_empty() {
            // What stands between is in the way of one of the two, wherever they go.
            let mut rooks = position.castling_rooks() & us;
            for rook in rooks {
                let between = attacks::between(king, rook) & occupied;
                let rook = Bitboard::from_square(rook);
                rooks ^= select_unpredictable(between.any(), rook, Bitboard::EMPTY);
            }
            if rooks.any() {
                castlings = self::castlings(position, king, rooks, attacked);
            }
        }
        let pawns = PawnMoves::new(position, king, pinned, ends_check);
        // The position is copied only now: right after a move was played the processor would
        // wait for the stores of that.
        Legal {
            position: *position,
            movers: Movers {
                occupied,
                straight: us & straight,
                diagonal: us & diagonal,
                knights: us & position.by_role(Role::Knight),
            },
            king,
            checkers,
            targets,
            pinned,
            king_steps,
            castlings,
            pawns,
        }
    }

    /// The position these are the moves of.
    #[inline]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Whether the side to move is in check.
    #[inline]
    pub const fn is_check(&self) -> bool {
        self.checkers.any()
    }

    /// The enemy pieces that give check.
    #[inline]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// The square behind the pawn that may be taken in passing, if it legally may.
    pub fn passing(&self) -> Option<Square> {
        let skipped = self.position.en_passant().first()?;
        let pawns = self.position.us() & self.position.by_role(Role::Pawn);
        let takes = |pawn| self.destinations(pawn).contains(skipped);
        pawns.into_iter().any(takes).then_some(skipped)
    }

    /// The sign that the move before demands: `+` for check, `#` for checkmate.
    #[inline]
    pub fn sign(&self) -> Option<u8> {
        match self.is_check() {
            false => None,
            true => self.sign_of(self.count()),
        }
    }

    /// The same where the number of legal moves is known.
    #[inline]
    pub fn sign_of(&self, count: u32) -> Option<u8> {
        let sign = if count == 0 { b'#' } else { b'+' };
        self.is_check().then_some(sign)
    }

    /// The number of legal moves; zero in checkmate and stalemate. They are counted anew each
    /// time.
    #[inline]
    pub fn count(&self) -> u32 {
        self.numbering().count()
    }

    /// The zero-based ordinal of a legal move, and the number of legal moves. The ordinal of an
    /// illegal move means nothing.
    #[inline]
    pub fn ordinal_and_count(&self, m: Move) -> (u32, u32) {
        struct Of<'a>(&'a Legal, Move);
        impl Work for Of<'_> {
            type Output = (u32, u32);
            #[inline(always)]
            fn on(self, vectors: impl Words) -> (u32, u32) {
                self.0.ordinal_and_count_with(vectors, self.1)
            }
        }
        vectors::here(Of(self, m))
    }

    #[inline(always)]
    fn ordinal_and_count_with(&self, vectors: impl Words, m: Move) -> (u32, u32) {
        let (from, to) = (m.from(), m.to());
        let below = |square: Square| Bitboard((1 << square.to_u32()) - 1);
        let [ones, twos, fours] = self.planes(vectors);
        let lower = vectors.all(below(from).0);
        let lower = [
            vectors.and(ones, lower),
            vectors.and(twos, lower),
            vectors.and(fours, lower),
        ];
        let by_king = self.king_moves().count() as u32;
        let count = vectors.total(vectors.by_rank([ones, twos, fours])) + by_king;
        let before = vectors.total(vectors.by_rank(lower));
        let before = before + select_unpredictable(self.king < from, by_king, 0);
        let within = (self.destinations_of_own(from) & below(to)).count() as u32;
        let within = match m.promotion_field() {
            0 => within,
            promotion => within * PROMOTIONS + promotion - 1,
        };
        (before + within, count)
    }

    /// How many moves every piece but the king has, by direction and origin.
    #[inline(always)]
    fn planes<V: Words>(&self, vectors: V) -> Planes<V::Rays> {
        let movers = self.movers;
        // What is pinned goes along the line it shares with its king.
        let free = vectors.all(!self.pinned.0);
        let along = vectors.or(free, vectors.rays(*rays::through(self.king)));
        let sliders = vectors.and(
            rays::sliders(vectors, movers.straight, movers.diagonal),
            along,
        );
        let check = self.is_check();
        let [ones, twos, fours] = rays::ways(vectors, !movers.occupied.0, self.targets.0, check);
        let knights = vectors.and(free, vectors.all(movers.knights.0));
        let by_knights = vectors.and(rays::leap_back(vectors, self.targets.0), knights);
        // No square has two pieces, so planes of different pieces need no adding.
        let ones = vectors.or(vectors.and(ones, sliders), by_knights);
        let fours = vectors.and(fours, sliders);
        let by_pawns = vectors.rays(self.pawns.by_direction());
        let twos = vectors.and(twos, sliders);
        let promoting = self.pawns.promoting;
        if promoting.is_empty() {
            return [vectors.or(ones, by_pawns), twos, fours];
        }
        // A promotion stands for four moves.
        let once = vectors.and(by_pawns, vectors.all(!promoting.0));
        let each = vectors.and(by_pawns, vectors.all(promoting.0));
        [vectors.or(ones, once), twos, vectors.or(fours, each)]
    }

    /// Counts the moves by origin, to find moves by number.
    #[inline]
    pub fn numbering(&self) -> Numbering<'_> {
        struct Of<'a>(&'a Legal);
        impl<'a> Work for Of<'a> {
            type Output = Numbering<'a>;
            #[inline(always)]
            fn on(self, vectors: impl Words) -> Numbering<'a> {
                self.0.numbering_with(vectors)
            }
        }
        vectors::here(Of(self))
    }

    /// [`numbering`](Legal::numbering) as part of its caller.
    #[inline(always)]
    pub(super) fn numbering_with(&self, vectors: impl Words) -> Numbering<'_> {
        let [ones, twos, fours] = self.planes(vectors);
        let by_rank = vectors.by_rank([ones, twos, fours]);
        let by_king = self.king_moves().count() as u32;
        let of_king = u64::from(by_king) << (self.king.to_u32() & 56);
        Numbering {
            legal: self,
            planes: [
                vectors.words(ones),
                vectors.words(twos),
                vectors.words(fours),
            ],
            by_rank: vectors.merged(by_rank).wrapping_add(of_king),
            count: vectors.total(by_rank) + by_king,
        }
    }

    /// The legal move with the zero-based ordinal `k`. Whoever asks for the count too, or for
    /// several moves, is quicker by a [`numbering`](Legal::numbering).
    ///
    /// # Panics
    /// When `k` is not below [`count`](Legal::count).
    #[inline]
    pub fn nth(&self, k: u32) -> Move {
        self.numbering().nth(k)
    }

    /// Visits the legal moves in canonical order.
    #[inline]
    pub fn each_move(&self, mut visit: impl FnMut(Move)) {
        self.each_origin(|from, destinations, promotes| {
            let promotions = if promotes { 1..PROMOTIONS + 1 } else { 0..1 };
            for to in destinations {
                for promotion in promotions.clone() {
                    visit(Move::promoting(from, to, promotion));
                }
            }
        });
    }

    /// Replaces the content of `moves` by the legal moves, in canonical order; gives the squares
    /// that they come from.
    ///
    /// Moves are written eight at a time, what is too much to be overwritten by the next piece's:
    /// how many a piece has cannot be guessed.
    #[inline(always)]
    pub fn list(&self, moves: &mut Vec<Move>) -> Bitboard {
        moves.clear();
        if self.pawns.promoting.any() {
            let mut origins = Bitboard::EMPTY;
            self.each_move(|played| {
                origins |= Bitboard::from_square(played.from());
                moves.push(played);
            });
            return origins;
        }
        let mut reach = [0u64; 64];
        reach[self.king.to_usize()] = self.king_moves().0;
        self.each_piece(|origin, destinations| reach[origin.to_usize()] = destinations.0);
        for origin in self.position.by_role(Role::Pawn) & self.position.us() {
            reach[origin.to_usize()] = self.pawns.destinations(origin).0;
        }
        let mut origins = 0;
        for origin in self.position.us() {
            origins |= u64::from(reach[origin.to_usize()] != 0) << origin.to_u32();
        }
        let mut count = 0;
        for origin in Bitboard(origins) {
            let mut left = reach[origin.to_usize()];
            let more = left.count_ones() as usize;
            if moves.len() < count + 32 {
                moves.resize(count + 128, Move::promoting(origin, origin, 0));
            }
            for eight in moves[count..].as_chunks_mut::<8>().0 {
                for played in eight {
                    // Behind the last there is no square; what stands for it is overwritten.
                    let square = Square::new(left.trailing_zeros() & 63);
                    *played = Move::promoting(origin, square, 0);
                    left &= left.wrapping_sub(1);
                }
                if left == 0 {
                    break;
                }
            }
            count += more;
        }
        moves.truncate(count);
        Bitboard(origins)
    }

    /// Whether castling, a promotion or the taking of a pawn in passing may be among the moves.
    #[inline]
    pub fn has_special(&self) -> bool {
        (self.castlings | self.pawns.promoting | self.position.en_passant()).any()
    }

    /// Visits the squares of the pieces that can move, in order, with the canonical destinations
    /// of each and whether it promotes there.
    #[inline(always)]
    pub fn each_origin(&self, mut visit: impl FnMut(Square, Bitboard, bool)) {
        let mut reach = [0u64; 64];
        reach[self.king.to_usize()] = self.king_moves().0;
        self.each_piece(|origin, destinations| reach[origin.to_usize()] = destinations.0);
        let pawns = self.position.by_role(Role::Pawn);
        for from in self.position.us() {
            let (destinations, promotes) = if pawns.contains(from) {
                let promotes = self.pawns.promoting.contains(from);
                (self.pawns.destinations(from), promotes)
            } else {
                (Bitboard(reach[from.to_usize()]), false)
            };
            if destinations.any() {
                visit(from, destinations, promotes);
            }
        }
    }

    /// Where the king may go, castling included.
    #[inline]
    fn king_moves(&self) -> Bitboard {
        self.king_steps | self.castlings
    }

    /// Whether a move is legal.
    pub fn contains(&self, m: Move) -> bool {
        self.position.us().contains(m.from())
            && self.destinations(m.from()).contains(m.to())
            && self.pawns.promoting.contains(m.from()) == m.promotion().is_some()
            && m.promotion_field() <= PROMOTIONS
    }

    /// The canonical destinations of the legal moves from one square; none when the square does
    /// not hold a piece of the side to move.
    #[inline]
    pub fn destinations(&self, origin: Square) -> Bitboard {
        if !self.position.us().contains(origin) {
            return Bitboard::EMPTY;
        }
        self.destinations_of_own(origin)
    }

    /// The same of a square that does hold one.
    #[inline(always)]
    fn destinations_of_own(&self, origin: Square) -> Bitboard {
        // Which role it is cannot be predicted, so we look up every way of moving and keep what
        // the piece has of it: all of one, of both for a queen, of none for a pawn.
        let movers = self.movers;
        let if_in = |set: Bitboard, reach: Bitboard| {
            // A mask: all bits, or none. A branch would be a guess.
            let mask = 0u64.wrapping_sub(set.0 >> origin.to_u32() & 1);
            Bitboard(reach.0 & mask)
        };
        let mut reach = if_in(movers.diagonal, lines::bishop(origin, movers.occupied))
            | if_in(movers.straight, lines::rook(origin, movers.occupied))
            | if_in(movers.knights, attacks::knight_attacks(origin));
        if self.pinned.contains(origin) {
            reach &= attacks::ray(self.king, origin);
        }
        (reach & self.targets)
            | if_in(Bitboard::from_square(self.king), self.king_moves())
            | self.pawns.destinations(origin)
    }

    /// The origins from which a knight, bishop, rook or queen can go to `to`; none of a pawn or king.
    #[inline]
    pub(super) fn origins(&self, role: Role, to: Square) -> Bitboard {
        if !self.targets.contains(to) {
            return Bitboard::EMPTY;
        }
        // Which role it is cannot be predicted: all who could go there, then those of the role.
        let movers = self.movers;
        let origins = (attacks::knight_attacks(to) & movers.knights)
            | (lines::bishop(to, movers.occupied) & movers.diagonal)
            | (lines::rook(to, movers.occupied) & movers.straight);
        let origins = origins & self.position.by_role(role);
        if (origins & self.pinned).is_empty() {
            return origins;
        }
        origins & (!self.pinned | attacks::ray(self.king, to))
    }

    /// The king's square and where it may step, castling left out.
    #[inline]
    pub(super) fn king_steps(&self) -> (Square, Bitboard) {
        (self.king, self.king_steps)
    }

    /// The castling move to one side.
    #[inline]
    pub(super) fn castling(&self, side: CastlingSide) -> Option<Move> {
        let higher = Bitboard(!0 << self.king.to_u32());
        let to = match side {
            CastlingSide::KingSide => self.castlings & higher,
            CastlingSide::QueenSide => self.castlings & !higher,
        };
        to.first().map(|to| Move::new(self.king, to, None))
    }

    /// The pawns' moves.
    #[inline]
    pub(super) fn pawns(&self) -> &PawnMoves {
        &self.pawns
    }

    /// Visits the own knights, bishops, rooks and queens with the destinations of their legal
    /// moves.
    ///
    /// One loop a role, and none over the board: the loops' lengths hardly change from move to
    /// move, while the order of pieces on the board would be a surprise every time.
    #[inline(always)]
    fn each_piece(&self, mut visit: impl FnMut(Square, Bitboard)) {
        let (position, pinned, targets) = (&self.position, self.pinned, self.targets);
        let (us, occupied) = (position.us(), position.occupied());
        let free = us & !pinned;
        for origin in position.by_role(Role::Knight) & free {
            visit(origin, attacks::knight_attacks(origin) & targets);
        }
        for origin in position.by_role(Role::Bishop) & free {
            visit(origin, lines::bishop(origin, occupied) & targets);
        }
        for origin in position.by_role(Role::Rook) & free {
            visit(origin, lines::rook(origin, occupied) & targets);
        }
        for origin in position.by_role(Role::Queen) & free {
            let reach = lines::bishop(origin, occupied) | lines::rook(origin, occupied);
            visit(origin, reach & targets);
        }
        let movable = !(position.by_role(Role::Pawn) | position.by_role(Role::Knight));
        for origin in pinned & movable {
            visit(origin, self.destinations(origin));
        }
    }
}

impl<'a> Numbering<'a> {
    /// The legal moves that are numbered.
    #[inline]
    pub const fn legal(&self) -> &'a Legal {
        self.legal
    }

    /// The number of legal moves.
    #[inline]
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// The legal move with the zero-based ordinal `k`.
    ///
    /// # Panics
    /// When `k` is not below [`count`](Numbering::count).
    #[inline]
    pub fn nth(&self, k: u32) -> Move {
        struct Nth<'a>(&'a Numbering<'a>, u32);
        impl Work for Nth<'_> {
            type Output = Move;
            #[inline(always)]
            fn on(self, vectors: impl Words) -> Move {
                self.0.nth_with(vectors, self.1)
            }
        }
        vectors::here(Nth(self, k))
    }

    /// [`nth`](Numbering::nth) as part of its caller.
    #[inline(always)]
    pub(super) fn nth_with(&self, vectors: impl Words, k: u32) -> Move {
        assert!(k < self.count, "no legal move {k} of {}", self.count);
        if self.count > MAX {
            return self.nth_of_many(k);
        }
        let (rank, k) = find(self.by_rank, k);
        let (file, k) = find(self.moves_from_rank(vectors, rank), k);
        self.nth_from(Square::new((8 * rank + file) & 63), k)
    }

    /// Moves from each square of a rank, a byte each.
    #[inline(always)]
    fn moves_from_rank(&self, vectors: impl Words, rank: u32) -> u64 {
        let [ones, twos, fours] = self.planes;
        let planes = [vectors.rays(ones), vectors.rays(twos), vectors.rays(fours)];
        let (king, by_king) = (self.legal.king.to_u32(), self.legal.king_moves());
        let by_king = select_unpredictable(king / 8 == rank, by_king, Bitboard::EMPTY);
        let by_king = (by_king.count() as u64) << (8 * (king & 7));
        vectors.merged(vectors.of_rank(planes, rank)) + by_king
    }

    /// [`nth`](Numbering::nth) where sums of counts may not fit a byte.
    #[cold]
    fn nth_of_many(&self, k: u32) -> Move {
        let mut left = k;
        for from in Square::ALL {
            let (rank, file) = (from.to_u32() / 8, from.to_u32() % 8);
            let moves = (self.moves_from_rank(Portable, rank) >> (8 * file)) as u32 & 0xff;
            if left < moves {
                return self.nth_from(from, left);
            }
            left -= moves;
        }
        unreachable!("the counts of the origins add up to the count of moves")
    }

    /// The move numbered `k` among those from one square, which must have more than `k`.
    #[inline(always)]
    fn nth_from(&self, from: Square, k: u32) -> Move {
        let destinations = self.legal.destinations_of_own(from);
        let (place, promotion) = if self.legal.pawns.promoting.contains(from) {
            (k / PROMOTIONS, k % PROMOTIONS + 1)
        } else {
            (k, 0)
        };
        Move::promoting(from, nth_square(destinations, place), promotion)
    }
}

/// The most things that [`find`] counts.
const MAX: u32 = 127;

/// Finds thing `k`, counted from 0, in eight bytes that each count some: which byte has it, the
/// lowest being 0, and what number it has there. All together must be more than `k` and no more
/// than [`MAX`]. How far along it is cannot be predicted, so nothing here is a loop.
#[inline]
fn find(counts: u64, k: u32) -> (u32, u32) {
    const HIGH: u64 = EVERY_BYTE << 7;
    // Each byte of the sums has all things up to and with its own. Those that have more than `k`
    // keep their highest bit, which is lent to them, when `k + 1` is subtracted.
    let sums = counts.wrapping_mul(EVERY_BYTE);
    let more = ((sums | HIGH) - u64::from(k + 1) * EVERY_BYTE) & HIGH;
    let bit = more.trailing_zeros() & 56;
    let before = (sums << 8 >> bit) & 0xff;
    (bit / 8, k - before as u32)
}

/// By byte: the places of its bits, four bits each, the lowest first.
static PLACES: [u32; 256] = {
    let mut places = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                places[byte] |= bit << (4 * count);
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    places
};

/// The square that is number `k` of a set, which must have more.
#[inline]
fn nth_square(set: Bitboard, k: u32) -> Square {
    let (rank, k) = find(bits_by_byte(set), k);
    let files = PLACES[(set.0 >> (8 * rank) & 0xff) as usize];
    Square::new((8 * rank + (files >> (4 * k) & 7)) & 63)
}

/// The canonical destinations of legal castlings with the given rooks, the king not in check.
#[inline]
fn castlings(position: &Position, king: Square, rooks: Bitboard, attacked: Bitboard) -> Bitboard {
    let us = position.turn();
    let occupied = position.occupied();
    let mut destinations = Bitboard::EMPTY;
    for rook in rooks {
        let side = CastlingSide::from_king_side(rook > king);
        let (king_to, rook_to) = (side.king_to(us), side.rook_to(us));
        let king_path = attacks::between(king, king_to).with(king_to);
        let rook_path = attacks::between(rook, rook_to).with(rook_to);
        let blockers = occupied.without(king).without(rook);
        if ((king_path | rook_path) & blockers).any() || (king_path & attacked).any() {
            continue;
        }
        if is_standard(king, rook) {
            destinations.add(king_to);
        } else {
            // The rook may have shielded the square that the king goes to.
            let attackers = position.attackers(king_to, blockers.with(rook_to));
            if (attackers & position.them()).is_empty() {
                destinations.add(rook);
            }
        }
    }
    destinations
}

/// Whether king and rook, both on their first rank, castle as in standard chess.
#[inline]
fn is_standard(king: Square, rook: Square) -> bool {
    use shakmaty::File;
    king.file() == File::E && matches!(rook.file(), File::A | File::H)
}

/// Black and White index [`Position`]'s sides by their numbers.
const _: () = assert!(Color::Black as usize == 0 && Color::White as usize == 1);
