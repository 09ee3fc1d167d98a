//! The page: files that are part of the program.

use std::{
    collections::HashMap,
    io::Write,
    iter,
    sync::{LazyLock, OnceLock},
};

use axum::{
    body::Bytes,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use flate2::{Compression, write::GzEncoder};
use ign_archive::ModelFile;
use include_dir::{Dir, include_dir};
use xxhash_rust::xxh64::xxh64;

use crate::app::is_known;

static FOLDER: Dir = include_dir!("$CARGO_MANIFEST_DIR/assets");

/// The files by their paths.
static ASSETS: LazyLock<HashMap<String, Asset>> = LazyLock::new(|| {
    let mut assets = HashMap::new();
    add(&FOLDER, &mut assets);
    assets
});

/// The file of the move model.
static MODEL: LazyLock<Asset> = LazyLock::new(|| Asset::new(move_model(), BYTES, false));

/// What the page may load: itself with its module, and images that are part of its style sheets.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                      img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Types of files by their endings, and whether they are worth compressing.
const TYPES: [(&str, &str, bool); 12] = [
    ("html", "text/html; charset=utf-8", true),
    ("js", "text/javascript; charset=utf-8", true),
    ("css", "text/css; charset=utf-8", true),
    ("svg", "image/svg+xml", true),
    ("json", "application/json", true),
    ("webmanifest", "application/manifest+json", true),
    ("map", "application/json", true),
    ("txt", "text/plain; charset=utf-8", true),
    ("png", "image/png", false),
    ("ico", "image/x-icon", false),
    ("webp", "image/webp", false),
    ("woff2", "font/woff2", false),
];

/// The type of all other files.
const BYTES: &str = "application/octet-stream";

struct Asset {
    bytes: &'static [u8],
    content_type: &'static str,
    etag: String,
    is_compressible: bool,
    /// Compressed at the first request.
    gzip: OnceLock<Bytes>,
}

fn add(folder: &'static Dir, assets: &mut HashMap<String, Asset>) {
    for file in folder.files() {
        let ending = file.path().extension().and_then(|e| e.to_str());
        let found = TYPES.into_iter().find(|&(known, ..)| Some(known) == ending);
        let (_, content_type, is_compressible) = found.unwrap_or(("", BYTES, false));
        let path = file.path().to_string_lossy().replace('\\', "/");
        let asset = Asset::new(file.contents(), content_type, is_compressible);
        assets.insert(format!("/{path}"), asset);
    }
    folder.dirs().for_each(|folder| add(folder, assets));
}

impl Asset {
    fn new(bytes: &'static [u8], content_type: &'static str, is_compressible: bool) -> Self {
        Self {
            bytes,
            content_type,
            etag: format!("\"{:016x}\"", xxh64(bytes, 0)),
            is_compressible,
            gzip: OnceLock::new(),
        }
    }

    fn gzip(&self) -> Bytes {
        let compress = || {
            let mut out = GzEncoder::new(Vec::new(), Compression::best());
            let written = out.write_all(self.bytes).and_then(|()| out.finish());
            Bytes::from(written.unwrap_or_default())
        };
        self.gzip.get_or_init(compress).clone()
    }
}

/// The name of the file of the move model, which the module reads.
const MOVE_MODEL: &str = "moves.model";

/// The file of the move model. It is made when it is first needed, from what is in the program.
fn move_model() -> &'static [u8] {
    static FILE: LazyLock<Vec<u8>> =
        LazyLock::new(|| ModelFile::builtin_bytes().unwrap_or_default());
    &FILE
}

/// The files of the page: their names, without folders, and their bytes. `index.html` is the
/// document.
pub fn page_files() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    let files = FOLDER.files();
    files
        .filter_map(|file| Some((file.path().to_str()?, file.contents())))
        .chain(iter::once_with(|| (MOVE_MODEL, move_model())))
}

/// The file of a path; `None` if there is none.
pub fn answer(path: &str, headers: &HeaderMap) -> Option<Response> {
    let path = if path == "/" { "/index.html" } else { path };
    let asset = match path.strip_prefix('/') {
        Some(MOVE_MODEL) => &*MODEL,
        _ => ASSETS.get(path)?,
    };
    let etag = HeaderValue::from_str(&asset.etag).ok()?;
    let fixed = [
        (header::ETAG, etag),
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static(asset.content_type),
        ),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(POLICY),
        ),
        (header::VARY, HeaderValue::from_static("accept-encoding")),
        (
            header::REFERRER_POLICY,
            HeaderValue::from_static("no-referrer"),
        ),
    ];
    if is_known(headers, &asset.etag) {
        return Some((StatusCode::NOT_MODIFIED, fixed).into_response());
    }
    let accepted = headers.get_all(header::ACCEPT_ENCODING).into_iter();
    let takes_gzip = accepted
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|coding| accepts_gzip(coding.trim()));
    if asset.is_compressible && takes_gzip {
        let encoding = [(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"))];
        return Some((fixed, encoding, asset.gzip()).into_response());
    }
    Some((fixed, Bytes::from_static(asset.bytes)).into_response())
}

/// Whether an item of `Accept-Encoding` allows gzip.
fn accepts_gzip(item: &str) -> bool {
    let (coding, quality) = item.split_once(';').unwrap_or((item, "q=1"));
    let is_refused = quality.trim().strip_prefix("q=").is_some_and(|q| {
        let q: Result<f32, _> = q.parse();
        q.is_ok_and(|q| q == 0.0)
    });
    matches!(coding.trim(), "gzip" | "x-gzip" | "*") && !is_refused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_program_are_answered() {
        assert!(answer("/", &HeaderMap::new()).is_some());
        assert!(answer("/index.html", &HeaderMap::new()).is_some());
        for path in [
            "",
            "//index.html",
            "/../Cargo.toml",
            "/etc/passwd",
            "/assets",
            "/%2e%2e/x",
        ] {
            assert!(answer(path, &HeaderMap::new()).is_none(), "{path}");
        }
    }

    #[test]
    fn gzip_is_used_where_it_is_accepted() {
        for (item, accepted) in [
            ("gzip", true),
            ("gzip;q=0.5", true),
            ("*", true),
            ("gzip; q=0", false),
            ("gzip;q=0.0", false),
            ("br", false),
        ] {
            assert_eq!(accepts_gzip(item), accepted, "{item}");
        }
    }
}
