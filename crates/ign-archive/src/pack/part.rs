//! Parts of a file: what each of several packers takes of it.
//!
//! ```text
//! file      ├── bytes ──┼── bytes ──┼── bytes ──┤      borders: any byte of text, or the start of a frame
//! text      ├────────────┬────────────┬─────────┤      each moved to the next start of a game
//! ```
//!
//! A border inside a file is moved by what follows it alone. Let *s* be the start of the first line
//! after the border. The moved border is
//!
//! 1. the first line after that of *s* that starts a game, if it is among the next [`WINDOW`] bytes
//!    of text;
//! 2. or else the end of the text, if the text ends among them;
//! 3. or else *s*, if it is among them;
//! 4. or else the border itself.
//!
//! A line starts a game as for [`cut`](super::cut): it has an Event tag, and the line before is no
//! tag. So both packers beside a border move it to the same place without reading what is before
//! it, and the order of borders is kept: the texts of consecutive parts are together the text of
//! the file, to the byte.

use std::{
    io::{self, BufReader, Read},
    ops::Range,
    path::Path,
    slice,
    sync::Arc,
};

use ign_format::{
    block::Kind as GameKind,
    error::{Error, Result},
};

use super::{
    compression::{Compression, Frame, frames_between, start_of},
    cut,
    members::Members,
};
use crate::{
    location::{Location, Stream},
    progress::{Counters, Counting},
    source::ReadAt,
};

/// The bytes of text after a border among which a game is looked for.
const WINDOW: usize = 1 << 24;
/// Bytes that are read at first to find a game.
const FIRST_READ: usize = 1 << 16;

/// Where a file can be divided into [parts](crate::Input::part).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Division {
    /// Before any byte: it is plain text.
    Anywhere,
    /// Where an independent frame starts: the offset of each, ascending, and at last the end of the
    /// file.
    Frames(Vec<u64>),
    /// Nowhere, and why.
    Nowhere(&'static str),
}

impl Division {
    /// Where a file can be divided. Of a compressed file only the headers of its frames are read.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io); [`Usage`](crate::ErrorKind::Usage) for a directory or an
    /// archive.
    pub fn of(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        Self::of_file(path).map_err(|e| e.in_file(path))
    }

    fn of_file(path: &Path) -> Result<Self> {
        let location = Location::of(path)?;
        let Some(len) = location.len()? else {
            return Ok(Self::Nowhere("it is not a regular file"));
        };
        let source = location.open()?;
        let file = &*source;
        let division = match Compression::of(&start_of(file, len)?)? {
            None => Self::Anywhere,
            Some(Compression::Zstd) => match frames_between(file, 0..len)? {
                None => return Ok(Self::Nowhere("its frames are not independent")),
                Some(frames) => {
                    Self::Frames(frames.iter().map(Frame::start).chain([len]).collect())
                }
            },
            Some(_) => return Ok(Self::Nowhere("it is one compressed stream")),
        };
        let mut start = Vec::new();
        let text = Stream::of(file, 0..len);
        let text = decompressed(text, division != Self::Anywhere)?;
        text.take(cut::START as u64).read_to_end(&mut start)?;
        match cut::kind_of(&start) {
            GameKind::Chess => Ok(division),
            _ => Ok(Self::Nowhere("it is a collection of Go games")),
        }
    }
}

/// The text of a part, and the name of the compression of its file.
///
/// # Errors
/// Io; usage if the bytes do not start and end at borders of the file.
pub(super) fn open<'scope>(
    path: &Path,
    bytes: &Range<u64>,
    counters: &'scope Counters,
) -> Result<(Box<dyn Read + Send + 'scope>, &'static str)> {
    let file: Arc<dyn ReadAt> = Location::of(path)?.open()?.into();
    let len = file.size()?;
    if bytes.start > bytes.end || bytes.end > len {
        return Err(changed());
    }
    let (is_compressed, name) = match Compression::of(&start_of(&*file, len)?)? {
        None => (false, ""),
        Some(Compression::Zstd) => {
            frames_between(&*file, bytes.clone())?.ok_or_else(changed)?;
            (true, "zstd")
        }
        Some(_) => return Err(Error::usage("is one compressed stream, which has no parts")),
    };
    let moved_by = |border: u64| {
        if border == 0 || border == len {
            Ok(0)
        } else {
            let text = Stream::of(&*file, border..len);
            moved(decompressed(text, is_compressed)?, WINDOW)
        }
    };
    let (start, end) = (moved_by(bytes.start)?, moved_by(bytes.end)?);
    file.will_read(slice::from_ref(bytes));
    let own = Counting {
        input: Stream::of(file.clone(), bytes.clone()),
        counters,
    };
    let own = decompressed(own, is_compressed && !bytes.is_empty())?;
    let after = Stream::of(file, bytes.end..len);
    let after = decompressed(after, is_compressed && bytes.end < len)?;
    // What is skipped may be longer than the part's own bytes.
    let mut text = own.chain(after.take(end as u64));
    let skipped = io::copy(&mut (&mut text).take(start as u64), &mut io::sink())?;
    if skipped == start as u64 {
        Ok((Box::new(text), name))
    } else {
        Err(changed())
    }
}

