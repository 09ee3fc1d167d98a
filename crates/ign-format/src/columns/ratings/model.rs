//! The statistics of a ratings column, and the forecast of each number from the games before.

use ign_entropy::{
    adaptive::{Bit, Coder},
    mixing::MixedSigned,
};
use rustc_hash::FxHashMap;

use super::elo::{gap_class, half_points, surprise};
use crate::{
    columns::table::{Span, Table},
    container::block_head::Column,
};

/// The rating that is expected of the first player of a part (spec §4.3.4).
const INITIAL_RATING: i64 = 1600;
/// The factor of a player without one, in rating points for each point of surprise (spec §4.3.4).
const INITIAL_FACTOR: i64 = 24;
/// A surprise of at least this many thousandths determines a player's factor (spec §4.3.4).
const MIN_SURPRISE: i64 = 100;
/// The class of half points that are unknown (spec §4.3.4).
const UNKNOWN_POINTS: usize = 3;

/// What is known of a player in an event from the games before.
#[derive(Debug, Clone, Copy)]
struct Player {
    /// The rating after the last game.
    rating: i64,
    /// Whether the rating change of that game was known.
    settled: bool,
    /// The rating change for a surprise of one point, in rating points. Elo's K.
    factor: Option<i64>,
    /// The player's half points in that game.
    half_points: Option<i64>,
}

/// What the column stores of a record. `None` is an absent tag or a line of text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Numbers {
    /// The ratings of White and Black.
    pub ratings: [Option<i64>; 2],
    /// The rating changes of White and Black.
    pub changes: [Option<i64>; 2],
}

impl Numbers {
    /// The four numbers in the order of the tags.
    pub fn in_order(self) -> [Option<i64>; 4] {
        let ([a, b], [c, d]) = (self.ratings, self.changes);
        [a, b, c, d]
    }
}

/// What other columns have about a record: the players, the place and the result.
#[derive(Debug, Clone, Copy)]
pub(super) struct Game {
    players: [Span; 2],
    event: Span,
    half_points: Option<[i64; 2]>,
    /// Whether the record has the rating tags.
    has_ratings: [bool; 2],
    /// Whether the record has the tags of rating changes.
    has_changes: [bool; 2],
}

impl Game {
    /// The game of a row.
    pub fn of(table: &Table, column: &Column, row: usize) -> Self {
        let has = |tag: Option<&u16>| tag.is_some_and(|&t| table.span(t, row).is_present());
        let tags = &column.tags;
        Self {
            players: [
                table.span(column.refs[0], row),
                table.span(column.refs[1], row),
            ],
            event: column
                .refs
                .get(3)
                .map_or(Span::ABSENT, |&t| table.span(t, row)),
            half_points: column
                .refs
                .get(2)
                .and_then(|&t| half_points(table.value(t, row)?)),
            has_ratings: [has(tags.first()), has(tags.get(1))],
            has_changes: [has(tags.get(2)), has(tags.get(3))],
        }
    }

    /// Whether the record has each of the four tags.
    pub fn has_tags(&self) -> [bool; 4] {
        let ([a, b], [c, d]) = (self.has_ratings, self.has_changes);
        [a, b, c, d]
    }
}

/// What is known of a name.
#[derive(Debug, Default)]
struct Name {
    /// The last rating in any event.
    rating: Option<i64>,
    /// The player of each event. They are few.
    players: Vec<(Span, Player)>,
}

impl Name {
    fn player(&self, event: Span) -> Option<Player> {
        let mut players = self.players.iter().rev();
        players
            .find(|(e, _)| *e == event)
            .map(|(_, player)| *player)
    }

    fn set_player(&mut self, event: Span, player: Player) {
        self.rating = Some(player.rating);
        let mut players = self.players.iter_mut().rev();
        match players.find(|(e, _)| *e == event) {
            Some((_, known)) => *known = player,
            None => self.players.push((event, player)),
        }
    }
}

/// The statistics of a part.
pub(super) struct Model {
    /// The place of each name in `names`.
    places: FxHashMap<Span, u32>,
    names: Vec<Name>,
    is_text_rating: [[Bit; 2]; 2],
    was_text: [bool; 2],
    is_text_change: Bit,
    rating: MixedSigned<3>,
    change: MixedSigned<3>,
    /// The last rating of any player.
    rating_before: i64,
}

impl Model {
    /// The statistics at the start of a part.
    pub fn new() -> Self {
        Self {
            places: FxHashMap::default(),
            names: Vec::new(),
            is_text_rating: Default::default(),
            was_text: [false; 2],
            is_text_change: Bit::default(),
            rating: MixedSigned::default(),
            change: MixedSigned::default(),
            rating_before: INITIAL_RATING,
        }
    }

