//! `POST /api/engine`: the value of a position and the best lines, by the engine of the user.
//!
//! There is one process, which is started by the first request. A request waits until the one
//! before it is answered; when its client goes away, its search stops.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{
    extract::{Request, State},
    http::StatusCode,
    response::Response,
};
use ign_api::{Failure, Result};
use ign_archive::{Position, query::parse_position};
use serde_json::json;
use tokio::sync::{Mutex, oneshot};

use crate::{
    app::App,
    failure::{busy, response},
    json::json_answer,
    options, origin,
    uci::{Found, Process, Search},
};

/// Requests that may wait for the engine.
const MAX_WAITING: usize = 8;
/// Milliseconds of a search if the request does not state them, and the fewest.
const DEFAULT_MS: u64 = 1000;
const MIN_MS: u64 = 10;
/// Lines of an answer.
const MAX_LINES: u8 = 5;

/// The engine of the server.
pub struct Engine {
    options: options::Engine,
    process: Mutex<Option<Process>>,
    waiting: AtomicUsize,
}

/// A request that waits for the engine, or is being answered.
struct Waiting(Arc<Engine>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Engine {
    /// An engine that is started when it is first needed.
    pub fn new(options: options::Engine) -> Self {
        Self {
            options,
            process: Mutex::default(),
            waiting: AtomicUsize::new(0),
        }
    }

    /// The longest time for a position.
    pub fn time_limit(&self) -> Duration {
        self.options.time_limit
    }

    /// Ends the process.
    pub fn stop(&self) {
        // A search under way has it, and ends with the runtime.
        if let Ok(mut process) = self.process.try_lock() {
            process.take();
        }
    }

    /// Searches. The search ends early if the future is dropped, as when the client has gone away.
    async fn search(self: &Arc<Self>, search: Search) -> Result<(String, Found)> {
        let before = self.waiting.fetch_add(1, Ordering::Relaxed);
        let waiting = Waiting(self.clone());
        if before >= MAX_WAITING {
            return Err(busy("too many requests wait for the engine"));
        }
        let (_wanted, mut abandoned) = oneshot::channel::<()>();
        // The task may go on after its client has gone away.
        let searched = tokio::spawn(async move {
            let engine = &waiting.0;
            let mut place = engine.process.lock().await;
            if abandoned.try_recv() == Err(oneshot::error::TryRecvError::Closed) {
                return Err(busy("nobody waits for the answer"));
            }
            // After an error it is not put back, and dropped.
            let mut process = match place.take() {
                Some(process) => process,
                None => Process::start(&engine.options).await?,
            };
            let found = process.search(&search, &mut abandoned).await?;
            let name = process.name.clone();
            *place = Some(process);
            Ok((name, found))
        });
        let stopped = |_| Failure::new(503, "the engine was stopped");
        searched.await.map_err(stopped)?
    }
}

/// `POST /api/engine?fen=…&ms=1000&lines=3`, of the page of this server or of a program.
pub async fn engine(State(app): State<Arc<App>>, request: Request) -> Response {
    let answered = match read(&app, &request) {
        Ok((engine, search)) => answer(&engine, search).await,
        Err(failure) => Err(failure),
    };
    answered.unwrap_or_else(response)
}

async fn answer(engine: &Arc<Engine>, search: Search) -> Result<Response> {
    let (name, found) = engine.search(search).await?;
    let body = json!({
        "engine": name,
        "depth": found.depth,
        "nodes": found.nodes,
        "lines": found.lines(),
    });
    Ok(json_answer(StatusCode::OK, "no-store", body.to_string()))
}

/// The engine, and what it is to search.
fn read(app: &App, request: &Request) -> Result<(Arc<Engine>, Search)> {
    origin::check_own_page(request.headers())?;
    let engine = app.engine.clone().ok_or_else(|| {
        let message = "this server has no engine; ign serve --engine PROGRAM gives it one";
        Failure::missing(message)
    })?;
    let query = request.uri().query().unwrap_or_default();
    let search = read_query(query, engine.time_limit())?;
    Ok((engine, search))
}

fn read_query(query: &str, time_limit: Duration) -> Result<Search> {
    let mut position = Position::default();
    let longest = u64::try_from(time_limit.as_millis()).unwrap_or(u64::MAX);
    let (mut ms, mut lines) = (DEFAULT_MS, 1);
    let number = |name: &str, value: &str, most: u64| match value.parse() {
        Ok(number) if number > 0 => Ok(most.min(number)),
        _ => Err(Failure::parameter(
            name,
            format!("'{value}' is not a positive integer"),
        )),
    };
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*name {
            "fen" => {
                let fen = value.replace('_', " ");
                position = parse_position(&fen).map_err(|e| Failure::from(e).of("fen"))?;
            }
            "ms" => ms = number("ms", &value, longest)?,
            "lines" => lines = number("lines", &value, MAX_LINES.into())? as u8,
            _ => {
                let message = format!("unknown parameter '{name}'; known: fen, ms, lines");
                return Err(Failure::parameter(&name, message));
            }
        }
    }
    // An engine may fail at a position that cannot occur.
    if position.to_shakmaty().is_none() {
        let message = "the engine takes only positions that the rules allow";
        return Err(Failure::parameter("fen", message));
    }
    // Written again: no text of a request is sent to a program.
    let fields = String::from_utf8_lossy(&position.fen_fields()).into_owned();
    Ok(Search {
        fen: format!("{fields} 0 1"),
        is_black: position.turn().is_black(),
        time: Duration::from_millis(ms.max(MIN_MS)),
        lines,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(2);

    #[test]
    fn requests_are_bounded() {
        let search = read_query("ms=900000&lines=200", LIMIT).unwrap();
        assert_eq!((search.time, search.lines), (LIMIT, MAX_LINES));
        assert_eq!(read_query("ms=1", LIMIT).unwrap().time.as_millis(), 10);
        for wrong in ["ms=0", "ms=x", "lines=-1", "depth=3", "fen=x"] {
            assert_eq!(read_query(wrong, LIMIT).unwrap_err().status, 400, "{wrong}");
        }
    }

    #[test]
    fn an_engine_gets_only_positions_that_the_rules_allow() {
        let fen = "8/8/8/8/8/5k2/6q1/7K_w_-_-%0Aquit";
        assert!(read_query(&format!("fen={fen}"), LIMIT).is_err());
        for fen in ["4k3/8/8/8/8/8/4R3/4K3_w_-_-", "8/8/8/8/8/8/4R3/4K3_w_-_-"] {
            let failure = read_query(&format!("fen={fen}"), LIMIT).unwrap_err();
            assert_eq!(failure.status, 400, "{fen}");
        }
        let search = read_query("fen=4k3/8/8/8/8/8/4R3/4K3_b_-_-_4_30", LIMIT).unwrap();
        assert_eq!(search.fen, "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1");
        assert!(search.is_black);
    }
}
