//! A server over generated games, and a client.

pub mod model;

use std::{
    fs::File,
    net::{SocketAddr, TcpListener},
    path::{Path, PathBuf},
    thread::JoinHandle,
};

use ign_archive::{
    Archive, Input, Packer,
    index::IndexBuilder,
    index::{self},
};
use ign_server::{Options, Server, Stopper};
use ign_testing::games;
use serde_json::Value;
use tempfile::TempDir;

/// Packs text into an archive of small blocks.
pub fn pack(path: &Path, text: &[u8]) {
    let input = Input::reader("games.pgn", text.to_vec().leak() as &'static [u8]);
    let packer = Packer::new().block_size(64 << 10);
    packer.pack([input], File::create(path).unwrap()).unwrap();
}

/// Builds the index beside an archive.
pub fn build_index(path: &Path) {
    let archives = [Archive::open(path).unwrap()];
    let mut out = File::create(index::path_of(path)).unwrap();
    IndexBuilder::new().build(&archives, &mut out).unwrap();
}

/// A server that stops when it is dropped.
pub struct Served {
    pub folder: TempDir,
    pub address: SocketAddr,
    stopper: Stopper,
    running: Option<JoinHandle<ign_archive::Result<()>>>,
}

/// An answer.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: ureq::http::HeaderMap,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name).map(|value| value.to_str().unwrap());
        value.unwrap_or_default()
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        let text = String::from_utf8_lossy(&self.body);
        assert!(self.header("content-type").contains("json"), "{text}");
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"))
    }

    /// The JSON of an answer that is a success.
    #[track_caller]
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}", String::from_utf8_lossy(&self.body));
        self.json()
    }
}

impl Served {
    /// Serves archives of these texts, `0.ign`, `1.ign` and so on, with the options that `set`
    /// changes.
    pub fn with(texts: &[&[u8]], has_index: bool, set: impl FnOnce(&mut Options)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let paths: Vec<PathBuf> = (0..texts.len())
            .map(|number| folder.path().join(format!("{number}.ign")))
            .collect();
        for (path, text) in paths.iter().zip(texts) {
            pack(path, text);
            if has_index {
                build_index(path);
            }
        }
        let mut options = Options::new(paths);
        options.threads = 2;
        set(&mut options);
        let server = Server::open(options).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        Self {
            folder,
            address: listener.local_addr().unwrap(),
            stopper: server.stopper(),
            running: Some(std::thread::spawn(move || server.run(listener))),
        }
    }

    /// Serves generated games.
    pub fn new(count: u64) -> Self {
        Self::with(&[&games(count)], true, |_| {})
    }

    /// The path of an archive.
    pub fn archive(&self, number: usize) -> PathBuf {
        self.folder.path().join(format!("{number}.ign"))
    }

    pub fn request(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Reply {
        self.send(method, path, headers, &[])
    }

    /// A request with a body.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .allow_non_standard_methods(true)
            .max_redirects(0);
        let agent: ureq::Agent = config.build().into();
        let mut request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("http://{}{path}", self.address));
        for &(name, value) in headers {
            request = request.header(name, value);
        }
        let mut response = agent.run(request.body(body).unwrap()).unwrap();
        Reply {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: response.body_mut().read_to_vec().unwrap(),
        }
    }

    pub fn get(&self, path: &str) -> Reply {
        self.request("GET", path, &[])
    }

    /// The answer to a GET with these parameters.
    pub fn ask(&self, path: &str, parameters: &[(&str, String)]) -> Reply {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(parameters);
        self.get(&format!("{path}?{}", query.finish()))
    }

    /// Tells the server to stop and waits until it has.
    pub fn stop(&mut self) {
        self.stopper.stop();
        if let Some(running) = self.running.take() {
            running.join().unwrap().unwrap();
        }
    }

    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stopper.stop();
        if let Some(running) = self.running.take() {
            _ = running.join();
        }
    }
}
