//! A game as the explorer describes it: players, result, speed, month.

use ign_archive::{
    Archive, Archives, GameNumber, Result,
    query::{GameResult, Speed},
    scan::{Batch, ScanColumn},
};
use serde::Serialize;

/// The address of Lichess, before the id of a game.
const LICHESS: &str = "https://lichess.org/";
/// Characters of an id of Lichess.
const ID_LEN: usize = 8;

/// The columns that describe a game.
pub(crate) const COLUMNS: [ScanColumn; 9] = [
    ScanColumn::Site,
    ScanColumn::White,
    ScanColumn::Black,
    ScanColumn::WhiteElo,
    ScanColumn::BlackElo,
    ScanColumn::Result,
    ScanColumn::Date,
    ScanColumn::TimeControl,
    ScanColumn::Event,
];

/// A game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Game {
    /// Its id on Lichess, or its number if it did not come from there.
    pub id: String,
    /// `white` or `black`; `None` for a draw, or if there is no result.
    pub winner: Option<&'static str>,
    /// The speed, by the time control.
    pub speed: Option<&'static str>,
    /// `rated` or `casual`, by the event.
    pub mode: Option<&'static str>,
    /// White.
    pub white: Player,
    /// Black.
    pub black: Player,
    /// The year.
    pub year: Option<u16>,
    /// The month: `2013-01`.
    pub month: Option<String>,
    /// Its number over all archives, in extended answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
}

/// A player of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Player {
    /// The name.
    pub name: Option<String>,
    /// The rating.
    pub rating: Option<u16>,
}

impl Game {
    /// The game in a row of a batch whose columns begin with [`COLUMNS`]. `number` is the text that
    /// identifies a game that has no id of Lichess.
    pub(crate) fn of_row(batch: &Batch, row: usize, number: impl FnOnce() -> String) -> Self {
        let columns = batch.columns();
        let text = |column: usize| columns[column].as_text().and_then(|c| c.text(row));
        let player = |name: usize, rating: usize| Player {
            name: text(name).map(|name| name.into_owned()),
            rating: columns[rating].as_ratings().and_then(|c| c.get(row)),
        };
        let id = text(0).and_then(|site| id_of_lichess(&site).map(str::to_owned));
        let result = columns[5].as_results().and_then(|c| c.get(row));
        let date = columns[6].as_dates().and_then(|c| c.get(row));
        let speed = text(7).and_then(|time| Speed::of_time_control(time.as_bytes()));
        Self {
            id: id.unwrap_or_else(number),
            winner: match result {
                Some(GameResult::WhiteWins) => Some("white"),
                Some(GameResult::BlackWins) => Some("black"),
                Some(GameResult::Draw | GameResult::Unknown | GameResult::BothLose) | None => None,
            },
            speed: speed.map(Speed::name),
            mode: text(8).and_then(|event| mode_of(&event)),
            white: player(1, 3),
            black: player(2, 4),
            year: date.map(|date| date.year),
            month: date
                .filter(|date| date.month > 0)
                .map(|date| format!("{:04}-{:02}", date.year, date.month)),
            number: None,
        }
    }
}

/// What describes the games of a block, numbered from 0.
///
/// # Errors
/// [`Io`](ign_archive::ErrorKind::Io); [`Corrupt`](ign_archive::ErrorKind::Corrupt).
pub(crate) fn read_block(archive: &Archive, block: usize) -> Result<Batch> {
    let entry = &archive.blocks()[block];
    let games = entry.first_game + 1..=entry.first_game + entry.games;
    let mut batches = archive.scan().columns(COLUMNS).range(games);
    match batches.next() {
        Some(batch) => batch,
        None => Err(ign_archive::Error::internal("a block without its games")),
    }
}

/// Games by their numbers over all archives, which must ascend. A game without an id of Lichess has
/// the [name](Archives::name_of) that the archives give it.
///
/// # Errors
/// [`Io`](ign_archive::ErrorKind::Io); [`Corrupt`](ign_archive::ErrorKind::Corrupt);
/// [`Usage`](ign_archive::ErrorKind::Usage) if there is no such game.
pub fn games(archives: &Archives, numbers: &[GameNumber]) -> Result<Vec<Game>> {
    let mut games = Vec::with_capacity(numbers.len());
    let mut names = Vec::with_capacity(numbers.len());
    for &number in numbers {
        names.push(archives.name_of(number)?);
    }
    for (_, archive, own) in archives.by_archive(numbers)? {
        for batch in archive.scan().columns(COLUMNS).only(own) {
            let batch = batch?;
            let first = games.len();
            let of_row = |row| Game::of_row(&batch, row, || names[first + row].clone());
            games.extend((0..batch.games().len()).map(of_row));
        }
    }
    Ok(games)
}

/// The id in the address of a game of Lichess.
fn id_of_lichess(site: &str) -> Option<&str> {
    let id = site.strip_prefix(LICHESS)?.get(..ID_LEN)?;
    id.bytes().all(|c| c.is_ascii_alphanumeric()).then_some(id)
}

/// Whether a game was rated or casual: the first word of the event.
fn mode_of(event: &str) -> Option<&'static str> {
    let word = event.split(' ').next()?;
    let modes = ["rated", "casual"].into_iter();
    modes.clone().find(|mode| word.eq_ignore_ascii_case(mode))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_that_of_a_game_of_lichess() {
        let id_of = id_of_lichess;
        assert_eq!(id_of("https://lichess.org/j1dkb5dw"), Some("j1dkb5dw"));
        assert_eq!(id_of("https://lichess.org/j1dkb5dwABCD"), Some("j1dkb5dw"));
        for other in [
            "?",
            "https://lichess.org/",
            "https://lichess.org/é123456",
            "Paris",
        ] {
            assert_eq!(id_of(other), None, "{other}");
        }
    }

    #[test]
    fn the_mode_is_the_first_word_of_the_event() {
        assert_eq!(mode_of("Rated Blitz game"), Some("rated"));
        assert_eq!(mode_of("casual Correspondence game"), Some("casual"));
        assert_eq!(mode_of("Unrated"), None);
        assert_eq!(mode_of(""), None);
    }
}
