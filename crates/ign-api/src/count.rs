//! `GET /api/count`: numbers of games by their properties.

use ign_archive::{CountBuilder, GameKey, KeyValue};
use serde_json::{Value, json};

use crate::{
    collection::View,
    failure::Result,
    key::Key,
    parameters::keys,
    request::Request,
    root::Root,
    selection::Selection,
    task::{JSON, Task},
};

/// The greatest number of keys.
const MAX_KEYS: usize = 4;
/// The greatest number of rows of an answer.
const MAX_ROWS: usize = 10_000;

/// `GET /api/count?by=elo:200,result&…&limit=1000`
pub(crate) fn count(request: Request) -> Result<Task> {
    let mut parameters = request.parameters;
    let by = parameters.take("by")?.unwrap_or_default();
    let words = by.split(',').map(str::trim);
    let keys: Vec<GameKey> = keys("by", words, MAX_KEYS)?;
    let limit = parameters.number("limit", 0..=MAX_ROWS, 1000)?;
    let at = Root::take(&mut parameters)?.given();
    let selection = Selection::take(parameters, at)?;
    let view = request.served.view(selection.source.as_deref())?;
    let fields = at.map(|at| at.fen_fields()).unwrap_or_default();
    let asked = format!("count {limit} {}", String::from_utf8_lossy(&fields));
    let parts = [&*asked, &*by].into_iter().chain(selection.parts());
    let key = Key::new(view.collection().identity(), parts);
    let compute = move |view: &View| {
        let builder = CountBuilder::new(keys.iter().cloned());
        let table = match view.found(&selection, at)? {
            Some(games) => builder.build_of_games(&view.archives, &games)?,
            None => {
                let query = selection.query.clone();
                let query = at.map_or(query.clone(), |at| query.position(at));
                builder.build(&view.archives, &query)?
            }
        };
        let rows = table.rows.iter().take(limit).map(|row| {
            let mut values: Vec<Value> = row.values.iter().map(value).collect();
            values.push(json!(row.games));
            values
        });
        let rows: Vec<Vec<Value>> = rows.collect();
        let value = json!({"games": table.games, "all_rows": table.rows.len(), "rows": rows});
        Ok(value.to_string().into_bytes())
    };
    Ok(Task::keyed(JSON, key, view, compute))
}

fn value(value: &KeyValue) -> Value {
    match value {
        KeyValue::Number(number) => json!(number),
        KeyValue::Text(text) => json!(**text),
        KeyValue::Missing => Value::Null,
    }
}
