//! Connections: their limits, and the graceful stop.

use std::{
    fmt, io,
    net::{SocketAddr, TcpListener},
    pin::Pin,
    sync::Arc,
    time::Duration,
};

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use ign_archive::Result;
use tokio::{
    net::TcpStream,
    runtime,
    sync::{Notify, Semaphore},
    time::{sleep, timeout},
};
use tokio_io_timeout::TimeoutStream;

use crate::{app::App, indexer::build_missing, options::Options, router::router};

/// The time that open requests have to end when the server stops.
const STOP_TIME: Duration = Duration::from_secs(10);
/// The time in which connections without a request, and those of fast answers, end when the server
/// stops.
const STOP_PAUSE: Duration = Duration::from_millis(100);
/// The time after which the server accepts connections again if the system refuses them.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// Bytes of the head of a request. It has room for the longest address and headers.
const MAX_HEAD: usize = Options::MAX_URI + (32 << 10);
/// Headers of a request.
const MAX_HEADERS: usize = 100;

/// A server of archives.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.ign");
/// # let input = ign_archive::Input::reader("games.pgn", &b"1. e4 e5 1-0\n"[..]);
/// # ign_archive::Packer::new().pack([input], std::fs::File::create(&path)?)?;
/// use ign_server::{Options, Server};
///
/// let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
/// println!("http://{}", listener.local_addr()?);
/// let server = Server::open(Options::new([path]))?;
/// let stopper = server.stopper();
/// let running = std::thread::spawn(move || server.run(listener));
/// stopper.stop();
/// running.join().unwrap()?;
/// # Ok(())
/// # }
/// ```
pub struct Server {
    app: Arc<App>,
    stop: Arc<Notify>,
    stops_on_signals: bool,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("stops_on_signals", &self.stops_on_signals)
            .finish_non_exhaustive()
    }
}

/// Stops a server.
#[derive(Debug, Clone)]
pub struct Stopper(Arc<Notify>);

impl Stopper {
    /// Stops the server: it accepts no more connections and ends when the open requests are
    /// answered, or after ten seconds.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

impl Server {
    /// Opens the archives.
    ///
    /// # Errors
    /// As [`Archive::open`](ign_archive::Archive::open), of the first archive that cannot be
    /// opened; [`Io`](ign_archive::ErrorKind::Io) if the index of all archives cannot be read.
    pub fn open(options: Options) -> Result<Self> {
        Ok(Self {
            app: App::new(options)?,
            stop: Arc::new(Notify::new()),
            stops_on_signals: false,
        })
    }

    /// The number of games of all archives.
    pub fn games(&self) -> u64 {
        self.app.collection().archives().len()
    }

    /// What stops the server.
    pub fn stopper(&self) -> Stopper {
        Stopper(self.stop.clone())
    }

    /// What answers the requests, for a program that accepts connections itself. It does what
    /// [`run`](Self::run) does for one request, without the limits of connections and their time.
    pub fn routes(&self) -> axum::Router {
        router(self.app.clone())
    }

    /// Stops the server on SIGINT (Ctrl-C) and SIGTERM, the second time without waiting for open
    /// requests, and opens the archives again on SIGHUP.
    #[must_use]
    pub fn with_signals(mut self) -> Self {
        self.stops_on_signals = true;
        self
    }

    /// Serves connections until the server is stopped.
    ///
    /// # Errors
    /// [`Io`](ign_archive::ErrorKind::Io) if the threads cannot be started or the address cannot be
    /// used.
    pub fn run(self, listener: TcpListener) -> Result<()> {
        listener.set_nonblocking(true)?;
        let app = self.app.clone();
        app.warn(&app.collection());
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(app.options.threads.clamp(1, 8))
            .enable_all()
            .build()?;
        let builder = app.options.builds_indexes.then(|| {
            let app = app.clone();
            std::thread::spawn(move || build_missing(&app))
        });
        let served = runtime.block_on(self.serve(listener));
        app.indexing.stop();
        app.statistics.stop();
        if let Some(engine) = &app.engine {
            engine.stop();
        }
        runtime.shutdown_timeout(Duration::from_secs(1));
        if let Some(builder) = builder {
            _ = builder.join();
        }
        Ok(served?)
    }

