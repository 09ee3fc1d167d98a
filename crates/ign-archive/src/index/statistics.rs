//! Statistics of the most common positions: their games counted by month, speed, rating group and
//! move (spec §15.9).
//!
//! A *class* is a month, a speed and a group of mean ratings. For each class of a position the
//! index has what a tally needs of the games of each move, the games with the highest ratings, and
//! those played last. So the answer for a position takes the same time however many games it has,
//! if the query accepts each class as a whole or not at all.

use std::{collections::BTreeMap, ops::Range};

use ign_entropy::varint;
use ign_format::{
    error::{Error, Result},
    game_number::GameNumber,
};
use shakmaty::{ByColor, Color};

use super::{
    columns::{speed_number, speed_of},
    facts::Facts,
    keys::{LARGE_ORDINAL, OF_VARIANT},
    openings::OpeningTree,
    positions::Occurrences,
    spool::Spool,
};
use crate::{
    query::FactsQuery,
    tree::tally::{Occurrence, Ranking, RecentKey, Sums, TopKey},
    values::{Date, Speed},
};

/// The games of a class that are listed, of each kind (spec §15.9).
pub const LISTED: usize = 15;
/// The lower ends of the groups of mean ratings, those of Lichess's explorer; each goes up to the
/// next (spec §15.9).
pub const RATING_GROUPS: &[u16] = &[0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500];
/// The greatest rating (spec §15.4).
const MAX_RATING: u16 = 9999;
/// Places that are read at once while games are counted, at most.
const READ: u64 = 1 << 16;
/// Places with a smaller distance than this are read at once.
const NEAR: u32 = 64;

/// Which positions have statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stored {
    /// The number of games, at least. Fewer are counted in a millisecond.
    pub min_games: u64,
    /// The number of games for each move of a class, at least: otherwise statistics are not much
    /// smaller than the games.
    pub games_of_cell: u64,
}

impl Stored {
    /// Those for which it pays.
    pub const DEFAULT: Self = Self {
        min_games: 1 << 14,
        games_of_cell: 32,
    };
}

/// Games that statistics distinguish only by their moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Class {
    /// Year and month; the month is 0 if it is not known.
    month: Option<(u16, u8)>,
    speed: Option<Speed>,
    /// The group of the mean rating.
    group: Option<u8>,
}

impl Class {
    fn of(facts: &Facts) -> Self {
        let group = |rating: u16| RATING_GROUPS.partition_point(|&from| from <= rating) as u8 - 1;
        Self {
            month: facts.date.map(|date| (date.year, date.month)),
            speed: facts.speed,
            group: facts.mean_rating().map(group),
        }
    }

    /// The number of the month: 0 if no date is known, else the year times 16 plus the month, plus
    /// 1.
    fn month_number(&self) -> u64 {
        let number = |(year, month): (u16, u8)| u64::from(year) << 4 | u64::from(month);
        self.month.map_or(0, |month| number(month) + 1)
    }

    /// Speed and group as a byte: each 0 if it is not known, else its number plus 1.
    fn byte(&self) -> u8 {
        let speed = self.speed.map_or(0, |speed| speed_number(speed) as u8 + 1);
        speed << 4 | self.group.map_or(0, |group| group + 1)
    }

    fn read(month: u64, byte: u8) -> Option<Self> {
        let month = match month.checked_sub(1) {
            Some(number) => Some((u16::try_from(number >> 4).ok()?, number as u8 & 15)),
            None => None,
        };
        let speed = match byte >> 4 {
            0 => None,
            number => Some(speed_of(u32::from(number) - 1)?),
        };
        let group = (byte & 15).checked_sub(1);
        let is_known = group.is_none_or(|group| usize::from(group) < RATING_GROUPS.len());
        is_known.then_some(Self {
            month,
            speed,
            group,
        })
    }
}

/// The classes that a query accepts.
struct Accepted<'q> {
    query: &'q FactsQuery<'q>,
    /// For games without a mean rating and those of each group: `None` if only some are accepted.
    groups: Vec<Option<bool>>,
}

