//! `GET /api/games`: the games that match, page by page, and as PGN.

use ign_archive::{
    GameNumber, Position, Query, SortKey, Sorter,
    scan::{Batch, ScanColumn},
};
use serde_json::{Value, json};

use crate::{
    answer,
    collection::View,
    failure::{Failure, Result},
    key::Key,
    parameters::{Parameters, keys},
    request::Request,
    root::Root,
    selection::Selection,
    task::{Download, JSON, PGN, Task, Work},
};

/// The greatest number of games of a page.
const MAX_LIMIT: usize = 500;
/// The greatest number of games of a download.
const MAX_DOWNLOAD: usize = 1_000_000;
/// The greatest number of keys of an order.
const MAX_KEYS: usize = 8;
/// The greatest offset. A limit and 1 can be added to it.
const MAX_OFFSET: usize = usize::MAX >> 1;

/// The columns of a list of games: those of [`answer::Game`], and further ones.
fn columns() -> Vec<ScanColumn> {
    let further = [
        ScanColumn::Eco,
        ScanColumn::Opening,
        ScanColumn::Termination,
        ScanColumn::Plies,
    ];
    let tags = ["WhiteTitle", "BlackTitle", "Round"].map(|name| ScanColumn::Tag(name.to_owned()));
    let columns = answer::COLUMNS.into_iter().chain(further);
    columns.chain(tags).collect()
}

/// `GET /api/games?…&offset=0&limit=50&count=true&sort=elo:desc,date`
pub(crate) fn games(request: Request) -> Result<Task> {
    let mut parameters = request.parameters;
    let offset = parameters.number("offset", 0..=MAX_OFFSET, 0)?;
    let limit = parameters.number("limit", 0..=MAX_LIMIT, 50)?;
    let is_counted = parameters.flag("count", false)?;
    let sort = parameters.take("sort")?.unwrap_or_default();
    let words = sort
        .split(',')
        .map(str::trim)
        .filter(|word| !word.is_empty());
    let keys: Vec<SortKey> = keys("sort", words, MAX_KEYS)?;
    let at = Root::take(&mut parameters)?.given();
    let selection = Selection::take(parameters, at)?;
    let view = request.served.view(selection.source.as_deref())?;
    let fen = at
        .map(|at| String::from_utf8_lossy(&at.fen_fields()).into_owned())
        .unwrap_or_default();
    let asked = format!("games {offset} {limit} {is_counted} {sort} {fen}");
    let parts = std::iter::once(&*asked).chain(selection.parts());
    let key = Key::new(view.collection().identity(), parts);
    let compute = move |view: &View| {
        let end = offset.saturating_add(limit);
        let query = &selection.query;
        let (found, total) = if keys.is_empty() {
            search(view, &selection, at, offset..end, is_counted)?
        } else {
            let (all, total) = search(view, &selection, at, 0..usize::MAX, true)?;
            let sorter = Sorter::new(keys.iter().cloned()).limit(end);
            (
                page(&sorter.sort(&view.archives, &all)?, &(offset..end)),
                total,
            )
        };
        let shown = match at {
            Some(at) if query.position_condition() != Some(&at) => Query::new().position(at),
            _ => query.clone(),
        };
        let games = list(view, &found, &shown)?;
        let value = json!({"total": total, "offset": offset, "games": games});
        Ok(value.to_string().into_bytes())
    };
    Ok(Task::keyed(JSON, key, view, compute))
}

/// `GET /api/progress?…`: how far the search for the games of a list has come.
pub(crate) fn progress(request: Request) -> Result<Task> {
    let mut parameters = request.parameters;
    let at = Root::take(&mut parameters)?.given();
    let selection = Selection::take(parameters, at)?;
    let view = request.served.view(selection.source.as_deref())?;
    let value = json!({"progress": view.progress(&selection, at)});
    Ok(Task::done("no-store", &value))
}

/// `numbers=3,17`: games by their numbers over all archives, ascending and each once.
fn numbers(parameters: &mut Parameters, view: &View) -> Result<Vec<GameNumber>> {
    let known = format!(
        "the games, which are numbered from 1 to {}",
        view.archives.len()
    );
    let number = |text: &str| {
        let number = text.parse::<GameNumber>().ok();
        number.filter(|&number| view.archives.locate(number).is_ok())
    };
    let mut numbers = parameters.list("numbers", &known, number)?;
    numbers.sort_unstable();
    numbers.dedup();
    Ok(numbers)
}

