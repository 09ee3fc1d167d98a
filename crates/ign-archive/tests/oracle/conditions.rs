//! Random conditions, each as the library takes it and as its definition.

use ign_archive::{Query, query::parse_position};
use ign_testing::Random;
use regex::Regex;
use shakmaty::{Color, Piece, Role, Square};

use super::{
    Game,
    board::{Pattern, has_material, material},
    data::{one_in, pick},
    games::Shape,
    rules::Parts,
    tags, tree,
};

type Holds = Box<dyn Fn(&Game) -> bool + Send + Sync>;
type HoldsAt = Box<dyn Fn(&Parts) -> bool + Send + Sync>;

/// A condition.
pub struct Condition {
    /// Its name; `positions` for several on one position.
    pub field: &'static str,
    /// The names and values to set.
    values: Vec<(&'static str, String)>,
    /// Whether games that meet it are excluded.
    excluded: bool,
    holds: Holds,
}

/// A query, and the games that it must find.
pub struct Question {
    pub text: String,
    pub query: Query,
    conditions: Vec<Condition>,
}

impl Question {
    /// A question of `kinds` different conditions.
    pub fn random(random: &mut Random, games: &[Game], kinds: usize) -> Self {
        let mut conditions: Vec<Condition> = Vec::new();
        while conditions.len() < kinds {
            let new = Condition::random(random, games);
            if conditions.iter().all(|known| known.field != new.field) {
                let excluded = one_in(random, 5);
                conditions.push(Condition { excluded, ..new });
            }
        }
        let mut query = Query::new();
        let mut texts = Vec::new();
        for condition in &conditions {
            let mut own = Query::new();
            for (name, value) in &condition.values {
                own.set(name, value).unwrap();
                let not = if condition.excluded { "not " } else { "" };
                texts.push(format!("{not}{name} {value}"));
            }
            match &condition.values[..] {
                [(name, value)] if condition.excluded => {
                    query.set("exclude", &format!("{name}={value}")).unwrap();
                }
                _ if condition.excluded => query = query.exclude(own),
                values => values
                    .iter()
                    .for_each(|(name, value)| query.set(name, value).unwrap()),
            }
        }
        Self {
            text: texts.join(" and "),
            query,
            conditions,
        }
    }

    pub fn holds(&self, game: &Game) -> bool {
        self.conditions
            .iter()
            .all(|condition| (condition.holds)(game) != condition.excluded)
    }

    /// The fields that it sets.
    pub fn fields(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.conditions.iter().map(|condition| condition.field)
    }

    /// The numbers of the games that it must find.
    pub fn answer(&self, games: &[Game]) -> Vec<u64> {
        let numbered = (1..).zip(games);
        numbered
            .filter(|(_, game)| self.holds(game))
            .map(|(number, _)| number)
            .collect()
    }
}

/// The kinds of conditions.
pub const FIELDS: [&str; 31] = [
    "white",
    "black",
    "player",
    "players",
    "elo",
    "white_elo",
    "black_elo",
    "mean_elo",
    "elo_diff",
    "date",
    "result",
    "eco",
    "opening_name",
    "time_control",
    "speed",
    "event",
    "site",
    "termination",
    "plies",
    "ending",
    "tag",
    "id",
    "opening",
    "signature",
    "like",
    "positions",
    "repetition",
    "fifty_moves",
    "has_clocks",
    "has_evals",
    "commented",
];

impl Condition {
    fn new(
        field: &'static str,
        value: impl Into<String>,
        holds: impl Fn(&Game) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self {
            field,
            values: vec![(field, value.into())],
            excluded: false,
            holds: Box::new(holds),
        }
    }

