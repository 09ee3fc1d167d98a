//! Every command in every form of its output, for tests that give them odd names and outputs that
//! fail.

use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::{OsStrExt as _, OsStringExt as _},
    sync::LazyLock,
};

use ign_testing::{games, variant_games};

use crate::util::Folder;

/// What a command writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// To standard output.
    Prints,
    /// New files, or more into a file.
    Writes,
    /// Messages on standard error alone.
    Checks,
}

/// A command, in which `@` stands before each name of a file.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    pub command: &'static str,
    pub effect: Effect,
}

use Effect::{Checks, Prints, Writes};

const fn case(effect: Effect, command: &'static str) -> Case {
    Case { command, effect }
}

/// The starting position, whose shortest game is found at once.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// `serve`, which does not end by itself, is tested apart.
pub const COMMANDS: &[Case] = &[
    case(Writes, "pack @a.pgn -o @out --coding ign"),
    case(Writes, "pack @a.pgn -o @out.ign --parity 5% --coding ign"),
    case(Prints, "pack @a.pgn -c --coding ign"),
    case(Prints, "pack @a.pgn -o @out --coding ign --json"),
    case(Writes, "append @grown.ign @a.pgn"),
    case(Prints, "append @grown.ign @a.pgn --json"),
    case(Writes, "merge @a.ign @grown.ign -o @out"),
    case(Prints, "merge @a.ign @grown.ign -c"),
    case(Prints, "merge @a.ign @grown.ign -o @out --json"),
    case(Writes, "split @a.ign --games 200"),
    case(Writes, "split @a.ign --by result -o @folder"),
    case(Prints, "split @a.ign --games 200 --json"),
    case(Writes, "transcode @few.ign --coding weighted -o @out"),
    case(Prints, "transcode @few.ign --coding weighted -c"),
    case(
        Prints,
        "transcode @few.ign --coding weighted -o @out --json",
    ),
    case(Writes, "recover @a.ign -o @out --lost @lost.tsv"),
    case(Prints, "recover @a.ign -o @out --json"),
    case(Writes, "parity @grown.ign 50%"),
    case(Prints, "parity @grown.ign 50% --json"),
    case(Writes, "index @a.ign"),
    case(Writes, "index @a.ign -o @out -v"),
    case(Writes, "index @a.ign @few.ign -o @out.idx"),
    case(Writes, "index @a.ign -o @out --plies 20"),
    case(Prints, "index @a.ign -c"),
    case(Prints, "index @a.ign --dry-run"),
    case(Prints, "index @a.ign --dry-run --plies 20 --json"),
    case(Prints, "index @a.ign -o @out --json"),
    case(Prints, "selftest"),
    case(Prints, "selftest --json"),
    case(Checks, "verify @a.ign @few.ign"),
    case(Prints, "verify @a.ign @few.ign --json"),
    case(Writes, "site @a.ign @few.ign -o @folder"),
    case(Prints, "site @a.ign -o @folder --json"),
    case(Writes, "unpack @a.ign -o @out.pgn"),
    case(Writes, "unpack @a.ign 3..99 -o @out.pgn"),
    case(Prints, "unpack @a.ign -c"),
    case(Prints, "unpack @a.ign -o @out.pgn --json"),
    case(Writes, "get @a.ign 1.. -o @out.pgn"),
    case(Prints, "get @a.ign 1..300 -c"),
    case(Prints, "find @a.ign"),
    case(Prints, "find @a.ign @few.ign"),
    case(Prints, "find @a.ign @few.ign --sort elo:desc,date"),
    case(Prints, "find @a.ign --json"),
    case(Prints, "find @a.ign @few.ign --json"),
    case(Prints, "find @a.ign @few.ign --list"),
    case(Prints, "find @a.ign @few.ign --pgn"),
    case(Prints, "find @a.ign @few.ign --pgn --sort white"),
    case(Prints, "find @a.ign --count"),
    case(Prints, "find @a.ign --count --json"),
    case(Prints, "find @a.ign @few.ign --list --json"),
    case(Prints, "find @few.ign --like @few.pgn"),
    case(Prints, "find @a.ign --result 1-0 -c"),
    case(Writes, "find @a.ign --result 1-0 -o @out"),
    case(Writes, "find @a.ign @few.ign --sort plies -o @out"),
    case(
        Writes,
        "find @a.ign @few.ign --result 1-0 --pgn -o @out.pgn",
    ),
    case(Writes, "find @a.ign @few.ign --json -o @out.json"),
    case(Writes, "find @a.ign @few.ign --list -o @out.txt"),
    case(Prints, "list @a.ign"),
    case(Prints, "list @a.ign -c"),
    case(Writes, "list @a.ign -o @out.txt"),
    case(Prints, "list @a.ign @few.ign --limit 605"),
    case(Prints, "list @a.ign --json"),
    case(Prints, "list @a.ign @few.ign --limit 605 --json"),
    case(Prints, "list @a.ign @few.ign --sort date:desc"),
    case(Prints, "count @a.ign --by white"),
    case(Prints, "count @a.ign @few.ign --by white --json"),
    case(Prints, "count @a.ign -c --by white --format csv"),
    case(Prints, "count @a.ign -c --by white --format parquet"),
    case(Prints, "count @a.ign -c --by white --format arrow"),
    case(Prints, "count @a.ign -c --by white --format jsonl"),
    case(Writes, "count @a.ign --by white -o @out.parquet"),
    case(Writes, "count @a.ign --by white -o @out.csv"),
    case(Prints, "export @a.ign -c --format csv"),
    case(Prints, "export @a.ign -c --format jsonl"),
    case(Prints, "export @a.ign -c --format parquet"),
    case(Prints, "export @a.pgn -c --format arrow"),
    case(Prints, "export @a.ign -c --format epd"),
    case(Prints, "export @a.ign -c --format csv --positions"),
    case(Prints, "export @a.ign -c --format jsonl --positions"),
    case(Prints, "export @a.ign -c --format parquet --positions"),
    case(Prints, "export @a.ign -c --format arrow --positions"),
    case(Writes, "export @a.ign -o @out.parquet"),
    case(Prints, "export @a.ign -o @out.parquet --json"),
    case(Writes, "export @a.ign -o @out.arrow --sort eco"),
    case(Writes, "export @a.pgn -o @out.csv"),
    case(Writes, "export @a.ign -o @out.csv --positions"),
    case(Writes, "export @a.ign -o @out.jsonl"),
    case(Writes, "export @a.ign -o @out.arrow"),
    case(Writes, "export @a.ign -o @out.epd --every-nth 9"),
    case(Prints, "duplicates @a.ign @a.pgn"),
    case(Prints, "duplicates @a.ign @a.pgn --json"),
    case(Prints, "duplicates @a.ign @a.pgn --count"),
    case(Prints, "duplicates @a.ign @a.pgn --count --json"),
    case(Prints, "duplicates @a.ign @a.pgn -c"),
    case(Writes, "duplicates @a.ign @a.pgn -o @out.pgn"),
    case(Writes, "duplicates @a.ign @a.pgn -o @out.ign"),
    case(Writes, "train @odd.pgn -o @out --passes 1"),
    case(Prints, "train @odd.pgn -c --passes 1"),
    case(Prints, "train @odd.pgn -o @out --passes 1 --json"),
    case(Prints, "sample"),
    case(Prints, "sample -n 9 -c"),
    case(Writes, "sample -o @out.pgn"),
    case(Prints, "sample -o @out.pgn --json"),
    case(Prints, "info @a.ign"),
    case(Prints, "info @a.ign -v"),
    case(Prints, "info @a.ign --json"),
    case(Prints, "info @a.ign @few.ign --json"),
    case(Prints, "stats @a.ign"),
    case(Prints, "stats @few.pgn --json"),
    case(Writes, "stats @a.ign --svg @out.svg"),
    case(Prints, "tree @a.ign"),
    case(Prints, "tree @a.ign @few.ign --json"),
    case(Writes, "tree @a.ign --svg @out.svg"),
    case(Prints, "encode @few.pgn"),
    case(Prints, "encode @few.pgn --json"),
    case(Prints, "encode @few.pgn -v"),
    case(Prints, "encode @few.pgn -v --json"),
    case(Prints, "decode 5"),
    case(Prints, "decode 5 --json"),
    case(Prints, "decode 5 -v"),
    case(Prints, "position START"),
    case(Prints, "position START --json"),
    case(Prints, "endgame KQK"),
    case(Prints, "endgame KQK --json"),
    case(Prints, "endgame KQK --order BKR,BKF,WKR,WKF,WQR,WQF"),
    case(
        Writes,
        "endgame KQK --order BKR,BKF,WKR,WKF,WQR,WQF --raw -o @out",
    ),
    case(Prints, "completions bash"),
    case(Prints, "completions elvish"),
    case(Prints, "completions fish"),
    case(Prints, "completions powershell"),
    case(Prints, "completions zsh"),
    case(Prints, "man"),
    case(Writes, "man @folder"),
    case(Prints, "help"),
    case(Prints, "help find"),
    case(Prints, "get --help"),
    case(Prints, "--version"),
];

