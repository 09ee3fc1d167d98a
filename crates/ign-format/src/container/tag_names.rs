//! Names of tags in the head of a block: those that programs write by number, others letter by
//! letter (spec §3.1).

use crate::container::MAX_TAG_NAME_LEN;
use crate::error::{Error, Result};
use ign_entropy::varint;

/// What programs and servers write, by number: the roster of PGN and its supplement, then Lichess,
/// chess.com, FICS, databases, engines.
#[rustfmt::skip]
const KNOWN: [&str; 80] = [
    "Event", "Site", "Date", "Round", "White", "Black", "Result",
    "WhiteElo", "BlackElo", "WhiteTitle", "BlackTitle", "WhiteType", "BlackType", "WhiteNA",
    "BlackNA", "ECO", "NIC", "Opening", "Variation", "SubVariation", "EventDate", "EventSponsor",
    "Section", "Stage", "Board", "Time", "UTCDate", "UTCTime", "TimeControl", "SetUp", "FEN",
    "Termination", "Annotator", "Mode", "PlyCount",
    "WhiteRatingDiff", "BlackRatingDiff", "GameId", "Variant", "StudyName", "ChapterName",
    "ChapterURL", "BroadcastName", "BroadcastURL", "GameURL", "WhiteFideId", "BlackFideId",
    "WhiteTeam", "BlackTeam",
    "CurrentPosition", "Timezone", "ECOUrl", "StartTime", "EndDate", "EndTime", "Link", "Match",
    "Tournament",
    "FICSGamesDBGameNo", "WhiteRD", "BlackRD", "WhiteIsComp", "BlackIsComp", "WhiteClock",
    "BlackClock",
    "EventType", "EventRounds", "EventCountry", "EventCategory", "Source", "SourceDate",
    "SourceTitle", "SourceVersion", "SourceVersionDate", "SourceQuality", "WhiteTeamCountry",
    "BlackTeamCountry",
    "GameDuration", "GameStartTime", "GameEndTime",
];

/// Appends a name: twice its length and it, or twice its number and one.
pub fn write(name: &[u8], out: &mut Vec<u8>) {
    match KNOWN.iter().position(|known| known.as_bytes() == name) {
        Some(number) => varint::write(out, 2 * number as u64 + 1),
        None => {
            varint::write(out, 2 * name.len() as u64);
            out.extend_from_slice(name);
        }
    }
}

/// Reads a name.
///
/// # Errors
/// Corrupt.
pub fn read(input: &mut &[u8]) -> Result<Vec<u8>> {
    let most = 2 * MAX_TAG_NAME_LEN + 1;
    let told = varint::read_limited(input, most, "the length or number of a tag name")?;
    let half = told / 2;
    let name = match told % 2 {
        1 => KNOWN.get(half).map(|known| known.as_bytes()),
        _ => input.split_off(..half),
    };
    let name = name.ok_or_else(|| Error::corrupt("a tag name is cut off, or not a known one"))?;
    Ok(name.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back_known_ones_in_a_byte_or_two() {
        let mut out = Vec::new();
        for name in KNOWN {
            write(name.as_bytes(), &mut out);
        }
        assert_eq!(out.len(), 64 + 2 * 16);
        let long = [b'x'; MAX_TAG_NAME_LEN as usize];
        let others = [&b"Eco"[..], b"", &long];
        others.iter().for_each(|name| write(name, &mut out));
        let mut input = &out[..];
        for name in KNOWN.map(str::as_bytes).into_iter().chain(others) {
            assert_eq!(read(&mut input).unwrap(), name);
        }
        assert!(input.is_empty());
    }

    #[test]
    fn no_name_is_known_twice() {
        for (number, name) in KNOWN.iter().enumerate() {
            assert!(!KNOWN[..number].contains(name), "{name}");
        }
    }

    #[test]
    fn names_that_are_not_there_are_refused() {
        for bytes in [&[][..], &[4, b'x'], &[161, 1], &[0xfe, 7]] {
            assert!(read(&mut &bytes[..]).is_err(), "{bytes:?}");
        }
    }
}