    pub fn random(random: &mut Random, games: &[Game]) -> Self {
        // The last fields take longest.
        let field = match random.below(36) {
            0..8 => "positions",
            34.. => FIELDS[26 + random.below(5)],
            place => FIELDS[place - 8],
        };
        let game = pick(random, games);
        match field {
            "white" => text(random, game, field, &["White"]),
            "black" => text(random, game, field, &["Black"]),
            "player" => text(random, game, field, &["White", "Black"]),
            "players" => both_players(random, game),
            "ending" => ending(random),
            "opening_name" => text(random, game, field, &["Opening"]),
            "time_control" => text(random, game, field, &["TimeControl"]),
            "event" => text(random, game, field, &["Event"]),
            "site" => text(random, game, field, &["Site"]),
            "termination" => text(random, game, field, &["Termination"]),
            "elo" => ratings(random, game, field, &["WhiteElo", "BlackElo"]),
            "white_elo" => ratings(random, game, field, &["WhiteElo"]),
            "black_elo" => ratings(random, game, field, &["BlackElo"]),
            "mean_elo" => mean_ratings(random, game),
            "elo_diff" => rating_difference(random, game),
            "date" => date(random, game),
            "result" => result(random),
            "eco" => eco(random, game),
            "speed" => speed(random),
            "plies" => plies(random, game),
            "tag" => expression(random, game),
            "id" => id(random, game),
            "opening" => opening(random, games),
            "signature" => signature(random, game),
            "like" => like(random, games),
            "positions" => positions(random, games),
            "repetition" => flag(random, field, |g| g.repetition),
            "fifty_moves" => flag(random, field, |g| g.fifty_moves),
            "has_clocks" => flag(random, field, |g| g.comments.clocks),
            "has_evals" => flag(random, field, |g| g.comments.evals),
            "commented" => flag(random, field, |g| g.comments.text),
            _ => unreachable!("{field}"),
        }
    }
}

/// A flag: whether a game has a property, or does not have it.
fn flag(
    random: &mut Random,
    field: &'static str,
    has: impl Fn(&Game) -> bool + Send + Sync + 'static,
) -> Condition {
    let is = random.below(4) > 0;
    Condition::new(field, is.to_string(), move |game| has(game) == is)
}

/// A pattern for the whole value of one of the tags.
fn text(
    random: &mut Random,
    game: &Game,
    field: &'static str,
    names: &'static [&'static str],
) -> Condition {
    let value = game
        .tag(pick::<&str>(random, names))
        .unwrap_or(b"Absent value");
    let value: Vec<char> = tags::decoded(value).chars().collect();
    let at = random.below(value.len() + 1);
    let end = at + random.below(value.len() - at + 1);
    let [whole, start, middle, rest] =
        [&value[..], &value[..at], &value[at..end], &value[at..]].map(String::from_iter);
    let pattern = match random.below(10) {
        0 => whole,
        8 => tags::without_accents(&whole).to_uppercase(),
        9 => format!("{}*", start.to_uppercase()),
        1 | 2 => format!("{start}*"),
        3 => format!("*{middle}*"),
        4 => format!("*{rest}"),
        5 => format!("{}*", start.to_ascii_uppercase()),
        6 => format!(
            "{}*{}",
            start.to_ascii_lowercase(),
            rest.get(1..).unwrap_or("")
        ),
        _ => format!("{whole}x"),
    };
    let matches_pattern = tags::wildcards(&pattern);
    Condition::new(field, pattern, move |game| {
        let matches = |name: &&str| game.tag(name).is_some_and(&matches_pattern);
        names.iter().any(matches)
    })
}

/// The names of both players, whoever has White.
fn both_players(random: &mut Random, game: &Game) -> Condition {
    let mut pattern = |tag: &str| {
        let name = tags::decoded(game.tag(tag).unwrap_or(b"Nobody"));
        let name: Vec<char> = name.trim().chars().filter(|&c| c != ';').collect();
        let start = String::from_iter(&name[..random.below(name.len() + 1)]);
        match random.below(4) {
            0 if !name.is_empty() => String::from_iter(name),
            1 => format!("*{}*", start.trim()),
            _ => format!("{}*", start.trim()),
        }
    };
    let mut patterns = ["White", "Black"].map(&mut pattern);
    if one_in(random, 2) {
        patterns.swap(0, 1);
    }
    let [first, second] = [0, 1].map(|place: usize| tags::wildcards(&patterns[place]));
    Condition::new("players", patterns.join("; "), move |game| {
        let [Some(white), Some(black)] = ["White", "Black"].map(|tag| game.tag(tag)) else {
            return false;
        };
        first(white) && second(black) || first(black) && second(white)
    })
}

