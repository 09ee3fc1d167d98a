//! Tag names in the head of a block: known names by number, others by their characters
//! (spec §3.1).

use ign_entropy::varint;

use super::limits::MAX_TAG_NAME_LEN;
use crate::error::{Error, Result};

/// The known names: the PGN roster and its supplement, then those of Lichess, chess.com, FICS,
/// databases and engines. The format fixes their numbers.
#[rustfmt::skip]
const KNOWN_NAMES: [&str; 80] = [
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

/// The known name that equals this one, in any letter case.
pub fn known(name: &[u8]) -> Option<&'static str> {
    let is_equal =
        |known: &&&str| known.len() == name.len() && known.as_bytes().eq_ignore_ascii_case(name);
    KNOWN_NAMES.iter().find(is_equal).copied()
}

/// Appends a name: twice its length and its bytes, or twice its number plus one.
pub fn write(name: &[u8], out: &mut Vec<u8>) {
    match KNOWN_NAMES
        .iter()
        .position(|known| known.as_bytes() == name)
    {
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
/// Corrupt, if the name is truncated or too long, or its number is unknown.
pub fn read(input: &mut &[u8]) -> Result<Vec<u8>> {
    let max = 2 * MAX_TAG_NAME_LEN + 1;
    let code = varint::read_limited(input, max, "the length or number of a tag name")?;
    let half = code / 2;
    let name = match code % 2 {
        1 => KNOWN_NAMES.get(half).map(|known| known.as_bytes()),
        _ => input.split_off(..half),
    };
    name.map(<[u8]>::to_vec)
        .ok_or_else(|| Error::corrupt("a tag name is cut off or unknown"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_known_ones_take_one_or_two_bytes() {
        let mut out = Vec::new();
        for name in KNOWN_NAMES {
            write(name.as_bytes(), &mut out);
        }
        assert_eq!(out.len(), 64 + 2 * 16);
        let long = [b'x'; MAX_TAG_NAME_LEN as usize];
        let others = [&b"Eco"[..], b"", &long];
        others.iter().for_each(|name| write(name, &mut out));
        let mut input = &out[..];
        for name in KNOWN_NAMES.map(str::as_bytes).into_iter().chain(others) {
            assert_eq!(read(&mut input).unwrap(), name);
        }
        assert!(input.is_empty());
    }

    #[test]
    fn known_names_are_distinct() {
        for (number, name) in KNOWN_NAMES.iter().enumerate() {
            assert!(!KNOWN_NAMES[..number].contains(name), "{name}");
        }
    }

    #[test]
    fn rejects_truncated_and_unknown_names() {
        for bytes in [&[][..], &[4, b'x'], &[161, 1], &[0xfe, 7]] {
            assert!(read(&mut &bytes[..]).is_err(), "{bytes:?}");
        }
    }
}
