//! The place of a scan as text, from which another scan continues.

use ign_format::error::{Error, Result};

use super::skipped::SkippedGames;

/// The first part of a token: the version of its form, and of the order of positions.
const VERSION: &str = "ign1";

/// A place in the order of the positions of a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Cursor {
    /// The number of units that were read to their end.
    pub unit: u64,
    /// The positions of the next unit before the place.
    pub row: u64,
    /// The number of buffers that were shuffled and used up.
    pub buffers: u64,
    /// The positions of the current buffer that were used; the buffer begins at `unit` and `row`.
    pub used: u64,
    /// The games without positions in the units that were read to their end.
    pub skipped: SkippedGames,
}

impl Cursor {
    /// The place as text, for scans with this fingerprint.
    pub fn token(&self, fingerprint: u64) -> String {
        let SkippedGames {
            without_moves,
            variants,
            other,
        } = self.skipped;
        format!(
            "{VERSION}-{fingerprint:016x}-{}-{}-{}-{}-{without_moves}-{variants}-{other}",
            self.unit, self.row, self.buffers, self.used
        )
    }

    /// The place of a token.
    ///
    /// # Errors
    /// Usage if the text is no token.
    pub fn read(token: &str) -> Result<CursorOf> {
        let parts: Vec<&str> = token.trim().split('-').collect();
        let is_token = parts.first() == Some(&VERSION) && parts.len() == 9;
        let numbers: Option<Vec<u64>> =
            parts.iter().skip(2).map(|part| part.parse().ok()).collect();
        let hash = parts.get(1).map(|part| u64::from_str_radix(part, 16));
        let (true, Some(numbers), Some(Ok(hash))) = (is_token, numbers, hash) else {
            return Err(
                Error::usage(format!("'{token}' is not a token of a scan of positions"))
                    .with_remedy("take the token from the scan that is to be continued"),
            );
        };
        let place = Self {
            unit: numbers[0],
            row: numbers[1],
            buffers: numbers[2],
            used: numbers[3],
            skipped: SkippedGames {
                without_moves: numbers[4],
                variants: numbers[5],
                other: numbers[6],
            },
        };
        Ok(CursorOf { hash, place })
    }
}

/// A place in the scan that has this fingerprint.
#[derive(Debug)]
pub(super) struct CursorOf {
    hash: u64,
    place: Cursor,
}

impl CursorOf {
    /// The place in a scan.
    ///
    /// # Errors
    /// Usage if it belongs to another scan.
    pub fn of(self, fingerprint: u64) -> Result<Cursor> {
        if self.hash == fingerprint {
            Ok(self.place)
        } else {
            Err(
                Error::usage("the token belongs to a scan of other positions")
                    .with_remedy("repeat the options of the scan that is to be continued"),
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_valid_for_its_scan_only() {
        let place = Cursor {
            unit: 3,
            row: 999,
            buffers: 7,
            used: 12,
            skipped: SkippedGames {
                without_moves: 1,
                variants: 2,
                other: 4,
            },
        };
        let token = place.token(77);
        let read = |token: &str, of| Cursor::read(token)?.of(of);
        assert_eq!(read(&token, 77).unwrap(), place);
        let message = |token: &str, of| read(token, of).unwrap_err().to_string();
        assert!(message(&token, 78).contains("other positions"));
        for bad in [
            "",
            "ign1",
            "ign0-4d-1-1-1-1-1-1-1",
            "ign1-4d-1-1-1-1-1-1",
            "ign1-4d-1-x-1-1-1-1-1",
        ] {
            assert!(message(bad, 77).contains("not a token"), "{bad}");
        }
    }
}