impl<'q> Accepted<'q> {
    /// The conditions on what makes a class.
    const CONDITIONS: [&'static str; 3] = ["mean_elo", "speed", "date"];

    /// `None` if a query has other conditions.
    fn of(query: &'q FactsQuery) -> Option<Self> {
        let accepts = |rating: Option<u16>| {
            let facts = Facts {
                ratings: ByColor::new_with(|_| rating),
                ..Facts::default()
            };
            query.meets("mean_elo", &facts)
        };
        let ends = RATING_GROUPS[1..].iter().copied().chain([MAX_RATING + 1]);
        let groups = RATING_GROUPS.iter().zip(ends).map(|(&from, end)| {
            let first = accepts(Some(from));
            let same = (from..end).all(|rating| accepts(Some(rating)) == first);
            same.then_some(first)
        });
        query.has_only(&Self::CONDITIONS).then(|| Self {
            query,
            groups: [Some(accepts(None))].into_iter().chain(groups).collect(),
        })
    }

    /// Whether the games of a class are accepted; `None` if only some of them are.
    fn accepts(&self, class: &Class) -> Option<bool> {
        let group = self.groups[class.group.map_or(0, |group| usize::from(group) + 1)];
        let speed = Facts {
            speed: class.speed,
            ..Facts::default()
        };
        let speed = Some(self.query.meets("speed", &speed));
        let on = |date: Option<Date>| {
            let facts = Facts {
                date,
                ..Facts::default()
            };
            self.query.meets("date", &facts)
        };
        let month = match class.month {
            None => Some(on(None)),
            Some((year, month)) => {
                let days = 0..if month == 0 { 1 } else { 32 };
                let mut days = days.map(|day| on(Some(Date { year, month, day })));
                let first = days.next()?;
                days.all(|accepted| accepted == first).then_some(first)
            }
        };
        let all = [group, speed, month];
        if all.contains(&Some(false)) {
            return Some(false);
        }
        (!all.contains(&None)).then_some(true)
    }
}

/// The games of a class with a move: as a tally counts them for White and for Black.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Cell(ByColor<Sums>);

impl Cell {
    fn add(&mut self, seen: &Occurrence) {
        self.0.white.add(seen, Color::White);
        self.0.black.add(seen, Color::Black);
    }

    /// Appends the numbers.
    fn write(&self, out: &mut Vec<u8>) {
        let ByColor { white, black } = &self.0;
        let mut put = |number: u64| varint::write(out, number);
        put(white.games);
        put(white.white);
        put(white.black);
        let results = white.white + white.draws + white.black;
        let is_complete = (white.rated, results) == (white.games, white.games);
        put(u64::from(is_complete));
        put(white.opponents);
        put(black.opponents);
        if !is_complete {
            [white.draws, white.rated, white.ratings]
                .into_iter()
                .for_each(&mut put);
            for sums in [white, black] {
                put(sums.scored);
                put((sums.scored as i64 + sums.balance) as u64);
            }
        }
        let number = |game: Option<GameNumber>| game.map_or(0, GameNumber::index);
        put(number(white.first_game));
        put(number(white.last_game) - number(white.first_game));
        out.push(white.last_played.map_or(0, |date| date.day));
    }

    /// Reads the numbers of a cell that has `games` games of a segment.
    fn read(input: &mut &[u8], class: &Class, games: u64) -> Result<Self> {
        let mut next = |max: u64| varint::read_at_most(input, max, "the games of a position");
        let mut sums = Sums {
            games: next(games)?,
            ..Sums::default()
        };
        sums.white = next(sums.games)?;
        sums.black = next(sums.games - sums.white)?;
        let is_complete = next(1)? == 1;
        let most = sums.games * u64::from(u16::MAX);
        let opponents = ByColor {
            white: next(most)?,
            black: next(most)?,
        };
        let (mut scored, mut balance) = (ByColor::default(), ByColor::default());
        if is_complete {
            sums.draws = sums.games - sums.white - sums.black;
            sums.rated = sums.games;
            sums.ratings = opponents.white + opponents.black;
            scored = ByColor::new_with(|_| sums.games);
            balance.white = sums.white as i64 - sums.black as i64;
            balance.black = -balance.white;
        } else {
            sums.draws = next(sums.games - sums.white - sums.black)?;
            sums.rated = next(sums.games)?;
            sums.ratings = next(2 * most)?;
            for (scored, balance) in [
                (&mut scored.white, &mut balance.white),
                (&mut scored.black, &mut balance.black),
            ] {
                *scored = next(sums.games)?;
                *balance = next(2 * *scored)? as i64 - *scored as i64;
            }
        }
        let greatest = games.saturating_sub(1);
        let first = next(greatest)?;
        let last = first + next(greatest - first)?;
        let day = *input.split_off_first().ok_or_else(malformed)?;
        if sums.games > 0 {
            sums.first_game = Some(GameNumber::from_index(first));
            sums.last_game = Some(GameNumber::from_index(last));
        }
        sums.last_played = class.month.map(|(year, month)| Date { year, month, day });
        Ok(Self(ByColor::new_with(|color| Sums {
            scored: *scored.get(color),
            opponents: *opponents.get(color),
            balance: *balance.get(color),
            ..sums
        })))
    }
}

/// The games of a class.
#[derive(Debug)]
struct Games {
    /// By the ordinal of the move.
    cells: BTreeMap<u8, Cell>,
    top: Ranking<TopKey, ListedGame>,
    recent: Ranking<RecentKey, ListedGame>,
}

impl Default for Games {
    fn default() -> Self {
        Self {
            cells: BTreeMap::new(),
            top: Ranking::new(LISTED),
            recent: Ranking::new(LISTED),
        }
    }
}

/// Counts games while an index is built.
pub struct Counter<'t> {
    pub stored: Stored,
    pub tree: &'t OpeningTree,
    /// The games in the order of the tree, and their facts.
    pub games: &'t Spool,
    pub facts: &'t [Spool; 5],
}

