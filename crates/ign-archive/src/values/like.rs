//! Games that equal a score which may have mistakes.
//!
//! The rule: a score and a game are sequences of moves, of which each counts as the piece that
//! moves, the square to which it moves, and the piece to which a pawn promotes; castling counts by
//! its side. So `Nbd2` and `Nd2` are equal, and neither check marks nor capture signs count. A game
//! matches if at most a tenth of the moves of the score, but at least two, must be inserted,
//! removed or replaced to get the moves of the game. Starting positions are not compared. A game
//! without moves never matches.

use std::ops::ControlFlow;

use ign_format::error::{Error, Result};
use ign_notation::chess::{Move, Position};
use pgn_reader::{Reader, SanPlus, Skip, Visitor};
use shakmaty::{CastlingSide, Role, san::San};

/// The number of moves of a score for which one edit is allowed.
const MOVES_PER_EDIT: usize = 10;
/// The least number of edits allowed.
const MIN_EDITS: usize = 2;

/// The moves of a score, as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Score {
    moves: Vec<Ply>,
}

/// What of a move is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Ply(u16);

impl Ply {
    const NULL: Self = Self(u16::MAX);
    const DROP: u16 = 1 << 12;
    const CASTLING: u16 = 1 << 13;

    fn of_piece(role: Role, to: shakmaty::Square, promotion: Option<Role>) -> Self {
        let promotion = promotion.map_or(0, |role| role as u16);
        Self(promotion << 9 | (role as u16) << 6 | to.to_u32() as u16)
    }

    fn of_castling(side: CastlingSide) -> Self {
        Self(Self::CASTLING | u16::from(side == CastlingSide::KingSide))
    }

    fn of_drop(role: Role, to: shakmaty::Square) -> Self {
        Self(Self::DROP | Self::of_piece(role, to, None).0)
    }

    fn of_san(san: &San) -> Self {
        match *san {
            San::Normal {
                role,
                to,
                promotion,
                ..
            } => Self::of_piece(role, to, promotion),
            San::Castle(side) => Self::of_castling(side),
            San::Put { role, to } => Self::of_drop(role, to),
            San::Null => Self::NULL,
        }
    }

    /// A legal move of a position, or the null move.
    fn of_move(position: &Position, played: Move) -> Self {
        if played.is_null() {
            return Self::NULL;
        }
        if let Some(role) = played.dropped() {
            return Self::of_drop(role, played.to());
        }
        match position.castling_side(played) {
            Some(side) => Self::of_castling(side),
            None => Self::of_piece(
                position.role_at(played.from()).unwrap_or(Role::Pawn),
                played.to(),
                played.promotion(),
            ),
        }
    }
}

impl Score {
    /// Reads the first game of a PGN text. Words that are no moves are skipped.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if it has no moves.
    pub fn read(pgn: &[u8]) -> Result<Self> {
        let moves = Reader::new(pgn)
            .read_game(&mut Mainline)?
            .unwrap_or_default();
        if moves.is_empty() {
            return Err(Error::usage("the score has no moves")
                .with_remedy("give a game in PGN; its moves alone will do: 1. e4 e5 2. Nf3"));
        }
        Ok(Self { moves })
    }

    /// The number of moves, in plies.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The greatest number of moves by which a game may differ.
    pub fn max_edits(&self) -> usize {
        (self.moves.len() / MOVES_PER_EDIT).max(MIN_EDITS)
    }
}

/// Reads the main line of a game.
struct Mainline;

impl Visitor for Mainline {
    type Tags = ();
    type Movetext = Vec<Ply>;
    type Output = Vec<Ply>;

    fn begin_tags(&mut self) -> ControlFlow<Vec<Ply>> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Vec<Ply>, Vec<Ply>> {
        ControlFlow::Continue(Vec::new())
    }

    fn san(&mut self, moves: &mut Vec<Ply>, played: SanPlus) -> ControlFlow<Vec<Ply>> {
        moves.push(Ply::of_san(&played.san));
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Vec<Ply>) -> ControlFlow<Vec<Ply>, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, moves: Vec<Ply>) -> Vec<Ply> {
        moves
    }
}

/// Compares the moves of a game with a score, one after the other.
///
/// The number of edits between the first `n` moves of the game and the first `m` of the score is
/// kept only where `n` and `m` differ by at most [`Score::max_edits`]: elsewhere it is greater
/// anyway.
pub(crate) struct Comparison<'s> {
    score: &'s Score,
    max: usize,
    /// The number of moves of the game so far.
    plies: usize,
    /// The edits for `m = plies - max + index`.
    band: Vec<usize>,
}

impl<'s> Comparison<'s> {
    pub(crate) fn new(score: &'s Score) -> Self {
        let max = score.max_edits();
        let mut new = Self {
            score,
            max,
            plies: 0,
            band: vec![0; 2 * max + 1],
        };
        new.restart();
        new
    }

    /// Begins with another game.
    pub(crate) fn restart(&mut self) {
        self.plies = 0;
        for (index, edits) in self.band.iter_mut().enumerate() {
            // Before the first move, `m` moves of the score are missing.
            *edits = index.checked_sub(self.max).unwrap_or(usize::MAX / 2);
        }
    }

    /// Takes the next move of the game, which is legal in the position. Returns whether the game
    /// can still match.
    pub(crate) fn add(&mut self, position: &Position, played: Move) -> bool {
        self.add_ply(Ply::of_move(position, played))
    }

