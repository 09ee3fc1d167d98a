//! The interface of the Lichess opening explorer.
//!
//! The endpoints differ in their filters and in what an answer has. All count the games of the same
//! archives, take `source` and the conditions on games as further parameters, and give the same
//! games to the same filters.

mod filters;

use ign_archive::{GameNumber, Query, TreeBuilder};
use shakmaty::Color;

use self::filters::{Modes, Period, Ratings, Speeds};
use crate::{
    answer::{Answer, Shown, to_json},
    collection::View,
    failure::{Failure, Result},
    key::Key,
    parameters::Parameters,
    request::{Request, Served},
    root::Root,
    selection::Selection,
    task::{JSON, Task},
};

/// The number of moves if `moves` is not given.
const MOVES: usize = 12;
/// Newline-delimited JSON.
const NDJSON: &str = "application/x-ndjson";

/// Which of the endpoints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Database {
    Lichess,
    Masters,
    Player(Color),
}

impl Database {
    /// The greatest numbers of games by rating and by date.
    fn lists(self) -> [usize; 2] {
        match self {
            Self::Lichess => [4, 8],
            Self::Masters => [15, 0],
            Self::Player(_) => [0, 8],
        }
    }

    /// The number of games by date if `recentGames` is not given.
    fn recent_games(self) -> usize {
        match self {
            Self::Lichess => 4,
            Self::Masters => 0,
            Self::Player(_) => 8,
        }
    }
}

/// `GET /lichess`
pub(crate) fn lichess(request: Request) -> Result<Task> {
    let mut parameters = request.parameters;
    let speeds = Speeds::take(&mut parameters)?;
    let ratings = Ratings::take(&mut parameters)?;
    let period = Period::take(&mut parameters)?;
    let requested = Requested::take(Database::Lichess, &mut parameters)?;
    let mut selection = request
        .served
        .selection(parameters, requested.root.given())?;
    speeds.apply(&mut selection)?;
    ratings.apply(&mut selection)?;
    period.apply(&mut selection)?;
    requested.plan(request.served, selection)
}

/// `GET /masters`
pub(crate) fn masters(request: Request) -> Result<Task> {
    let mut parameters = request.parameters;
    let period = Period::take(&mut parameters)?;
    let requested = Requested::take(Database::Masters, &mut parameters)?;
    let mut selection = request
        .served
        .selection(parameters, requested.root.given())?;
    period.apply(&mut selection)?;
    requested.plan(request.served, selection)
}

/// `GET /player`
pub(crate) fn player(request: Request) -> Result<Task> {
    let mut parameters = request.parameters;
    let player = parameters
        .take("player")?
        .filter(|name| !name.is_empty())
        .ok_or_else(|| Failure::parameter("player", "player: write the name of a player"))?;
    let color = match parameters.take("color")?.as_deref() {
        Some("white") => Color::White,
        Some("black") => Color::Black,
        _ => return Err(Failure::parameter("color", "color: write white or black")),
    };
    let speeds = Speeds::take(&mut parameters)?;
    let modes = Modes::take(&mut parameters)?;
    let period = Period::take(&mut parameters)?;
    let requested = Requested::take(Database::Player(color), &mut parameters)?;
    let mut selection = request
        .served
        .selection(parameters, requested.root.given())?;
    let name = if color.is_white() { "white" } else { "black" };
    if selection.query.has(name) {
        let message = format!("{name}: the player is given by player and color");
        return Err(Failure::parameter(name, message));
    }
    selection.add(format!("{name} {player}"), |query| match color {
        Color::White => query.white(player),
        Color::Black => query.black(player),
    });
    speeds.apply(&mut selection)?;
    modes.apply(&mut selection);
    period.apply(&mut selection)?;
    requested.plan(request.served, selection)
}

/// The parameters of an answer.
struct Requested {
    database: Database,
    root: Root,
    moves: usize,
    top_games: usize,
    recent_games: usize,
    history: bool,
    extended: bool,
    move_games: bool,
}