impl Counter<'_> {
    /// The statistics of a position with these occurrences; `None` if they do not pay.
    ///
    /// # Errors
    /// Io of temporary files.
    pub fn count(&self, found: &Occurrences) -> Result<Option<Vec<u8>>> {
        let of_nodes = found
            .nodes
            .iter()
            .map(|&node| u64::from(self.tree.games_of(node)));
        let games = of_nodes.sum::<u64>() + found.places.len() as u64;
        if games < self.stored.min_games {
            return Ok(None);
        }
        let mut classes = BTreeMap::new();
        let mut unknown = Vec::new();
        let moves = found
            .nodes
            .iter()
            .flat_map(|&node| self.tree.children(node));
        for (ordinal, places) in moves {
            self.add(places, |_| ordinal, &mut classes, &mut unknown)?;
        }
        // Places near each other are read together.
        for run in found.places.chunk_by(|a, b| b.0 - a.0 < NEAR) {
            let places = u64::from(run[0].0)..u64::from(run[run.len() - 1].0) + 1;
            let mut next = run.iter().peekable();
            let ordinal = |place: u64| {
                let found = next.next_if(|&&(other, _)| u64::from(other) == place);
                found.map_or(OF_VARIANT, |&(_, ordinal)| ordinal)
            };
            self.add(places, ordinal, &mut classes, &mut unknown)?;
        }
        let cells: usize = classes
            .values()
            .map(|games: &Games| games.cells.len())
            .sum();
        if games < self.stored.games_of_cell * cells as u64 {
            return Ok(None);
        }
        unknown.sort_unstable();
        Ok(Some(write(&classes, &unknown)))
    }

    /// Adds the games at these places with the ordinals of their moves. A move of a variant is left
    /// out, and so is one that is not known, whose place is added to `unknown`.
    fn add(
        &self,
        places: Range<u64>,
        mut ordinal: impl FnMut(u64) -> u8,
        classes: &mut BTreeMap<Class, Games>,
        unknown: &mut Vec<u64>,
    ) -> Result<()> {
        for start in places.clone().step_by(READ as usize) {
            let some = start..places.end.min(start + READ);
            let games = self.games.read(some.clone())?;
            let mut columns = Vec::with_capacity(self.facts.len());
            for column in self.facts {
                columns.push(column.read(some.clone())?);
            }
            for (row, place) in some.enumerate() {
                let ordinal = ordinal(place);
                match ordinal {
                    OF_VARIANT => continue,
                    LARGE_ORDINAL => {
                        unknown.push(place);
                        continue;
                    }
                    _ => {}
                }
                let facts = Facts::of_numbers(std::array::from_fn(|column| columns[column][row]));
                let seen = Occurrence::new(games[row].unwrap_or_default().into(), &facts);
                let class: &mut Games = classes.entry(Class::of(&facts)).or_default();
                class.cells.entry(ordinal).or_default().add(&seen);
                let listed = ListedGame { seen, ordinal };
                if let Some(key) = seen.top_key() {
                    class.top.add(key, listed);
                }
                class.recent.add(seen.recent_key(), listed);
            }
        }
        Ok(())
    }
}

/// The statistics as bytes.
fn write(classes: &BTreeMap<Class, Games>, unknown: &[u64]) -> Vec<u8> {
    let mut out = Vec::new();
    varint::write(&mut out, unknown.len() as u64);
    let mut before = 0;
    for &place in unknown {
        varint::write(&mut out, place - before);
        before = place;
    }
    varint::write(&mut out, classes.len() as u64);
    let mut before = 0;
    for (class, games) in classes {
        let month = class.month_number();
        varint::write(&mut out, month - before);
        before = month;
        out.push(class.byte());
        let mut own = Vec::new();
        varint::write(&mut own, games.cells.len() as u64);
        for (&ordinal, cell) in &games.cells {
            own.push(ordinal);
            cell.write(&mut own);
        }
        let lists: [Vec<ListedGame>; 2] = [
            games.top.values().collect(),
            games.recent.values().collect(),
        ];
        for list in lists {
            varint::write(&mut own, list.len() as u64);
            for ListedGame { seen, ordinal } in list {
                varint::write(&mut own, seen.game.index());
                own.push(ordinal);
                for rating in [seen.ratings.white, seen.ratings.black] {
                    varint::write(&mut own, rating.map_or(0, |rating| u64::from(rating) + 1));
                }
                own.push(seen.date.map_or(0, |date| date.day));
            }
        }
        varint::write(&mut out, own.len() as u64);
        out.extend_from_slice(&own);
    }
    out
}

