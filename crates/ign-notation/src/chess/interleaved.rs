//! Decodes two games at once on one thread.
//!
//! Within one game every step depends on the step before: the legal moves, their count, the move of
//! the ordinal, the next position. Two games are independent, so interleaving their steps lets the
//! processor overlap them.

use super::{
    legal::{Legal, Numbering},
    moves::Move,
    position::Position,
    simd::{self, Words, Work},
};

/// A source of games, which are played on two boards.
pub trait Games {
    /// The error of a game.
    type Error;

    /// The starting position of the next game, which is then played on this board (0 or 1); `None`
    /// if there are no more games.
    ///
    /// # Errors
    /// Those of the games.
    fn begin(&mut self, board: usize) -> Result<Option<Position>, Self::Error>;

    /// The ordinal of the next move on a board, below `count`; `None` at the end of the game.
    ///
    /// # Errors
    /// Those of the games.
    fn choose(
        &mut self,
        board: usize,
        legal: &Legal,
        count: u32,
    ) -> Result<Option<u32>, Self::Error>;

    /// Called with the chosen move before it is played on a board.
    fn played(&mut self, board: usize, legal: &Legal, played: Move);

    /// Called with the last position of the game on a board.
    fn end(&mut self, board: usize, position: &Position);
}

/// Plays all games.
///
/// # Errors
/// The first error of a game. The game on the other board stays unfinished.
pub fn play<G: Games>(games: &mut G) -> Result<(), G::Error> {
    struct Play<'a, G>(&'a mut G);
    impl<G: Games> Work for Play<'_, G> {
        type Output = Result<(), G::Error>;
        #[inline(always)]
        fn on(self, simd: impl Words) -> Self::Output {
            play_with(simd, self.0)
        }
    }
    simd::here(Play(games))
}

#[inline(always)]
fn play_with<G: Games>(simd: impl Words, games: &mut G) -> Result<(), G::Error> {
    let mut boards = [games.begin(0)?, games.begin(1)?];
    while let [Some(one), Some(other)] = &mut boards {
        // Each step for both games, then the next step: this keeps them interleaved.
        let legal = [Legal::with(simd, one), Legal::with(simd, other)];
        let numbering = [legal[0].numbering_with(simd), legal[1].numbering_with(simd)];
        let chosen = [
            games.choose(0, &legal[0], numbering[0].count())?,
            games.choose(1, &legal[1], numbering[1].count())?,
        ];
        if let [Some(ordinal), Some(other_ordinal)] = chosen {
            let played = numbering[0].nth_with(simd, ordinal);
            let other_played = numbering[1].nth_with(simd, other_ordinal);
            games.played(0, &legal[0], played);
            games.played(1, &legal[1], other_played);
            one.play_with(simd, played);
            other.play_with(simd, other_played);
        } else {
            for (board, ordinal) in chosen.into_iter().enumerate() {
                advance(games, board, &mut boards[board], &numbering[board], ordinal)?;
            }
        }
    }
    for (board, left) in boards.iter_mut().enumerate() {
        while let Some(position) = left {
            let legal = Legal::with(simd, position);
            let numbering = legal.numbering_with(simd);
            let ordinal = games.choose(board, &legal, numbering.count())?;
            advance(games, board, left, &numbering, ordinal)?;
        }
    }
    Ok(())
}

/// Plays the next move on a board or, at the end of its game, begins the next game.
fn advance<G: Games>(
    games: &mut G,
    board: usize,
    position: &mut Option<Position>,
    numbering: &Numbering,
    ordinal: Option<u32>,
) -> Result<(), G::Error> {
    let Some(at) = position else {
        return Ok(());
    };
    if let Some(ordinal) = ordinal {
        let played = numbering.nth(ordinal);
        games.played(board, numbering.legal(), played);
        at.play(played);
    } else {
        games.end(board, at);
        *position = games.begin(board)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::sliding::tests::noise;

    /// Games of pseudo-random moves, and the progress through them.
    struct Seen {
        games: Vec<(Position, Vec<Move>, Position)>,
        next: usize,
        at: [(usize, usize); 2],
        ended: Vec<usize>,
    }

    impl Games for Seen {
        type Error = ();

        fn begin(&mut self, board: usize) -> Result<Option<Position>, ()> {
            self.at[board] = (self.next, 0);
            self.next += 1;
            Ok(self.games.get(self.next - 1).map(|game| game.0))
        }

        fn choose(&mut self, board: usize, legal: &Legal, count: u32) -> Result<Option<u32>, ()> {
            let (game, ply) = self.at[board];
            assert_eq!(count, legal.count());
            let Some(&played) = self.games[game].1.get(ply) else {
                return Ok(None);
            };
            let (ordinal, _) = legal.ordinal_and_count(played);
            if ply == 90 {
                Err(())
            } else {
                Ok(Some(ordinal))
            }
        }

        fn played(&mut self, board: usize, legal: &Legal, played: Move) {
            let (game, ply) = &mut self.at[board];
            assert_eq!(played, self.games[*game].1[*ply]);
            assert!(legal.contains(played));
            *ply += 1;
        }

        fn end(&mut self, board: usize, position: &Position) {
            let (game, ply) = self.at[board];
            assert_eq!(*position, self.games[game].2);
            assert_eq!(ply, self.games[game].1.len());
            self.ended.push(game);
        }
    }

    fn games(lengths: &[usize]) -> Seen {
        let mut random = noise();
        let many = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
        let starts = [None, Some(many), Some("4k3/P6P/8/8/8/8/p6p/4K3 b - - 0 9")];
        let games = lengths.iter().map(|&length| {
            let fen = starts[(random() % 3) as usize];
            let start = fen.map_or_else(Position::default, |fen| {
                Position::from_fen(fen.as_bytes()).unwrap()
            });
            let mut position = start;
            let mut moves = Vec::new();
            while moves.len() < length {
                let legal = Legal::new(&position);
                if legal.count() == 0 {
                    break;
                }
                let played = legal.nth(random() as u32 % legal.count());
                moves.push(played);
                position.play(played);
            }
            (start, moves, position)
        });
        Seen {
            games: games.collect(),
            next: 0,
            at: [(0, 0); 2],
            ended: Vec::new(),
        }
    }

    #[test]
    fn all_games_are_played_to_their_ends() {
        let mut random = noise();
        for count in 0..40 {
            let lengths: Vec<usize> = (0..count).map(|_| (random() % 80) as usize).collect();
            let mut games = games(&lengths);
            assert_eq!(play(&mut games), Ok(()));
            games.ended.sort_unstable();
            assert!(games.ended.iter().copied().eq(0..count));
        }
    }

    #[test]
    fn an_error_in_a_game_ends_all_games() {
        let mut long = games(&[0, 10, 300, 5, 300]);
        let has_error = long.games.iter().any(|game| game.1.len() > 90);
        assert!(has_error && play(&mut long).is_err());
    }
}
