//! Downloads: text that is written while it is sent, in bounded memory.

use std::{
    io::{self, Write},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use axum::body::{Body, Bytes};
use hyper::body::Frame;
use ign_api::{Result, Unreadable};
use tokio::{
    runtime::Handle,
    sync::mpsc::{Receiver, Sender, channel},
    time::timeout,
};

use crate::app::App;

/// Bytes of a piece of a download.
const PIECE: usize = 64 << 10;
/// Pieces in memory.
const PIECES: usize = 4;

/// The body of an answer with what `write` writes. An error of `write` breaks the
/// download off, so that the client sees that it is not complete.
///
/// # Errors
/// Busy, if there are too many downloads.
pub async fn stream(
    app: &Arc<App>,
    write: impl FnOnce(&mut dyn Write) -> ign_archive::Result<()> + Send + 'static,
) -> Result<Body> {
    let (sender, receiver) = channel(PIECES);
    let mut out = Pieces {
        piece: Vec::with_capacity(PIECE),
        sender,
        runtime: Handle::current(),
        time_limit: app.options.client_time_limit,
    };
    let downloads = app.downloads.start().await?;
    let app = app.clone();
    tokio::task::spawn_blocking(move || {
        let _download = downloads;
        let written = write(&mut out).and_then(|()| Ok(out.flush()?));
        if let Err(error) = written {
            if let Some(unreadable) = Unreadable::of(&error) {
                app.report(unreadable);
            }
            let message = io::Error::other(error.message().to_owned());
            _ = out.send(Err(message));
        }
    });
    Ok(Body::new(Download(receiver)))
}

/// Writes pieces into a channel. A client that takes none for too long ends the download.
struct Pieces {
    piece: Vec<u8>,
    sender: Sender<io::Result<Bytes>>,
    runtime: Handle,
    time_limit: Duration,
}

impl Pieces {
    fn send(&mut self, piece: io::Result<Bytes>) -> io::Result<()> {
        let sent = self
            .runtime
            .block_on(timeout(self.time_limit, self.sender.send(piece)));
        match sent {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(io::ErrorKind::BrokenPipe.into()),
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= PIECE {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        match std::mem::replace(&mut self.piece, Vec::with_capacity(PIECE)) {
            piece if piece.is_empty() => Ok(()),
            piece => self.send(Ok(piece.into())),
        }
    }
}

/// The pieces as the body of an answer.
struct Download(Receiver<io::Result<Bytes>>);

impl hyper::body::Body for Download {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let piece = self.0.poll_recv(context);
        piece.map(|piece| piece.map(|piece| piece.map(Frame::data)))
    }
}
