//! Numbers of games.

use std::{ops::Range, sync::Arc};

use ign_archive::GameNumber;

/// Numbers of games, each once.
#[derive(Debug, Clone)]
pub enum Numbers {
    /// All numbers of a range, from 1.
    Range(Range<u64>),
    /// These numbers, ascending.
    List(Arc<[GameNumber]>),
    /// These numbers, in another order.
    Ordered(Arc<Ordered>),
}

/// Numbers that do not ascend.
#[derive(Debug)]
pub struct Ordered {
    /// In their order.
    pub games: Arc<[GameNumber]>,
    /// The same, ascending.
    ascending: Arc<[GameNumber]>,
}

impl Numbers {
    /// Numbers in any order, each once.
    pub fn in_order(games: Vec<GameNumber>) -> Self {
        if games.is_sorted() {
            return Self::List(games.into());
        }
        let mut ascending = games.clone();
        ascending.sort_unstable();
        Self::Ordered(Arc::new(Ordered {
            games: games.into(),
            ascending: ascending.into(),
        }))
    }

    /// The same numbers, ascending.
    pub fn ascending(&self) -> Self {
        match self {
            Self::Ordered(ordered) => Self::List(ordered.ascending.clone()),
            ascending => ascending.clone(),
        }
    }

    /// The same numbers, ascending, in a list.
    pub fn into_list(self) -> Arc<[GameNumber]> {
        match self {
            Self::Range(_) => self.iter().collect(),
            Self::List(numbers) => numbers,
            Self::Ordered(ordered) => ordered.ascending.clone(),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Range(numbers) => usize::try_from(numbers.end - numbers.start).unwrap_or(0),
            Self::List(numbers) => numbers.len(),
            Self::Ordered(ordered) => ordered.games.len(),
        }
    }

    /// The number at a place, which must exist.
    pub fn get(&self, place: usize) -> GameNumber {
        match self {
            Self::Range(numbers) => GameNumber::from_index(numbers.start - 1 + place as u64),
            Self::List(numbers) => numbers[place],
            Self::Ordered(ordered) => ordered.games[place],
        }
    }

    /// The place of a number, if it is among them.
    pub fn place_of(&self, number: u64) -> Option<usize> {
        match self {
            Self::Range(numbers) => {
                let place = || usize::try_from(number - numbers.start).ok();
                numbers.contains(&number).then(place)?
            }
            Self::List(numbers) => numbers.binary_search_by_key(&number, |n| n.get()).ok(),
            Self::Ordered(ordered) => ordered.games.iter().position(|n| n.get() == number),
        }
    }

    /// How many are at most this number.
    pub fn count_up_to(&self, number: u64) -> usize {
        match self {
            Self::Range(numbers) => {
                let end = numbers.end.min(number.saturating_add(1));
                usize::try_from(end.saturating_sub(numbers.start)).unwrap_or(0)
            }
            Self::List(numbers) => numbers.partition_point(|other| other.get() <= number),
            Self::Ordered(_) => self.ascending().count_up_to(number),
        }
    }

    /// Whether a number is among them.
    pub fn contains(&self, number: u64) -> bool {
        match self {
            Self::Ordered(_) => self.ascending().contains(number),
            ascending => ascending.place_of(number).is_some(),
        }
    }

    /// Every `step`th of the places of a range.
    pub fn slice(&self, places: Range<usize>, step: usize) -> Self {
        match self {
            Self::Range(numbers) if step == 1 => {
                let first = numbers.start;
                Self::Range(first + places.start as u64..first + places.end as u64)
            }
            all if step == 1 && places == (0..self.len()) => all.clone(),
            _ => Self::in_order(places.step_by(step).map(|place| self.get(place)).collect()),
        }
    }

    /// The numbers minus `before`, which is less than each of them.
    pub fn less(&self, before: u64) -> Self {
        match self {
            Self::Range(numbers) => Self::Range(numbers.start - before..numbers.end - before),
            all if before == 0 => all.clone(),
            _ => {
                let indexes = self.iter().map(|number| number.index() - before);
                Self::in_order(indexes.map(GameNumber::from_index).collect())
            }
        }
    }

    /// All numbers.
    pub fn iter(&self) -> impl Iterator<Item = GameNumber> + '_ {
        (0..self.len()).map(|place| self.get(place))
    }
}
