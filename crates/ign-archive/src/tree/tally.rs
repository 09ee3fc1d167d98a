//! Counts of games by the moves that they continue with: the aggregation behind
//! [`Tree`](super::Tree).
//!
//! A [`Tally`] takes one [`Occurrence`] per game and keeps a node for each line of moves from the
//! position. It knows nothing of archives: occurrences come from replayed games or from an index.
//! Adding a game allocates only for a line that no game before it had.

use std::{cmp::Reverse, collections::BTreeMap};

use ign_format::game_number::GameNumber;
use ign_notation::chess::Move;
use shakmaty::{ByColor, Color};

use super::options::Options;
use crate::{
    index::Facts,
    values::{Date, GameResult},
};

/// A game at its first occurrence of the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Occurrence {
    pub game: GameNumber,
    /// Its result, if it is stated.
    pub result: Option<GameResult>,
    /// The ratings of the players.
    pub ratings: ByColor<Option<u16>>,
    /// Its date.
    pub date: Option<Date>,
}

/// The sum of both ratings, then the least number.
pub(crate) type TopKey = (u32, Reverse<GameNumber>);
/// The date, then the number.
pub(crate) type RecentKey = (Option<Date>, GameNumber);

impl Occurrence {
    /// A game, counted from 0, with these facts.
    #[inline]
    pub fn new(game: u64, facts: &Facts) -> Self {
        Self {
            game: GameNumber::from_index(game),
            result: facts.result,
            ratings: facts.ratings,
            date: facts.date,
        }
    }

    /// What orders games by rating, if both ratings are known.
    pub fn top_key(&self) -> Option<TopKey> {
        let ByColor { white, black } = self.ratings;
        Some((u32::from(white?) + u32::from(black?), Reverse(self.game)))
    }

    /// What orders games by date.
    pub fn recent_key(&self) -> RecentKey {
        (self.date, self.game)
    }
}

/// The games of a node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    pub games: u64,
    pub white: u64,
    pub draws: u64,
    pub black: u64,
    /// Games in which both ratings are known, and the sum of both ratings.
    pub rated: u64,
    pub ratings: u64,
    /// Games with a result in which the rating of the mover's opponent is known, the sum of these
    /// ratings, and the mover's wins less the losses.
    pub scored: u64,
    pub opponents: u64,
    pub balance: i64,
    pub last_played: Option<Date>,
    /// The least and the greatest number of a game; `None` without games.
    pub first_game: Option<GameNumber>,
    pub last_game: Option<GameNumber>,
    /// Games that end here.
    pub ended: u64,
}

impl Sums {
    /// Adds a game; `mover` is the side whose performance is measured.
    #[inline]
    pub fn add(&mut self, seen: &Occurrence, mover: Color) {
        self.games += 1;
        let winner = match seen.result {
            Some(GameResult::WhiteWins) => Some(Some(Color::White)),
            Some(GameResult::BlackWins) => Some(Some(Color::Black)),
            Some(GameResult::Draw) => Some(None),
            Some(GameResult::Unknown | GameResult::BothLose) | None => None,
        };
        match winner {
            Some(Some(Color::White)) => self.white += 1,
            Some(Some(Color::Black)) => self.black += 1,
            Some(None) => self.draws += 1,
            None => {}
        }
        if let (Some(white), Some(black)) = (seen.ratings.white, seen.ratings.black) {
            self.rated += 1;
            self.ratings += u64::from(white) + u64::from(black);
        }
        if let (Some(winner), Some(opponent)) = (winner, *seen.ratings.get(mover.other())) {
            self.scored += 1;
            self.opponents += u64::from(opponent);
            self.balance += winner.map_or(0, |winner| if winner == mover { 1 } else { -1 });
        }
        self.last_played = self.last_played.max(seen.date);
        let first = self.first_game.unwrap_or(seen.game);
        self.first_game = Some(first.min(seen.game));
        self.last_game = self.last_game.max(Some(seen.game));
    }