    fn add_ply(&mut self, played: Ply) -> bool {
        self.plies += 1;
        let mut least = usize::MAX;
        for index in 0..self.band.len() {
            // The cell of the same `m` before this move is the next one; that of `m - 1` is at the
            // same index.
            let edits = match (self.plies + index).checked_sub(self.max) {
                None => usize::MAX / 2,
                Some(0) => self.plies,
                Some(m) => {
                    let left = index.checked_sub(1).map(|left| self.band[left]);
                    let above = self.band.get(index + 1).copied();
                    let insert = left.into_iter().chain(above).min().map(|edits| edits + 1);
                    let replace = self
                        .score
                        .moves
                        .get(m - 1)
                        .map(|&written| self.band[index] + usize::from(written != played));
                    match replace {
                        Some(replace) => insert.map_or(replace, |insert| insert.min(replace)),
                        None => usize::MAX / 2,
                    }
                }
            };
            self.band[index] = edits;
            least = least.min(edits);
        }
        least <= self.max
    }

    /// Whether the moves so far are a game that matches.
    pub(crate) fn matches(&self) -> bool {
        let end = (self.score.moves.len() + self.max).checked_sub(self.plies);
        let edits = end.and_then(|index| self.band.get(index));
        self.plies > 0 && edits.is_some_and(|&edits| edits <= self.max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCORE: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 \
                         8. c3 O-O 9. h3 Nb8 10. d4 Nbd7";

    /// Whether the comparison finds a match, and after how many plies it is dismissed.
    fn compare(score: &str, game: &str) -> (bool, Option<usize>) {
        let [score, game] = [score, game].map(|text| Score::read(text.as_bytes()).unwrap());
        let mut comparison = Comparison::new(&score);
        for (ply, &played) in (1..).zip(&game.moves) {
            if !comparison.add_ply(played) {
                return (false, Some(ply));
            }
        }
        (comparison.matches(), None)
    }

    /// The number of edits by the textbook algorithm.
    fn edits(one: &[Ply], other: &[Ply]) -> usize {
        let mut row: Vec<usize> = (0..=other.len()).collect();
        for (i, a) in one.iter().enumerate() {
            let mut next = vec![i + 1];
            for (j, b) in other.iter().enumerate() {
                let replace = row[j] + usize::from(a != b);
                next.push(replace.min(row[j + 1] + 1).min(next[j] + 1));
            }
            row = next;
        }
        row[other.len()]
    }

    #[test]
    fn two_moves_of_twenty_may_differ_and_not_three() {
        assert_eq!(compare(SCORE, SCORE), (true, None));
        let two = SCORE.replace("a6", "a5").replace("h3", "h4");
        assert_eq!(compare(SCORE, &two), (true, None));
        assert!(!compare(SCORE, &two.replace("d6", "d5")).0);
        // Two plies left out, and two too many.
        let short = SCORE.replace("4. Ba4 Nf6 ", "");
        assert_eq!(compare(SCORE, &short), (true, None));
        assert_eq!(compare(SCORE, &format!("{SCORE} 11. c4 c6")), (true, None));
        assert!(!compare(SCORE, &format!("{SCORE} 11. c4 c6 12. a3")).0);
        let cut = SCORE.replace(" 10. d4 Nbd7", "");
        assert_eq!(compare(SCORE, &cut), (true, None));
        assert!(!compare(SCORE, &cut.replace(" Nb8", "")).0);
    }

    #[test]
    fn other_games_are_dismissed_after_few_moves() {
        assert_eq!(
            compare(SCORE, "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5"),
            (false, Some(3))
        );
    }

    #[test]
    fn disambiguation_captures_and_checks_do_not_count_and_castling_does() {
        let plies = |text: &str| Score::read(text.as_bytes()).unwrap().moves;
        assert_eq!(plies("Nbd2 exd5 R1xa3+ e8=Q#"), plies("Nd2 d5 Ra3 dxe8=Q"));
        assert_ne!(plies("O-O"), plies("O-O-O"));
        assert_ne!(plies("e8=Q"), plies("e8=N"));
        assert_ne!(plies("N@d2"), plies("Nd2"));
        assert_eq!(plies("1. e4 (1. d4 d5) e5"), plies("e4 e5"));
    }

    #[test]
    fn the_band_agrees_with_the_textbook_algorithm() {
        let mut state = 1_u32;
        let mut random = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % below
        };
        let mut matches = 0;
        for _ in 0..2_000 {
            let moves: Vec<Ply> = (0..1 + random(40)).map(|_| Ply(random(4) as u16)).collect();
            let mut game = moves.clone();
            for _ in 0..random(7) {
                let place = random(game.len() as u32 + 1) as usize;
                match random(3) {
                    0 => game.insert(place, Ply(random(4) as u16)),
                    1 if place < game.len() => drop(game.remove(place)),
                    _ => game
                        .iter_mut()
                        .take(place)
                        .next_back()
                        .into_iter()
                        .for_each(|p| *p = Ply(9)),
                }
            }
            let score = Score { moves };
            let mut comparison = Comparison::new(&score);
            let goes_on = game.iter().all(|&played| comparison.add_ply(played));
            let expected = !game.is_empty() && edits(&score.moves, &game) <= score.max_edits();
            assert_eq!(
                goes_on && comparison.matches(),
                expected,
                "{score:?} {game:?}"
            );
            matches += usize::from(expected);
        }
        assert!((500..1_900).contains(&matches), "{matches}");
    }

    #[test]
    fn rejects_a_text_without_moves() {
        for text in ["", "[White \"Ann\"]\n\n*\n", "hello"] {
            let error = Score::read(text.as_bytes()).unwrap_err();
            assert_eq!(error.kind(), crate::ErrorKind::Usage, "{text}");
        }
    }
}