/// The ending by its definition.
fn ending_of(game: &Game) -> Option<&'static str> {
    let termination = game.tag("Termination").map(tags::decoded);
    let termination = termination.unwrap_or_default().trim().to_lowercase();
    let named = (termination == "time forfeit").then_some("time");
    let Some(last) = game
        .last
        .as_ref()
        .filter(|_| game.is_chess && !game.moves.is_empty())
    else {
        return named;
    };
    let is_draw = game.result == Some("1/2-1/2");
    let is_normal = termination == "normal";
    if last.checkmate {
        Some("checkmate")
    } else if last.stalemate {
        Some("stalemate")
    } else if named.is_some() {
        named
    } else if is_draw && last.insufficient {
        Some("insufficient")
    } else if is_draw && last.times >= 3 {
        Some("repetition")
    } else if is_draw && last.idle >= 100 {
        Some("fifty")
    } else if is_normal && is_draw {
        Some("agreed")
    } else if is_normal && matches!(game.result, Some("1-0" | "0-1")) {
        Some("resignation")
    } else {
        None
    }
}

fn ending(random: &mut Random) -> Condition {
    let wanted = some(
        random,
        &[
            "checkmate",
            "stalemate",
            "insufficient",
            "repetition",
            "fifty",
            "resignation",
            "time",
            "agreed",
        ],
    );
    Condition::new("ending", wanted.join(","), move |game| {
        ending_of(game).is_some_and(|ending| wanted.contains(&ending))
    })
}

/// The ends of a range around a value; sometimes one is missing.
fn ends(random: &mut Random, value: i64, spread: usize) -> (Option<i64>, Option<i64>) {
    let min = value - random.below(spread + 1) as i64;
    let max = value + random.below(spread + 1) as i64;
    match random.below(6) {
        0 => (Some(min), None),
        1 => (None, Some(max)),
        2 => (Some(value), Some(value)),
        _ => (Some(min), Some(max)),
    }
}

/// A range as text.
fn range_text((min, max): (Option<i64>, Option<i64>)) -> String {
    let end = |end: Option<i64>| end.map(|end| end.to_string()).unwrap_or_default();
    format!("{}..{}", end(min), end(max))
}

/// Ranges around a value, and sometimes around others, as text.
fn some_ranges(random: &mut Random, value: i64, spread: usize, least: i64) -> (Vec<Range>, String) {
    let count = 1 + random.below(4) / 2 * random.below(3);
    let range = |place| {
        let (min, max) = ends(random, value + place as i64 * 37, spread);
        (min.map(|min| min.max(least)), max.map(|max| max.max(least)))
    };
    let ranges: Vec<Range> = (0..count).map(range).collect();
    let texts: Vec<String> = ranges.iter().copied().map(range_text).collect();
    (ranges, texts.join(","))
}

/// The ends of a range.
type Range = (Option<i64>, Option<i64>);

fn is_within_one(value: i64, ranges: &[Range]) -> bool {
    ranges.iter().any(|&range| is_within(value, range))
}

fn is_within(value: i64, (min, max): (Option<i64>, Option<i64>)) -> bool {
    min.is_none_or(|min| min <= value) && max.is_none_or(|max| value <= max)
}

fn ratings(
    random: &mut Random,
    game: &Game,
    field: &'static str,
    names: &'static [&'static str],
) -> Condition {
    let near = game.tag(names[0]).and_then(tags::rating).unwrap_or(1500);
    let spread = *pick(random, &[0, 10, 100, 400]);
    let (ranges, text) = some_ranges(random, near.into(), spread, 0);
    Condition::new(field, text, move |game| {
        names.iter().all(|name| {
            let rating = game.tag(name).and_then(tags::rating);
            rating.is_some_and(|rating| is_within_one(rating.into(), &ranges))
        })
    })
}

fn difference(game: &Game) -> Option<i64> {
    let rating = |name| game.tag(name).and_then(tags::rating).map(i64::from);
    Some(rating("WhiteElo")? - rating("BlackElo")?)
}

fn rating_difference(random: &mut Random, game: &Game) -> Condition {
    let spread = *pick(random, &[0, 20, 200]);
    let (ranges, text) = some_ranges(random, difference(game).unwrap_or(0), spread, i64::MIN);
    Condition::new("elo_diff", text, move |game| {
        difference(game).is_some_and(|value| is_within_one(value, &ranges))
    })
}

