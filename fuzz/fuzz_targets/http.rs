//! Any request is answered, and never by a server error.
//!
//! The input is the method, a path with its query, and headers, each on a line.
#![no_main]

use std::{fs, sync::OnceLock};

use axum::{Router, body::Body, http::Request};
use ign_archive::Coding;
use ign_server::{Options, Server};
use libfuzzer_sys::fuzz_target;
use tokio::runtime::Runtime;
use tower::ServiceExt as _;

/// The server, and what runs it.
fn server() -> &'static (Router, Runtime) {
    static SERVER: OnceLock<(Router, Runtime)> = OnceLock::new();
    SERVER.get_or_init(|| {
        let path = std::env::temp_dir().join(format!("ign-fuzz-http-{}.ign", std::process::id()));
        fs::write(
            &path,
            ign_fuzz::pack(&ign_fuzz::chess(), Coding::Ign, 1 << 14),
        )
        .expect("a file");
        let mut options = Options::new([path]);
        options.threads = 1;
        options.quiet = true;
        let server = Server::open(options).expect("a server");
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        (server.routes(), runtime.expect("a runtime"))
    })
}

fuzz_target!(|bytes: &[u8]| {
    let mut lines = bytes.split(|&byte| byte == b'\n');
    let (Some(method), Some(target)) = (lines.next(), lines.next()) else {
        return;
    };
    let mut request = Request::builder().method(method).uri(target);
    for line in lines.take(8) {
        if let Some(colon) = line.iter().position(|&byte| byte == b':') {
            request = request.header(&line[..colon], &line[colon + 1..]);
        }
    }
    let Ok(request) = request.body(Body::empty()) else {
        return;
    };
    let (router, runtime) = server();
    runtime.block_on(async {
        let answer = router.clone().oneshot(request).await.expect("an answer");
        let status = answer.status();
        let body = axum::body::to_bytes(answer.into_body(), 64 << 20)
            .await
            .expect("a body");
        assert!(
            !status.is_server_error(),
            "{status}: {}",
            String::from_utf8_lossy(&body)
        );
    });
});
