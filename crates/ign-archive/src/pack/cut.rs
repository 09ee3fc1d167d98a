//! Cuts a stream of text into blocks, between games.
//!
//! Where a block ends depends on the text alone: after the block size, at the next line that starts
//! a game. The first bytes of the stream decide whether the games are chess or Go. The splitter is
//! the serial part of packing; it searches only near its cuts and copies bytes.

#[cfg(feature = "go")]
use ign_format::sgf::syntax;
use ign_format::{block::Kind as GameKind, error::Result, pgn::records::game_starts};

/// Cuts a stream that arrives in pieces.
pub(super) struct BlockCutter<I> {
    pieces: I,
    /// The minimum number of bytes of a block, except the last; the maximum is twice as many.
    block_size: usize,
    piece: Vec<u8>,
    /// Bytes of `piece` already taken.
    taken: usize,
    block: Vec<u8>,
    ended: bool,
    /// Chess or Go, as soon as the first bytes have arrived.
    kind: Option<GameKind>,
    /// Whether the text is in UTF-16; known with the kind.
    is_utf16: bool,
    text_len: u64,
}

/// The number of first bytes that decide whether a text is chess or Go.
pub(super) const START: usize = 4096;

impl<I: Iterator<Item = Result<Vec<u8>>>> BlockCutter<I> {
    /// A splitter for blocks of this size, at least one byte.
    pub(super) fn new(pieces: I, block_size: usize) -> Self {
        Self {
            pieces,
            block_size: block_size.max(1),
            piece: Vec::new(),
            taken: 0,
            block: Vec::new(),
            ended: false,
            kind: None,
            is_utf16: false,
            text_len: 0,
        }
    }

    /// What the blocks hold: chess or Go.
    pub(super) fn kind(&self) -> GameKind {
        self.kind.unwrap_or_default()
    }

    /// Whether the text is in UTF-16, as far as the first block says.
    pub(super) fn is_utf16(&self) -> bool {
        self.is_utf16
    }

    /// Length of all text so far.
    pub(super) fn text_len(&self) -> u64 {
        self.text_len
    }

    /// The next block, or none at the end.
    ///
    /// # Errors
    /// Those of the pieces.
    pub(super) fn next_block(&mut self) -> Result<Option<Vec<u8>>> {
        loop {
            if self.kind.is_none() && (self.ended || self.block.len() >= START) {
                let start = &self.block[..self.block.len().min(START)];
                self.is_utf16 = is_utf16(start);
                self.kind = Some(kind_of(start));
            }
            let cut = match self.kind {
                Some(kind) => find_cut(&self.block, kind, self.block_size, self.ended),
                None => None,
            };
            if let Some(cut) = cut {
                let rest = self.block.split_off(cut);
                let block = std::mem::replace(&mut self.block, rest);
                self.text_len += block.len() as u64;
                return Ok((!block.is_empty()).then_some(block));
            }
            self.fill()?;
        }
    }

    /// Takes more of the stream, up to twice the block size.
    fn fill(&mut self) -> Result<()> {
        if self.taken == self.piece.len() {
            self.taken = 0;
            match self.pieces.next() {
                Some(piece) => self.piece = piece?,
                None => {
                    self.piece = Vec::new();
                    self.ended = true;
                }
            }
        }
        // Each step searches a small part of the allowed range, so that little is copied twice.
        let max = (self.block_size / 8).max(1 << 16);
        let room = self.block_size.saturating_sub(self.block.len()) + max;
        let rest = &self.piece[self.taken..];
        let rest = &rest[..rest.len().min(room)];
        if self.block.len() + rest.len() > self.block.capacity() {
            // Reserve the whole block at once: growing it in steps would fragment memory.
            self.block.reserve(room);
        }
        self.block.extend_from_slice(rest);
        self.taken += rest.len();
        Ok(())
    }
}

/// What a text with this start holds. Without the feature `go`, any text is packed as chess.
pub(super) fn kind_of(start: &[u8]) -> GameKind {
    #[cfg(feature = "go")]
    if syntax::is_collection(start) {
        return GameKind::Go;
    }
    _ = start;
    GameKind::Chess
}