    /// Adds the games of another node.
    fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
        self.rated += other.rated;
        self.ratings += other.ratings;
        self.scored += other.scored;
        self.opponents += other.opponents;
        self.balance += other.balance;
        self.last_played = self.last_played.max(other.last_played);
        let firsts = [self.first_game, other.first_game];
        self.first_game = firsts.into_iter().flatten().min();
        self.last_game = self.last_game.max(other.last_game);
        self.ended += other.ended;
    }

    /// The mean of the ratings of both players, over the games in which both are known.
    pub fn average_rating(&self) -> Option<u16> {
        let rating = (self.ratings + self.rated).checked_div(2 * self.rated)?;
        u16::try_from(rating).ok()
    }

    /// The mean rating of the mover's opponents, over the games that have a result and the
    /// opponent's rating.
    pub fn average_opponent_rating(&self) -> Option<u16> {
        let rating = (self.opponents + self.scored / 2).checked_div(self.scored)?;
        u16::try_from(rating).ok()
    }

    /// The performance of the mover: the mean rating of the opponents plus 400 · (wins − losses) /
    /// games, over the games that have a result and the opponent's rating.
    pub fn performance(&self) -> Option<i32> {
        let sum = self.opponents as f64 + 400.0 * self.balance as f64;
        (self.scored > 0).then(|| (sum / self.scored as f64).round() as i32)
    }
}

/// A line of moves from the position.
#[derive(Debug, Default)]
pub(crate) struct Node {
    pub sums: Sums,
    /// The next moves, by first appearance, with their nodes.
    pub next: Vec<(Move, usize)>,
}

/// Results in a month: won by White, drawn, won by Black.
pub(crate) type Results = [u64; 3];

/// Games through a position, by their next moves.
#[derive(Debug)]
pub(crate) struct Tally {
    /// The side to move.
    turn: Color,
    /// The side that is measured in all moves; `None` for the side that moves.
    side: Option<Color>,
    /// The position itself is the first; a node comes after its parent.
    nodes: Vec<Node>,
    top: Ranking<TopKey, (GameNumber, Option<Move>)>,
    recent: Ranking<RecentKey, (GameNumber, Option<Move>)>,
    /// Whether the numbers of games are wanted.
    game_numbers: bool,
    /// Results by year and month, if they are counted.
    history: Option<BTreeMap<(u16, u8), Results>>,
}

impl Tally {
    /// No games; `turn` is the side to move.
    pub(super) fn new(turn: Color, options: Options) -> Self {
        Self {
            turn,
            side: options.side,
            nodes: vec![Node::default()],
            top: Ranking::new(options.top_games),
            recent: Ranking::new(options.recent_games),
            game_numbers: options.game_numbers,
            history: options.history.then(BTreeMap::new),
        }
    }

    /// The side whose performance the position counts.
    pub fn measured(&self) -> Color {
        self.side.unwrap_or(self.turn)
    }

    /// The node of the position.
    pub fn root(&self) -> &Node {
        &self.nodes[0]
    }

    /// A node.
    pub fn node(&self, number: usize) -> &Node {
        &self.nodes[number]
    }

    /// Adds a game. `line` are its moves from the position, cut to the depth of the tree; `ends`
    /// tells that the game has no further move.
    pub fn add(&mut self, seen: &Occurrence, line: &[Move], ends: bool) {
        let mut node = 0;
        let measured = self.measured();
        self.nodes[0].sums.add(seen, measured);
        let mut mover = self.turn;
        for &played in line {
            node = self.child(node, played);
            let measured = self.side.unwrap_or(mover);
            self.nodes[node].sums.add(seen, measured);
            mover = mover.other();
        }
        self.nodes[node].sums.ended += u64::from(ends);
        self.list(seen, line.first().copied());
    }

    /// Adds the games that play a move from the position, or that end there. Each game must be
    /// [listed](Self::list), too.
    pub fn add_sums(&mut self, played: Option<Move>, sums: &Sums) {
        self.nodes[0].sums.merge(sums);
        match played {
            None => self.nodes[0].sums.ended += sums.games,
            Some(played) => {
                let node = self.child(0, played);
                self.nodes[node].sums.merge(sums);
            }
        }
    }

    /// Whether the numbers of games are wanted. Otherwise they may be wrong.
    pub fn has_game_numbers(&self) -> bool {
        self.game_numbers
    }

    /// Whether games are listed or counted by month.
    pub fn lists(&self) -> bool {
        self.history.is_some() || self.top.len > 0 || self.recent.len > 0
    }

    /// Adds a game to the lists of games and to the results by month.
    pub fn list(&mut self, seen: &Occurrence, played: Option<Move>) {
        self.list_as_top(seen, played);
        self.list_as_recent(seen, played);
        if let (Some(history), Some(date)) = (&mut self.history, seen.date)
            && date.month > 0
        {
            let place = match seen.result {
                Some(GameResult::WhiteWins) => 0,
                Some(GameResult::Draw) => 1,
                Some(GameResult::BlackWins) => 2,
                Some(GameResult::Unknown | GameResult::BothLose) | None => return,
            };
            history.entry((date.year, date.month)).or_default()[place] += 1;
        }
    }

