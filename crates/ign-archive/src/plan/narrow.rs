//! What a segment of an index says about a query.
//!
//! Each condition that the index decides is removed from the query, and the games that do not meet
//! it are removed from the set. A condition for which the index has candidates only stays in the
//! query. What is left is evaluated on the games that are left.

use ign_format::{block::opening_prefix::OpeningPrefix, error::Result};
use ign_notation::chess::{Legal, Position};

use super::{game_set::GameSet, sequence::Sequence, stage::Stage};
use crate::{
    archives::Part,
    index::{Counts, Found, IndexColumn, Keys, MAX_PIECES, MAX_PLY, Segment},
    query::{Query, Reads},
    values::{Material, PositionFilter, TextPattern},
};

/// What a segment leaves of a query.
pub(crate) struct Narrowed {
    /// The games that may match, counted from 0; `None` for all.
    pub games: Option<GameSet>,
    /// The conditions that the index has not decided.
    pub rest: Query,
    /// What was read for each condition.
    pub stages: Vec<Stage>,
}

impl Narrowed {
    /// Asks the segment of a part about the conditions of a query.
    ///
    /// # Errors
    /// Io of the index; corrupt.
    pub fn of(query: &Query, part: &Part, segment: &Segment) -> Result<Self> {
        let mut index = Narrowing {
            part,
            segment,
            positions: query.plan().replay.positions,
            games: None,
            stages: Vec::new(),
        };
        let mut rest = query.clone();
        for (condition, value) in query.in_index() {
            if !value.narrow(condition.name, &mut index)? {
                continue;
            }
            // Those on positions are on one and the same position.
            if condition.reads == Reads::Positions {
                rest.remove_positions();
            } else {
                rest.remove_value(value);
            }
        }
        Ok(Self {
            games: index.games,
            rest,
            stages: index.stages,
        })
    }
}

/// The games of a segment that may match, while conditions reduce them.
pub(crate) struct Narrowing<'i> {
    part: &'i Part<'i>,
    segment: &'i Segment,
    /// All conditions on positions.
    positions: Sequence,
    games: Option<GameSet>,
    stages: Vec<Stage>,
}

