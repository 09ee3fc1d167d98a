//! Where the sources of an archive are in its text and among its games, and what is left of them in
//! another archive.

use std::ops::Range;

use ign_format::container::{
    TextChecksum,
    index::{BlockEntry, Source},
};

/// A piece of the text of an archive, and the games that begin in it; both are counted from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    pub text: Range<u64>,
    pub games: Range<u64>,
}

impl Piece {
    /// The text and the games of a block.
    pub fn of_block(entry: &BlockEntry) -> Self {
        Self {
            text: entry.text_offset..entry.text_offset + entry.text_len,
            games: entry.first_game..entry.first_game + entry.games,
        }
    }
}

/// The common part of two ranges; it may be empty.
pub(crate) fn common(a: &Range<u64>, b: &Range<u64>) -> Range<u64> {
    let start = a.start.max(b.start);
    start..a.end.min(b.end).max(start)
}

fn len(range: &Range<u64>) -> u64 {
    range.end - range.start
}

/// The places of sources, which follow each other.
#[derive(Debug)]
pub(crate) struct Places {
    /// Where the text and the games of each source end.
    ends: Vec<(u64, u64)>,
}

impl Places {
    /// The places of these sources.
    pub fn of(sources: &[Source]) -> Self {
        let ends = sources.iter().scan((0u64, 0u64), |end, source| {
            end.0 = end.0.saturating_add(source.text_len);
            end.1 = end.1.saturating_add(source.games);
            Some(*end)
        });
        Self {
            ends: ends.collect(),
        }
    }

    /// The text and the games of a source.
    pub fn of_source(&self, source: usize) -> Piece {
        self.of_sources(source..source + 1)
    }

    /// The text and the games of some sources.
    pub fn of_sources(&self, sources: Range<usize>) -> Piece {
        let end = |number: usize| match number {
            0 => (0, 0),
            number => self.ends[number - 1],
        };
        let (start, end) = (end(sources.start), end(sources.end));
        Piece {
            text: start.0..end.0,
            games: start.1..end.1,
        }
    }

    /// The source of a game, counted from 0.
    pub fn of_game(&self, game: u64) -> Option<usize> {
        let source = self.ends.partition_point(|end| end.1 <= game);
        (source < self.ends.len()).then_some(source)
    }

    /// The source of a byte of the text.
    pub fn of_byte(&self, byte: u64) -> Option<usize> {
        let source = self.ends.partition_point(|end| end.0 <= byte);
        (source < self.ends.len()).then_some(source)
    }

    /// The sources that have bytes of a piece, each with its part of the piece.
    pub fn within<'p>(&'p self, piece: &'p Piece) -> impl Iterator<Item = (usize, Piece)> + 'p {
        let first = self.ends.partition_point(|end| end.0 <= piece.text.start);
        (first..self.ends.len())
            .map(|source| (source, self.of_source(source)))
            .take_while(|(_, own)| own.text.start < piece.text.end)
            .map(|(source, own)| {
                let common = Piece {
                    text: common(&own.text, &piece.text),
                    games: common(&own.games, &piece.games),
                };
                (source, common)
            })
            .filter(|(_, common)| !common.text.is_empty())
    }

    /// Whether several sources have bytes of a block.
    pub fn share(&self, entry: &BlockEntry) -> bool {
        let text = Piece::of_block(entry).text;
        !text.is_empty() && self.of_byte(text.start) != self.of_byte(text.end - 1)
    }
}

/// What is left of the sources of an archive, or what one of several archives has of them.
#[derive(Debug, Default)]
pub(crate) struct Left {
    /// In ascending order of the sources.
    sources: Vec<LeftOfSource>,
}

#[derive(Debug)]
struct LeftOfSource {
    number: usize,
    text_len: u64,
    games: u64,
    /// Whether some of its text is not that of the source.
    is_changed: bool,
}

impl Left {
    /// Adds a piece of the text, after all others.
    pub fn add(&mut self, places: &Places, piece: &Piece) {
        for (source, common) in places.within(piece) {
            self.add_text(source, len(&common.text), len(&common.games), false);
        }
    }

    /// Adds text that takes the place of some of a source.
    pub fn add_changed(&mut self, source: usize, text_len: u64, games: u64) {
        self.add_text(source, text_len, games, true);
    }

    fn add_text(&mut self, number: usize, text_len: u64, games: u64, is_changed: bool) {
        match self.sources.last_mut() {
            Some(last) if last.number == number => {
                last.text_len += text_len;
                last.games += games;
                last.is_changed |= is_changed;
            }
            _ => self.sources.push(LeftOfSource {
                number,
                text_len,
                games,
                is_changed,
            }),
        }
    }

    /// The number of the last source.
    pub fn last(&self) -> Option<usize> {
        self.sources.last().map(|left| left.number)
    }

    /// The sources as they are left: whole, or parts. Those without text are left out.
    pub fn of(&self, sources: &[Source]) -> Vec<Source> {
        let left = self.sources.iter().filter(|left| left.text_len > 0);
        left.map(|left| left.of(&sources[left.number])).collect()
    }

    /// [`of`](Self::of), with the sources that never had any text.
    pub fn with_empty(&self, sources: &[Source]) -> Vec<Source> {
        let mut left = self.sources.iter().peekable();
        let mut all = Vec::new();
        for (number, source) in sources.iter().enumerate() {
            match left.next_if(|left| left.number == number) {
                Some(left) if left.text_len > 0 => all.push(left.of(source)),
                None if source.text_len == 0 => all.push(source.clone()),
                _ => {}
            }
        }
        all
    }
}