fn mean_ratings(random: &mut Random, game: &Game) -> Condition {
    let mean = |game: &Game| {
        let rating = |name| game.tag(name).and_then(tags::rating).map(i64::from);
        Some((rating("WhiteElo")? + rating("BlackElo")?) / 2)
    };
    let near = mean(game).unwrap_or(1500);
    let spread = *pick(random, &[0, 20, 200]);
    let (ranges, text) = some_ranges(random, near, spread, 0);
    Condition::new("mean_elo", text, move |game| {
        mean(game).is_some_and(|value| is_within_one(value, &ranges))
    })
}

/// The number of days of a month.
fn days_of(year: u64, month: u64) -> u64 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn date(random: &mut Random, game: &Game) -> Condition {
    let near = tree::date(game).unwrap_or((2013, 1, 5));
    let end = |random: &mut Random, is_later: bool| {
        let (year, month, day) = near;
        let shift = random.below(3) as u64;
        let year = if is_later {
            year + shift
        } else {
            year.saturating_sub(shift).max(1)
        };
        match random.below(3) {
            0 => (year, 0, 0),
            1 => (year, if is_later { month.max(1) } else { 1 }, 0),
            _ => {
                let month = if is_later { month.max(1) } else { 1 };
                let day = if is_later {
                    (day + shift).clamp(1, days_of(year, month))
                } else {
                    1
                };
                (year, month, day)
            }
        }
    };
    let mut range = || match random.below(5) {
        0 => (Some(end(random, false)), None),
        1 => (None, Some(end(random, true))),
        2 => {
            let only = end(random, true);
            (Some(only), Some(only))
        }
        _ => (Some(end(random, false)), Some(end(random, true))),
    };
    let mut ranges = vec![range(), range()];
    ranges.truncate(1 + random.below(2));
    let written = |(year, month, day): tags::Date| match (month, day) {
        (0, _) => format!("{year:04}"),
        (_, 0) => format!("{year:04}-{month:02}"),
        _ => format!("{year:04}-{month:02}-{day:02}"),
    };
    let text = ranges.iter().map(|&range| match range {
        (Some(min), Some(max)) if min == max => written(min),
        (min, max) => {
            let [min, max] = [min, max].map(|end| end.map(written).unwrap_or_default());
            format!("{min}..{max}")
        }
    });
    let text: Vec<String> = text.collect();
    Condition::new("date", text.join(","), move |game| {
        let is_in = |date| {
            let mut ranges = ranges.iter();
            ranges.any(|&(min, max)| tags::is_date_in(date, min, max))
        };
        tree::date(game).is_some_and(is_in)
    })
}

