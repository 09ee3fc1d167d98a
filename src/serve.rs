//! `ign serve`

#![allow(
    rustdoc::bare_urls,
    reason = "the doc comments of options are their help texts"
)]

use std::{
    io::Write as _,
    net::{Ipv4Addr, SocketAddr, TcpListener, ToSocketAddrs as _},
    path::PathBuf,
    process::ExitCode,
    time::Duration,
};

use super::{
    archive_file::open_archive, common::Common, messages::say, numbers::counted, output::Output,
};
use ign_archive::{Error, Result};
use ign_server::{Engine, Options, Server};

/// The port if none is given.
const PORT: u16 = 8017;

const EXAMPLES: &str = "\
Examples:
  ign serve games.ign --open
  ign serve 2013-*.ign --build-index
  ign serve 2013-*.ign --index 2013.idx --port 8080
  ign serve games.ign --host 0.0.0.0 --log
  ign serve games.ign --engine stockfish --engine-threads 4
  curl \"http://127.0.0.1:8017/lichess?play=e2e4,c7c5&speeds=blitz\"";

/// Explore archives in a browser, and answer as the Lichess opening explorer
///
/// Prints the address of a page with a board, the moves played from each position with their
/// results, searches, games and statistics. The page is part of the program and loads nothing from
/// elsewhere.
///
/// Clients of the Lichess opening explorer work with this server if its address is set in them:
/// /lichess, /masters, /masters/pgn/ID and /player answer in the same form. docs/http.md describes
/// the whole interface.
///
/// Several archives are served together, and each by itself under the name of its file. An index
/// beside an archive is used; without one, an answer takes as long as a search. If an archive has
/// changed, the server answers as before until it is requested to open the archives again: kill
/// -HUP, or curl -X POST http://127.0.0.1:8017/api/reload.
///
/// With --engine the page shows values and best moves by a chess engine that is installed on this
/// machine. With --allow-append it appends games to the archives. Both are for requests of the page
/// itself and of programs, not of other pages.
///
/// The server listens to this machine only, unless --host is given. Anyone who can reach it can
/// read all games. Pages of other servers that a browser shows cannot, unless --allow-origin names
/// their server. Ctrl-C stops the server; the second time without waiting for requests.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archives to serve
    #[arg(value_name = "A.ign", required = true)]
    archives: Vec<PathBuf>,
    /// Port to listen on; 0 for a free one
    #[arg(long, value_name = "N", default_value_t = PORT)]
    port: u16,
    /// Address or name to listen on; 0.0.0.0 or :: for all
    #[arg(long, value_name = "ADDRESS", default_value_t = Ipv4Addr::LOCALHOST.to_string())]
    host: String,
    /// Also answer requests for this name, such as chess.example; addresses and localhost are
    /// always answered. Repeatable
    #[arg(long, value_name = "NAME", value_parser = host_name)]
    allow_host: Vec<String>,
    /// Let pages of this origin read the explorer's endpoints, such as https://lichess.org; * is any.
    /// Repeatable
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    allow_origin: Vec<String>,
    /// Open the page in a browser
    #[arg(long)]
    open: bool,
    /// Use this index, which ign index wrote for these archives in this order
    #[arg(long, value_name = "FILE", conflicts_with = "build_index")]
    index: Option<PathBuf>,
    /// Use no index; the answers are the same
    #[arg(long, conflicts_with_all = ["index", "build_index"])]
    no_index: bool,
    /// Build missing indexes beside the archives, and extend those that lack games, in the
    /// background; also after the archives were opened again
    #[arg(long)]
    build_index: bool,
    /// Let the page use this engine, a program that speaks UCI, such as stockfish
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<PathBuf>,
    /// Threads of the engine
    #[arg(long, value_name = "N", requires = "engine", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=512))]
    engine_threads: u16,
    /// Megabytes of the engine's hash table
    #[arg(long, value_name = "MB", requires = "engine", default_value_t = 64,
        value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    engine_hash: u32,
    /// Longest time of the engine for a position
    #[arg(long, value_name = "SECONDS", requires = "engine", default_value_t = 10,
        value_parser = clap::value_parser!(u64).range(1..=3600))]
    engine_time: u64,
    /// Let the page append games that are dropped on it to the archives
    #[arg(long, conflicts_with = "index")]
    allow_append: bool,
    /// Write each request to standard error
    #[arg(long)]
    log: bool,
}

