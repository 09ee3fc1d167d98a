//! Collections of games by the names of their files: real ones, or generated games of the same
//! kind.
//!
//! Real games are not part of the repository. `IGN_DATA` names their folder; the default is
//! `shared/data` beside the folder of the repository.

use std::{
    env, fs,
    fs::File,
    io::{self, BufRead, BufReader, Cursor, Read},
    path::{Path, PathBuf},
};

use crate::{
    Need, analysed, clocked_games, commented, games_of_seed, go, is_full, repeated_games, require,
    variant_games, wrapped,
};

/// The files of real games that tests name.
const NAMES: [&str; 9] = [
    "chesscom.pgn.zst",
    "computer.pgn.zst",
    "fics_icc.pgn.zst",
    "go_foxwq_pro.sgf.zst",
    "go_pro_records_head.sgf.zst",
    "lichess_2013-01.pgn.zst",
    "lichess_users_clk.pgn.zst",
    "lichess_users_noclk.pgn.zst",
    "otb_pgnmentor.pgn.zst",
];

/// The folder of real games, if there is one.
fn folder() -> Result<PathBuf, String> {
    let folder = env::var_os("IGN_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    if folder.is_dir() {
        Ok(folder)
    } else {
        Err("there are no real games (IGN_DATA names their folder)".into())
    }
}

/// The file of this name among the real games.
fn file(name: &str) -> Result<PathBuf, String> {
    let path = folder()?.join(name);
    if path.is_file() {
        Ok(path)
    } else {
        Err(format!("there is no {}", path.display()))
    }
}

/// Whether there are real games. If not, the message is that of a skipped test: generated games are
/// used.
///
/// # Panics
///
/// Panics if there are none and `IGN_REQUIRE` names `games`.
#[track_caller]
pub fn has_real_games() -> bool {
    require(Need::Games, folder()).is_some()
}

/// The path of a collection of real games; `None`, with a message, if it is missing. For
/// benchmarks.
pub fn corpus_path(name: &str) -> Option<PathBuf> {
    file(name).map_err(|why| eprintln!("skipped: {why}")).ok()
}

/// A reader of the decompressed text of a collection of real games; `None`, with a message, if it
/// is missing. For benchmarks.
pub fn corpus(name: &str) -> Option<impl BufRead + use<>> {
    Some(decoder(&corpus_path(name)?))
}

fn decoder(path: &Path) -> impl BufRead + use<> {
    let decoder = zstd::Decoder::new(File::open(path).unwrap()).unwrap();
    BufReader::with_capacity(1 << 16, decoder)
}

/// The text of a collection: of real games, or of generated games of the same kind.
pub struct Collection {
    /// Whether the games are real.
    pub is_real: bool,
    text: Box<dyn BufRead>,
}

impl std::fmt::Debug for Collection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Collection")
            .field("is_real", &self.is_real)
            .finish_non_exhaustive()
    }
}

impl Collection {
    /// The collection whose real games are in the file of this name.
    ///
    /// # Panics
    ///
    /// Panics if there is no such file and `IGN_REQUIRE` names `games`, and if the name is not
    /// known.
    #[track_caller]
    pub fn open(name: &str) -> Self {
        match require(Need::Games, file(name)) {
            Some(path) => Self {
                is_real: true,
                text: Box::new(decoder(&path)),
            },
            None => Self {
                is_real: false,
                text: Box::new(Cursor::new(generated(name))),
            },
        }
    }

    /// The names of the collections with this ending, in order.
    #[track_caller]
    pub fn names(ending: &str) -> Vec<String> {
        let mut names: Vec<String> = match require(Need::Games, folder()) {
            Some(folder) => fs::read_dir(folder)
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect(),
            None => NAMES.map(str::to_owned).to_vec(),
        };
        names.retain(|name| name.ends_with(ending));
        assert!(!names.is_empty(), "the folder of games has no {ending}");
        names.sort();
        names
    }

