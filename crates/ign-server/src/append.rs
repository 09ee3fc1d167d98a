//! `POST /api/append`: games that the page appends to an archive, if the server permits it.
//!
//! The games are appended as by `ign append`: the archive opens as it was until all are there. Then
//! the index is extended, and the archives are opened again.

use std::{
    io::{self, Cursor},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use axum::{
    body::Bytes,
    body::to_bytes,
    extract::{Request, State},
    http::StatusCode,
    response::Response,
};
use ign_api::{Failure, Result, message_of};
use ign_archive::{
    Appender, Archive, Coding, Error, ErrorKind, Input, Packer,
    index::{self, IndexBuilder},
};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::{
    app::App,
    failure::{busy, failure, response},
    json::json_answer,
    options::Options,
    origin,
};

/// The path of these requests.
pub const PATH: &str = "/api/append";

/// The time in which the text must arrive: meanwhile nothing else is appended.
const UPLOAD_TIME: Duration = Duration::from_secs(300);
/// The name of the source that the games become.
const NAME: &str = "page.pgn";

/// `POST /api/append?source=…` with the text of games as its body, of the page of this server or of
/// a program.
pub async fn append(State(app): State<Arc<App>>, request: Request) -> Response {
    let appended = append_for(&app, request).await;
    appended.unwrap_or_else(response)
}

async fn append_for(app: &Arc<App>, request: Request) -> Result<Response> {
    origin::check_own_page(request.headers())?;
    if !app.options.allows_append {
        let message = "this server does not append games; ign serve --allow-append permits it";
        return Err(failure(StatusCode::FORBIDDEN, message));
    }
    let path = path_of(app, request.uri().query().unwrap_or_default())?;
    let Ok(appending) = app.appending.clone().try_lock_owned() else {
        return Err(busy("other games are being appended"));
    };
    let body = to_bytes(request.into_body(), Options::MAX_APPENDED as usize);
    let body = timeout(UPLOAD_TIME, body).await.map_err(|_| {
        let message = format!("the text took longer than {} s", UPLOAD_TIME.as_secs());
        failure(StatusCode::REQUEST_TIMEOUT, message)
    })?;
    let text = body.map_err(|_| {
        let most = Options::MAX_APPENDED >> 20;
        let message = format!("the text was cut off, or is longer than {most} MiB");
        failure(StatusCode::PAYLOAD_TOO_LARGE, message)
    })?;
    // What it has when it is decompressed has no limit.
    if Input::is_compressed(&text) {
        let message = "the text is compressed; decompress it first, or use ign append";
        return Err(failure(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    let app = app.clone();
    // It is finished even if the client goes away: half of it would have to be undone.
    let done = tokio::task::spawn_blocking(move || {
        let _appending = appending;
        let appended = append_text(&app, &path, text);
        let is_served = appended.is_ok() && app.reload().is_ok();
        appended.map(|mut answer| {
            answer["is_served"] = is_served.into();
            answer
        })
    });
    let body = done.await.map_err(|_| {
        failure(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal error; please report it with the games",
        )
    })??;
    Ok(json_answer(StatusCode::OK, "no-store", body.to_string()))
}

/// The file of the source that the parameters name.
fn path_of(app: &App, query: &str) -> Result<PathBuf> {
    let mut source = None;
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*name {
            "source" => source = Some(value.into_owned()),
            _ => {
                let message = format!("unknown parameter '{name}'; known: source");
                return Err(Failure::parameter(&name, message));
            }
        }
    }
    let collection = app.collection();
    let found = match (&source, collection.sources()) {
        (None, [only]) => Some(only),
        (Some(name), sources) => sources.iter().find(|source| source.name == *name),
        _ => None,
    };
    let found = found.ok_or_else(|| {
        let message = source.map_or("name the archive to append to".to_owned(), |name| {
            format!("there is no source '{name}'")
        });
        Failure::parameter("source", message)
    })?;
    Ok(found.archive().path().to_owned())
}

/// Appends text, and extends the index if there is one.
fn append_text(app: &App, path: &PathBuf, text: Bytes) -> Result<Value> {
    let not_appended = |error: Error| {
        let status = match error.kind() {
            ErrorKind::Usage => StatusCode::CONFLICT,
            _ => StatusCode::SERVICE_UNAVAILABLE,
        };
        let message = format!("nothing was appended: {}", message_of(&error));
        failure(status, message)
    };
    let input = || Input::reader(NAME, Cursor::new(text.clone()));
    // The coding without a model is the fastest.
    let counted = Packer::new()
        .coding(Coding::Ign)
        .verify(false)
        .threads(app.options.threads)
        .pack([input()], io::sink());
    if counted.map_err(not_appended)?.1.games == 0 {
        let message = "nothing was appended: the text has no games";
        return Err(failure(StatusCode::BAD_REQUEST, message));
    }
    let append = || {
        let appender = Appender::open(path)?;
        let before = appender.archive().clone();
        let packer = appender.packer()?.threads(app.options.threads);
        let after = appender.append(packer, [input()])?;
        Ok((before, after))
    };
    let (before, after) = append().map_err(not_appended)?;
    let appended = after.games - before.len();
    let games = if appended == 1 { "game" } else { "games" };
    app.say(&format!("{}: {appended} {games} appended", path.display()));
    // The games are there, whatever happens from here on.
    let is_repeated = Archive::open(path).is_ok_and(|archive| {
        extend_index(app, &archive);
        is_repeated(&archive)
    });
    Ok(json!({
        "games": appended,
        "all_games": after.games,
        "is_repeated": is_repeated,
    }))
}

fn extend_index(app: &App, archive: &Archive) {
    let path = index::path_of(archive.path());
    if !app.options.uses_indexes || !path.exists() {
        return;
    }
    let archives = [archive.clone().with_threads(app.options.threads)];
    if let Err(error) = IndexBuilder::new().extend(&path, &archives) {
        app.say(&format!("warning: {}: {error}", path.display()));
    }
}

/// Whether the latest source has the text of an earlier one.
fn is_repeated(archive: &Archive) -> bool {
    let Some((last, earlier)) = archive.sources().split_last() else {
        return false;
    };
    let text = |source: &ign_archive::Source| (source.text_len, source.text_checksum);
    last.text_checksum.is_some() && earlier.iter().any(|source| text(source) == text(last))
}
