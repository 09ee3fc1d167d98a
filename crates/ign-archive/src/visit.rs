//! The text of an archive as a stream, and pgn-reader's visitors over it.

use std::{
    fmt,
    io::{self, Read},
};

use ign_format::error::{Error, Result};
use pgn_reader::Visitor;

use crate::{
    archive::Archive,
    ordered::{Ordered, ordered_detached},
    unpack::block_text,
};

/// The whole text of an archive as a stream, decoded by several threads in advance.
///
/// Each block is compared with its checksum before its text is returned.
pub struct TextReader {
    /// `None` after an error.
    blocks: Option<Ordered<'static, Vec<u8>>>,
    text: io::Cursor<Vec<u8>>,
}

impl fmt::Debug for TextReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextReader").finish_non_exhaustive()
    }
}

impl Archive {
    /// The whole text as a stream: what was packed, to the byte.
    ///
    /// ```
    /// # use ign_archive::{Archive, Input, Packer};
    /// # let text = "1. e4 e5 *\n";
    /// # let (bytes, _) = Packer::new().pack([Input::reader("a", text.as_bytes())], Vec::new())?;
    /// # let archive = Archive::from_read_at(bytes, "a.ign")?;
    /// let mut all = String::new();
    /// std::io::Read::read_to_string(&mut archive.reader(), &mut all)?;
    /// assert_eq!(all, "1. e4 e5 *\n");
    /// # Ok::<(), ign_archive::Error>(())
    /// ```
    pub fn reader(&self) -> TextReader {
        let archive = self.clone();
        let blocks = self.will_read_all();
        TextReader::new(self.threads(), blocks, move |block| {
            Ok(block_text(&archive, block)?.0)
        })
    }

    /// Runs a [`pgn_reader::Visitor`] over all games, as [`pgn_reader::Reader`] runs it over PGN:
    /// the visitor sees the same text. A program written for `pgn-reader` reads archives by this
    /// one call. The outputs of the games are dropped; [`Game::visit`](crate::Game::visit) returns
    /// that of one game.
    ///
    /// ```
    /// # use ign_archive::{Archive, Input, Packer};
    /// use pgn_reader::{SanPlus, Visitor};
    /// use std::ops::ControlFlow;
    ///
    /// struct CountMoves(u64);
    ///
    /// impl Visitor for CountMoves {
    ///     type Tags = ();
    ///     type Movetext = ();
    ///     type Output = ();
    ///
    ///     fn begin_tags(&mut self) -> ControlFlow<(), ()> {
    ///         ControlFlow::Continue(())
    ///     }
    ///
    ///     fn begin_movetext(&mut self, _tags: ()) -> ControlFlow<(), ()> {
    ///         ControlFlow::Continue(())
    ///     }
    ///
    ///     fn san(&mut self, _movetext: &mut (), _san: SanPlus) -> ControlFlow<()> {
    ///         self.0 += 1;
    ///         ControlFlow::Continue(())
    ///     }
    ///
    ///     fn end_game(&mut self, _movetext: ()) {}
    /// }
    ///
    /// # let text = "1. e4 e5 *\n\n1. d4 *\n";
    /// # let (bytes, _) = Packer::new().pack([Input::reader("a", text.as_bytes())], Vec::new())?;
    /// # let archive = Archive::from_read_at(bytes, "a.ign")?;
    /// let mut moves = CountMoves(0);
    /// archive.visit(&mut moves)?;
    /// assert_eq!(moves.0, 3);
    /// # Ok::<(), ign_archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io), also where `pgn-reader` rejects the text;
    /// [`Corrupt`](crate::ErrorKind::Corrupt);
    /// [`Unsupported`](crate::ErrorKind::Unsupported) if the moves were coded by another move
    /// model.
    pub fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<()> {
        pgn_reader::Reader::new(self.reader())
            .visit_all_games(visitor)
            .map_err(|e| Error::from(e).in_file(self.path()))
    }
}

impl TextReader {
    /// The texts of these blocks, one after the other.
    pub(crate) fn new(
        threads: usize,
        blocks: Vec<usize>,
        text: impl Fn(usize) -> Result<Vec<u8>> + Clone + Send + 'static,
    ) -> Self {
        let threads = threads.min(blocks.len());
        Self {
            blocks: Some(ordered_detached(threads, blocks.into_iter().map(Ok), text)),
            text: io::Cursor::default(),
        }
    }
}

impl Read for TextReader {
    /// # Errors
    /// An [`io::Error`] that wraps the [`Error`] of the archive.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.text.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let Some(blocks) = &mut self.blocks else {
                return Err(io::Error::other("an earlier read of the archive failed"));
            };
            match blocks.next() {
                None => return Ok(0),
                Some(Ok(text)) => self.text = io::Cursor::new(text),
                Some(Err(error)) => {
                    self.blocks = None;
                    return Err(error.into());
                }
            }
        }
    }
}

/// A [`TextReader`] that is opened by the first read, so that several inputs do not decode at once.
pub(crate) struct LazyText {
    open: Option<Box<dyn FnOnce() -> TextReader + Send>>,
    text: Option<TextReader>,
}

impl LazyText {
    pub(crate) fn new(open: impl FnOnce() -> TextReader + Send + 'static) -> Self {
        Self {
            open: Some(Box::new(open)),
            text: None,
        }
    }
}

impl Read for LazyText {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(open) = self.open.take() {
            self.text = Some(open());
        }
        self.text.as_mut().map_or(Ok(0), |text| text.read(buffer))
    }
}