    /// Codes the numbers of a record.
    pub fn code(&mut self, coder: &mut impl Coder, game: Game, given: Numbers) -> Numbers {
        let places = game.players.map(|name| self.place(name));
        let known = places.map(|place| self.names[place?].player(game.event));
        let elsewhere = places.map(|place| self.names[place?].rating);
        let mut numbers = Numbers::default();
        // A known player comes first: the opponent is likely of similar strength.
        let order = if elsewhere[0].is_none() && elsewhere[1].is_some() {
            [1, 0]
        } else {
            [0, 1]
        };
        let points_class =
            |points: Option<i64>| points.map_or(UNKNOWN_POINTS, |points| points as usize);
        for side in order {
            if !game.has_ratings[side] {
                continue;
            }
            let opponent = numbers.ratings[1 - side]
                .or(known[1 - side].map(|player| player.rating))
                .or(elsewhere[1 - side]);
            let (class, forecast) = match (known[side], elsewhere[side]) {
                (Some(player), _) => (usize::from(player.settled), player.rating),
                (_, Some(rating)) => (2, rating),
                _ => (3, opponent.unwrap_or(self.rating_before)),
            };
            let this = points_class(game.half_points.map(|points| points[side]));
            let last = points_class(known[side].and_then(|player| player.half_points));
            let contexts = [
                class,
                (class * 4 + this) * 4 + last,
                (class * 16 + gap_class(Some(forecast), opponent)) * 4 + this,
            ];
            let is_text = &mut self.is_text_rating[side][usize::from(self.was_text[side])];
            let rating = code_number(
                coder,
                is_text,
                &mut self.rating,
                contexts,
                forecast,
                given.ratings[side],
            );
            self.was_text[side] = rating.is_none();
            self.rating_before = rating.unwrap_or(self.rating_before);
            numbers.ratings[side] = rating;
        }
        for side in [0, 1] {
            let surprise = match (
                numbers.ratings[side],
                numbers.ratings[1 - side],
                game.half_points,
            ) {
                (Some(own), Some(other), Some(points)) => Some(surprise(own, other, points[side])),
                _ => None,
            };
            let factor = known[side].and_then(|player| player.factor);
            if game.has_changes[side] {
                let forecast = surprise.unwrap_or(0) * factor.unwrap_or(INITIAL_FACTOR) / 1000;
                numbers.changes[side] = code_number(
                    coder,
                    &mut self.is_text_change,
                    &mut self.change,
                    change_contexts(surprise, factor, numbers.changes[0]),
                    forecast,
                    given.changes[side],
                );
            }
            if let Some(place) = places[side] {
                self.update(place, game, side, numbers, surprise, factor);
            }
        }
        numbers
    }

    /// The place of a name in `names`.
    fn place(&mut self, name: Span) -> Option<usize> {
        if !name.is_present() {
            return None;
        }
        let next = self.names.len() as u32;
        let place = *self.places.entry(name).or_insert(next);
        if place == next {
            self.names.push(Name::default());
        }
        Some(place as usize)
    }

    /// Stores what the record shows of the player with the name at this place.
    fn update(
        &mut self,
        place: usize,
        game: Game,
        side: usize,
        numbers: Numbers,
        surprise: Option<i64>,
        factor: Option<i64>,
    ) {
        let (rating, change) = (numbers.ratings[side], numbers.changes[side]);
        let Some(rating) = rating else {
            return;
        };
        let surprise = surprise.filter(|s| s.abs() >= MIN_SURPRISE);
        let observed = change
            .zip(surprise)
            .map(|(change, surprise)| (change.saturating_mul(1000) / surprise).clamp(2, 999));
        let player = Player {
            rating: rating.saturating_add(change.unwrap_or(0)),
            settled: change.is_some(),
            factor: observed.or(factor),
            half_points: game.half_points.map(|points| points[side]),
        };
        self.names[place].set_player(game.event, player);
    }
}

/// The contexts of a change. `first` is the change of White when Black's is coded.
fn change_contexts(surprise: Option<i64>, factor: Option<i64>, first: Option<i64>) -> [usize; 3] {
    let class = match (surprise, factor) {
        (None, _) => 0,
        (_, None) => 1,
        (_, Some(..40)) => 2,
        (_, Some(..100)) => 3,
        _ => 4,
    };
    let surprise = surprise.map_or(0, |s| 1 + (s + 1000) / 100) as usize;
    let first = first.map_or(0, |change| 1 + change.unsigned_abs().min(62) as usize / 2);
    [class, class * 32 + surprise, class * 32 + first]
}

/// Codes a number as its difference from a forecast, or `None` for a line of text.
fn code_number(
    coder: &mut impl Coder,
    is_text: &mut Bit,
    differences: &mut MixedSigned<3>,
    contexts: [usize; 3],
    forecast: i64,
    number: Option<i64>,
) -> Option<i64> {
    let is_text = coder.bit(is_text, number.is_none());
    (!is_text).then(|| {
        let difference = number.map_or(0, |number| number - forecast);
        forecast.saturating_add(differences.code(coder, contexts, difference))
    })
}
