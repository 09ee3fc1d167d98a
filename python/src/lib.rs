//! The compiled part of the Python package `ign-archive`.
//!
//! `ign_archive/__init__.py` re-exports what is public. Its stubs are `_native.pyi`, whose
//! docstrings `build.rs` makes those of the compiled part. Every function here
//! calls the library `ign-archive`, without Python's lock, and converts the result.
//!
//! | file | holds |
//! | --- | --- |
//! | `archive` | the class `Archive` |
//! | `opened` | the archives behind it, which games and lists share; searches |
//! | `numbers` | numbers of games |
//! | `game`, `games`, `found` | one game; iteration; a sequence of games |
//! | `chess_text` | the text of a game as python-chess reads it |
//! | `strings` | Python strings of moves and of tag names, made once |
//! | `query` | conditions from keyword arguments; the argument `where` |
//! | `arguments` | other arguments of several functions |
//! | `tree` | the moves played from a position |
//! | `count` | numbers of games by their properties |
//! | `scan`, `stream` | Arrow record batches |
//! | `functions` | functions of the values of tables |
//! | `positions` | positions as NumPy arrays |
//! | `division` | what is packed: files, parts of them for several processes, texts |
//! | `files` | packing, unpacking, indexing, verifying, statistics |
//! | `split`, `recover`, `duplicates`, `export` | one operation each |
//! | `remote` | files and objects on servers, read in parts |
//! | `sample` | made-up games |
//! | `output` | files that appear whole or not at all |
//! | `integers` | moves to integers and back |
//! | `interrupt` | work without Python's lock that Ctrl-C ends |
//! | `failure` | errors as exceptions |

// The macro `docs`.
include!(concat!(env!("OUT_DIR"), "/docs.rs"));

mod archive;
mod arguments;
mod chess_text;
mod count;
mod division;
mod duplicates;
mod export;
mod failure;
mod files;
mod found;
mod functions;
mod game;
mod games;
mod integers;
mod interrupt;
mod numbers;
mod opened;
mod output;
mod positions;
mod query;
mod recover;
mod remote;
mod sample;
mod scan;
mod split;
mod stream;
mod strings;
mod tree;

use pyo3::prelude::*;

/// Python aligns objects at 16 bytes, and PyO3 does not check that this is enough.
const _: () = {
    assert!(align_of::<archive::Archive>() <= 16);
    assert!(align_of::<count::CountTable>() <= 16);
    assert!(align_of::<found::GameList>() <= 16);
    assert!(align_of::<game::Game>() <= 16);
    assert!(align_of::<games::GameIterator>() <= 16);
    assert!(align_of::<positions::Positions>() <= 16);
    assert!(align_of::<remote::Source>() <= 16);
    assert!(align_of::<scan::Batch>() <= 16);
    assert!(align_of::<scan::BatchIterator>() <= 16);
    assert!(align_of::<scan::Scan>() <= 16);
};

/// The compiled part of the package `ign_archive`.
#[pymodule(gil_used = true)]
mod _native {
    #[pymodule_export]
    use crate::{
        archive::{Archive, open},
        count::CountTable,
        division::division,
        duplicates::duplicates,
        export::export,
        files::{append, index, merge, pack, parity, stats, transcode, unpack, verify},
        found::GameList,
        functions::evaluate,
        game::Game,
        games::GameIterator,
        integers::{decode, encode},
        positions::{Positions, positions, uci_moves},
        query::condition_forms,
        recover::recover,
        remote::{Source, expand, is_address, shown, traffic, upload},
        sample::sample,
        scan::{Batch, BatchIterator, Scan},
        split::split,
    };
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
