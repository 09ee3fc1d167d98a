//! Decodes one group at a time from its stream.

use crate::{
    block::{
        groups::{
            copies::Copies,
            header::malformed,
            lockstep::{GROUP, Lockstep, Next, Setup},
        },
        starts::Starts,
    },
    container::MAX_PLIES,
    error::{Error, Result},
    model::Style,
    pgn::start::Start,
};
use ign_entropy::frequencies;
use ign_notation::{chess::Move, signature::Signature};

/// A group to decode.
pub struct Group<'a> {
    /// Its bytes.
    pub stream: &'a [u8],
    /// The starts of the block's records.
    pub starts: &'a Starts,
    /// The records of the games.
    pub records: &'a [u32],
    /// The known signature of each game.
    pub signatures: Vec<Option<Signature>>,
}

impl<'a> Group<'a> {
    fn nulls(&self, game: usize) -> &'a [u32] {
        self.starts.nulls(self.records[game] as usize)
    }

    fn start(&self, game: usize) -> &'a Start {
        let start = self.starts.of(self.records[game] as usize);
        start.expect("a playable record has a start")
    }
}

/// Decodes groups of one column; allocates nothing after the first few.
#[derive(Debug)]
pub struct GroupDecoder {
    /// `None` if there are no groups.
    style: Option<Style>,
    /// Created on first use: background threads may do all the work.
    lockstep: Option<Lockstep>,
    /// The moves decoded so far, of each game of the group.
    pub moves: Vec<Vec<Move>>,
    copies: Copies,
    /// How many more plies there may be, so that a few bytes cannot cause endless play.
    pub plies_left: u64,
}

impl GroupDecoder {
    /// A decoder of games of this style that have at most `plies` plies together.
    pub fn new(style: Option<Style>, plies: u64) -> Self {
        Self {
            style,
            lockstep: None,
            moves: vec![Vec::new(); GROUP],
            copies: Copies::NONE,
            plies_left: plies,
        }
    }

    /// The style of the games, if there are any.
    pub fn style(&self) -> Option<&Style> {
        self.style.as_ref()
    }

    /// Decodes a whole group and returns the moves of its games.
    ///
    /// # Errors
    /// Corrupt.
    pub fn decode(&mut self, group: Group) -> Result<Vec<Vec<Move>>> {
        let mut stream = self.start(group)?;
        while self.round(&mut stream)? {}
        Ok(std::mem::replace(&mut self.moves, vec![Vec::new(); GROUP]))
    }

    /// Sets up the games of a group and returns the stream for [`round`](Self::round).
    ///
    /// # Errors
    /// Corrupt when a game is marked as a copy of one with another start, signature or null moves.
    pub fn start<'a>(&mut self, group: Group<'a>) -> Result<frequencies::Decoder<'a>> {
        self.moves.iter_mut().for_each(Vec::clear);
        let mut stream = frequencies::Decoder::new(group.stream);
        let games = group.records.len();
        self.copies = Copies::decode(games, &mut stream, |game| {
            let same = group.start(game - 1) == group.start(game)
                && group.nulls(game - 1) == group.nulls(game)
                && group.signatures[game - 1] == group.signatures[game];
            if same {
                Ok(())
            } else {
                Err(Error::corrupt(
                    "a game is marked as a copy of one with another start, signature or null moves",
                ))
            }
        })?;
        let setups = (0..games).map(|game| Setup {
            start: group.start(game),
            signature: group.signatures[game],
            nulls: group.nulls(game),
        });
        let style = self.style.as_ref().ok_or_else(malformed)?;
        let lockstep = self
            .lockstep
            .get_or_insert_with(|| Lockstep::new(style.clone()));
        lockstep.start(setups, self.copies);
        Ok(stream)
    }

    /// Decodes a round; returns whether any game is still in progress.
    ///
    /// # Errors
    /// Corrupt.
    pub fn round(&mut self, stream: &mut frequencies::Decoder) -> Result<bool> {
        let Self {
            moves, plies_left, ..
        } = self;
        let copies = self.copies;
        let lockstep = self.lockstep.as_mut().ok_or_else(malformed)?;
        lockstep.round(|game, next| {
            let (choice, played) = match next {
                Next::Null => (0, Some(Move::NULL)),
                Next::Choice { frequencies, .. } => {
                    let target = stream.target(frequencies.total());
                    let (choice, before, frequency) = frequencies.find(target);
                    stream.take(before, frequency);
                    (choice, frequencies.moves().get(choice).copied())
                }
            };
            if let Some(played) = played {
                for moves in &mut moves[game..=game + copies.following(game)] {
                    if moves.len() == MAX_PLIES || *plies_left == 0 {
                        return Err(Error::corrupt("a group of games has too many moves"));
                    }
                    *plies_left -= 1;
                    moves.push(played);
                }
            }
            Ok(choice)
        })
    }
}
