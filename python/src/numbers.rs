//! Numbers of games, ascending.

use std::{ops::Range, sync::Arc};

/// Numbers of games, ascending.
#[derive(Debug, Clone)]
pub enum Numbers {
    /// All numbers of a range.
    Range(Range<u64>),
    /// These numbers.
    List(Arc<[u64]>),
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
    pub fn get(&self, place: usize) -> u64 {
        match self {
            Self::Range(numbers) => numbers.start + place as u64,
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
            Self::List(numbers) => numbers.partition_point(|&other| other <= number),
        }
    }

    /// Whether a number is among them.
    pub fn contains(&self, number: u64) -> bool {
        match self {
            Self::Range(numbers) => numbers.contains(&number),
            Self::List(numbers) => numbers.binary_search(&number).is_ok(),
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
            Self::List(numbers) => Self::List(numbers.iter().map(|n| n - before).collect()),
        }
    }

    /// All numbers.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.len()).map(|place| self.get(place))
    }
}
