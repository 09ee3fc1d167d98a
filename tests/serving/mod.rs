//! A server that runs beside a test.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Child, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::util::Folder;

/// A running `ign serve`.
pub struct Serving {
    pub child: Child,
    pub address: String,
}

impl Serving {
    pub fn start(folder: &Folder, args: &[&str]) -> Self {
        let args = [&["serve", "--port", "0"], args].concat();
        let mut child = folder
            .command(&args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let out = child.stdout.take().unwrap();
        BufReader::new(out).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").unwrap().to_owned();
        assert!(address.starts_with("127.0.0.1:"), "{address}");
        Self { child, address }
    }

    /// The status and the body of the answer to a request.
    pub fn request(&self, method: &str, path: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head =
            format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, body.to_owned())
    }

    pub fn json(&self, path: &str) -> Value {
        let (status, body) = self.request("GET", path);
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    }

    /// Sends a signal.
    #[cfg(unix)]
    pub fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let sent = std::process::Command::new("kill")
            .args(["-s", name, &id])
            .status();
        assert!(sent.unwrap().success());
    }

    /// Waits for the end, and returns the status and the messages.
    pub fn wait(mut self) -> (ExitStatus, String) {
        let start = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            assert!(
                start.elapsed() < Duration::from_secs(20),
                "the server does not stop"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
        let mut messages = String::new();
        let mut err = self.child.stderr.take().unwrap();
        err.read_to_string(&mut messages).unwrap();
        (self.child.wait().unwrap(), messages)
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}