/// Some of the elements of a list, at least one.
fn some(random: &mut Random, list: &[&'static str]) -> Vec<&'static str> {
    let mut chosen: Vec<_> = list.iter().copied().filter(|_| one_in(random, 3)).collect();
    if chosen.is_empty() {
        chosen.push(*pick(random, list));
    }
    chosen
}

fn result(random: &mut Random) -> Condition {
    let wanted = some(random, &["1-0", "0-1", "1/2-1/2", "*", "0-0"]);
    Condition::new("result", wanted.join(","), move |game| {
        game.result.is_some_and(|result| wanted.contains(&result))
    })
}

fn eco(random: &mut Random, game: &Game) -> Condition {
    let near = game.tag("ECO").and_then(tags::eco).unwrap_or("B20".into());
    let mut range = || match random.below(4) {
        0 => (near.clone(), near.clone()),
        1 => (near.clone(), "E99".into()),
        2 => ("A00".into(), near.clone()),
        _ => (format!("{}00", &near[..1]), format!("{}99", &near[..1])),
    };
    let mut ranges: Vec<(String, String)> = vec![range(), range(), ("C20".into(), "C20".into())];
    ranges.truncate(1 + random.below(3));
    let text = ranges.iter().map(|(min, max)| {
        if min == max {
            min.clone()
        } else {
            format!("{min}..{max}")
        }
    });
    let text: Vec<String> = text.collect();
    Condition::new("eco", text.join(","), move |game| {
        let code = game.tag("ECO").and_then(tags::eco);
        let is_in = |code| ranges.iter().any(|(min, max)| min <= code && code <= max);
        code.as_ref().is_some_and(is_in)
    })
}

fn speed(random: &mut Random) -> Condition {
    let wanted = some(
        random,
        &[
            "ultraBullet",
            "bullet",
            "blitz",
            "rapid",
            "classical",
            "correspondence",
        ],
    );
    Condition::new("speed", wanted.join(","), move |game| {
        let speed = game.tag("TimeControl").and_then(tags::speed);
        speed.is_some_and(|speed| wanted.contains(&speed))
    })
}

fn plies(random: &mut Random, game: &Game) -> Condition {
    let spread = *pick(random, &[0, 3, 20]);
    let (ranges, text) = some_ranges(random, game.moves.len() as i64, spread, 0);
    Condition::new("plies", text, move |game| {
        is_within_one(game.moves.len() as i64, &ranges)
    })
}

fn expression(random: &mut Random, game: &Game) -> Condition {
    let mut names: Vec<&Vec<u8>> = game.tags.keys().collect();
    names.sort_unstable();
    let name = if names.is_empty() {
        "White".to_owned()
    } else {
        String::from_utf8(pick(random, &names).to_vec()).unwrap()
    };
    let value = tags::decoded(game.tag(&name).unwrap_or(b""));
    let start: String = value.chars().take(1 + random.below(4)).collect();
    let regex = match random.below(5) {
        0 => format!("^{}", regex::escape(&start)),
        1 => format!("{}$", regex::escape(&value)),
        2 => "[0-9]{3}".to_owned(),
        3 => "[öü]".to_owned(),
        _ => regex::escape(&start),
    };
    let compiled = Regex::new(&regex).unwrap();
    let text = format!("{name}={regex}");
    Condition::new("tag", text, move |game| {
        game.tag(&name)
            .is_some_and(|value| compiled.is_match(&tags::decoded(value)))
    })
}

/// The tags that may hold the address or the id of a game.
const ID_TAGS: [&str; 5] = ["Site", "Link", "GameId", "LichessURL", "GameURL"];

fn id(random: &mut Random, game: &Game) -> Condition {
    let known = ID_TAGS
        .iter()
        .find_map(|name| game.tag(name).and_then(tags::id));
    let id = known.unwrap_or("abcdefgh".into());
    let text = match random.below(5) {
        0 | 1 => id.clone(),
        2 => format!("https://lichess.org/{id}"),
        3 => format!("https://www.chess.com/game/live/{id}?tab=1"),
        _ => format!("{}q", &id[..id.len() - 1]),
    };
    let wanted = tags::id(text.as_bytes()).unwrap();
    Condition::new("id", text, move |game| {
        let id = |name: &&str| game.tag(name).and_then(tags::id);
        ID_TAGS.iter().filter_map(id).any(|id| id == wanted)
    })
}

/// A game of a kind, if one of a few random games is of it.
fn one_with<'g>(
    random: &mut Random,
    games: &'g [Game],
    is_meant: impl Fn(&Game) -> bool,
) -> Option<&'g Game> {
    (0..50)
        .map(|_| pick(random, games))
        .find(|game| is_meant(game))
}

fn opening(random: &mut Random, games: &[Game]) -> Condition {
    let plies = 1 + random.below(20);
    let found = one_with(random, games, |game| {
        game.is_standard && !game.moves.is_empty()
    });
    let moves = found.map_or(&[][..], |game| &game.moves);
    let moves = &moves[..plies.min(moves.len())];
    let is_uci = one_in(random, 2);
    let mut words: Vec<String> = moves
        .iter()
        .map(|played| {
            if is_uci {
                played.uci.to_string()
            } else {
                played.san.to_string()
            }
        })
        .collect();
    let mut wanted: Vec<Box<str>> = moves.iter().map(|played| played.uci.clone()).collect();
    if words.is_empty() || one_in(random, 12) {
        let rare = ["a2a3", "h7h5", "a3a4", "h5h4"].map(String::from);
        wanted = rare.iter().map(|uci| uci.as_str().into()).collect();
        words = rare.to_vec();
    }
    let text = words.join(" ");
    Condition::new("opening", text, move |game| {
        game.is_standard
            && game.moves.len() >= wanted.len()
            && game
                .moves
                .iter()
                .zip(&wanted)
                .all(|(played, uci)| played.uci == *uci)
    })
}

