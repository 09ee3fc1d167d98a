//! Numbers of games, ascending.

use std::{ops::Range, sync::Arc};

use ign_archive::GameNumber;

/// Numbers of games, ascending.
#[derive(Debug, Clone)]
pub enum Numbers {
    /// All numbers of a range, from 1.
    Range(Range<u64>),
    /// These numbers.
    List(Arc<[GameNumber]>),
}

impl Numbers {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Range(numbers) => usize::try_from(numbers.end - numbers.start).unwrap_or(0),
            Self::List(numbers) => numbers.len(),
        }
    }

    /// The number at a place, which must exist.
    pub fn get(&self, place: usize) -> GameNumber {
        match self {
            Self::Range(numbers) => GameNumber::from_index(numbers.start - 1 + place as u64),
            Self::List(numbers) => numbers[place],
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
        }
    }

    /// Whether a number is among them.
    pub fn contains(&self, number: u64) -> bool {
        match self {
            Self::Range(numbers) => numbers.contains(&number),
            Self::List(numbers) => numbers.binary_search_by_key(&number, |n| n.get()).is_ok(),
        }
    }

    /// Every `step`th of the places of a range.
    pub fn slice(&self, places: Range<usize>, step: usize) -> Self {
        match self {
            Self::Range(numbers) if step == 1 => {
                let first = numbers.start;
                Self::Range(first + places.start as u64..first + places.end as u64)
            }
            Self::List(_) if step == 1 && places == (0..self.len()) => self.clone(),
            _ => Self::List(places.step_by(step).map(|place| self.get(place)).collect()),
        }
    }

    /// The numbers minus `before`, which is less than each of them.
    pub fn less(&self, before: u64) -> Self {
        match self {
            Self::Range(numbers) => Self::Range(numbers.start - before..numbers.end - before),
            Self::List(numbers) if before == 0 => Self::List(numbers.clone()),
            Self::List(numbers) => {
                let indexes = numbers.iter().map(|number| number.index() - before);
                Self::List(indexes.map(GameNumber::from_index).collect())
            }
        }
    }

    /// All numbers.
    pub fn iter(&self) -> impl Iterator<Item = GameNumber> + '_ {
        (0..self.len()).map(|place| self.get(place))
    }
}