/// Whether a text with this start is UTF-16, with or without a byte order mark: every second byte
/// is zero, and the others are printable.
fn is_utf16(start: &[u8]) -> bool {
    let text = start
        .strip_prefix(b"\xff\xfe")
        .or_else(|| start.strip_prefix(b"\xfe\xff"))
        .unwrap_or(start);
    let (pairs, _) = text.as_chunks::<2>();
    let is_text = |c: u8| matches!(c, b' '..=b'~' | b'\t' | b'\n' | b'\r');
    let little = pairs.iter().filter(|[c, high]| *high == 0 && is_text(*c));
    let big = pairs.iter().filter(|[high, c]| *high == 0 && is_text(*c));
    // Names may have other letters.
    let most = pairs.len() * 3 / 4;
    pairs.len() >= 16 && (little.count() > most || big.count() > most)
}

/// The position of the cut, if the bytes so far decide it.
fn find_cut(text: &[u8], kind: GameKind, block_size: usize, ended: bool) -> Option<usize> {
    let max = 2 * block_size;
    if text.len() >= block_size {
        // A game may start exactly at the end of the block.
        let from = block_size - 1;
        let text = &text[..text.len().min(max)];
        let near = &text[from..];
        let game = match kind {
            GameKind::Chess => game_starts(text, from).find(|&at| !is_after_tag(&text[..at])),
            #[cfg(feature = "go")]
            GameKind::Go => syntax::next_record(near, 1).map(|at| from + at),
            #[cfg(not(feature = "go"))]
            GameKind::Go => None,
        };
        if game.is_some() {
            return game;
        }
        if text.len() == max {
            let other = match kind {
                GameKind::Chess => {
                    after_blank(text, from).or_else(|| game_starts(text, from).next())
                }
                GameKind::Go => None,
            };
            let line = || memchr::memrchr(b'\n', near).map(|at| from + at + 1);
            return Some(other.or_else(line).unwrap_or(max));
        }
    }
    ended.then_some(text.len())
}

/// The start of the first line after the first byte, in a text of which more may follow.
pub(super) fn first_line(text: &[u8]) -> Option<usize> {
    let end = memchr::memchr2(b'\n', b'\r', text)?;
    Some(
        end + if text[end..].starts_with(b"\r\n") {
            2
        } else {
            1
        },
    )
}

/// The first line that starts a game after the first whole line of a text of chess.
pub(super) fn game_after_line(text: &[u8]) -> Option<usize> {
    let line = first_line(text)?;
    game_starts(text, line).find(|&at| !is_after_tag(&text[line..at]))
}

/// The start of the first line after `from` that may be a tag and follows an empty line.
fn after_blank(text: &[u8], from: usize) -> Option<usize> {
    let places = memchr::memchr_iter(b'[', &text[from..]).map(|at| from + at);
    let ends: [&[u8]; 3] = [b"\n\n", b"\n\r\n", b"\r\r"];
    let is_blank = |at: usize| ends.iter().any(|end| text[..at].ends_with(end));
    places.filter(|&at| at > from).find(|&at| is_blank(at))
}

