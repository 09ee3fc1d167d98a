//! Stage 8: which tag values can be derived from the moves.
//!
//! The tag columns are encoded after the last record; what they need of the moves is collected
//! here.

use crate::{
    block::{encode::tags::TagTable, starts::is_standard},
    columns::{
        Table,
        derived::{Derivation, DerivedTag, FenDetails, GameEnd},
        openings::{BookPredictions, TAGS},
    },
    pgn::{movetext::Movetext, start::Start},
};

/// Collects the values that follow from the moves, record by record.
#[derive(Default)]
pub struct DerivedTags {
    /// For each of [`Derivation::TAGS`] and each record the form in which the value follows from
    /// the end of the game; missing at the end.
    forms: [Vec<Option<FenDetails>>; Derivation::TAGS.len()],
    /// The lines of the opening books.
    openings: BookPredictions,
}

impl DerivedTags {
    /// Adds the current record of the tag table. `start` is `None` if it has no start.
    pub fn push(&mut self, text: &[u8], tags: &TagTable, start: Option<&Start>, game: &Movetext) {
        let Some(start) = start else {
            return;
        };
        self.push_end(text, tags, start, game);
        if is_standard(start) {
            self.push_opening(text, tags, game);
        }
    }

    fn push_end(&mut self, text: &[u8], tags: &TagTable, start: &Start, game: &Movetext) {
        let end = GameEnd::new(start, game.end, game.digits.len());
        for (forms, (name, derivation)) in self.forms.iter_mut().zip(Derivation::TAGS) {
            let Some(value) = tags.value(text, name.as_bytes()) else {
                continue;
            };
            forms.resize(tags.row(), None);
            forms.push(FenDetails::of(derivation, &end, value));
        }
    }

    fn push_opening(&mut self, text: &[u8], tags: &TagTable, game: &Movetext) {
        let mut names = TAGS.iter().map(|name| name.as_bytes());
        let tag = names.find_map(|name| Some((name, tags.value(text, name)?)));
        if let Some(tag) = tag {
            let moves = game.moves.iter().copied();
            self.openings.look_up(tags.row(), moves, tag);
        }
    }

    /// Adds what was collected to the finished table.
    pub fn finish(self, table: &mut Table) {
        let derivations = Derivation::TAGS.into_iter().zip(self.forms);
        let derived = derivations.filter_map(|((name, derivation), mut rows)| {
            let tag = table.tag(name.as_bytes())?;
            rows.resize(table.rows, None);
            Some((tag, DerivedTag { derivation, rows }))
        });
        table.derived = derived.collect();
        table.predicted = self.openings;
    }
}
