//! Which pages may read the answers.
//!
//! A browser sends requests of every page that it shows, also to servers on the user's machine. Two
//! checks keep the games from other pages:
//!
//! - The `Host` of a request must be an address, `localhost`, or a name that the server was given.
//!   Otherwise a page could point a name of its own at this machine (DNS rebinding) and read as the
//!   same origin.
//! - Answers allow only the origins of [`Options::origins`], and only on the explorer's endpoints.
//!
//! A request that does more than read is a POST, of which browsers always state the origin: it must
//! be the page of this server.

use std::net::IpAddr;

use axum::{
    extract::Request,
    http::{HeaderMap, HeaderValue, StatusCode, header},
};

use ign_api::Result;

use crate::{failure::failure, options::Options};

/// The endpoints of the explorer, which pages of other servers may be allowed to read.
const SHARED: [&str; 4] = ["/lichess", "/masters", "/master/", "/player"];

/// Refuses requests for another host.
///
/// # Errors
/// 403 if the host is a name that the server was not given.
pub fn check_host(options: &Options, request: &Request) -> Result<()> {
    let named = request.headers().get(header::HOST);
    let host = match named.map(HeaderValue::to_str) {
        // HTTP/2 has the host in the URI, and HTTP/1.0 may have none.
        None => request.uri().host().unwrap_or("localhost"),
        Some(Ok(host)) => host,
        Some(Err(_)) => "",
    };
    let name = without_port(host);
    let is_known = is_address(name)
        || name.eq_ignore_ascii_case("localhost")
        || options
            .hosts
            .iter()
            .any(|own| own.eq_ignore_ascii_case(name));
    if is_known {
        return Ok(());
    }
    let shown: String = name.chars().take(80).collect();
    let message =
        format!("this server is not '{shown}'; ign serve --allow-host {shown} allows the name");
    Err(failure(StatusCode::FORBIDDEN, message))
}

/// Refuses requests of pages of other servers. A request without an origin is not of a browser.
///
/// # Errors
/// 403 if the origin is another server than the one that the request is for.
pub fn check_own_page(headers: &HeaderMap) -> Result<()> {
    let Some(origin) = headers.get(header::ORIGIN) else {
        return Ok(());
    };
    let own = headers.get(header::HOST).map(HeaderValue::as_bytes);
    let origin = origin.as_bytes();
    let server = [&b"http://"[..], b"https://"]
        .into_iter()
        .find_map(|scheme| origin.strip_prefix(scheme));
    if server.is_some() && server == own {
        return Ok(());
    }
    let message = "a page of another server must not request this";
    Err(failure(StatusCode::FORBIDDEN, message))
}

/// The host without its port: `[::1]:8017`, `localhost:8017`.
fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|c| c.is_ascii_digit()) && !name.ends_with(':') => {
            name
        }
        _ => host,
    }
}

fn is_address(name: &str) -> bool {
    let name = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'))
        .unwrap_or(name);
    name.parse::<IpAddr>().is_ok()
}

/// The value of `Access-Control-Allow-Origin` for a request; `None` if its page may not read the
/// answer.
pub fn allowed_origin(options: &Options, request: &Request) -> Option<HeaderValue> {
    let path = request.uri().path();
    if !SHARED.iter().any(|shared| path.starts_with(shared)) {
        return None;
    }
    let any = options.origins.iter().any(|origin| origin == "*");
    if any {
        return Some(HeaderValue::from_static("*"));
    }
    let origin = request.headers().get(header::ORIGIN)?;
    let is_allowed = |allowed: &String| allowed.as_bytes() == origin.as_bytes();
    options
        .origins
        .iter()
        .any(is_allowed)
        .then(|| origin.clone())
}

/// Adds the headers that let a page read an answer.
pub fn allow(headers: &mut HeaderMap, allowed: Option<HeaderValue>) {
    headers.append(header::VARY, HeaderValue::from_static("Origin"));
    if let Some(origin) = allowed {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_own_page_may_do_more_than_read() {
        for (origin, is_own) in [
            (None, true),
            (Some("http://127.0.0.1:8017"), true),
            (Some("https://127.0.0.1:8017"), true),
            (Some("http://127.0.0.1:8018"), false),
            (Some("http://x.example"), false),
            (Some("null"), false),
            (Some("127.0.0.1:8017"), false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("127.0.0.1:8017"));
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
            }
            assert_eq!(check_own_page(&headers).is_ok(), is_own, "{origin:?}");
        }
    }

    #[test]
    fn hosts_have_ports_and_brackets() {
        for (host, name) in [
            ("localhost:8017", "localhost"),
            ("localhost", "localhost"),
            ("127.0.0.1:80", "127.0.0.1"),
            ("[::1]:8017", "[::1]"),
            ("[::1]", "[::1]"),
            ("::1", "::1"),
        ] {
            assert_eq!(without_port(host), name);
        }
        assert!(is_address("[::1]") && is_address("10.0.0.7") && !is_address("example.org"));
    }
}