fn signature(random: &mut Random, game: &Game) -> Condition {
    // Part A is that of plies 20, 40 and 60, part B that of 31, 51 and 71.
    let parts = [("A", [20, 40, 60]), ("B", [31, 51, 71])];
    let mut wanted = Vec::new();
    let mut texts = Vec::new();
    for (name, plies) in parts {
        let mut text = format!("{name}=");
        for ply in plies {
            let played = game.moves.get(ply - 1).filter(|_| !one_in(random, 2));
            match played {
                Some(played) => {
                    text += &played.landing.to_string();
                    wanted.push((ply, played.landing));
                }
                None => text += "??",
            }
        }
        texts.push(text);
    }
    Condition::new("signature", texts.join(" "), move |game| {
        wanted.iter().all(|&(ply, square)| {
            let played = game.moves.get(ply - 1);
            played.is_some_and(|played| played.landing == square)
        })
    })
}

/// The number of insertions, removals and replacements between two sequences.
fn edits(one: &[Shape], other: &[Shape]) -> usize {
    let mut before: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in other.iter().enumerate() {
            let replaced = before[j] + usize::from(a != b);
            row.push(replaced.min(before[j + 1] + 1).min(row[j] + 1));
        }
        before = row;
    }
    before[other.len()]
}

fn like(random: &mut Random, games: &[Game]) -> Condition {
    let found = one_with(random, games, |game| !game.moves.is_empty());
    let moves = found.map_or(&[][..], |game| &game.moves);
    let cut = match random.below(3) {
        0 => moves.len().min(2 + random.below(12)),
        _ => moves.len(),
    };
    let mut score: Vec<(String, Shape)> = moves[..cut]
        .iter()
        .map(|played| (played.san.to_string(), played.shape))
        .collect();
    let allowed = (score.len() / 10).max(2);
    for _ in 0..random.below(allowed + 2) {
        let wrong = || {
            (
                "Na3".to_owned(),
                Shape::Piece(Role::Knight, Square::A3, None),
            )
        };
        let place = random.below(score.len() + 1);
        match random.below(3) {
            0 => score.insert(place, wrong()),
            1 if score.len() > 1 && place < score.len() => drop(score.remove(place)),
            _ if place < score.len() => score[place] = wrong(),
            _ => {}
        }
    }
    if score.is_empty() {
        score.push(("e4".to_owned(), Shape::Piece(Role::Pawn, Square::E4, None)));
    }
    let (words, shapes): (Vec<String>, Vec<Shape>) = score.into_iter().unzip();
    let text = words.join(" ");
    let max = (shapes.len() / 10).max(2);
    Condition::new("like", text, move |game| {
        let played: Vec<Shape> = game.moves.iter().map(|played| played.shape).collect();
        // A difference in length needs as many edits.
        !played.is_empty()
            && played.len().abs_diff(shapes.len()) <= max
            && edits(&shapes, &played) <= max
    })
}

/// A random position of a random game, sometimes with a change so that no game has it.
pub fn some_position(random: &mut Random, games: &[Game]) -> Parts {
    let found = one_with(random, games, |game| !game.positions.is_empty());
    let standard = Parts::of_fen(super::games::STANDARD);
    let Some(game) = found else {
        return standard;
    };
    let mut parts = match random.below(6) {
        0 => game.positions[random.below(game.positions.len().min(6))].clone(),
        1 => game.positions.last().unwrap().clone(),
        _ => pick(random, &game.positions).clone(),
    };
    match random.below(12) {
        0 => {
            let occupied: Vec<Square> = parts.board.occupied().into_iter().collect();
            let from = *pick(random, &occupied);
            let to = Square::new(random.below(64) as u32);
            let piece = parts.board.piece_at(from).unwrap();
            let is_free = parts.board.piece_at(to).is_none();
            if is_free && piece.role != Role::Pawn && piece.role != Role::King {
                parts.board.discard_piece_at(from);
                parts.board.set_piece_at(to, piece);
                parts.castling.discard(from);
                parts.en_passant = None;
            }
        }
        1 => parts.castling = shakmaty::Bitboard::EMPTY,
        2 => parts.en_passant = None,
        _ => {}
    }
    // The library reads positions by the rules of chess.
    match parse_position(&parts.fen()) {
        Ok(_) => Parts::of_fen(&parts.fen()),
        Err(_) => standard,
    }
}

