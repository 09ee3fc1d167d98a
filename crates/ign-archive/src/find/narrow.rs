//! What a segment of an index says about a query.
//!
//! Each condition that the index can decide is removed from the query, and the games that do not
//! meet it are removed from the set. A condition for which the index has candidates only stays in
//! the query. What is left is evaluated on the games that are left.

use ign_format::{block::opening_prefix::OpeningPrefix, error::Result};
use ign_notation::chess::{Legal, Position};

use super::{explanation::Stage, game_set::GameSet};
use crate::{
    index::{
        Found, IndexColumn, Keys, Segment,
        columns::{date_of, eco_of, result_of},
    },
    query::{Bounds, Query, Speed, TextPattern},
};

/// The games that may match, and what has to be evaluated on them.
pub struct Narrowed {
    /// The games, counted from 0; `None` for all.
    pub games: Option<GameSet>,
    /// The conditions that the index has not decided.
    pub rest: Query,
    /// What was read for each condition.
    pub stages: Vec<Stage>,
}

/// Evaluates on a segment what it can decide of a query.
///
/// # Errors
/// Io of the index; corrupt.
pub fn narrow(segment: &Segment, query: &Query) -> Result<Narrowed> {
    let mut narrowing = Narrowing {
        segment,
        len: segment.games(),
        games: None,
        stages: Vec::new(),
    };
    let mut rest = query.clone();
    narrowing.players(&mut rest)?;
    narrowing.positions(&mut rest)?;
    narrowing.openings(&mut rest)?;
    narrowing.numbers(&mut rest)?;
    narrowing.dictionaries(&mut rest)?;
    Ok(Narrowed {
        games: narrowing.games,
        rest,
        stages: narrowing.stages,
    })
}

struct Narrowing<'i> {
    segment: &'i Segment,
    len: u64,
    games: Option<GameSet>,
    stages: Vec<Stage>,
}

impl Narrowing<'_> {
    /// Keeps the games that `find` returns.
    fn keep(
        &mut self,
        name: &str,
        find: impl FnOnce(&Segment, u64) -> Result<GameSet>,
    ) -> Result<()> {
        let before = self.segment.bytes_read();
        // Nothing is read for conditions that cannot change the result.
        if self.games.as_ref().is_none_or(|games| games.count() > 0) {
            let found = find(self.segment, self.len)?;
            match &mut self.games {
                Some(games) => games.intersect(&found),
                none => *none = Some(found),
            }
        }
        self.stages.push(Stage {
            name: name.to_owned(),
            source: "index".to_owned(),
            bytes: self.segment.bytes_read() - before,
            games: self.games.as_ref().map_or(self.len, GameSet::count),
        });
        Ok(())
    }

    fn players(&mut self, rest: &mut Query) -> Result<()> {
        if !self.segment.has_players() {
            return Ok(());
        }
        type Condition = fn(&mut Query) -> &mut Option<TextPattern>;
        let conditions: [(&str, Condition, [bool; 2]); 3] = [
            ("white", |query| &mut query.white, [true, false]),
            ("black", |query| &mut query.black, [false, true]),
            ("player", |query| &mut query.player, [true, true]),
        ];
        for (name, condition, colors) in conditions {
            if let Some(pattern) = condition(rest).take() {
                self.keep(name, |segment, len| {
                    let mut games = GameSet::none(len);
                    segment.games_of_players(&pattern, |played| {
                        if colors[usize::from(played.is_black())] {
                            games.insert(played.game());
                        }
                    })?;
                    Ok(games)
                })?;
            }
        }
        Ok(())
    }

    fn positions(&mut self, rest: &mut Query) -> Result<()> {
        let Some(position) = rest.positions.position else {
            return Ok(());
        };
        if !self.segment.has_positions() {
            return Ok(());
        }
        // The other conditions are on the same position.
        if !rest.positions.matches(&position) {
            rest.positions = Default::default();
            return self.keep("positions", |_, len| Ok(GameSet::none(len)));
        }
        let mut is_complete = false;
        self.keep("positions", |segment, len| {
            let (games, complete) = games_of_position(segment, len, &position)?;
            is_complete = complete;
            Ok(games)
        })?;
        if is_complete && !rest.positions.last_only {
            rest.positions = Default::default();
        }
        Ok(())
    }

    fn openings(&mut self, rest: &mut Query) -> Result<()> {
        let Some(opening) = rest.opening.clone().filter(|_| self.segment.has_openings()) else {
            return Ok(());
        };
        let mut is_complete = false;
        self.keep("opening", |segment, len| {
            let (games, complete) = games_of_opening(segment, len, &opening)?;
            is_complete = complete;
            Ok(games)
        })?;
        if is_complete {
            rest.opening = None;
        }
        Ok(())
    }

    /// Keeps the games whose value in a column is accepted; missing values are passed as `None`.
    fn column(
        &mut self,
        name: &str,
        column: IndexColumn,
        accepts: impl Fn(Option<u32>) -> bool,
    ) -> Result<()> {
        self.keep(name, |segment, len| {
            let (mut games, mut game) = (GameSet::none(len), 0);
            segment.column(column, |value| {
                if accepts(value) {
                    games.insert(game);
                }
                game += 1;
            })?;
            Ok(games)
        })
    }

    /// Keeps the games in which the ratings of White and Black are known and accepted.
    fn ratings(&mut self, name: &str, accepts: impl Fn(u32, u32) -> bool) -> Result<()> {
        use IndexColumn::{BlackElo, WhiteElo};
        self.keep(name, |segment, len| {
            let mut white = Vec::with_capacity(len as usize);
            segment.column(WhiteElo, |value| white.push(value))?;
            let (mut games, mut game) = (GameSet::none(len), 0);
            segment.column(BlackElo, |black| {
                let white = white.get(game as usize).copied().flatten();
                if white
                    .zip(black)
                    .is_some_and(|(white, black)| accepts(white, black))
                {
                    games.insert(game);
                }
                game += 1;
            })?;
            Ok(games)
        })
    }

    fn numbers(&mut self, rest: &mut Query) -> Result<()> {
        use IndexColumn::{BlackElo, Date, Eco, Plies, Result as Results, WhiteElo};
        let has = |column| self.segment.has_column(column);
        let (has_ratings, has_date) = (has(WhiteElo) && has(BlackElo), has(Date));
        let (has_results, has_eco, has_plies) = (has(Results), has(Eco), has(Plies));
        if has_ratings {
            let is_in = |range: Bounds<u16>| {
                move |value: Option<u32>| value.is_some_and(|v| range.contains(&(v as u16)))
            };
            let both = rest.elo.take();
            for (name, range) in [("elo", both), ("white_elo", rest.white_elo.take())] {
                if let Some(range) = range {
                    self.column(name, WhiteElo, is_in(range))?;
                }
            }
            for (name, range) in [("elo", both), ("black_elo", rest.black_elo.take())] {
                if let Some(range) = range {
                    self.column(name, BlackElo, is_in(range))?;
                }
            }
            if let Some(range) = rest.elo_diff.take() {
                self.ratings("elo_diff", |white, black| {
                    range.contains(&(white as i32 - black as i32))
                })?;
            }
            if !rest.mean_elo.is_empty() {
                let ranges = std::mem::take(&mut rest.mean_elo);
                self.ratings("mean_elo", |white, black| {
                    let mean = u32::midpoint(white, black) as u16;
                    ranges.iter().any(|range| range.contains(&mean))
                })?;
            }
        }
        if let Some(range) = rest.date.take_if(|_| has_date) {
            self.column("date", Date, |value| {
                value.is_some_and(|number| date_of(number).is_in(&range))
            })?;
        }
        if has_results && !rest.result.is_empty() {
            let wanted = std::mem::take(&mut rest.result);
            self.column("result", Results, |value| {
                value
                    .and_then(result_of)
                    .is_some_and(|result| wanted.contains(&result))
            })?;
        }
        if let Some(range) = rest.eco.take_if(|_| has_eco) {
            self.column("eco", Eco, |value| {
                value
                    .and_then(eco_of)
                    .is_some_and(|eco| range.contains(&eco))
            })?;
        }
        if let Some(range) = rest.plies.take_if(|_| has_plies) {
            // A game that is kept as text has no plies.
            self.column("plies", Plies, |value| range.contains(&value.unwrap_or(0)))?;
        }
        Ok(())
    }

    fn dictionaries(&mut self, rest: &mut Query) -> Result<()> {
        use IndexColumn::{Termination, TimeControl};
        if self.segment.has_column(TimeControl) {
            if let Some(pattern) = rest.time_control.take() {
                self.dictionary("time_control", TimeControl, |value| pattern.matches(value))?;
            }
            if !rest.speed.is_empty() {
                let wanted = std::mem::take(&mut rest.speed);
                self.dictionary("speed", TimeControl, |value| {
                    Speed::of_time_control(value).is_some_and(|speed| wanted.contains(&speed))
                })?;
            }
        }
        if self.segment.has_column(Termination)
            && let Some(pattern) = rest.termination.take()
        {
            self.dictionary("termination", Termination, |value| pattern.matches(value))?;
        }
        Ok(())
    }

    fn dictionary(
        &mut self,
        name: &str,
        column: IndexColumn,
        accepts: impl Fn(&[u8]) -> bool,
    ) -> Result<()> {
        let values = self.segment.dictionary(column)?;
        let accepted: Vec<bool> = values.iter().map(|value| accepts(value)).collect();
        self.column(name, column, |code| {
            code.is_some_and(|code| accepted.get(code as usize) == Some(&true))
        })
    }
}