    /// Adds a game to the list of games by rating.
    pub fn list_as_top(&mut self, seen: &Occurrence, played: Option<Move>) {
        if let Some(key) = seen.top_key() {
            self.top.add(key, (seen.game, played));
        }
    }

    /// Adds a game to the list of games by date.
    pub fn list_as_recent(&mut self, seen: &Occurrence, played: Option<Move>) {
        self.recent.add(seen.recent_key(), (seen.game, played));
    }

    /// Adds results of a month, if they are counted.
    pub fn add_month(&mut self, month: (u16, u8), results: Results) {
        if let Some(history) = &mut self.history
            && results != [0; 3]
        {
            let sums = history.entry(month).or_default();
            sums.iter_mut().zip(results).for_each(|(sum, n)| *sum += n);
        }
    }

    /// The numbers of games that are listed at most, by rating and by date.
    pub fn listed(&self) -> [usize; 2] {
        [self.top.len, self.recent.len]
    }

    /// Adds the games of a tally of the same position with the same options. No game may be in
    /// both.
    pub fn merge(&mut self, other: Self) {
        // The node here of each node there; parents come first.
        let mut here = vec![0; other.nodes.len()];
        for (number, node) in other.nodes.into_iter().enumerate() {
            self.nodes[here[number]].sums.merge(&node.sums);
            for (played, child) in node.next {
                here[child] = self.child(here[number], played);
            }
        }
        self.top.merge(other.top);
        self.recent.merge(other.recent);
        for (month, results) in other.history.into_iter().flatten() {
            self.add_month(month, results);
        }
    }

    /// The node after a move, a new one if no game played it.
    fn child(&mut self, node: usize, played: Move) -> usize {
        let known = self.nodes[node].next.iter();
        if let Some(&(_, child)) = known.clone().find(|(known, _)| *known == played) {
            return child;
        }
        let child = self.nodes.len();
        self.nodes.push(Node::default());
        self.nodes[node].next.push((played, child));
        child
    }

    /// The games with the highest sums of ratings, the highest first, with the move played.
    pub fn top_games(&self) -> Vec<(GameNumber, Option<Move>)> {
        self.top.values().collect()
    }

    /// The games played last, the last first, with the move played.
    pub fn recent_games(&self) -> Vec<(GameNumber, Option<Move>)> {
        self.recent.values().collect()
    }

    /// The results by year and month, if they are counted.
    pub fn history(&self) -> impl Iterator<Item = ((u16, u8), Results)> + '_ {
        let months = self.history.iter().flatten();
        months.map(|(&month, &results)| (month, results))
    }
}

/// The few values with the greatest keys.
#[derive(Debug)]
pub(crate) struct Ranking<K, V> {
    len: usize,
    /// The greatest key first.
    values: Vec<(K, V)>,
}

impl<K: Ord + Copy, V: Copy> Ranking<K, V> {
    pub fn new(len: usize) -> Self {
        Self {
            len,
            values: Vec::new(),
        }
    }

    pub fn add(&mut self, key: K, value: V) {
        let place = self.values.partition_point(|(other, _)| *other >= key);
        if place < self.len {
            self.values.truncate(self.len - 1);
            self.values.insert(place, (key, value));
        }
    }

    fn merge(&mut self, other: Self) {
        for (key, value) in other.values {
            self.add(key, value);
        }
    }