/// A game that statistics list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListedGame {
    pub seen: Occurrence,
    pub ordinal: u8,
}

/// What statistics have of the games that a query accepts. Games are numbered in the segment.
#[derive(Debug, Default)]
pub struct Counted {
    /// By the ordinal of the move, of each class: the games as they count for White and for Black.
    pub cells: Vec<(u8, ByColor<Sums>)>,
    /// White's wins, draws and Black's wins by month.
    pub months: Vec<((u16, u8), [u64; 3])>,
    pub top: Vec<ListedGame>,
    pub recent: Vec<ListedGame>,
    /// The places of games whose move is not known.
    pub unknown: Vec<u64>,
}

/// Reads the statistics of a position in a segment of `games` games; `None` if the query accepts a
/// class in part.
///
/// # Errors
/// Corrupt.
pub fn read(mut input: &[u8], games: u64, query: &FactsQuery) -> Result<Option<Counted>> {
    let Some(accepted) = Accepted::of(query) else {
        return Ok(None);
    };
    let input = &mut input;
    let mut counted = Counted::default();
    let max = input.len() as u64;
    let mut place = 0;
    for _ in 0..varint::read_limited(input, max, "the games with unknown moves")? {
        place += varint::read_at_most(input, games.max(place) - place, "a place")?;
        counted.unknown.push(place);
    }
    let mut month = 0;
    let mut before = None;
    for _ in 0..varint::read_limited(input, max, "the classes of a position")? {
        month += varint::read_at_most(input, u64::from(u32::MAX) - month, "a month")?;
        let byte = *input.split_off_first().ok_or_else(malformed)?;
        let class = Class::read(month, byte).ok_or_else(malformed)?;
        if before.replace(class).is_some_and(|before| before >= class) {
            return Err(malformed());
        }
        let len = varint::read_limited(input, input.len() as u64, "a class of a position")?;
        let own = &mut input.split_off(..len).ok_or_else(malformed)?;
        match accepted.accepts(&class) {
            None => return Ok(None),
            Some(false) => {}
            Some(true) => counted.read_class(own, &class, games)?,
        }
    }
    if input.is_empty() {
        Ok(Some(counted))
    } else {
        Err(malformed())
    }
}

impl Counted {
    fn read_class(&mut self, own: &mut &[u8], class: &Class, games: u64) -> Result<()> {
        let (mut results, mut before) = ([0; 3], None);
        for _ in 0..varint::read_limited(own, own.len() as u64, "the moves of a class")? {
            let ordinal = *own.split_off_first().ok_or_else(malformed)?;
            let cell = Cell::read(own, class, games)?.0;
            let ascends = before
                .replace(ordinal)
                .is_none_or(|before| before < ordinal);
            if !ascends || cell.white.games == 0 {
                return Err(malformed());
            }
            let sums = &cell.white;
            let all = [sums.white, sums.draws, sums.black];
            results.iter_mut().zip(all).for_each(|(sum, n)| *sum += n);
            self.cells.push((ordinal, cell));
        }
        if let Some(month) = class.month.filter(|&(_, month)| month > 0) {
            match self.months.last_mut().filter(|(last, _)| *last == month) {
                Some((_, sums)) => sums.iter_mut().zip(results).for_each(|(sum, n)| *sum += n),
                None => self.months.push((month, results)),
            }
        }
        for list in [&mut self.top, &mut self.recent] {
            for _ in 0..varint::read_limited(own, LISTED as u64, "the listed games of a class")? {
                let last = games.checked_sub(1).ok_or_else(malformed)?;
                let game = varint::read_at_most(own, last, "a listed game")?;
                let ordinal = *own.split_off_first().ok_or_else(malformed)?;
                let mut rating = || -> Result<Option<u16>> {
                    let code = varint::read_at_most(own, u64::from(u16::MAX), "a rating")?;
                    Ok(code.checked_sub(1).map(|rating| rating as u16))
                };
                let ratings = ByColor {
                    white: rating()?,
                    black: rating()?,
                };
                let day = *own.split_off_first().ok_or_else(malformed)?;
                list.push(ListedGame {
                    seen: Occurrence {
                        game: GameNumber::from_index(game),
                        result: None,
                        ratings,
                        date: class.month.map(|(year, month)| Date { year, month, day }),
                    },
                    ordinal,
                });
            }
        }
        if own.is_empty() {
            Ok(())
        } else {
            Err(malformed())
        }
    }
}

fn malformed() -> Error {
    Error::corrupt("the statistics of a position in the index are malformed")
}
