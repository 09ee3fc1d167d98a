//! `GET /api/games`: the games that match, page by page, and as PGN.

use std::{collections::HashSet, sync::Arc};

use axum::{
    extract::{Request, State},
    response::Response,
};
use ign_archive::{Batch, Column, GameRef, Query, query::Speed};
use ign_notation::chess::Position;
use serde_json::{Value, json};

use super::download;
use crate::{
    answer::id_of_lichess,
    app::{App, JSON},
    cache::Key,
    collection::{Collection, View},
    failure::Result,
    parameters::Parameters,
    root::Root,
    selection::Selection,
};

/// The greatest number of games of a page.
const MAX_LIMIT: usize = 500;
/// The greatest number of games of a download.
const MAX_DOWNLOAD: usize = 1_000_000;
const NAMES: [&str; 5] = ["offset", "limit", "count", "fen", "play"];

/// The columns of a list of games.
fn columns() -> Vec<Column> {
    let tags = ["WhiteTitle", "BlackTitle"].map(|name| Column::Tag(name.to_owned()));
    let columns = [
        Column::Site,
        Column::White,
        Column::Black,
        Column::WhiteElo,
        Column::BlackElo,
        Column::Result,
        Column::Date,
        Column::TimeControl,
        Column::Eco,
        Column::Opening,
        Column::Event,
        Column::Termination,
        Column::Plies,
    ];
    columns.into_iter().chain(tags).collect()
}

/// `GET /api/games?…&offset=0&limit=50&count=true`
pub async fn games(State(app): State<Arc<App>>, request: Request) -> Result<Response> {
    let mut parameters = Parameters::read(request.uri().query())?;
    let offset = parameters.number("offset", 0..=usize::MAX >> 8, 0)?;
    let limit = parameters.number("limit", 0..=MAX_LIMIT, 50)?;
    let is_counted = parameters.flag("count")?;
    let at = take_position(&mut parameters)?;
    let selection = Selection::take(parameters, &NAMES)?;
    let collection = app.collection();
    collection.view(selection.source.as_deref())?;
    let fen = at.map(|at| String::from_utf8_lossy(&at.fen_fields()).into_owned());
    let fen = fen.unwrap_or_default();
    let page = format!("games {offset} {limit} {is_counted} {fen}");
    let parts = std::iter::once(&*page).chain(selection.parts());
    let key = Key::new(collection.identity(), parts);
    let compute = move || {
        let view = collection.view(selection.source.as_deref())?;
        let end = offset.saturating_add(limit);
        let query = &selection.query;
        let (found, total) = search(view, query, at, offset..end, is_counted)?;
        let shown = at.map_or_else(|| query.clone(), query_at);
        let games = list(&collection, view, &found, &shown)?;
        let value = json!({"total": total, "offset": offset, "games": games});
        Ok(value.to_string().into_bytes())
    };
    app.answer(request.headers(), key, JSON, compute).await
}

/// Takes `fen` and `play`, as `/lichess` does; `None` if neither is given.
fn take_position(parameters: &mut Parameters) -> Result<Option<Position>> {
    let is_given = parameters.has("fen") || parameters.has("play");
    let root = is_given.then(|| Root::take(parameters)).transpose()?;
    Ok(root.map(|root| root.position))
}

/// The games through a position.
fn query_at(at: Position) -> Query {
    let mut query = Query::default();
    query.positions.position = Some(at);
    query
}

/// The games of a range of those found, and the number of all, as far as it is known. With `at`, those
/// that also pass through this position: the conditions on positions may hold for another position.
fn search(
    view: &View,
    query: &Query,
    at: Option<Position>,
    range: std::ops::Range<usize>,
    is_counted: bool,
) -> Result<(Vec<GameRef>, Option<u64>)> {
    let archives = &view.archives;
    if let Some(at) = at {
        if query.positions.is_empty() {
            let mut query = query.clone();
            query.positions.position = Some(at);
            return search(view, &query, None, range, is_counted);
        }
        let through: HashSet<GameRef> = archives.find(&query_at(at))?.into_iter().collect();
        let mut found = archives.find(query)?;
        found.retain(|game| through.contains(game));
        let total = found.len() as u64;
        found.truncate(range.end);
        found.drain(..range.start.min(found.len()));
        return Ok((found, Some(total)));
    }
    if query.is_empty() {
        let numbers = range.start as u64 + 1..=(range.end as u64).min(archives.len());
        let found: ign_archive::Result<_> = numbers.map(|n| archives.game_ref(n)).collect();
        return Ok((found?, Some(archives.len())));
    }
    let limit = match is_counted {
        true => usize::MAX,
        // One more tells whether there are more.
        false => range.end.saturating_add(1),
    };
    let mut found = archives.find_first(query, limit)?;
    let total = (found.len() < limit).then_some(found.len() as u64);
    found.truncate(range.end);
    found.drain(..range.start.min(found.len()));
    Ok((found, total))
}

