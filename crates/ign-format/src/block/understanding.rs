//! Finds the games that are not, or only partly, understood.

use crate::{
    block::{
        Fixed, Kind,
        decode::{Block, Layouts, Records},
    },
    container::{MAX_PLIES, NotUnderstood, NotUnderstoodCounts},
    error::{Error, Result},
    pgn::{gaps::Templates, section, start, words},
};

impl NotUnderstood {
    /// The reason for a game of chess, if there is one. `text` is the text after the moves that is
    /// not understood, if there is such text, and `has_ended` whether a result is before it;
    /// `section` the template of its tag section.
    pub(in crate::block) fn of_chess(
        has_start: bool,
        variant: Option<&[u8]>,
        text: Option<&[u8]>,
        has_ended: bool,
        section: Option<&[u8]>,
    ) -> Option<Self> {
        match text {
            Some(_) if start::of_tags(None, variant).is_none() => Some(Self::Variant),
            Some(_) if !has_start => Some(Self::Position),
            Some(text) if !has_ended && words::starts_with_move(text) => Some(Self::Move),
            Some(_) => Some(Self::Text),
            None if section.is_some_and(section::has_other_line) => Some(Self::TagLine),
            None => None,
        }
    }

    /// The reason for a game with this number of plies: moves beyond the limit of the format are
    /// not illegal.
    pub(in crate::block) fn of_length(self, plies: usize) -> Self {
        match self {
            Self::Move if plies == MAX_PLIES => Self::Text,
            reason => reason,
        }
    }
}

impl Block<'_> {
    /// For each record why it is not, or only partly, understood; `None` for records that are, and
    /// for records that are not games.
    ///
    /// # Errors
    /// Corrupt; unsupported, if a game is too long for the format and the model of its moves is
    /// missing.
    pub fn not_understood(&self, records: &Records) -> Result<Vec<Option<NotUnderstood>>> {
        if self.kind() != Kind::Chess {
            let kept = (0..).zip(self.keeps_text(records)?);
            let reason =
                |(record, kept)| (kept && records.is_game(record)).then_some(NotUnderstood::Text);
            return Ok(kept.map(reason).collect());
        }
        let [layout, templates] = self.fixed(Fixed::Layout)?;
        let templates = Templates::read(&templates)?;
        let keep_text = (0..templates.len() as u32).any(|number| templates.keeps_text(number));
        if !keep_text && !records.have_sections() {
            return Ok(vec![None; records.len()]);
        }
        let [text] = self.fixed(Fixed::Text)?;
        let starts = self.starts(records)?;
        let tags = self.table(records, Some(&["Variant"]))?;
        let variant = tags.tag(b"Variant");
        let mut layouts = Layouts::new(&layout, &templates);
        let mut text = &text[..];
        let mut reasons = Vec::with_capacity(records.len());
        for record in 0..records.len() {
            layouts.next()?;
            let mut last = &text[..0];
            for &len in &layouts.layout.text_lens {
                last = text
                    .split_off(..len as usize)
                    .ok_or_else(|| Error::corrupt("a block has too little text"))?;
            }
            let keeps_text = templates.keeps_text(layouts.layout.last);
            let reason = NotUnderstood::of_chess(
                starts.of(record).is_some(),
                variant.and_then(|tag| tags.value(tag, record)),
                keeps_text.then_some(last),
                keeps_text && templates.has_result(layouts.layout.last),
                records.section(record),
            );
            reasons.push(reason.filter(|_| records.is_game(record)));
        }
        let mut counts = NotUnderstoodCounts::default();
        reasons.iter().for_each(|&reason| counts.count(reason));
        // Only a game of this length has another reason in the head.
        if counts != self.head().not_understood && self.head().plies >= MAX_PLIES as u64 {
            let stopped: Vec<bool> = reasons
                .iter()
                .map(|r| *r == Some(NotUnderstood::Move))
                .collect();
            self.walk_moves(
                records,
                |record| stopped[record],
                |record, _, moves| {
                    reasons[record] = reasons[record].map(|reason| reason.of_length(moves.len()));
                    Ok(())
                },
            )?;
        }
        Ok(reasons)
    }
}