/// Reads the name of a host, without a scheme or a port.
fn host_name(text: &str) -> Result<String> {
    let is_name = |c: u8| c.is_ascii_alphanumeric() || b"-._".contains(&c);
    if text.is_empty() || !text.bytes().all(is_name) {
        return Err(Error::usage("is not the name of a host")
            .with_remedy("write the name alone, without scheme and port, such as chess.example"));
    }
    Ok(text.to_owned())
}

/// Reads an origin as browsers write it, or `*`.
fn origin(text: &str) -> Result<String> {
    let lower = text.to_ascii_lowercase();
    let server = lower
        .strip_prefix("https://")
        .or_else(|| lower.strip_prefix("http://"));
    let is_origin = server.is_some_and(|name| !name.is_empty() && !name.contains(['/', '*', ' ']));
    if text != "*" && !is_origin {
        return Err(Error::usage("is not an origin").with_remedy(
            "write scheme and name, and a port if there is one, such as https://lichess.org, or *",
        ));
    }
    Ok(lower)
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let options = Options {
        index: args.index.clone(),
        hosts: args
            .allow_host
            .iter()
            .chain([&args.host])
            .cloned()
            .collect(),
        origins: args.allow_origin.clone(),
        uses_indexes: !args.no_index,
        builds_indexes: args.build_index,
        engine: engine(args)?,
        allows_append: args.allow_append,
        threads: common.threads(),
        log: args.log,
        quiet: common.quiet,
        ..Options::new(&args.archives)
    };
    for path in &args.archives {
        open_archive(path, common)?;
    }
    let server = Server::open(options)?.with_signals();
    let listener = listen(&args.host, args.port)?;
    let bound = listener.local_addr()?;
    let address = format!("http://{}", shown(bound));
    if !common.quiet {
        let games = counted(server.games(), "game");
        let place = place(bound);
        say(format_args!("serving {games}{place}; Ctrl-C stops"));
    }
    let mut out = Output::stdout();
    writeln!(out, "{address}")?;
    out.finish()?;
    if args.open && open::that_detached(&address).is_err() {
        say(format_args!(
            "no browser can be started; open the address by hand"
        ));
    }
    server.run(listener)?;
    Ok(ExitCode::SUCCESS)
}

/// The engine and its limits, once it has answered.
fn engine(args: &Args) -> Result<Option<Engine>> {
    let Some(program) = &args.engine else {
        return Ok(None);
    };
    let engine = Engine {
        threads: args.engine_threads.into(),
        hash_mb: args.engine_hash,
        time_limit: Duration::from_secs(args.engine_time),
        ..Engine::new(program)
    };
    engine.check()?;
    Ok(Some(engine))
}

/// Listens at an address, or at the first address of a name, of version 4 if it has one.
fn listen(host: &str, port: u16) -> Result<TcpListener> {
    let mut addresses: Vec<SocketAddr> = (host, port)
        .to_socket_addrs()
        .map_err(|_| {
            Error::usage(format!("--host {host}: this name has no address")).with_remedy(
                "write an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all",
            )
        })?
        .collect();
    addresses.sort_by_key(SocketAddr::is_ipv6);
    TcpListener::bind(&*addresses).map_err(|e| {
        Error::from(e)
            .in_file(format!("{host}:{port}"))
            .with_remedy("choose another --port or --host; --port 0 takes a free port")
    })
}

/// Where the server can be reached beside the address that is printed.
fn place(address: SocketAddr) -> String {
    if address.ip().is_unspecified() {
        let port = address.port();
        format!(" at all addresses of this machine, port {port}")
    } else {
        String::new()
    }
}

/// An address at which a browser on this machine finds the server.
fn shown(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(Ipv4Addr::LOCALHOST.into());
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_that_is_printed_can_be_opened() {
        for (bound, address) in [
            ("127.0.0.1:80", "127.0.0.1:80"),
            ("0.0.0.0:8017", "127.0.0.1:8017"),
            ("[::]:8017", "127.0.0.1:8017"),
            ("[::1]:8017", "[::1]:8017"),
        ] {
            let bound = bound.parse().unwrap();
            assert_eq!(shown(bound).to_string(), address);
            let at_all = place(bound).contains("all addresses of this machine, port 8017");
            assert_eq!(at_all, bound != shown(bound));
        }
    }
}
