//! Paths, the headers of all answers, limits, the access log.

use std::{net::SocketAddr, sync::Arc};

use axum::{
    Router,
    extract::{Request, State},
    http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode, Uri, Version, header},
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Response},
    routing::{get, post},
};

use tower_http::{
    CompressionLevel,
    compression::{CompressionLayer, Predicate, predicate::SizeAbove},
};

use ign_api::Failure;

use crate::{
    app::App,
    append::{self, append},
    assets,
    engine::engine,
    failure::{failure, response},
    json,
    log::Entry,
    options::Options,
    origin,
    permits::permits,
    reload::reload,
    tasks::answer,
};

/// The paths for POST.
const RELOAD: &str = "/api/reload";
const ENGINE: &str = "/api/engine";

/// Answers of fewer bytes are sent as they are: they fit in one packet.
const MIN_COMPRESSED: u16 = 1024;

/// The router of all paths.
pub fn router(app: Arc<App>) -> Router {
    let answers = ign_api::paths().fold(Router::new(), |router, path| {
        router.route(path, get(answer))
    });
    answers
        .route("/api/server", get(permits))
        .route(RELOAD, post(reload))
        .route(ENGINE, post(engine))
        .route(append::PATH, post(append))
        .fallback(page)
        .method_not_allowed_fallback(refuse_method)
        .layer(compression())
        .layer(from_fn_with_state(app.clone(), around))
        .with_state(app)
}

/// Compresses JSON. Files of the page are kept compressed, and downloads are sent as they are made.
fn compression() -> CompressionLayer<impl Predicate> {
    let is_json = |_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions| {
        let content_type = headers.get(header::CONTENT_TYPE);
        content_type
            .is_some_and(|value| value.as_bytes().starts_with(json::CONTENT_TYPE.as_bytes()))
    };
    CompressionLayer::new()
        .quality(CompressionLevel::Fastest)
        .compress_when(SizeAbove::new(MIN_COMPRESSED).and(is_json))
}

/// Files of the page.
async fn page(request: Request) -> Response {
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return refuse_method(request.uri().clone()).await;
    }
    let found = assets::answer(request.uri().path(), request.headers());
    found.unwrap_or_else(|| response(Failure::missing("there is no such page")))
}

async fn refuse_method(uri: Uri) -> Response {
    let allowed = match uri.path() {
        RELOAD | ENGINE | append::PATH => "POST",
        _ => "GET, HEAD",
    };
    let message = format!("method not allowed; allowed: {allowed}");
    let refused = response(failure(StatusCode::METHOD_NOT_ALLOWED, message));
    ([(header::ALLOW, allowed)], refused).into_response()
}

/// What is done around all requests.
async fn around(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let client = request.extensions().get::<SocketAddr>().copied();
    let entry = app
        .options
        .log
        .then(|| Entry::new(client, request.method(), request.uri()));
    let allowed = origin::allowed_origin(&app.options, &request);
    let checked = check(&request).and_then(|()| origin::check_host(&app.options, &request));
    let mut response = match checked {
        Err(failure) => response(failure),
        Ok(()) if request.method() == Method::OPTIONS => preflight(),
        Ok(()) => next.run(request).await,
    };
    if let Some(unreadable) = response.extensions_mut().remove() {
        app.report(unreadable);
    }
    let headers = response.headers_mut();
    origin::allow(headers, allowed);
    let no_sniff = HeaderValue::from_static("nosniff");
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, no_sniff);
    if let Some(entry) = entry {
        entry.write(response.status().as_u16());
    }
    response
}

/// Refuses requests that are too large.
fn check(request: &Request) -> Result<(), Failure> {
    let uri = request.uri();
    let len = uri.path().len() + uri.query().map_or(0, str::len);
    if len > Options::MAX_URI {
        let message = format!("the address is longer than {} bytes", Options::MAX_URI);
        return Err(failure(StatusCode::URI_TOO_LONG, message));
    }
    let body = request
        .headers()
        .get(header::CONTENT_LENGTH)
        .and_then(|len| len.to_str().ok()?.parse::<u64>().ok());
    // Whether games are appended at all is answered there.
    let most = if request.uri().path() == append::PATH {
        Options::MAX_APPENDED
    } else {
        Options::MAX_BODY
    };
    if body.is_some_and(|len| len > most) {
        let message = format!("the body is longer than {most} bytes");
        return Err(failure(StatusCode::PAYLOAD_TOO_LARGE, message));
    }
    Ok(())
}

/// The request of a browser before a page of another server may send headers of its own.
fn preflight() -> Response {
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD"),
        (
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            "Accept, Authorization, Content-Type, If-None-Match, X-Requested-With",
        ),
        (header::ACCESS_CONTROL_MAX_AGE, "86400"),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}