impl LeftOfSource {
    fn of(&self, source: &Source) -> Source {
        if self.text_len == source.text_len && !self.is_changed {
            return source.clone();
        }
        Source::part(source.name.clone(), self.text_len, self.games)
    }
}

/// Compares the texts of sources with their checksums, as the text of an archive arrives piece by
/// piece.
pub(crate) struct SourceTexts<'s> {
    sources: &'s [Source],
    /// The number of the current source.
    number: usize,
    /// Bytes of the current source so far.
    len: u64,
    checksum: TextChecksum,
    /// Whether all of its text so far was known.
    is_known: bool,
    /// The sources with other checksums.
    pub differ: Vec<usize>,
}

impl<'s> SourceTexts<'s> {
    /// At the start of this source.
    pub fn new(sources: &'s [Source], first: usize) -> Self {
        let mut texts = Self {
            sources,
            number: first,
            len: 0,
            checksum: TextChecksum::default(),
            is_known: true,
            differ: Vec::new(),
        };
        // The first ones may have no text.
        texts.add(0, Some(&[]));
        texts
    }

    /// Adds the next piece of the text, of this length; `None` if it is not known.
    pub fn add(&mut self, len: u64, text: Option<&[u8]>) {
        let (mut left, mut text) = (len, text);
        while let Some(source) = self.sources.get(self.number)
            && (left > 0 || source.text_len == self.len)
        {
            let own = left.min(source.text_len - self.len);
            let now = text
                .as_mut()
                .and_then(|text| text.split_off(..own as usize));
            match now {
                Some(now) if source.text_checksum.is_some() => self.checksum.add(now),
                Some(_) => {}
                None => self.is_known = false,
            }
            self.len += own;
            left -= own;
            if self.len == source.text_len {
                self.end(source);
            }
        }
    }

    fn end(&mut self, source: &Source) {
        let checksum = std::mem::take(&mut self.checksum).value();
        let differs = source
            .text_checksum
            .is_some_and(|stated| stated != checksum);
        if differs && self.is_known {
            self.differ.push(self.number);
        }
        (self.number, self.len, self.is_known) = (self.number + 1, 0, true);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Sources with these lengths of text and numbers of games.
    fn sources(amounts: &[(u64, u64)]) -> Vec<Source> {
        let source = |(number, &(text_len, games)): (usize, &(u64, u64))| {
            let name = number.to_string().into_bytes();
            let mut source = Source::new(name, text_len, games.min(text_len));
            source.text_checksum = Some(0);
            source
        };
        amounts.iter().enumerate().map(source).collect()
    }

    #[test]
    fn sources_without_text_are_within_nothing() {
        let sources = sources(&[(0, 0), (10, 2), (0, 0), (5, 1), (0, 0)]);
        let places = Places::of(&sources);
        let all = Piece {
            text: 0..15,
            games: 0..3,
        };
        let within: Vec<_> = places.within(&all).map(|(source, _)| source).collect();
        assert_eq!(within, [1, 3]);
        assert_eq!(
            [0, 1, 2, 3].map(|game| places.of_game(game)),
            [Some(1), Some(1), Some(3), None]
        );
        assert_eq!(
            [0, 9, 10, 15].map(|byte| places.of_byte(byte)),
            [Some(1), Some(1), Some(3), None]
        );
    }

    proptest! {
        /// Text is cut anywhere, and some pieces are lost. Each byte and each game is an item that knows its source.
        #[test]
        fn what_is_left_is_counted_by_source(
            amounts in prop::collection::vec((0u64..12, 0u64..4), 0..12),
            cuts in prop::collection::vec((0u64..8, any::<bool>()), 0..24),
        ) {
            let sources = sources(&amounts);
            let places = Places::of(&sources);
            let owners = |amount: fn(&Source) -> u64| -> Vec<usize> {
                let each = sources.iter().enumerate();
                each.flat_map(|(number, source)| (0..amount(source)).map(move |_| number)).collect()
            };
            let (bytes, games) = (owners(|source| source.text_len), owners(|source| source.games));
            // The first byte of each game: the first ones of its source.
            let first_bytes: Vec<u64> = games.iter().enumerate().map(|(game, &source)| {
                let own = places.of_source(source);
                own.text.start + (game as u64 - own.games.start)
            }).collect();
            let mut left = Left::default();
            let mut kept = vec![(0, 0); sources.len()];
            let mut start = 0;
            for (len, is_kept) in cuts {
                let end = (start + len).min(bytes.len() as u64);
                let games_before = |at: u64| first_bytes.partition_point(|&first| first < at) as u64;
                let piece = Piece { text: start..end, games: games_before(start)..games_before(end) };
                if is_kept {
                    left.add(&places, &piece);
                    for byte in piece.text {
                        kept[bytes[byte as usize]].0 += 1;
                    }
                    for game in piece.games {
                        kept[games[game as usize]].1 += 1;
                    }
                }
                start = end;
            }
            let expected = sources.iter().zip(&kept).filter(|(_, kept)| kept.0 > 0);
            let expected: Vec<Source> = expected.map(|(source, &(text_len, games))| {
                let mut expected = source.clone();
                if text_len < source.text_len {
                    expected = Source::part(source.name.clone(), text_len, games);
                }
                expected.games = games;
                expected
            }).collect();
            prop_assert_eq!(left.of(&sources), expected);
        }
    }
}
