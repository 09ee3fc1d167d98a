//! The moves played from a position, as the class `Tree` of `ign_archive/types.py`.

use ign_archive::{
    Position, Query, Tree,
    query::{OpeningPrefix, parse_position},
    tree::{Counts, ListedGame, Month, Opening, TreeMove},
};
use pyo3::{prelude::*, types::PyDict};

use crate::{
    failure::{Result, usage},
    query::fen,
};

/// The position of the tree: that of the argument, or the one after the moves of the condition
/// `opening`, which is taken out of the query, or the standard starting position.
///
/// # Errors
/// Usage if the text is no position, or if there are two positions.
pub fn root(position: Option<&Bound<PyAny>>, query: &mut Query) -> Result<Position> {
    if let Some(position) = position {
        if query.has("opening") {
            return Err(usage(
                "position and opening both choose the position of the tree",
                "give one of them",
            ));
        }
        return Ok(parse_position(&fen("position", position)?)?);
    }
    let mut root = Position::default();
    for &played in query
        .opening_condition()
        .map_or(&[][..], OpeningPrefix::moves)
    {
        root.play(played);
    }
    query.remove("opening");
    Ok(root)
}

/// The tree as a Python object.
pub fn to_python<'py>(py: Python<'py>, tree: &Tree) -> PyResult<Bound<'py, PyAny>> {
    let fields = counts(py, &tree.counts)?;
    let position = tree.position.fen_fields();
    let fen = format!("{} 0 1", String::from_utf8_lossy(&position));
    fields.set_item("fen", fen)?;
    fields.set_item("opening", tree.opening.map(opening))?;
    fields.set_item("moves", moves(py, &tree.moves)?)?;
    let listed = |games: &[ListedGame]| -> Vec<_> {
        let games = games.iter();
        games
            .map(|listed| (listed.game.get(), listed.uci.clone()))
            .collect()
    };
    fields.set_item("top_games", listed(&tree.top_games))?;
    fields.set_item("recent_games", listed(&tree.recent_games))?;
    let month = |month: &Month| {
        let name = format!("{:04}-{:02}", month.year, month.month);
        (name, month.white, month.draws, month.black)
    };
    fields.set_item(
        "history",
        tree.history.iter().map(month).collect::<Vec<_>>(),
    )?;
    make(py, "Tree", &fields)
}

fn moves<'py>(py: Python<'py>, moves: &[TreeMove]) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let of = |tree_move: &TreeMove| {
        let fields = counts(py, &tree_move.counts)?;
        fields.set_item("uci", &tree_move.uci)?;
        fields.set_item("san", &tree_move.san)?;
        fields.set_item("opening", tree_move.opening.map(opening))?;
        fields.set_item("moves", self::moves(py, &tree_move.moves)?)?;
        make(py, "TreeMove", &fields)
    };
    moves.iter().map(of).collect()
}

fn counts<'py>(py: Python<'py>, counts: &Counts) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    fields.set_item("games", counts.games)?;
    fields.set_item("white", counts.white)?;
    fields.set_item("draws", counts.draws)?;
    fields.set_item("black", counts.black)?;
    fields.set_item("average_rating", counts.average_rating)?;
    fields.set_item("performance", counts.performance)?;
    let last = counts.last_played.map(|date| date.to_string());
    fields.set_item("last_played", last)?;
    fields.set_item("first_game", counts.first_game.map_or(0, u64::from))?;
    fields.set_item("last_game", counts.last_game.map_or(0, u64::from))?;
    Ok(fields)
}

fn opening(opening: Opening) -> (&'static str, &'static str) {
    (opening.eco, opening.name)
}

fn make<'py>(
    py: Python<'py>,
    class: &str,
    fields: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let class = py.import("ign_archive.types")?.getattr(class)?;
    class.call((), Some(fields))
}