/// Games as the list shows them. They ascend.
///
/// # Errors
/// Those of reading the games.
pub fn list(
    collection: &Collection,
    view: &View,
    games: &[GameRef],
    query: &Query,
) -> Result<Vec<Value>> {
    let mut values = Vec::with_capacity(games.len());
    let mut games_before = view.games_before;
    let mut rest = games;
    for (number, archive) in view.archives.archives().iter().enumerate() {
        let own = rest.partition_point(|game| game.archive <= number);
        let (own, others) = rest.split_at(own);
        rest = others;
        if let Some(&first) = own.first() {
            let source = collection.source_of(view, first);
            let numbers: Vec<u64> = own.iter().map(|game| game.number).collect();
            for batch in archive.scan().columns(columns()).only(numbers) {
                let batch = batch?;
                for (row, &number) in batch.games().iter().enumerate() {
                    let mut value = of_row(&batch, row, games_before);
                    value["source"] = json!(source);
                    value["ply"] = match query.positions.is_empty() {
                        true => Value::Null,
                        false => json!(query.first_position(&archive.game(number)?)?),
                    };
                    values.push(value);
                }
            }
        }
        games_before += archive.len();
    }
    Ok(values)
}

/// A game in a row of a batch of [`columns`].
fn of_row(batch: &Batch, row: usize, games_before: u64) -> Value {
    let columns = batch.columns();
    let text = |column: usize| columns[column].as_text().and_then(|c| c.text(row));
    let player = |name: usize, rating: usize, title: usize| {
        let rating = columns[rating].as_ratings().and_then(|c| c.get(row));
        json!({"name": text(name), "rating": rating, "title": text(title)})
    };
    let number = batch.games()[row];
    let site = text(0);
    let id = site.as_deref().and_then(id_of_lichess).map(str::to_owned);
    let result = columns[5].as_results().and_then(|c| c.get(row));
    let date = columns[6].as_dates().and_then(|c| c.get(row));
    let date = date.map(|date| date.to_string().replace('.', "-"));
    let control = text(7);
    let speed = control
        .as_deref()
        .and_then(|control| Speed::of_time_control(control.as_bytes()));
    let eco = columns[8].as_ecos().and_then(|c| c.get(row));
    json!({
        "number": games_before + number,
        "source_number": number,
        "id": id.unwrap_or_else(|| (games_before + number).to_string()),
        "white": player(1, 3, 13),
        "black": player(2, 4, 14),
        "result": result.map(|result| result.as_str()),
        "date": date,
        "time_control": control,
        "speed": speed.map(Speed::name),
        "eco": eco.map(|eco| eco.to_string()),
        "opening": text(9),
        "event": text(10),
        "site": site,
        "termination": text(11),
        "plies": columns[12].as_plies().and_then(|c| c.get(row)),
    })
}

/// `GET /api/games.pgn?…&offset=0&limit=`: the text of the games.
pub async fn games_pgn(State(app): State<Arc<App>>, request: Request) -> Result<Response> {
    let mut parameters = Parameters::read(request.uri().query())?;
    let offset = parameters.number("offset", 0..=usize::MAX >> 8, 0)?;
    let limit = parameters.number("limit", 0..=MAX_DOWNLOAD, MAX_DOWNLOAD)?;
    let at = take_position(&mut parameters)?;
    let selection = Selection::take(parameters, &NAMES)?;
    let collection = app.collection();
    collection.view(selection.source.as_deref())?;
    let end = offset.saturating_add(limit);
    let searched = {
        let collection = collection.clone();
        let selection = selection.clone();
        app.workers.run(move || {
            let view = collection.view(selection.source.as_deref())?;
            Ok(search(view, &selection.query, at, offset..end, false)?.0)
        })
    };
    let found = searched.await?;
    let source = selection.source;
    download::stream(&app, "games.pgn", move |out| {
        let Ok(view) = collection.view(source.as_deref()) else {
            return Ok(());
        };
        view.archives.write_games(&found, out)
    })
    .await
}
