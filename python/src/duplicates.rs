//! Games that were recorded twice.

use ign_archive::{
    Archives, GameNumber,
    duplicates::{DuplicateFinder, Group, Prefer},
};
use pyo3::{prelude::*, types::PyDict};

use crate::{
    archive::Archive,
    arguments::count,
    failure::{Result, none_of},
    found::GameList,
    interrupt::interruptible,
    numbers::Numbers,
    query,
};

/// Names of what is preferred.
const PREFERRED: [(&str, Prefer); 4] = [
    ("annotated", Prefer::Annotated),
    ("clocks", Prefer::Clocks),
    ("longest", Prefer::Longest),
    ("first", Prefer::First),
];

/// Reads the name of what is preferred.
fn read_prefer(name: &str) -> Result<Prefer> {
    let mut known = PREFERRED.into_iter();
    let found = known.find_map(|(known, prefer)| (known == name).then_some(prefer));
    found.ok_or_else(|| {
        let names = PREFERRED.iter().map(|&(name, _)| name);
        none_of(format!("prefer is '{name}'"), names)
    })
}

#[doc = docs!("duplicates")]
#[doc = docs!("conditions")]
#[pyfunction]
#[pyo3(
    signature = (archive, *, any_players=false, inside=false, rotated=false, min_plies=None, prefer=None,
        progress=None, **conditions),
    text_signature = "(archive, *, any_players=False, inside=False, rotated=False, min_plies=1, prefer=None, \
        progress=None, **conditions)"
)]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn duplicates<'py>(
    py: Python<'py>,
    archive: &Bound<'py, PyAny>,
    any_players: bool,
    inside: bool,
    rotated: bool,
    min_plies: Option<&Bound<'py, PyAny>>,
    prefer: Option<&str>,
    progress: Option<Py<PyAny>>,
    conditions: Option<&Bound<'py, PyDict>>,
) -> Result<Bound<'py, PyAny>> {
    let opened = Archive::read(archive)?.get().opened()?;
    let query = query::read(conditions)?;
    let default = if inside { "longest" } else { "annotated" };
    let prefer = read_prefer(prefer.unwrap_or(default))?;
    let min_plies = count("min_plies", min_plies)?.unwrap_or(1);
    let found = interruptible(py, |cancel| {
        let archives = Archives::clone(&opened).with_cancel(cancel.flag());
        DuplicateFinder::new()
            .any_players(any_players)
            .inside(inside)
            .rotated(rotated)
            .min_plies(min_plies)
            .prefer(prefer)
            .on_progress(cancel.on_progress(progress.as_ref()))
            .find(&archives, &query)
    })?;
    let numbers = |groups: &[Group]| -> Vec<Vec<u64>> {
        let of = |group: &Group| {
            group
                .members()
                .iter()
                .map(|member| member.game.get())
                .collect()
        };
        groups.iter().map(of).collect()
    };
    let copies = found.copies();
    let mut left_out = copies.iter().peekable();
    let all = (0..opened.len()).map(GameNumber::from_index);
    let unique = all.filter(|game| left_out.next_if_eq(&game).is_none());
    let unique = Numbers::List(unique.collect());
    let fields = PyDict::new(py);
    fields.set_item("games", found.games)?;
    fields.set_item("not_compared", found.partly_text)?;
    fields.set_item("groups", numbers(&found.groups))?;
    fields.set_item("apart", numbers(&found.different))?;
    fields.set_item("unique", GameList::new(opened.clone(), unique))?;
    let copies = Numbers::List(copies.into());
    fields.set_item("copies", GameList::new(opened, copies))?;
    let class = py.import("ign_archive.types")?.getattr("Duplicates")?;
    Ok(class.call((), Some(&fields))?)
}