impl Narrowing<'_> {
    /// Keeps the games that `find` inserts into an empty set, and returns what `find` returns.
    /// Beside it `find` gets the games that are left, if not all are: others need not be inserted.
    /// Without games left it is not called.
    fn keep<T>(
        &mut self,
        name: &str,
        find: impl FnOnce(&Segment, Option<&GameSet>, &mut GameSet) -> Result<T>,
    ) -> Result<Option<T>> {
        let before = self.segment.bytes_read();
        let mut returned = None;
        if self.games.as_ref().is_none_or(|games| games.count() > 0) {
            let mut found = GameSet::none(self.segment.games());
            returned = Some(find(self.segment, self.games.as_ref(), &mut found)?);
            match &mut self.games {
                Some(games) => games.intersect(&found),
                none => *none = Some(found),
            }
        }
        self.stages.push(Stage {
            name: name.to_owned(),
            reads: "index".to_owned(),
            bytes: self.segment.bytes_read() - before,
            games: self.games.as_ref().map_or(0, GameSet::count),
        });
        Ok(returned)
    }

    /// Keeps the games of the players whose names match, if the index has players. `colors` says
    /// whether they may have White and Black.
    pub fn players(
        &mut self,
        name: &str,
        pattern: &TextPattern,
        colors: [bool; 2],
    ) -> Result<bool> {
        if !self.segment.has_players() {
            return Ok(false);
        }
        self.keep(name, |segment, _, games| {
            segment.games_of_players(pattern, |played| {
                if colors[usize::from(played.is_black())] {
                    games.insert(played.game());
                }
            })
        })?;
        Ok(true)
    }

    /// Keeps the games of two players whose names match, whoever has White, if the index has
    /// players.
    pub fn both_players(&mut self, name: &str, patterns: &[TextPattern; 2]) -> Result<bool> {
        if !self.segment.has_players() {
            return Ok(false);
        }
        self.keep(name, |segment, _, games| {
            // By pattern, then by color.
            let mut played = [[(); 2]; 2].map(|sets| sets.map(|()| GameSet::none(segment.games())));
            for (pattern, sets) in patterns.iter().zip(&mut played) {
                segment.games_of_players(pattern, |played| {
                    sets[usize::from(played.is_black())].insert(played.game());
                })?;
            }
            let [[mut as_named, mut exchanged], [white, black]] = played;
            as_named.intersect(&black);
            exchanged.intersect(&white);
            games.unite(&as_named);
            games.unite(&exchanged);
            Ok(())
        })?;
        Ok(true)
    }

    /// Keeps the games in which the position of the conditions may occur, if the index has
    /// positions. Returns whether all of them meet all conditions on positions.
    pub fn position(&mut self) -> Result<bool> {
        let is_complete = self.position_of(&self.positions.first.clone())?;
        Ok(is_complete && self.positions.is_one_position() && !self.positions.first.last_only)
    }

    /// Keeps the games in which the material of the conditions may occur, if the index has it.
    /// Returns whether all of them meet all conditions on positions.
    pub fn material(&mut self) -> Result<bool> {
        let first = self.positions.first.clone();
        let is_complete = self.material_of(&first)?;
        let is_alone = first.position.is_none() && first.board.is_none() && first.pattern.is_none();
        Ok(is_complete && is_alone && self.positions.is_one_position() && !first.last_only)
    }

    /// Keeps the games that have the material of a filter, if the index has it. Returns whether it
    /// has.
    fn material_of(&mut self, filter: &PositionFilter) -> Result<bool> {
        let flipped = filter.flipped.as_ref();
        let materials = [
            filter.material.as_ref(),
            flipped.and_then(|f| f.material.as_ref()),
        ];
        let materials = || materials.into_iter().flatten();
        let are_few = |material: &Material| {
            let max = material.max_pieces();
            max.is_some_and(|max| max <= MAX_PIECES as usize)
        };
        if !self.segment.has_materials() || filter.material.is_none() || !materials().all(are_few) {
            return Ok(false);
        }
        let all: Option<Vec<_>> = materials().map(Material::all_counts).collect();
        let all = all.map(|all| all.concat());
        self.keep("material", |segment, _, games| {
            let wanted = |counts: &Counts| materials().any(|m| m.matches_pieces(counts));
            segment.games_of_materials(wanted, all.as_deref(), |game| games.insert(game))
        })?;
        Ok(true)
    }

    /// Keeps the games in which the position of a condition on a later position may occur, if the
    /// index has positions. It does not decide whether it occurs later.
    pub fn later(&mut self, filter: &PositionFilter) -> Result<()> {
        let mut filter = filter.clone();
        filter.flipped = self.positions.flips.then(|| Box::new(filter.flip()));
        self.position_of(&filter)?;
        self.material_of(&filter)?;
        Ok(())
    }

    /// Keeps the games in which the position of a filter may occur, if it has one and the index has
    /// positions. Returns whether it occurs in all of them.
    fn position_of(&mut self, filter: &PositionFilter) -> Result<bool> {
        if !self.segment.has_positions() || filter.position.is_none() {
            return Ok(false);
        }
        let flipped = filter.flipped.as_ref();
        let positions = [
            filter.position,
            flipped.and_then(|flipped| flipped.position),
        ];
        let positions = positions.into_iter().flatten();
        // The other conditions are on the same position.
        let positions: Vec<Position> = positions.filter(|p| filter.matches(p)).collect();
        if positions.is_empty() {
            self.keep("positions", |_, _, _| Ok(()))?;
            return Ok(true);
        }
        let part = self.part;
        // Without a depth there are no late games.
        let before = self.segment.depth().and_then(|_| self.games.clone());
        let mut late = None;
        let is_complete = self.keep("positions", |segment, _, games| {
            let mut is_complete = true;
            for position in &positions {
                let (is_of_this, late_games) = games_of_position(part, segment, position, games)?;
                is_complete &= is_of_this;
                add_to(&mut late, late_games);
            }
            Ok(is_complete)
        })?;
        if let (Some(depth), Some(mut late)) = (self.segment.depth(), late) {
            before.iter().for_each(|before| late.intersect(before));
            add_to(&mut self.games, Some(late));
            self.stages.push(Stage {
                name: format!("positions after ply {depth}"),
                reads: "not in the index".to_owned(),
                bytes: 0,
                games: self.games.as_ref().map_or(0, GameSet::count),
            });
        }
        Ok(is_complete == Some(true))
    }

    /// Keeps the games that may begin with these moves, if the index has openings. Returns whether
    /// all of them do.
    pub fn opening(&mut self, name: &str, opening: &OpeningPrefix) -> Result<bool> {
        if !self.segment.has_openings() {
            return Ok(false);
        }
        let is_complete = self.keep(name, |segment, _, games| {
            games_of_opening(segment, opening, games)
        })?;
        Ok(is_complete == Some(true))
    }

    /// Keeps the games that do not match a query, if the index decides all of its conditions: what
    /// it has only candidates for excludes nothing.
    pub fn exclude(&mut self, name: &str, query: &Query) -> Result<bool> {
        let matching = Narrowed::of(query, self.part, self.segment)?;
        if !matching.rest.is_empty() {
            return Ok(false);
        }
        self.keep(name, |segment, _, games| {
            if let Some(matching) = &matching.games {
                let all = 0..segment.games();
                all.filter(|&game| !matching.contains(game))
                    .for_each(|game| games.insert(game));
            }
            Ok(())
        })?;
        if let Some(stage) = self.stages.last_mut() {
            stage.bytes += matching.stages.iter().map(|s| s.bytes).sum::<u64>();
        }
        Ok(true)
    }

    /// Keeps the games whose value in a column is accepted, if the index has the column; missing
    /// values are passed as `None`.
    pub fn column(
        &mut self,
        name: &str,
        column: IndexColumn,
        accepts: impl Fn(Option<u32>) -> bool,
    ) -> Result<bool> {
        if !self.segment.has_column(column) {
            return Ok(false);
        }
        let Some(accepted) = self.segment.accepted(column, accepts)? else {
            return Ok(false);
        };
        self.keep(name, |segment, left, games| {
            segment.matching(column, &accepted, left, games)
        })?;
        Ok(true)
    }

    /// Keeps the games in which the ratings of White and Black are known and accepted, if the index
    /// has both.
    pub fn ratings(&mut self, name: &str, accepts: impl Fn(u16, u16) -> bool) -> Result<bool> {
        use IndexColumn::{BlackElo, WhiteElo};
        if !(self.segment.has_column(WhiteElo) && self.segment.has_column(BlackElo)) {
            return Ok(false);
        }
        self.keep(name, |segment, left, games| {
            segment.both([WhiteElo, BlackElo], left, |game, white, black| {
                if accepts(white as u16, black as u16) {
                    games.insert(game);
                }
            })
        })?;
        Ok(true)
    }

    /// Keeps the games whose text in a column is accepted, if the index has the column; missing
    /// values are passed as `None`.
    pub fn dictionary(
        &mut self,
        name: &str,
        column: IndexColumn,
        accepts: impl Fn(Option<&[u8]>) -> bool,
    ) -> Result<bool> {
        if !self.segment.has_column(column) {
            return Ok(false);
        }
        let values = self.segment.dictionary(column)?;
        let accepted = values.iter().map(|value| accepts(Some(value)));
        let accepted: Vec<bool> = accepted.collect();
        let accepts_none = accepts(None);
        self.column(name, column, |code| match code {
            Some(code) => accepted.get(code as usize) == Some(&true),
            None => accepts_none,
        })
    }
}