/// The games of a range of those found, and the number of all, as far as it is known. With `at`,
/// those that also pass through this position.
///
/// # Errors
/// Those of the search.
pub(crate) fn search(
    view: &View,
    selection: &Selection,
    at: Option<Position>,
    range: std::ops::Range<usize>,
    is_counted: bool,
) -> Result<(Vec<GameNumber>, Option<u64>)> {
    let archives = &view.archives;
    let query = &selection.query;
    // The conditions on positions may hold for another position.
    if (is_counted || (at.is_some() && query.has_positions()))
        && let Some(found) = view.found(selection, at)?
    {
        return Ok((page(&found, &range), Some(found.len() as u64)));
    }
    let query = &match at {
        Some(at) => query.clone().position(at),
        None => query.clone(),
    };
    if query.is_empty() {
        let indexes = range.start as u64..(range.end as u64).min(archives.len());
        let numbers = indexes.map(GameNumber::from_index).collect();
        return Ok((numbers, Some(archives.len())));
    }
    let limit = if is_counted {
        usize::MAX
    } else {
        // One more shows whether there are more.
        range.end.saturating_add(1)
    };
    let found = archives.find_first(query, limit)?;
    let total = (found.len() < limit).then_some(found.len() as u64);
    Ok((page(&found, &range), total))
}

/// The games of a range of those found.
fn page(found: &[GameNumber], range: &std::ops::Range<usize>) -> Vec<GameNumber> {
    let end = range.end.min(found.len());
    found[range.start.min(end)..end].to_vec()
}

/// Games as the list shows them, in any order.
///
/// # Errors
/// Those of reading the games.
pub(crate) fn list(view: &View, games: &[GameNumber], query: &Query) -> Result<Vec<Value>> {
    let mut ascending: Vec<(GameNumber, usize)> = games.iter().copied().zip(0..).collect();
    ascending.sort_unstable();
    let (numbers, places): (Vec<GameNumber>, Vec<usize>) = ascending.into_iter().unzip();
    let mut values: Vec<(usize, Value)> = places
        .into_iter()
        .zip(list_ascending(view, &numbers, query)?)
        .collect();
    values.sort_unstable_by_key(|&(place, _)| place);
    Ok(values.into_iter().map(|(_, value)| value).collect())
}

fn list_ascending(view: &View, games: &[GameNumber], query: &Query) -> Result<Vec<Value>> {
    let mut values = Vec::with_capacity(games.len());
    for (number, archive, numbers) in view.archives.by_archive(games)? {
        let source = view.source(number);
        for batch in archive.scan().columns(columns()).only(numbers) {
            let batch = batch?;
            for (row, &number) in batch.games().iter().enumerate() {
                let mut value = of_row(&batch, row, source.games_before);
                value["source"] = json!(source.name);
                value["ply"] = if query.has_positions() {
                    json!(query.first_position(&archive.game(number)?)?)
                } else {
                    Value::Null
                };
                values.push(value);
            }
        }
    }
    Ok(values)
}

/// A game in a row of a batch of [`columns`]. `games_before` is the number of games of all archives
/// before its own.
fn of_row(batch: &Batch, row: usize, games_before: u64) -> Value {
    let columns = batch.columns();
    let text = |column: usize| columns[column].as_text().and_then(|c| c.text(row));
    let number = batch.games()[row];
    let game = answer::Game::of_row(batch, row, || (games_before + number).to_string());
    let player = |player: answer::Player, title: usize| json!({"name": player.name, "rating": player.rating, "title": text(title)});
    let result = columns[5].as_results().and_then(|c| c.get(row));
    let date = columns[6].as_dates().and_then(|c| c.get(row));
    let eco = columns[9].as_ecos().and_then(|c| c.get(row));
    json!({
        "number": games_before + number,
        "source_number": number,
        "id": game.id,
        "white": player(game.white, 13),
        "black": player(game.black, 14),
        "result": result.map(|result| result.as_str()),
        "date": date.map(answer::iso_date),
        "time_control": text(7),
        "speed": game.speed,
        "eco": eco.map(|eco| eco.to_string()),
        "opening": text(10),
        "event": text(8),
        "round": text(15),
        "site": text(0),
        "termination": text(11),
        "plies": columns[12].as_plies().and_then(|c| c.get(row)),
    })
}

/// `GET /api/games.pgn?…&offset=0&limit=`: the text of the games.
pub(crate) fn games_pgn(request: Request) -> Result<Task> {
    let mut parameters = request.parameters;
    let is_chosen = parameters.has("numbers");
    let view = request.served.view(None)?;
    let chosen = numbers(&mut parameters, &view)?;
    let download = if is_chosen {
        if chosen.is_empty() || !parameters.rest().is_empty() {
            let message = "numbers: write those of the games, without other parameters";
            return Err(Failure::parameter("numbers", message));
        }
        let search = Box::new(|_: &View| Ok(chosen));
        Download { view, search }
    } else {
        let offset = parameters.number("offset", 0..=MAX_OFFSET, 0)?;
        let limit = parameters.number("limit", 0..=MAX_DOWNLOAD, MAX_DOWNLOAD)?;
        let at = Root::take(&mut parameters)?.given();
        let selection = Selection::take(parameters, at)?;
        let view = request.served.view(selection.source.as_deref())?;
        let search = Box::new(move |view: &View| {
            let range = offset..offset.saturating_add(limit);
            // All games are often those of a list that was shown before.
            let is_counted = limit == MAX_DOWNLOAD;
            Ok(search(view, &selection, at, range, is_counted)?.0)
        });
        Download { view, search }
    };
    Ok(Task {
        content_type: PGN,
        cache_control: Some("no-store"),
        work: Work::Games(download),
    })
}