/// The games of `a.pgn`.
pub const GAMES: u64 = 600;

impl Case {
    /// The arguments, with this text before each name.
    pub fn args(&self, before: &OsStr) -> Vec<OsString> {
        let words = self.command.split(' ');
        words
            .map(|word| match (word, word.strip_prefix('@')) {
                ("START", _) => START.into(),
                (_, None) => word.into(),
                (_, Some(name)) => named(before, name),
            })
            .collect()
    }
}

/// A name with this text before it.
pub fn named(before: &OsStr, name: &str) -> OsString {
    OsString::from_vec([before.as_bytes(), name.as_bytes()].concat())
}

/// A folder with the files that the commands read: `a.pgn`, `a.ign`, `grown.ign`, which may grow,
/// `few.pgn` and `few.ign` with some games, `odd.pgn` with games of variants, and the empty
/// `folder`, each with this text before its name.
pub fn prepared(before: &OsStr) -> Folder {
    static FILES: LazyLock<Folder> = LazyLock::new(|| {
        let folder = Folder::with("a.pgn", games(GAMES));
        folder.write("few.pgn", games(9));
        folder.write("odd.pgn", variant_games(12));
        for text in ["a.pgn", "few.pgn"] {
            let pack = ["pack", "-qB", "64K", "--coding", "ign", text];
            folder.ign(&pack).done();
        }
        folder.write("grown.ign", folder.read("a.ign"));
        folder
    });
    let folder = Folder::new();
    let path = |name: &str| folder.path("").join(named(before, name));
    for name in FILES.names() {
        std::fs::copy(FILES.path(&name), path(&name)).unwrap();
    }
    std::fs::create_dir(path("folder")).unwrap();
    folder
}