/// A text, decompressed if it is compressed.
fn decompressed<'a>(
    text: impl Read + Send + 'a,
    is_compressed: bool,
) -> Result<Box<dyn Read + Send + 'a>> {
    Ok(if !is_compressed {
        Box::new(text)
    } else {
        Box::new(Members::new(Compression::Zstd, BufReader::new(text))?)
    })
}

/// The error for borders that the file does not have.
fn changed() -> Error {
    Error::usage("has no part with these borders").with_remedy("divide it again: it has changed")
}

/// Distance from a split point, which `text` follows, to the next game start, searching at most
/// `window` bytes.
fn moved(mut text: impl Read, window: usize) -> Result<usize> {
    let mut read = Vec::new();
    let mut wanted = FIRST_READ;
    loop {
        let more = wanted.min(window) - read.len();
        let new = (&mut text).take(more as u64).read_to_end(&mut read)?;
        let (is_end, is_full) = (new < more, read.len() == window);
        if let Some(game) = cut::game_after_line(&read) {
            return Ok(game);
        }
        if is_end || is_full {
            // One byte more says whether the text ends with the window.
            let is_end = is_end || text.read(&mut [0])? == 0;
            let line = || cut::first_line(&read).unwrap_or(0);
            return Ok(if is_end { read.len() } else { line() });
        }
        wanted *= 4;
    }
}

#[cfg(test)]
mod tests {
    use std::{
        fs::File,
        io::{Cursor, Write as _},
    };

    use super::*;
    use crate::{Archive, Input, Packer};

    /// The places of all borders of a text, moved.
    fn all_moved(text: &[u8], window: usize) -> Vec<usize> {
        let inside = 1..text.len();
        let places = inside.map(|at| at + moved(Cursor::new(&text[at..]), window).unwrap());
        std::iter::once(0)
            .chain(places)
            .chain([text.len()])
            .collect()
    }

    const ENDS: [&str; 3] = ["\n", "\r\n", "\r"];

    fn games(end: &str, games: usize) -> String {
        (0..games)
            .map(|game| {
                let comment = "x".repeat(game * 7 % 50);
                [
                    &format!("[Event \"{game}\"]"),
                    "[Site \"x\"]",
                    "",
                    &format!("1. e4 {{{comment}}} e5 *"),
                    "",
                    "",
                ]
                .join(end)
            })
            .collect()
    }

    #[test]
    fn borders_move_to_games_and_keep_their_order() {
        for end in ENDS {
            let text = games(end, 30);
            let starts: Vec<_> = text.match_indices("[Event ").map(|(at, _)| at).collect();
            let moved = all_moved(text.as_bytes(), WINDOW);
            assert!(moved.is_sorted());
            for (border, at) in moved.iter().enumerate() {
                assert!(starts.contains(at) || *at == text.len(), "{border} -> {at}");
                // It is the next start, or the one after it if there is no whole line between.
                let next = starts.iter().filter(|&&start| start > border);
                let next: Vec<_> = next.take(2).copied().chain([text.len()]).collect();
                assert!(border == 0 || next.contains(at), "{border} -> {at}");
            }
        }
    }