fn positions(random: &mut Random, games: &[Game]) -> Condition {
    let parts = some_position(random, games);
    let mut values = Vec::new();
    let mut tests: Vec<HoldsAt> = Vec::new();
    let mut kinds = [0, 1, 2, 3].map(|kind| (kind, one_in(random, 7)));
    let main = match random.below(8) {
        0..4 => 0,
        4 | 5 => 3,
        6 => 2,
        _ => 1,
    };
    kinds[main].1 = true;
    for (kind, _) in kinds.into_iter().filter(|&(_, is_set)| is_set) {
        let parts = if one_in(random, 6) {
            some_position(random, games)
        } else {
            parts.clone()
        };
        let fen = parts.fen();
        match kind {
            0 => {
                values.push(("position", fen));
                tests.push(Box::new(move |at| *at == parts));
            }
            1 => {
                values.push(("board", fen));
                tests.push(Box::new(move |at| at.board == parts.board));
            }
            2 if one_in(random, 2) => {
                let counts = some_counts(random, &parts);
                let text: Vec<String> = counts
                    .iter()
                    .map(|(letters, range)| format!("{letters}={}", range_text(*range)))
                    .collect();
                values.push(("material", text.join(",")));
                tests.push(Box::new(move |at| {
                    counts
                        .iter()
                        .all(|(letters, range)| is_within(count(&at.board, letters), *range))
                }));
            }
            2 => {
                let mut sides = material(&parts.board);
                // Crazyhouse can have more than the 16 pieces that a query takes.
                if sides.iter().any(|side| side.len() > 16) {
                    sides = ["KRP".to_owned(), "KR".to_owned()];
                }
                let fixed = one_in(random, 2);
                if one_in(random, 2) {
                    sides.swap(0, 1);
                }
                let separator = if fixed {
                    "-"
                } else {
                    *pick(random, &["", "v"])
                };
                let text = format!("{}{separator}{}", sides[0], sides[1]);
                values.push(("material", text));
                tests.push(Box::new(move |at| has_material(&at.board, &sides, fixed)));
            }
            _ => {
                let text = some_pattern(random, &parts);
                let pattern = Pattern::read(&text);
                values.push(("pattern", text));
                tests.push(Box::new(move |at| pattern.matches(&at.board)));
            }
        }
    }
    let last_only = one_in(random, 6);
    if last_only {
        values.push(("final", "true".to_owned()));
    }
    let flips = one_in(random, 4);
    if flips {
        values.push(("flipped", "true".to_owned()));
    }
    let mut stages = vec![Stage {
        lasting: 1,
        holds: Box::new(move |at| tests.iter().all(|holds| holds(at))),
    }];
    if one_in(random, 5) {
        stages[0].lasting = 1 + random.below(4);
        values.push(("lasting", stages[0].lasting.to_string()));
    }
    if one_in(random, 4) {
        for _ in 0..1 + random.below(2) {
            let (text, stage) = later(random, games);
            values.push(("later", text));
            stages.push(stage);
        }
    }
    Condition {
        field: "positions",
        values,
        excluded: false,
        holds: Box::new(move |game| {
            let flipped = || {
                game.positions
                    .iter()
                    .map(Parts::flipped)
                    .collect::<Vec<_>>()
            };
            has_sequence(&game.positions, &stages, last_only)
                || flips && has_sequence(&flipped(), &stages, last_only)
        }),
    }
}

/// What positions in a row must meet.
struct Stage {
    lasting: usize,
    holds: HoldsAt,
}

/// Whether positions have runs that meet the stages, one after another; with `last_only` the last
/// run ends with the last position.
fn has_sequence(positions: &[Parts], stages: &[Stage], last_only: bool) -> bool {
    let Some((stage, others)) = stages.split_first() else {
        return !last_only || positions.is_empty();
    };
    let mut starts = 0..(positions.len() + 1).saturating_sub(stage.lasting);
    starts.any(|start| {
        let (run, after) = positions[start..].split_at(stage.lasting);
        run.iter().all(&stage.holds) && has_sequence(after, others, last_only)
    })
}

