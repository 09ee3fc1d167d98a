//! How much a record has besides its moves, to choose the best of several copies.

use std::{cmp::Reverse, ops::ControlFlow};

use ign_format::error::Result;
use pgn_reader::{Nag, RawComment, RawTag, SanPlus, Skip, Visitor};

use super::{group::Member, players::Name};
use crate::{Game, GameKind, movetext::arguments, text::decode_text};

/// Which of several records of a game is kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Prefer {
    /// The one with the most comments, glyphs, moves in variations, clocks, evaluations and tags,
    /// all together.
    Annotated,
    /// The one with the most clocks; of these, the most annotated one.
    Clocks,
    /// The one with the most moves; of these, the most annotated one.
    Longest,
    /// The first of the longest in the order of the collection.
    #[default]
    First,
}

/// What a record has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Annotations {
    /// Comments, glyphs, moves in variations, commands such as clocks, and tags with a value.
    all: usize,
    clocks: usize,
}

impl Annotations {
    /// Counts what a game has. A Go game has the values of its properties.
    ///
    /// # Errors
    /// As [`Game::pgn`].
    pub fn of(game: &Game) -> Result<Self> {
        if game.kind()? == GameKind::Go {
            let all = memchr::memchr_iter(b'[', game.pgn()?).count();
            return Ok(Self { all, clocks: 0 });
        }
        let mut counter = Counter::default();
        // A tag or a comment that is not closed ends the count.
        _ = crate::movetext::reader_of(game.pgn()?).read_game(&mut counter);
        Ok(counter.counted)
    }
}

impl Prefer {
    /// Whether records must be read to choose one.
    pub(super) fn reads(self) -> bool {
        self != Self::First
    }

    /// Sorts records, the best first.
    pub(super) fn sort(self, members: &mut [Member], of: impl Fn(&Member) -> Annotations) {
        members.sort_by_cached_key(|member| {
            let Annotations { all, clocks } = of(member);
            let first = match self {
                Self::Annotated => 0,
                Self::Clocks => clocks,
                Self::Longest | Self::First => member.plies,
            };
            Reverse((first, all, Reverse(member.game)))
        });
    }
}

#[derive(Default)]
struct Counter {
    counted: Annotations,
    /// The number of open variations.
    depth: usize,
}

impl Visitor for Counter {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), _: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        self.counted.all += usize::from(has_value(value.as_bytes()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), _: SanPlus) -> ControlFlow<()> {
        self.counted.all += usize::from(self.depth > 0);
        ControlFlow::Continue(())
    }

    fn nag(&mut self, (): &mut (), _: Nag) -> ControlFlow<()> {
        self.counted.all += 1;
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        let text = decode_text(comment.as_bytes());
        let mut commands = 0;
        let words = text.split("[%").enumerate().any(|(number, part)| {
            commands += usize::from(number > 0);
            let outside = match part.split_once(']') {
                Some((_, after)) if number > 0 => after,
                _ => part,
            };
            !outside.trim().is_empty()
        });
        let clocks = arguments(&text, "clk").count();
        self.counted.all += commands + usize::from(words);
        self.counted.clocks += clocks;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        self.depth += 1;
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, (): &mut ()) -> ControlFlow<()> {
        self.depth = self.depth.saturating_sub(1);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}

/// Whether the value of a tag states something, unlike `?`, `????.??.??` and `-`.
pub fn has_value(value: &[u8]) -> bool {
    Name::of(value).is_known()
}