impl Requested {
    fn take(database: Database, parameters: &mut Parameters) -> Result<Self> {
        let [top, recent] = database.lists();
        let root = Root::take(parameters)?;
        // As on Lichess, a greater number gives as many games as there may be.
        let max = usize::from(u16::MAX);
        Ok(Self {
            database,
            root,
            moves: parameters.number("moves", 0..=max, MOVES)?,
            top_games: parameters.number("topGames", 0..=max, top)?.min(top),
            recent_games: parameters
                .number("recentGames", 0..=max, database.recent_games())?
                .min(recent),
            history: parameters.flag("history", false)?,
            extended: parameters.flag("extended", false)?,
            move_games: parameters.flag("moveGames", true)?,
        })
    }

    fn plan(self, served: &Served, selection: Selection) -> Result<Task> {
        let view = served.view(selection.source.as_deref())?;
        let key = self.key(view.collection().identity(), &selection);
        let of_player = matches!(self.database, Database::Player(_));
        let content_type = if of_player { NDJSON } else { JSON };
        let compute = move |view: &View| {
            let mut builder = TreeBuilder::new()
                .top_games(self.top_games)
                .recent_games(self.recent_games)
                .history(self.history)
                .game_numbers(self.move_games);
            if let Database::Player(color) = self.database {
                builder = builder.performance_of(color);
            }
            let position = &self.root.position;
            let mut tree = match view.found(&selection, self.root.given())? {
                Some(games) => builder.build_of_games(&view.archives, position, &games)?,
                None => builder.build(&view.archives, position, &selection.query)?,
            };
            tree.opening = tree.opening.or(self.root.opening);
            let shown = Shown {
                moves: self.moves,
                of_player,
                history: self.history,
                extended: self.extended,
            };
            let read = |numbers: &[GameNumber]| {
                let mut games = view.games(numbers)?;
                if self.extended {
                    for (game, number) in games.iter_mut().zip(numbers) {
                        game.number = Some(view.games_before + number.get());
                    }
                }
                Ok::<_, Failure>(games)
            };
            let mut json = to_json(&Answer::of(&tree, shown, read)?)?;
            json.extend(of_player.then_some(b'\n'));
            Ok(json)
        };
        Ok(Task::keyed(content_type, key, view, compute))
    }

    /// What identifies the answer.
    fn key(&self, identity: u64, selection: &Selection) -> Key {
        let fields = self.root.position.fen_fields();
        let numbers = format!(
            "{:?} {} {} {} {} {} {}",
            self.database,
            self.moves,
            self.top_games,
            self.recent_games,
            self.history,
            self.extended,
            self.move_games
        );
        // The name of an opening may be that of a position before this one.
        let opening = self.root.opening;
        let (eco, name) = opening.map_or(("", ""), |opening| (opening.eco, opening.name));
        let own = [&numbers, &*String::from_utf8_lossy(&fields), eco, name];
        Key::new(identity, own.into_iter().chain(selection.parts()))
    }
}

/// `GET /masters/pgn/{id}`: a game as PGN, by its id on Lichess or by its number.
pub(crate) fn masters_pgn(request: Request) -> Result<Task> {
    request.parameters.finish()?;
    let id = request.name;
    let view = request.served.view(None)?;
    let missing = Failure::missing("there is no such game");
    let read = move |view: &View| {
        let archives = &view.archives;
        let number = id.parse::<GameNumber>().ok();
        let game = match number.filter(|&number| archives.locate(number).is_ok()) {
            Some(number) => number,
            None => {
                let id = id.parse().map_err(|_| missing.clone())?;
                let found = archives.find_first(&Query::new().id(id), 1)?;
                *found.first().ok_or(missing)?
            }
        };
        Ok(archives.game(game)?.pgn()?.to_vec())
    };
    Ok(Task::text(view, None, read))
}
