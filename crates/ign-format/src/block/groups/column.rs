//! The groups of a moves column, decoded as their games are requested.

use crate::{
    block::{
        groups::{
            decoder::{Group, GroupDecoder},
            header::{self, HEADER_LEN, malformed},
            lengths,
            lockstep::GROUP,
            prefetch::{Job, Prefetch},
        },
        known_signatures::KnownSignatures,
        starts::{Starts, is_standard},
    },
    error::{Error, Result},
    model::MoveModel,
};
use ign_entropy::frequencies::{self, IntervalLog};
use ign_notation::{chess::Move, signature::Signature};

/// The groups of a column.
#[derive(Debug)]
pub struct Groups<'a> {
    starts: &'a Starts,
    /// The known signatures of the playable games.
    signatures: KnownSignatures<'a>,
    pub(super) streams: &'a [u8],
    /// Where the stream of each group ends in `streams`.
    ends: Vec<usize>,
    pub(super) decoder: GroupDecoder,
    /// The number of the group whose moves the decoder holds in full.
    decoded: Option<usize>,
    /// Groups being decoded in the background.
    prefetch: Option<Prefetch>,
}

impl<'a> Groups<'a> {
    /// The groups of a column of games with these starts that have at most `plies` plies together.
    /// `model` and `signatures` must be those that the encoder was given; without games no model is
    /// needed.
    ///
    /// # Errors
    /// Corrupt.
    pub fn new(
        column: &'a [u8],
        model: Option<MoveModel>,
        starts: &'a Starts,
        signatures: KnownSignatures<'a>,
        plies: u64,
    ) -> Result<Self> {
        let games = starts.played().len();
        debug_assert_eq!(signatures.count(), games);
        let (mut streams, mut ends, mut style) = (&[][..], Vec::new(), None);
        if games > 0 {
            let model = model.ok_or_else(malformed)?;
            style = Some(header::read_style(column, model)?);
            streams = &column[HEADER_LEN..];
            ends = lengths::read(&mut streams, games.div_ceil(GROUP))?;
        } else if !column.is_empty() {
            return Err(malformed());
        }
        Ok(Self {
            starts,
            signatures,
            streams,
            ends,
            decoder: GroupDecoder::new(style, plies),
            decoded: None,
            prefetch: None,
        })
    }

    /// Starts to decode the groups of these games in the background, and runs `then` afterwards.
    /// The games are given by their numbers among the playable ones, ascending.
    pub fn prefetch(
        &mut self,
        games: impl Iterator<Item = usize>,
        then: impl FnOnce() + Send + 'static,
    ) {
        let mut groups: Vec<usize> = games.map(|game| game / GROUP).collect();
        groups.dedup();
        let jobs = groups.iter().map(|&group| {
            let mut starts = Starts::default();
            for &record in self.records(group) {
                let record = record as usize;
                starts.push(self.starts.of(record), true, self.starts.nulls(record));
            }
            Job {
                group,
                stream: self.stream(group).to_vec(),
                starts,
                signatures: self.signatures(group),
            }
        });
        let plies = self.decoder.plies_left;
        if let Some(style) = self.decoder.style() {
            self.prefetch = Prefetch::start(style, plies, jobs, then);
        }
    }

    /// Number of groups.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no groups.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The moves of a game, given its number among the playable ones. If games are requested in
    /// ascending order, each group is decoded once.
    ///
    /// # Errors
    /// Corrupt.
    pub fn game(&mut self, game: usize) -> Result<&[Move]> {
        let group = game / GROUP;
        if self.decoded != Some(group) {
            self.decoded = None;
            match self.prefetch.as_ref().and_then(|it| it.take(group)) {
                Some(moves) => self.decoder.moves = moves?,
                None => {
                    let mut stream = self.start(group)?;
                    while self.decoder.round(&mut stream)? {}
                }
            }
            self.decoded = Some(group);
        }
        Ok(&self.decoder.moves[game % GROUP])
    }

    /// Appends to `found` the records of a group whose games start from the standard position with
    /// the moves `prefix`. Decodes no more rounds than necessary.
    ///
    /// # Errors
    /// Corrupt.
    pub fn with_prefix(
        &mut self,
        group: usize,
        prefix: &[Move],
        found: &mut Vec<usize>,
    ) -> Result<()> {
        let records = self.records(group);
        let starts_so = |&game: &usize| {
            let start = self.starts.of(records[game] as usize);
            start.is_some_and(is_standard)
        };
        let mut candidates: Vec<usize> = (0..records.len()).filter(starts_so).collect();
        let mut stream = self.start(group)?;
        for (ply, played) in prefix.iter().enumerate() {
            if candidates.is_empty() {
                break;
            }
            self.decoder.round(&mut stream)?;
            candidates.retain(|&game| self.decoder.moves[game].get(ply) == Some(played));
        }
        found.extend(candidates.into_iter().map(|game| records[game] as usize));
        Ok(())
    }

    /// Decodes the first rounds of a group: calls `look` with the moves of its games after each
    /// round, until all games are over or `look` returns false.
    ///
    /// # Errors
    /// Corrupt.
    pub fn first_rounds(
        &mut self,
        group: usize,
        mut look: impl FnMut(&[Vec<Move>]) -> bool,
    ) -> Result<()> {
        let mut stream = self.start(group)?;
        while self.decoder.round(&mut stream)? && look(&self.decoder.moves) {}
        Ok(())
    }

    /// Verifies that the stream of a group encodes the choices with these intervals, without
    /// evaluating the model.
    ///
    /// # Errors
    /// Corrupt when it does not.
    pub fn check(&self, group: usize, known: &IntervalLog) -> Result<()> {
        if known.matches(group, self.stream(group)) {
            Ok(())
        } else {
            Err(Error::corrupt(
                "a group of games does not encode their moves",
            ))
        }
    }

    fn stream(&self, group: usize) -> &'a [u8] {
        let start = group.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.streams[start..self.ends[group]]
    }

    /// The records of a group, ascending.
    pub fn records(&self, group: usize) -> &'a [u32] {
        let from = &self.starts.played()[group * GROUP..];
        &from[..from.len().min(GROUP)]
    }

    /// The signatures that constrain the moves of the games of a group: those of games without null
    /// moves.
    fn signatures(&self, group: usize) -> Vec<Option<Signature>> {
        let (first, records) = (group * GROUP, self.records(group));
        let mut signatures = self.signatures.of(first..first + records.len());
        for (signature, &record) in signatures.iter_mut().zip(records) {
            signature.take_if(|_| !self.starts.nulls(record as usize).is_empty());
        }
        signatures
    }

    /// Sets up the games of a group in the decoder and returns its stream.
    fn start(&mut self, group: usize) -> Result<frequencies::Decoder<'a>> {
        self.decoded = None;
        self.decoder.start(Group {
            stream: self.stream(group),
            starts: self.starts,
            records: self.records(group),
            signatures: self.signatures(group),
        })
    }
}