/// Adds games to a set, which may not be there yet.
fn add_to(set: &mut Option<GameSet>, games: Option<GameSet>) {
    match (set, games) {
        (Some(set), Some(games)) => set.unite(&games),
        (set, games) => *set = set.take().or(games),
    }
}

/// Inserts the games in which a position may occur. Returns whether it occurs in all of them, and
/// the games that may have it after the depth of the index.
fn games_of_position(
    part: &Part,
    segment: &Segment,
    position: &Position,
    games: &mut GameSet,
) -> Result<(bool, Option<GameSet>)> {
    match segment.position(Keys::of_position(position))? {
        Found::Candidates(groups) => {
            let candidates = part.candidates_of(segment, position, groups)?;
            let found = candidates.games.into_iter();
            found.for_each(|game| games.insert(game));
            Ok((false, candidates.late))
        }
        Found::All(found) => {
            let places: Vec<u64> = found
                .places
                .iter()
                .map(|&(place, _)| place.into())
                .collect();
            segment.games_at_places(&places, |game| games.insert(game))?;
            // An index without an opening tree has no nodes.
            for node in found.nodes {
                let range = segment.node(node)?.games();
                segment.games_of_tree(range, |game| games.insert(game))?;
            }
            Ok((true, None))
        }
    }
}

/// Inserts the games that may begin with these moves. Returns whether all of them do.
fn games_of_opening(
    segment: &Segment,
    opening: &OpeningPrefix,
    games: &mut GameSet,
) -> Result<bool> {
    let mut position = Position::default();
    let (mut node, mut range, mut is_complete) = (Some(0), segment.node(0)?.games(), true);
    for (ply, &played) in opening.moves().iter().enumerate() {
        let Some(number) = node else {
            is_complete = false;
            break;
        };
        let (ordinal, _) = Legal::new(&position).ordinal_and_count(played);
        position.play(played);
        let children = &segment.node(number)?.children;
        // After the last ply of the tree the moves are not known. Before, only null moves are not.
        if ply >= MAX_PLY {
            is_complete = false;
            break;
        }
        let child = children
            .iter()
            .find(|child| u32::from(child.ordinal) == ordinal);
        let Some(child) = child else {
            return Ok(true);
        };
        range = child.first..child.first + u64::from(child.games);
        node = child.node;
    }
    segment.games_of_tree(range, |game| games.insert(game))?;
    Ok(is_complete)
}
