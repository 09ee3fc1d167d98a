//! The paths of the interface, and what answers each.

use percent_encoding::percent_decode_str;

use crate::{
    annotations::annotations,
    conditions::conditions,
    count::count,
    explorer,
    failure::{Failure, Result},
    game::game,
    games::{games, games_pgn, progress},
    names::names,
    parameters::Parameters,
    position::position,
    request::{Request, Served},
    sources::sources,
    task::Task,
};

type Plan = fn(Request) -> Result<Task>;

/// The paths. One may end with a variable part.
const PLANS: [(&str, Plan); 16] = [
    ("/lichess", explorer::lichess),
    ("/masters", explorer::masters),
    ("/masters/pgn/{id}", explorer::masters_pgn),
    // The path that berserk requests.
    ("/master/pgn/{id}", explorer::masters_pgn),
    ("/player", explorer::player),
    ("/api/sources", sources),
    ("/api/conditions", conditions),
    ("/api/games", games),
    ("/api/games.pgn", games_pgn),
    ("/api/annotations", annotations),
    ("/api/count", count),
    ("/api/names", names),
    ("/api/progress", progress),
    ("/api/game/{number}", game),
    ("/api/stats", Task::statistics),
    ("/api/position", position),
];

/// The paths that [`plan`] knows. The last part of some is variable: `/api/game/{number}`.
pub fn paths() -> impl Iterator<Item = &'static str> {
    PLANS.iter().map(|&(path, _)| path)
}

/// What answers a GET request for this path, whose query is what follows its question mark.
///
/// # Errors
/// There is no such path; a parameter is unknown, given twice or invalid.
pub fn plan(served: &Served, path: &str, query: Option<&str>) -> Result<Task> {
    let found = PLANS.iter().find_map(|&(pattern, plan)| {
        let name = variable_part(pattern, path)?;
        Some((name, plan))
    });
    let (name, plan) = found.ok_or_else(|| Failure::missing("there is no such page"))?;
    let name = percent_decode_str(name)
        .decode_utf8()
        .map_err(|_| Failure::missing("there is no such game"))?;
    plan(Request {
        served,
        name: name.into_owned(),
        parameters: Parameters::read(query)?,
    })
}

/// The variable part of a path, empty if the pattern has none; `None` if the pattern is another.
fn variable_part<'p>(pattern: &str, path: &'p str) -> Option<&'p str> {
    match pattern.split_once('{') {
        None => (pattern == path).then_some(""),
        Some((start, _)) => {
            let part = path.strip_prefix(start)?;
            (!part.is_empty() && !part.contains('/')).then_some(part)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::variable_part;

    #[test]
    fn a_variable_part_is_one_that_is_not_empty() {
        let part = |path| variable_part("/api/game/{number}", path);
        assert_eq!(part("/api/game/17.pgn"), Some("17.pgn"));
        for other in ["/api/game/", "/api/game", "/api/game/1/2", "/api/games"] {
            assert_eq!(part(other), None, "{other}");
        }
        assert_eq!(variable_part("/player", "/player"), Some(""));
        assert_eq!(variable_part("/player", "/player/"), None);
    }
}
