//! Games played two interleaved, where a number tells each move.
//!
//! In one game every step waits for the one before: which moves are legal, how many, which one
//! has the number, the position behind it. So two games are played by turns, and the processor
//! goes on with one where it would wait for the other.

use super::{
    legal::{Legal, Numbering},
    moves::Move,
    position::Position,
    vectors::{self, Words, Work},
};

/// Games to be played one after the other at two boards.
pub trait Games {
    /// What may be wrong with a game.
    type Error;

    /// Where the next game starts, which is played at this board from now on; none if there is no
    /// more.
    ///
    /// # Errors
    /// Those of the games.
    fn begin(&mut self, board: usize) -> Result<Option<Position>, Self::Error>;

    /// The ordinal of the next move at a board, one of `count`; none when the game is over.
    ///
    /// # Errors
    /// Those of the games.
    fn choose(
        &mut self,
        board: usize,
        legal: &Legal,
        count: u32,
    ) -> Result<Option<u32>, Self::Error>;

    /// The move chosen at a board, before it is played there.
    fn played(&mut self, board: usize, legal: &Legal, played: Move);

    /// The game at a board has ended in this position.
    fn end(&mut self, board: usize, position: &Position);
}

/// Plays games.
///
/// # Errors
/// The first of a game; what else is under way is left as it is.
pub fn play<G: Games>(games: &mut G) -> Result<(), G::Error> {
    struct Play<'a, G>(&'a mut G);
    impl<G: Games> Work for Play<'_, G> {
        type Output = Result<(), G::Error>;
        #[inline(always)]
        fn on(self, vectors: impl Words) -> Self::Output {
            play_with(vectors, self.0)
        }
    }
    vectors::here(Play(games))
}

#[inline(always)]
fn play_with<G: Games>(vectors: impl Words, games: &mut G) -> Result<(), G::Error> {
    let mut boards = [games.begin(0)?, games.begin(1)?];
    while let [Some(one), Some(other)] = &mut boards {
        // Each step of both, then the next: so they stay interleaved.
        let legal = [Legal::with(vectors, one), Legal::with(vectors, other)];
        let numbering = [
            legal[0].numbering_with(vectors),
            legal[1].numbering_with(vectors),
        ];
        let chosen = [
            games.choose(0, &legal[0], numbering[0].count())?,
            games.choose(1, &legal[1], numbering[1].count())?,
        ];
        if let [Some(ordinal), Some(other_ordinal)] = chosen {
            let played = numbering[0].nth_with(vectors, ordinal);
            let other_played = numbering[1].nth_with(vectors, other_ordinal);
            games.played(0, &legal[0], played);
            games.played(1, &legal[1], other_played);
            one.play_with(vectors, played);
            other.play_with(vectors, other_played);
        } else {
            for (board, ordinal) in chosen.into_iter().enumerate() {
                go_on(games, board, &mut boards[board], &numbering[board], ordinal)?;
            }
        }
    }
    for (board, left) in boards.iter_mut().enumerate() {
        while let Some(position) = left {
            let legal = Legal::with(vectors, position);
            let numbering = legal.numbering_with(vectors);
            let ordinal = games.choose(board, &legal, numbering.count())?;
            go_on(games, board, left, &numbering, ordinal)?;
        }
    }
    Ok(())
}

/// Plays the next move at a board; without one sets up the next game.
fn go_on<G: Games>(
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
    use crate::chess::lines::tests::noise;

    /// Games of some pseudo-random moves each, and what has been seen of them.
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
    fn games_are_played_whole_whichever_ends_first() {
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
    fn what_is_wrong_with_a_game_ends_all() {
        let mut long = games(&[0, 10, 300, 5, 300]);
        let goes_wrong = long.games.iter().any(|game| game.1.len() > 90);
        assert!(goes_wrong && play(&mut long).is_err());
    }
}
