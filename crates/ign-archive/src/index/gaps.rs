//! Ascending numbers as Rice-coded gaps (spec §15.5).

use ign_entropy::{BitReader, BitWriter, rice};
use ign_format::error::{Error, Result};

/// The greatest Rice parameter that is written.
const MAX_PARAMETER: u64 = 40;

/// The Rice parameter for `count` numbers below `bound`.
fn parameter(count: u64, bound: u64) -> u32 {
    let mean = bound / count.max(1);
    mean.checked_ilog2().unwrap_or(0).min(MAX_PARAMETER as u32)
}

/// The bytes of ascending numbers below `bound`.
pub fn write(numbers: &[u64], bound: u64) -> Vec<u8> {
    let parameter = parameter(numbers.len() as u64, bound);
    let mut bytes = Vec::new();
    let mut writer = BitWriter::new(&mut bytes);
    let mut last = 0;
    for &number in numbers {
        rice::write(&mut writer, number - last, parameter);
        last = number;
    }
    writer.finish();
    bytes
}

/// Reads `count` numbers below `bound`.
///
/// # Errors
/// Each of them may be corrupt.
pub fn read(bytes: &[u8], count: u64, bound: u64) -> impl Iterator<Item = Result<u64>> {
    let parameter = parameter(count, bound);
    let mut reader = BitReader::new(bytes);
    let mut last = 0;
    (0..count).map(move |_| {
        let gap = rice::read(&mut reader, parameter, bound - last);
        last += gap.map_err(|_| Error::corrupt("a list of games of the index is cut off"))?;
        if last < bound {
            return Ok(last);
        }
        last = 0;
        Err(Error::corrupt("the index names a game that does not exist"))
    })
}