/// A condition on a later position, as text.
fn later(random: &mut Random, games: &[Game]) -> (String, Stage) {
    let parts = some_position(random, games);
    let fen = parts.fen();
    let sides = material(&parts.board);
    let (mut text, holds): (String, HoldsAt) = match random.below(4) {
        0 => (
            format!("position={fen}"),
            Box::new(move |at: &Parts| *at == parts),
        ),
        // Crazyhouse can have more than the 16 pieces that a query takes.
        1 | 2 if sides.iter().all(|side| side.len() <= 16) => (
            format!("material={}-{}", sides[0], sides[1]),
            Box::new(move |at: &Parts| has_material(&at.board, &sides, true)),
        ),
        _ => {
            let text = some_pattern(random, &parts);
            let pattern = Pattern::read(&text);
            (
                format!("pattern={text}"),
                Box::new(move |at: &Parts| pattern.matches(&at.board)),
            )
        }
    };
    let lasting = if one_in(random, 3) {
        1 + random.below(3)
    } else {
        1
    };
    if lasting > 1 {
        text += &format!(";lasting={lasting}");
    }
    (text, Stage { lasting, holds })
}

/// A symbol that allows what a square holds, or sometimes something else.
fn some_symbol(random: &mut Random, holds: Option<Piece>) -> String {
    let letter = holds.map_or('_', |piece| piece.char());
    let other = *pick(random, &['Q', 'n', 'R', 'b', '_', 'p']);
    let of_side = match holds {
        None => '_',
        Some(piece) if piece.color == Color::White => 'A',
        Some(_) => 'a',
    };
    match random.below(16) {
        0 => "?".to_owned(),
        1 if holds.is_some() => "!".to_owned(),
        2 => format!("[{letter}{other}]"),
        3 if other != letter => format!("[^{other}]"),
        4 | 5 => of_side.to_string(),
        6 if one_in(random, 4) => other.to_string(),
        _ => letter.to_string(),
    }
}

/// The number of pieces of some letters.
fn count(board: &shakmaty::Board, letters: &str) -> i64 {
    let pieces = board
        .occupied()
        .into_iter()
        .filter_map(|square| board.piece_at(square));
    pieces
        .filter(|piece| letters.contains(piece.char()))
        .count() as i64
}

/// Numbers of some pieces that a position has, or nearly has.
fn some_counts(random: &mut Random, parts: &Parts) -> Vec<(String, Range)> {
    let kinds = [
        "Q", "q", "R", "r", "Nn", "BbNn", "P", "p", "Pp", "Qq", "RrQq", "KQk",
    ];
    (0..1 + random.below(3))
        .map(|_| {
            let letters = *pick(random, &kinds);
            let number = count(&parts.board, letters) + random.below(6) as i64 / 5;
            let (min, max) = ends(random, number, 1);
            (letters.to_owned(), (min.map(|min| min.max(0)), max))
        })
        .collect()
}

/// A pattern that mostly matches a position.
fn some_pattern(random: &mut Random, parts: &Parts) -> String {
    let at = |file: u32, rank: u32| parts.board.piece_at(Square::new(8 * rank + file));
    if one_in(random, 2) {
        let mut squares: Vec<u32> = (0..1 + random.below(6))
            .map(|_| random.below(64) as u32)
            .collect();
        squares.sort_unstable();
        squares.dedup();
        let symbols = squares.into_iter().map(|square| {
            let symbol = some_symbol(random, at(square % 8, square / 8));
            format!("{symbol}{}", Square::new(square))
        });
        let mut symbols: Vec<String> = symbols.collect();
        for line in ["a", "d", "h", "1", "6", "8", "a..h", "c..e", "1..8", "6..7"] {
            if one_in(random, 12) {
                let not = *pick(random, &["[^Pp]", "[^P]", "[^Qrb]", "[^!]", "[^Nn_]"]);
                symbols.push(format!("{not}{line}"));
            }
        }
        return symbols.join(",");
    }
    let rank = |rank: u32| {
        if one_in(random, 2) {
            return "*".to_owned();
        }
        let mut text = String::new();
        let mut file = 0;
        while file < 8 {
            let empty = (file..8)
                .take_while(|&file| at(file, rank).is_none())
                .count() as u32;
            if one_in(random, 8) {
                text.push('*');
                file += random.below(3) as u32;
            } else if empty > 0 && one_in(random, 2) {
                text += &empty.to_string();
                file += empty;
            } else {
                text += &some_symbol(random, at(file, rank));
                file += 1;
            }
        }
        if file > 8 {
            text.push('*');
        }
        text
    };
    (0..8).rev().map(rank).collect::<Vec<_>>().join("/")
}