    async fn serve(self, listener: TcpListener) -> io::Result<()> {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let router = router(self.app.clone());
        let connections = Arc::new(Semaphore::new(self.app.options.connections));
        let graceful = GracefulShutdown::new();
        let mut stopped = std::pin::pin!(self.stopped());
        loop {
            let accept = async {
                let place = connections.clone().acquire_owned().await;
                (place, listener.accept().await)
            };
            let (place, accepted) = tokio::select! {
                accepted = accept => accepted,
                () = &mut stopped => break,
            };
            match accepted {
                Ok((stream, client)) => {
                    let connection =
                        graceful.watch(serve_connection(&self.app, &router, stream, client));
                    tokio::spawn(async move {
                        let _place = place;
                        // An error is the client's: it has gone away, or sent no request.
                        _ = connection.await;
                    });
                }
                // Too many open files, for example.
                Err(_) => sleep(ACCEPT_PAUSE).await,
            }
        }
        drop(listener);
        let mut ended = std::pin::pin!(timeout(STOP_TIME, graceful.shutdown()));
        let mut again = std::pin::pin!(self.signalled());
        tokio::select! {
            _ = &mut ended => return Ok(()),
            () = &mut again => return Ok(()),
            () = sleep(STOP_PAUSE) => {}
        }
        let open = self.app.options.connections - connections.available_permits();
        if self.stops_on_signals && open > 0 {
            let requests = if open == 1 { "request" } else { "requests" };
            self.app.say(&format!(
                "waiting for {open} {requests}; press Ctrl-C again to stop now"
            ));
        }
        tokio::select! {
            _ = ended => {}
            () = again => {}
        }
        Ok(())
    }

    /// Ends when the server is to stop.
    async fn stopped(&self) {
        tokio::select! {
            () = self.stop.notified() => {}
            () = self.signalled() => {}
        }
    }

    /// Ends on a signal to stop, if signals are heard.
    async fn signalled(&self) {
        if self.stops_on_signals {
            signals(&self.app).await
        } else {
            std::future::pending().await
        }
    }
}

/// A connection that ends if the client takes nothing for too long.
type Timed = Pin<Box<TimeoutStream<TcpStream>>>;

/// The connection of a client.
fn serve_connection(
    app: &Arc<App>,
    router: &Router,
    stream: TcpStream,
    client: SocketAddr,
) -> http1::Connection<TokioIo<Timed>, TowerToHyperService<Router>> {
    _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(app.options.client_time_limit));
    let stream = Box::pin(stream);
    let router = router.clone().layer(Extension(client));
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(app.options.client_time_limit)
        .max_buf_size(MAX_HEAD)
        .max_headers(MAX_HEADERS)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
}

/// Waits for SIGINT or SIGTERM, and opens the archives again on SIGHUP.
#[cfg(unix)]
async fn signals(app: &Arc<App>) {
    use tokio::signal::unix::{Signal, SignalKind, signal};
    async fn received(signal: &mut io::Result<Signal>) {
        match signal {
            Ok(signal) => _ = signal.recv().await,
            Err(_) => std::future::pending().await,
        }
    }
    let [mut interrupt, mut terminate, mut hang_up] = [
        SignalKind::interrupt(),
        SignalKind::terminate(),
        SignalKind::hangup(),
    ]
    .map(signal);
    loop {
        tokio::select! {
            () = received(&mut interrupt) => return,
            () = received(&mut terminate) => return,
            () = received(&mut hang_up) => {
                let reloading = app.clone();
                // It reports its errors.
                _ = tokio::task::spawn_blocking(move || reloading.reload()).await;
            }
        }
    }
}

#[cfg(not(unix))]
async fn signals(_: &Arc<App>) {
    _ = tokio::signal::ctrl_c().await;
}