/// The games in which a position may occur, and whether it occurs in all of them.
fn games_of_position(segment: &Segment, len: u64, position: &Position) -> Result<(GameSet, bool)> {
    match segment.position(Keys::of_position(position))? {
        Found::Candidates(groups) => {
            let games = groups
                .into_iter()
                .flat_map(|group| segment.slots().games_of_group(group));
            Ok((GameSet::of(len, games), false))
        }
        Found::All(found) => {
            let mut games = GameSet::of(len, found.games.iter().map(|&(game, _)| game.into()));
            // An index without an opening tree has no nodes.
            for node in found.nodes {
                let range = segment.node(node)?.games();
                segment.games_of_tree(range, |game| games.insert(game))?;
            }
            Ok((games, true))
        }
    }
}

/// The games that may begin with these moves, and whether all of them do.
fn games_of_opening(
    segment: &Segment,
    len: u64,
    opening: &OpeningPrefix,
) -> Result<(GameSet, bool)> {
    let mut games = GameSet::none(len);
    let mut position = Position::default();
    let (mut node, mut range, mut is_complete) = (Some(0), segment.node(0)?.games(), true);
    for &played in opening.moves() {
        let Some(number) = node else {
            is_complete = false;
            break;
        };
        let (ordinal, _) = Legal::new(&position).ordinal_and_count(played);
        position.play(played);
        let children = &segment.node(number)?.children;
        // After the last ply of the tree the moves are not known.
        if children.iter().any(|child| child.is_unknown()) {
            is_complete = false;
            break;
        }
        let child = children
            .iter()
            .find(|child| u32::from(child.ordinal) == ordinal);
        let Some(child) = child else {
            return Ok((games, true));
        };
        range = child.first..child.first + u64::from(child.games);
        node = child.node;
    }
    segment.games_of_tree(range, |game| games.insert(game))?;
    Ok((games, is_complete))
}