    /// The first `len` bytes.
    pub fn first_bytes(self, len: u64) -> Vec<u8> {
        let mut text = Vec::new();
        self.take(len).read_to_end(&mut text).unwrap();
        text
    }

    /// The games that are whole in the first `len` bytes.
    pub fn first_games(self, len: u64) -> Vec<u8> {
        let mut text = self.first_bytes(len);
        let last = text.windows(7).rposition(|start| start == b"[Event ");
        text.truncate(last.unwrap());
        text
    }
}

impl Read for Collection {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.text.read(buffer)
    }
}

impl BufRead for Collection {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.text.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.text.consume(amount);
    }
}

/// Generated games of the kind of a collection.
fn generated(name: &str) -> Vec<u8> {
    let count = if is_full() { 12_000 } else { 4_000 };
    let seed = name.bytes().map(u64::from).sum();
    let games = || games_of_seed(count, seed);
    match name {
        "lichess_2013-01.pgn.zst" | "lichess_users_noclk.pgn.zst" => games(),
        "lichess_users_clk.pgn.zst" | "chesscom.pgn.zst" => clocked_games(count, seed),
        "computer.pgn.zst" => analysed(&games(), seed),
        "fics_icc.pgn.zst" => commented(&games()),
        "otb_pgnmentor.pgn.zst" => wrapped(&games()),
        "go_foxwq_pro.sgf.zst" | "go_pro_records_head.sgf.zst" => {
            go::collection(count as usize / 2).into_bytes()
        }
        _ => panic!("no games are generated for {name}"),
    }
}

/// Files that are difficult to read, with their names: those of `difficult.tar.zst`, or generated
/// ones.
#[track_caller]
pub fn difficult_files() -> Vec<(String, Vec<u8>)> {
    match require(Need::Games, file("difficult.tar.zst")) {
        Some(path) => {
            let mut tar = Vec::new();
            decoder(&path).read_to_end(&mut tar).unwrap();
            files_of_tar(&tar)
        }
        None => generated_files(),
    }
}

/// The regular files of a tar archive.
fn files_of_tar(mut tar: &[u8]) -> Vec<(String, Vec<u8>)> {
    const SECTOR: usize = 512;
    let mut files = Vec::new();
    while tar.len() >= SECTOR && tar[0] != 0 {
        let field = |from: usize, len: usize| {
            let bytes = tar[from..from + len].split(|&b| b == 0).next().unwrap();
            String::from_utf8_lossy(bytes).into_owned()
        };
        let len = usize::from_str_radix(field(124, 12).trim(), 8).unwrap();
        let end = SECTOR + len.next_multiple_of(SECTOR);
        assert!(end <= tar.len(), "the tar archive is cut off");
        if matches!(tar[156], b'0' | 0) {
            files.push((field(0, 100), tar[SECTOR..SECTOR + len].to_vec()));
        }
        tar = &tar[end..];
    }
    files
}

fn generated_files() -> Vec<(String, Vec<u8>)> {
    let plain = games_of_seed(40, 9);
    let text = String::from_utf8(plain.clone()).unwrap();
    let files: [(&str, Vec<u8>); 10] = [
        ("empty.pgn", Vec::new()),
        ("variants.pgn", variant_games(2).into_bytes()),
        ("repeated.pgn", repeated_games().into_bytes()),
        ("comments.pgn", commented(&plain)),
        ("engines.pgn", analysed(&plain, 9)),
        (
            "dos.pgn",
            String::from_utf8(wrapped(&plain))
                .unwrap()
                .replace('\n', "\r\n")
                .into_bytes(),
        ),
        ("mac.pgn", text.replace('\n', "\r").into_bytes()),
        ("cut.pgn", plain[..plain.len() - 100].to_vec()),
        ("bytes.pgn", {
            let letter = |byte: u8| if byte == b'e' { 0xe9 } else { byte };
            plain.iter().copied().map(letter).collect()
        }),
        ("go.pgn", go::ODD.concat().into_bytes()),
    ];
    files.map(|(name, text)| (name.to_owned(), text)).to_vec()
}