/// Whether the last line is a tag.
fn is_after_tag(text: &[u8]) -> bool {
    let line = [&b"\r\n"[..], b"\n", b"\r"]
        .iter()
        .find_map(|end| text.strip_suffix(*end))
        .unwrap_or(text);
    let start = memchr::memrchr2(b'\n', b'\r', line).map_or(0, |at| at + 1);
    line[start..].trim_ascii_start().starts_with(b"[")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &[u8], piece: usize, block_size: usize) -> Vec<Vec<u8>> {
        let pieces = text.chunks(piece).map(|p| Ok(p.to_vec()));
        let mut splitter = BlockCutter::new(pieces, block_size);
        let mut blocks = Vec::new();
        while let Some(block) = splitter.next_block().unwrap() {
            blocks.push(block);
        }
        assert_eq!(splitter.text_len(), text.len() as u64);
        blocks
    }

    #[test]
    fn cuts_go_collections_between_records() {
        let games = b"(;GM[1]SZ[9];B[aa](;W[bb])(;W[cc]))\n".repeat(3000);
        let blocks = split(&games, 1000, 10_000);
        assert_eq!(blocks.concat(), games);
        assert!(blocks.len() > 5);
        assert!(
            blocks
                .iter()
                .all(|b| b.starts_with(b"(;GM") && b.ends_with(b")\n"))
        );
        assert_eq!(blocks, split(&games, 7, 10_000));
        // Without line ends, too.
        let games = b"(;GM[1]SZ[9];B[aa](;W[bb])(;W[cc]))".repeat(3000);
        let blocks = split(&games, 1000, 10_000);
        assert!(blocks.len() > 5 && blocks.iter().all(|b| b.starts_with(b"(;GM")));
        let mut splitter = BlockCutter::new([Ok(games)].into_iter(), 10_000);
        splitter.next_block().unwrap();
        assert_eq!(splitter.kind(), GameKind::Go);
    }

    #[test]
    fn cuts_depend_on_the_text_alone_and_lose_no_byte() {
        let games = b"[Event \"x\"]\n\n1. e4 e5 *\n\n".repeat(4000);
        let noise: Vec<u8> = (0..200_000u32)
            .map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8)
            .collect();
        let lines = b"no game here\n".repeat(9000);
        let one_line = vec![b'x'; 300_000];
        for text in [&games[..], &noise, &lines, &one_line, b"", b"x"] {
            for block_size in [1, 1000, 70_000, 1 << 20] {
                if text.len() / block_size > 100_000 {
                    continue;
                }
                let blocks = split(text, text.len().max(1), block_size);
                assert_eq!(blocks.concat(), text);
                assert!(blocks.iter().all(|b| b.len() <= 2 * block_size.max(1)));
                for piece in [999, 65_536] {
                    assert_eq!(split(text, piece, block_size), blocks);
                }
            }
        }
    }

    #[test]
    fn text_in_utf_16_is_recognised_and_cut_as_it_is() {
        let text = "[Event \"Ж\"]\n[White \"é\"]\n\n1. e4 e5 *\n";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let with_mark = |mark: [u8; 2], text: &[u8]| [&mark, text].concat();
        for text in [
            with_mark([0xff, 0xfe], &little),
            with_mark([0xfe, 0xff], &big),
            little,
            big,
        ] {
            let mut cutter = BlockCutter::new([Ok(text.clone())].into_iter(), 1000);
            assert_eq!(cutter.next_block().unwrap(), Some(text));
            assert!(cutter.is_utf16());
        }
        for text in [
            vec![0; 5000],
            b"a\0".repeat(8),
            text.repeat(100).into_bytes(),
        ] {
            assert_eq!(split(&text, 100, 1 << 20).concat(), text);
        }
    }

    #[test]
    fn an_event_tag_after_other_tags_starts_no_game() {
        for end in ["\n", "\r\n", "\r"] {
            let game = ["[Site \"x\"]", "[Event \"y\"]", "", "1. e4 e5 *", "", ""].join(end);
            let usual = ["[Event \"y\"]", "[Site \"x\"]", "", "1. e4 e5 *", "", ""].join(end);
            let games = [game.repeat(100), usual.repeat(300)].concat();
            let blocks = split(games.as_bytes(), 777, 1000);
            assert_eq!(blocks.concat(), games.as_bytes());
            let starts = [&game, &usual].map(|game| &game.as_bytes()[..20]);
            for block in &blocks {
                assert!(starts.iter().any(|start| block.starts_with(start)));
            }
        }
    }

    #[test]
    fn blocks_of_games_start_with_a_game() {
        let games = b"[Event \"x\"]\n\n1. e4 e5 *\n\n".repeat(4000);
        let blocks = split(&games, 5000, 3000);
        assert!(blocks.len() > 20);
        assert!(
            blocks
                .iter()
                .all(|b| b.starts_with(b"[Event ") && b.len() < 3100)
        );
    }
}