    /// The values, that with the greatest key first.
    pub fn values(&self) -> impl Iterator<Item = V> + '_ {
        self.values.iter().map(|&(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(squares: &str) -> Move {
        Move::of_squares(squares.as_bytes()).unwrap()
    }

    fn seen(game: u64, result: &str, white: u16, black: u16, date: &str) -> Occurrence {
        let known = |rating| Some(rating).filter(|&rating| rating > 0);
        Occurrence {
            game: GameNumber::new(game).unwrap(),
            result: GameResult::read(result.as_bytes()),
            ratings: ByColor {
                white: known(white),
                black: known(black),
            },
            date: Date::read(date.as_bytes()),
        }
    }

    fn games() -> Vec<(Occurrence, Vec<Move>)> {
        let [e4, d4, e5, c5] = ["e2e4", "d2d4", "e7e5", "c7c5"].map(played);
        vec![
            (seen(3, "1-0", 2000, 1800, "2013.01.05"), vec![e4, e5]),
            (seen(1, "0-1", 2100, 1900, "2013.01.??"), vec![e4, c5]),
            (seen(4, "1/2-1/2", 0, 2200, "2012"), vec![e4]),
            (seen(2, "*", 2500, 2501, ""), vec![d4]),
            (seen(5, "x", 0, 0, "2014.02.01"), vec![]),
        ]
    }

    fn tally<'o>(games: impl IntoIterator<Item = &'o (Occurrence, Vec<Move>)>) -> Tally {
        let options = Options {
            top_games: 2,
            recent_games: 2,
            history: true,
            ..Options::default()
        };
        let mut tally = Tally::new(Color::White, options);
        for (seen, line) in games {
            tally.add(seen, line, line.len() < 2);
        }
        tally
    }

    fn numbered(games: Vec<(GameNumber, Option<Move>)>) -> Vec<(u64, Option<Move>)> {
        let games = games.into_iter();
        games.map(|(game, played)| (game.get(), played)).collect()
    }

    fn check(tally: &Tally) {
        let root = tally.root();
        let sums = &root.sums;
        assert_eq!(
            (sums.games, sums.white, sums.draws, sums.black, sums.ended),
            (5, 1, 1, 1, 1)
        );
        assert_eq!(
            (sums.first_game, sums.last_game),
            (GameNumber::new(1), GameNumber::new(5))
        );
        // (2000 + 1800 + 2100 + 1900 + 2500 + 2501) / 6 = 2133.5
        assert_eq!(sums.average_rating(), Some(2134));
        // White meets 1800, 1900 and 2200 with a win, a loss and a draw.
        assert_eq!(sums.performance(), Some(1967));
        assert_eq!(sums.average_opponent_rating(), Some(1967));
        let child = |node: &Node, squares: &str| {
            let found = node
                .next
                .iter()
                .find(|(known, _)| *known == played(squares));
            found.unwrap().1
        };
        let e4 = tally.node(child(root, "e2e4"));
        assert_eq!((e4.sums.games, e4.sums.ended), (3, 1));
        let c5 = &tally.node(child(e4, "c7c5")).sums;
        // Black beat 2100.
        assert_eq!((c5.games, c5.performance()), (1, Some(2500)));
        assert_eq!(c5.last_played, Date::read(b"2013.01.??"));
        let d4 = &tally.node(child(root, "d2d4")).sums;
        assert_eq!(
            (d4.games, d4.performance(), d4.last_played),
            (1, None, None)
        );
        assert_eq!(d4.average_rating(), Some(2501));
        assert_eq!(
            numbered(tally.top_games()),
            [(2, Some(played("d2d4"))), (1, Some(played("e2e4")))]
        );
        assert_eq!(
            numbered(tally.recent_games()),
            [(5, None), (3, Some(played("e2e4")))]
        );
        let history: Vec<_> = tally.history().collect();
        assert_eq!(history, [((2013, 1), [1, 0, 1])]);
    }

    #[test]
    fn games_are_counted_by_line_result_and_rating() {
        check(&tally(&games()));
    }

    #[test]
    fn merged_tallies_equal_one_in_any_order() {
        let all = games();
        for cut in 0..=all.len() {
            let (one, other) = all.split_at(cut);
            let mut first = tally(one);
            first.merge(tally(other));
            check(&first);
            let mut last = tally(other);
            last.merge(tally(one));
            check(&last);
        }
    }

    #[test]
    fn the_side_that_is_measured_can_be_chosen() {
        let options = Options {
            side: Some(Color::Black),
            ..Options::default()
        };
        let mut tally = Tally::new(Color::White, options);
        for (seen, line) in &games() {
            tally.add(seen, line, false);
        }
        // Black meets 2000 and 2100 with a loss and a win; the rating of the third opponent is
        // unknown.
        let sums = tally.root().sums;
        assert_eq!(sums.performance(), Some(2050));
        assert_eq!(sums.average_opponent_rating(), Some(2050));
        let (_, e4) = tally.root().next[0];
        assert_eq!(tally.node(e4).sums.performance(), Some(2050));
    }

    #[test]
    fn a_position_without_games_has_no_averages() {
        let tally = Tally::new(Color::Black, Options::default());
        let sums = tally.root().sums;
        assert_eq!((sums.average_rating(), sums.performance()), (None, None));
        assert_eq!(sums, Sums::default());
    }
}
