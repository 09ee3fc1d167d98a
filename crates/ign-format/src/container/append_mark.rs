//! The mark of an append: the first frame that an append writes (spec §6.1).
//!
//! While bytes are appended it says so, and afterwards that they are complete. So an append that
//! was interrupted differs from an archive whose end was damaged or cut off later: what the first
//! one left may be removed, and the other one had more games.

use super::{
    CHECKSUM_LEN,
    bytes::{take_byte, take_u64},
    frame::{self, Kind, PREFIX_LEN, SEAL_LEN},
};
use crate::error::{Error, Remedy, Result};

/// Length of the mark in bytes.
pub const LEN: usize = SEAL_LEN + 1 + size_of::<u64>();

/// How far an append has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Bytes are being appended, or the append was interrupted.
    Appending = 0,
    /// All bytes of the append, the footer included, have reached the disk.
    Complete = 1,
}

/// Writes the mark of an append that starts at this byte of the file.
pub fn write(at: u64, state: State) -> Vec<u8> {
    let mut payload = vec![state as u8];
    payload.extend_from_slice(&at.to_le_bytes());
    frame::seal(Kind::Append, &payload)
}

/// Reads the mark, which is all of `bytes`, at this byte of the file.
///
/// # Errors
/// Corrupt, if it is damaged or was written at another place. Unsupported, if its state is not
/// known.
pub fn read(bytes: &[u8], at: u64) -> Result<State> {
    let input = &mut frame::open(Kind::Append, bytes)?;
    let state = take_byte(input)?;
    if take_u64(input)? != at || !input.is_empty() {
        return Err(Error::corrupt(
            "the mark of an append is that of another place",
        ));
    }
    match state {
        0 => Ok(State::Appending),
        1 => Ok(State::Complete),
        _ => {
            let message = format!("the mark of an append has the unknown value {state}");
            Err(Error::unsupported(message).with_remedy(Remedy::LaterVersion))
        }
    }
}

/// Whether these bytes, at this byte of the file, are the first bytes of the mark with which an append
/// begins, and then zeros, or only zeros: power was lost while it was written, or it was removed.
pub fn is_begun(bytes: &[u8], at: u64) -> bool {
    let written = bytes.iter().rposition(|&byte| byte != 0);
    let written = &bytes[..written.map_or(0, |last| last + 1)];
    bytes.len() == LEN && write(at, State::Appending).starts_with(written)
}

/// Whether these bytes, at this byte of the file, are the start of a mark that does not say that
/// bytes are being appended: a complete one, or one of a later version. The first bytes of all
/// marks are equal.
pub fn starts_other(bytes: &[u8], at: u64) -> bool {
    let open = write(at, State::Appending);
    // The seal depends on the state.
    let before_seal = bytes.iter().zip(&open).take(LEN - CHECKSUM_LEN);
    let different = before_seal
        .enumerate()
        .filter(|(_, (byte, open))| byte != open);
    different.map(|(place, _)| place).eq([PREFIX_LEN])
}

/// Whether each of these bytes, at this byte of the file, is that of a mark with one of both states: a
/// mark may have been read, or power lost, while it was written again.
pub fn is_mark(bytes: &[u8], at: u64) -> bool {
    let [open, complete] = [State::Appending, State::Complete].map(|state| write(at, state));
    let mut both = bytes.iter().zip(open.iter().zip(&complete));
    bytes.len() == LEN && both.all(|(byte, (open, complete))| byte == open || byte == complete)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind as ErrorKind;

    #[test]
    fn marks_round_trip_and_belong_to_their_place() {
        for state in [State::Appending, State::Complete] {
            let mark = write(5000, state);
            assert_eq!(mark.len(), LEN);
            assert_eq!(read(&mark, 5000).unwrap(), state);
            assert!(read(&mark, 5001).is_err());
            for bit in 0..8 * LEN {
                let mut bad = mark.clone();
                bad[bit / 8] ^= 1 << (bit % 8);
                assert!(read(&bad, 5000).is_err(), "bit {bit}");
            }
        }
        let later = frame::seal(Kind::Append, &[2, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(read(&later, 0).unwrap_err().kind(), ErrorKind::Unsupported);
        assert_eq!(read(&later, 1).unwrap_err().kind(), ErrorKind::Corrupt);
        assert!(read(&frame::seal(Kind::Append, &[0; 10]), 0).is_err());
    }

    #[test]
    fn bytes_of_both_states_are_a_mark() {
        let marks = [State::Appending, State::Complete].map(|state| write(5000, state));
        let differ = (0..LEN).filter(|&at| marks[0][at] != marks[1][at]);
        let differ: Vec<usize> = differ.collect();
        for choice in 0..1_u32 << differ.len() {
            let mut mark = marks[0].clone();
            for (bit, &at) in differ.iter().enumerate() {
                mark[at] = marks[(choice >> bit & 1) as usize][at];
            }
            assert!(is_mark(&mark, 5000), "{choice}");
            assert!(!is_mark(&mark, 5001));
            assert!(!is_mark(&mark[1..], 5000));
            for at in 0..LEN {
                let mut bad = mark.clone();
                bad[at] = !(marks[0][at] & marks[1][at]);
                let is_other = marks.iter().all(|mark| mark[at] != bad[at]);
                assert_eq!(is_mark(&bad, 5000), !is_other);
            }
        }
        assert!(!is_mark(&[0; LEN], 5000));
    }

    #[test]
    fn zeros_may_follow_the_first_bytes_of_a_mark() {
        let mark = write(5000, State::Appending);
        for written in 0..=LEN {
            let mut begun = mark.clone();
            begun[written..].fill(0);
            assert!(is_begun(&begun, 5000));
            assert_eq!(is_begun(&begun, 5001), written <= 13, "{written}");
        }
        assert!(!is_begun(&write(5000, State::Complete), 5000));
        assert!(!is_begun(&[0; LEN - 1], 5000));
    }

    #[test]
    fn the_start_of_another_mark_is_known_from_the_state_on() {
        let mut payload = vec![2];
        payload.extend_from_slice(&5000_u64.to_le_bytes());
        let later = frame::seal(Kind::Append, &payload);
        for state in [State::Appending, State::Complete] {
            let mark = write(5000, state);
            for len in 0..=LEN {
                let says_so = state == State::Complete && len > frame::PREFIX_LEN;
                assert_eq!(starts_other(&mark[..len], 5000), says_so, "{len}");
                let later = starts_other(&later[..len], 5000);
                assert_eq!(later, len > frame::PREFIX_LEN, "{len}");
            }
        }
        assert!(!starts_other(b"other bytes, some more", 5000));
    }
}
