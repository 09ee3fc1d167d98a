//! `GET /api/game/{n}`: a game with its moves, and its text.

use ign_archive::{
    ErrorKind, GameKind, GameNumber, Query,
    shakmaty::variant::{Variant, VariantPosition},
};
use serde_json::json;

use crate::{
    collection::View,
    failure::{Failure, Result},
    games::list,
    key::Key,
    line,
    parameters::Parameters,
    request::Request,
    task::{JSON, Task, file_name},
};

/// A game by its number over all archives, or in the source of the request.
struct Wanted {
    source: Option<String>,
    number: String,
}

impl Wanted {
    fn take(number: String, mut parameters: Parameters) -> Result<Self> {
        let source = parameters.take("source")?;
        parameters.finish()?;
        Ok(Self { source, number })
    }

    fn find(&self, view: &View) -> Result<GameNumber> {
        let number = self.number.parse().ok();
        let found = number.filter(|&number| view.archives.locate(number).is_ok());
        found.ok_or_else(|| {
            let games = view.archives.len();
            Failure::missing(format!(
                "there is no such game: there are {games}, numbered from 1"
            ))
        })
    }
}

/// `GET /api/game/{n}` and `GET /api/game/{n}.pgn`
pub(crate) fn game(request: Request) -> Result<Task> {
    let mut wanted = Wanted::take(request.name, request.parameters)?;
    let view = request.served.view(wanted.source.as_deref())?;
    if let Some(number) = wanted.number.strip_suffix(".pgn") {
        wanted.number = number.to_owned();
        return text(view, &wanted);
    }
    let at = wanted.find(&view)?;
    let place = format!("game {at}");
    let source = wanted.source.as_deref().unwrap_or_default();
    let key = Key::new(view.collection().identity(), [&*place, source]);
    let compute = move |view: &View| Ok(describe(view, at)?.to_string().into_bytes());
    Ok(Task::keyed(JSON, key, view, compute))
}

fn describe(view: &View, at: GameNumber) -> Result<serde_json::Value> {
    let mut listed = list(view, &[at], &Query::default())?;
    let mut value = listed
        .pop()
        .ok_or_else(|| Failure::missing("there is no such game"))?;
    let game = view.archives.game(at)?;
    let tags: Vec<_> = game
        .tags()?
        .map(|(name, value)| json!([name, value]))
        .collect();
    value["tags"] = json!(tags);
    value["pgn_url"] = json!(format!("/api/game/{}.pgn", value["number"]));
    value["kind"] = json!(game.kind()?.name());
    value["start"] = json!(null);
    value["moves"] = json!([]);
    value["comment"] = json!(null);
    value["text"] = json!("kept");
    if game.kind()? != GameKind::Chess {
        return Ok(value);
    }
    let movetext = game.movetext()?;
    // A game without moves starts as chess does. Where the rules are not known, or shakmaty does
    // not accept the start, there are no positions, and the moves are text.
    let start = match game.positions() {
        Ok(mut positions) => positions.next().or_else(|| {
            let is_without_moves = movetext.moves.is_empty();
            is_without_moves.then(|| VariantPosition::new(Variant::Chess))
        }),
        Err(error) if error.kind() == ErrorKind::Unsupported => None,
        Err(error) => return Err(error.into()),
    };
    if let Some(start) = start {
        let coded = game.san()?;
        let (mut moves, is_legal) = line::moves(movetext, &start);
        // Where the text cannot be read as it was when it was packed, the archive has the moves.
        if moves.len() < coded.len() {
            moves = line::complete(moves, &coded, &start);
        } else if is_legal {
            value["text"] = json!(null);
        }
        value["start"] = json!(line::fen_of(&start));
        value["moves"] = json!(moves);
    }
    value["comment"] = json!(line::text(&movetext.comments));
    Ok(value)
}

/// The game as it was packed.
fn text(view: View, wanted: &Wanted) -> Result<Task> {
    let at = wanted.find(&view)?;
    let place = view.archives.locate(at)?;
    let source = &view.source(place.archive).name;
    let name = file_name(source, &format!("-game-{}", place.number));
    let read = move |view: &View| Ok(view.archives.game(at)?.pgn()?.to_vec());
    Ok(Task::text(view, Some(name), read))
}
