//! `GET /api/names`: names of players, to complete one that is being typed.

use std::collections::HashMap;

use ign_archive::{Archive, query::TextPattern};
use serde_json::json;

use crate::{
    collection::View,
    failure::{Failure, Result},
    key::Key,
    request::Request,
    task::{JSON, Task},
};

/// The greatest number of names of an answer.
const MAX_NAMES: usize = 50;

/// `GET /api/names?name=car&limit=10&source=`
pub(crate) fn names(request: Request) -> Result<Task> {
    let mut parameters = request.parameters;
    let limit = parameters.number("limit", 0..=MAX_NAMES, 10)?;
    let name = parameters
        .take("name")?
        .unwrap_or_default()
        .trim_matches(['*', ' '])
        .to_owned();
    let source = parameters.take("source")?;
    parameters.finish()?;
    if name.is_empty() {
        let message = "name: write the first letters of a name";
        return Err(Failure::parameter("name", message));
    }
    let view = request.served.view(source.as_deref())?;
    let asked = [
        &*format!("names {limit}"),
        &name,
        source.as_deref().unwrap_or_default(),
    ];
    let key = Key::new(view.collection().identity(), asked);
    let compute = move |view: &View| {
        let pattern = TextPattern::from(format!("{name}*"));
        let mut found: HashMap<String, u64> = HashMap::new();
        let indexes = match view.archives.shared_index() {
            Some(index) => vec![index],
            None => {
                let archives = view.archives.archives().iter();
                archives.filter_map(Archive::search_index).collect()
            }
        };
        for segment in indexes.iter().flat_map(|index| index.segments()) {
            segment.names_of_players(&pattern, |name, games| {
                *found
                    .entry(String::from_utf8_lossy(name).into_owned())
                    .or_default() += games;
            })?;
        }
        let mut names: Vec<(String, u64)> = found.into_iter().collect();
        names.sort_unstable_by(|one, other| (other.1, &one.0).cmp(&(one.1, &other.0)));
        names.truncate(limit);
        let names = names.into_iter();
        let names: Vec<_> = names
            .map(|(name, games)| json!({"name": name, "games": games}))
            .collect();
        Ok(json!({"names": names}).to_string().into_bytes())
    };
    Ok(Task::keyed(JSON, key, view, compute))
}