    #[test]
    fn the_order_of_borders_is_kept_in_any_text_and_window() {
        let mut state = 1u32;
        let mut random = move |n: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % n
        };
        let words = [
            "\n",
            "\r",
            "\r\n",
            "[Event \"",
            "[",
            "x",
            "[Site \"y\"]\n",
            "long words",
            "\n\n",
        ];
        for _ in 0..300 {
            let text: String = (0..=random(40))
                .map(|_| words[random(9) as usize])
                .collect();
            for window in [1, 2, 9, 17, 40, 1000] {
                let moved = all_moved(text.as_bytes(), window);
                assert!(moved.is_sorted(), "{text:?} {window}: {moved:?}");
                assert!(moved.iter().enumerate().all(|(border, &at)| at >= border));
                assert_eq!(moved.last(), Some(&text.len()));
            }
        }
    }

    /// The text of the parts of a file between these borders, packed.
    fn joined(path: &Path, borders: &[u64]) -> Vec<u8> {
        let mut text = Vec::new();
        for part in borders.windows(2) {
            let input = Input::part(path, part[0]..part[1]);
            let (bytes, _) = Packer::new().pack([input], Vec::new()).unwrap();
            let archive = Archive::from_read_at(bytes, "part").unwrap();
            archive.verify().unwrap();
            assert!(archive.sources().iter().all(|source| source.is_part));
            archive.unpack(&mut text).unwrap();
        }
        text
    }

    /// A frame that needs more memory than decoders allow by default, as `zstd --long=28` makes.
    fn with_large_window(text: &[u8]) -> io::Result<Vec<u8>> {
        let mut encoder = zstd::Encoder::new(Vec::new(), 1)?;
        encoder.window_log(28)?;
        encoder.write_all(text)?;
        encoder.finish()
    }

    #[test]
    fn parts_of_plain_text_and_of_frames_join_to_the_text() {
        let folder = tempfile::tempdir().unwrap();
        let mut texts = ENDS.map(|end| games(end, 60)).to_vec();
        texts.extend([
            String::new(),
            "no game\n".repeat(90),
            "x".repeat(700),
            "\n".repeat(50),
        ]);
        for (number, text) in texts.iter().enumerate() {
            let plain = folder.path().join(format!("{number}.pgn"));
            std::fs::write(&plain, text).unwrap();
            assert_eq!(Division::of(&plain).unwrap(), Division::Anywhere);
            for parts in [1, 2, 3, 8] {
                let len = text.len() as u64;
                let borders: Vec<u64> = (0..=parts).map(|part| len * part / parts).collect();
                assert!(
                    joined(&plain, &borders) == text.as_bytes(),
                    "{number} {parts}"
                );
            }
            let framed = folder.path().join(format!("{number}.pgn.zst"));
            let mut file = File::create(&framed).unwrap();
            for piece in text.as_bytes().chunks(333) {
                // As Lichess's, some frames do not have the lengths of their texts.
                let frame = match piece[0] % 2 {
                    0 => zstd::bulk::compress(piece, 3),
                    _ if number == 0 => with_large_window(piece),
                    _ => zstd::encode_all(piece, 3),
                };
                let frame = frame.unwrap();
                file.write_all(&0x184D_2A50u32.to_le_bytes()).unwrap();
                file.write_all(&4u32.to_le_bytes()).unwrap();
                file.write_all(&(frame.len() as u32).to_le_bytes()).unwrap();
                file.write_all(&frame).unwrap();
            }
            if text.is_empty() {
                continue;
            }
            let Division::Frames(borders) = Division::of(&framed).unwrap() else {
                panic!("{number}: frames are not found");
            };
            assert_eq!(borders.len(), text.len().div_ceil(333) + 1);
            assert!(joined(&framed, &borders) == text.as_bytes(), "{number}");
            let few = [
                borders[0],
                borders[borders.len() / 2],
                borders[borders.len() - 1],
            ];
            assert!(joined(&framed, &few) == text.as_bytes(), "{number}");
        }
    }

    #[test]
    fn other_files_are_not_divided() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        };
        let text = games("\n", 30);
        let one = file(
            "one.zst",
            &zstd::bulk::compress(text.as_bytes(), 3).unwrap(),
        );
        assert_eq!(
            Division::of(&one).unwrap(),
            Division::Nowhere("its frames are not independent")
        );
        let gzip = file("a.gz", &[0x1f, 0x8b, 8, 0]);
        assert_eq!(
            Division::of(gzip).unwrap(),
            Division::Nowhere("it is one compressed stream")
        );
        #[cfg(feature = "go")]
        {
            let go = file("a.sgf", b"(;GM[1]SZ[9];B[aa];W[bb])\n");
            assert_eq!(
                Division::of(go).unwrap(),
                Division::Nowhere("it is a collection of Go games")
            );
        }
        let plain = file("a.pgn", text.as_bytes());
        for (path, bytes) in [(&one, 0..10), (&plain, 5..1 << 40)] {
            let part = Input::part(path, bytes);
            let error = Packer::new().pack([part], Vec::new()).unwrap_err();
            assert!(
                error.to_string().contains("no part with these borders"),
                "{error}"
            );
        }
    }
}
