//! Line ends.

/// A line end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LineEnd {
    /// `\n`
    #[default]
    Lf = 0,
    /// `\r\n`
    CrLf = 1,
    /// `\r`
    Cr = 2,
}

impl LineEnd {
    /// All line ends by number.
    pub const ALL: [Self; 3] = [Self::Lf, Self::CrLf, Self::Cr];

    /// Its bytes.
    pub const fn bytes(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::CrLf => b"\r\n",
            Self::Cr => b"\r",
        }
    }

    /// The line end at the start of `text`.
    pub fn at(text: &[u8]) -> Option<Self> {
        match text {
            [b'\n', ..] => Some(Self::Lf),
            [b'\r', b'\n', ..] => Some(Self::CrLf),
            [b'\r', ..] => Some(Self::Cr),
            _ => None,
        }
    }

    /// The first line end in a text.
    pub fn first_in(text: &[u8]) -> Option<Self> {
        Self::at(&text[line_len(text)..])
    }
}

/// Length of the line at the start of a text, without its end.
pub fn line_len(text: &[u8]) -> usize {
    memchr::memchr2(b'\n', b'\r', text).unwrap_or(text.len())
}

/// The offset after the line that contains `at`, with its end.
pub fn next_line(text: &[u8], at: usize) -> usize {
    let end = at + line_len(&text[at..]);
    end + LineEnd::at(&text[end..]).map_or(0, |end| end.bytes().len())
}
