//! Counts of games by opening, rating and day, from the tags of the games.

use std::collections::{BTreeMap, HashMap};

use ign_archive::{
    query::{Date, GameResult, Speed},
    scan::{Batch, ScanColumn},
};
use serde::Serialize;

/// The width of a band of ratings.
pub const BAND: u16 = 100;

/// Games by result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Results {
    /// All games.
    pub games: u64,
    /// Games that White won.
    pub white: u64,
    /// Draws.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
}

impl Results {
    fn add(&mut self, result: Option<GameResult>) {
        self.games += 1;
        match result {
            Some(GameResult::WhiteWins) => self.white += 1,
            Some(GameResult::Draw) => self.draws += 1,
            Some(GameResult::BlackWins) => self.black += 1,
            Some(GameResult::Unknown | GameResult::BothLose) | None => {}
        }
    }
}

/// Games by what their tags say.
#[derive(Debug, Default)]
pub struct Played {
    /// By ECO code and name of the opening.
    pub openings: HashMap<(String, String), Results>,
    /// By the lower end of the band of the mean rating.
    pub ratings: BTreeMap<u16, Results>,
    /// By day.
    pub days: BTreeMap<Date, u64>,
    /// By speed.
    pub speeds: BTreeMap<Speed, u64>,
}

impl Played {
    /// The columns of a batch.
    pub const COLUMNS: [ScanColumn; 7] = [
        ScanColumn::Result,
        ScanColumn::WhiteElo,
        ScanColumn::BlackElo,
        ScanColumn::Date,
        ScanColumn::Eco,
        ScanColumn::Opening,
        ScanColumn::TimeControl,
    ];

    /// Adds the games of a batch.
    pub fn add(&mut self, batch: &Batch) {
        let columns = batch.columns();
        for row in 0..batch.len() {
            let result = columns[0].as_results().and_then(|c| c.get(row));
            let rating = |column: usize| columns[column].as_ratings().and_then(|c| c.get(row));
            if let (Some(white), Some(black)) = (rating(1), rating(2)) {
                let band = u16::midpoint(white, black) / BAND * BAND;
                self.ratings.entry(band).or_default().add(result);
            }
            if let Some(date) = columns[3].as_dates().and_then(|c| c.get(row)) {
                *self.days.entry(date).or_default() += 1;
            }
            let eco = columns[4].as_ecos().and_then(|c| c.get(row));
            let name = columns[5].as_text().and_then(|c| c.text(row));
            if eco.is_some() || name.is_some() {
                let eco = eco.map(|eco| eco.to_string()).unwrap_or_default();
                let name = name.unwrap_or_default().into_owned();
                self.openings.entry((eco, name)).or_default().add(result);
            }
            let control = columns[6].as_text().and_then(|c| c.get(row));
            if let Some(speed) = control.and_then(Speed::of_time_control) {
                *self.speeds.entry(speed).or_default() += 1;
            }
        }
    }
}
