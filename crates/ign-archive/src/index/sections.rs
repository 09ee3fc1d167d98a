//! What an index has.

/// What an index has.
///
/// ```
/// use ign_archive::index::IndexSections;
///
/// let mut sections = IndexSections::ALL;
/// sections.materials = false;
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexSections {
    /// Columns of ratings, dates, results, codes, time controls, terminations, plies and endings.
    pub columns: bool,
    /// The players.
    pub players: bool,
    /// The opening tree.
    pub openings: bool,
    /// The positions. Without the opening tree they take more space.
    pub positions: bool,
    /// Material with few pieces.
    pub materials: bool,
}

impl IndexSections {
    /// All sections.
    pub const ALL: Self = Self {
        columns: true,
        players: true,
        openings: true,
        positions: true,
        materials: true,
    };

    /// Whether all sections of `other` are among these.
    pub fn includes(self, other: Self) -> bool {
        other.to_bits() & !self.to_bits() == 0
    }

    /// A bit for each section, as in the directory (spec §15.1).
    pub(super) fn to_bits(self) -> u8 {
        let sections = [
            self.columns,
            self.players,
            self.openings,
            self.positions,
            self.materials,
        ];
        let bits = sections.iter().rev();
        bits.fold(0, |bits, &has| bits << 1 | u8::from(has))
    }

    /// The sections of these bits; `None` if others are set.
    pub(super) fn from_bits(bits: u8) -> Option<Self> {
        let has = |bit: u32| bits & 1 << bit != 0;
        let sections = Self {
            columns: has(0),
            players: has(1),
            openings: has(2),
            positions: has(3),
            materials: has(4),
        };
        (sections.to_bits() == bits).then_some(sections)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_round_trip_and_unknown_bits_are_rejected() {
        for bits in 0..32 {
            assert_eq!(IndexSections::from_bits(bits).unwrap().to_bits(), bits);
        }
        assert_eq!(IndexSections::ALL.to_bits(), 31);
        let some = IndexSections {
            materials: false,
            ..IndexSections::ALL
        };
        assert!(
            IndexSections::ALL.includes(some)
                && some.includes(some)
                && !some.includes(IndexSections::ALL)
        );
        assert_eq!(IndexSections::from_bits(32), None);
    }
}
