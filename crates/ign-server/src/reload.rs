//! `POST /api/reload`: opens the archives again.

use std::{net::SocketAddr, sync::Arc};

use axum::{
    Extension,
    extract::{Request, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};

use ign_api::{Cancel, Result};

use crate::{
    app::App,
    failure::{failure, not_reloaded, response},
};

/// `POST /api/reload`, from the same machine and not from a page of another server.
pub async fn reload(
    State(app): State<Arc<App>>,
    Extension(client): Extension<SocketAddr>,
    request: Request,
) -> Response {
    let reloaded = reload_for(&app, client, request).await;
    reloaded.unwrap_or_else(response)
}

async fn reload_for(app: &Arc<App>, client: SocketAddr, request: Request) -> Result<Response> {
    let refused = |message: &str| Err(failure(StatusCode::FORBIDDEN, message));
    if !client.ip().to_canonical().is_loopback() {
        return refused("archives can be reloaded from the same machine only");
    }
    if request.headers().contains_key(header::ORIGIN) {
        return refused("archives can not be reloaded from a page");
    }
    let reloading = app.clone();
    let reload = move |_: &Cancel| reloading.reload().map_err(|e| not_reloaded(&e));
    app.workers.run(reload).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
