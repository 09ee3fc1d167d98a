//! The tree as an answer of the Lichess opening explorer.

use ign_archive::{
    Archives, GameRef, Opening, Result, Tree, TreeMove,
    query::{Date, GameResult, Speed},
};
use ign_notation::chess::Move;
use serde_json::{Value, json};

/// The address of Lichess, before the id of a game.
const LICHESS: &str = "https://lichess.org/";
/// Characters of an id of Lichess.
const ID_LEN: usize = 8;

/// The answer, with at most `moves` moves.
///
/// # Errors
/// Those of reading the games that the answer lists.
pub fn value(archives: &Archives, tree: &Tree, moves: usize) -> Result<Value> {
    let counts = &tree.counts;
    let moves: Result<Vec<Value>> = tree
        .moves
        .iter()
        .take(moves)
        .map(|tree_move| of_move(archives, tree_move))
        .collect();
    let games = |games: &[(u64, Option<Move>)]| -> Result<Vec<Value>> {
        let listed = games.iter().map(|&(number, played)| {
            let mut value = game(archives, archives.game_ref(number)?)?;
            let played = tree.moves.iter().find(|m| Some(m.played) == played);
            value["uci"] = json!(played.map(|played| &played.uci));
            Ok(value)
        });
        listed.collect()
    };
    Ok(json!({
        "white": counts.white,
        "draws": counts.draws,
        "black": counts.black,
        "moves": moves?,
        "topGames": games(&tree.top_games)?,
        "recentGames": games(&tree.recent_games)?,
        "opening": tree.opening.map(opening),
    }))
}

fn opening(opening: Opening) -> Value {
    json!({"eco": opening.eco, "name": opening.name})
}

fn of_move(archives: &Archives, tree_move: &TreeMove) -> Result<Value> {
    let counts = &tree_move.counts;
    let only = match counts.games {
        1 => Some(game(archives, archives.game_ref(counts.first_game)?)?),
        _ => None,
    };
    Ok(json!({
        "uci": tree_move.uci,
        "san": tree_move.san,
        "white": counts.white,
        "draws": counts.draws,
        "black": counts.black,
        "averageRating": counts.average_rating,
        "game": only,
        "opening": tree_move.opening.map(opening),
    }))
}

/// A game as the explorer describes it. The id of a game that is not of Lichess is its number in the
/// archive, with the name of the archive if there are several.
fn game(archives: &Archives, number: GameRef) -> Result<Value> {
    let game = archives.game(number)?;
    let tag = |name: &str| -> Result<Option<String>> {
        Ok(game.tag(name)?.map(|value| value.into_owned()))
    };
    let player = |name: &str, rating: &str| -> Result<Value> {
        let rating = tag(rating)?.and_then(|rating| rating.trim().parse::<u16>().ok());
        Ok(json!({"name": tag(name)?, "rating": rating}))
    };
    let id = tag("Site")?.and_then(|site| id_of(&site).map(str::to_owned));
    let result = tag("Result")?.and_then(|result| GameResult::read(result.as_bytes()));
    let winner = match result {
        Some(GameResult::WhiteWins) => Some("white"),
        Some(GameResult::BlackWins) => Some("black"),
        Some(GameResult::Draw | GameResult::Unknown) | None => None,
    };
    let speed = tag("TimeControl")?.and_then(|time| Speed::of_time_control(time.as_bytes()));
    let event = tag("Event")?.unwrap_or_default();
    let mode = ["rated", "casual"].into_iter().find(|mode| {
        event
            .split(' ')
            .next()
            .is_some_and(|w| w.eq_ignore_ascii_case(mode))
    });
    let mut dates = Vec::new();
    for name in ["UTCDate", "Date"] {
        dates.extend(tag(name)?.and_then(|date| Date::read(date.as_bytes())));
    }
    let date = dates.first();
    let month = date
        .filter(|date| date.month > 0)
        .map(|date| format!("{:04}-{:02}", date.year, date.month));
    Ok(json!({
        "id": id.unwrap_or_else(|| archives.name_of(number)),
        "winner": winner,
        "speed": speed.map(Speed::name),
        "mode": mode,
        "white": player("White", "WhiteElo")?,
        "black": player("Black", "BlackElo")?,
        "year": date.map(|date| date.year),
        "month": month,
    }))
}

/// The id in the address of a game of Lichess.
fn id_of(site: &str) -> Option<&str> {
    let id = site.strip_prefix(LICHESS)?.get(..ID_LEN)?;
    id.bytes().all(|c| c.is_ascii_alphanumeric()).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_that_of_a_game_of_lichess() {
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
}
