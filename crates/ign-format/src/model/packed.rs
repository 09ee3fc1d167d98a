//! Numbers of a byte in no more bits than they need (spec §8.5.1).
//!
//! Thirty-two at a time: a byte that tells how many bits each takes, and the numbers one behind the
//! other, from the lowest bit up. It makes parameters hardly longer than zstd would, and a process
//! that wants one game waits a fraction of the time for them.

/// Numbers that have their width in common.
pub const BLOCK: usize = 32;
/// Numbers that are spread at once, over the bytes of a word.
const GROUP: usize = 8;

/// Packs numbers; the last block is filled up with zeros.
pub fn pack(numbers: &[i8]) -> Vec<u8> {
    let mut out = Vec::new();
    for block in numbers.chunks(BLOCK) {
        let bits = |&number: &i8| match number {
            0 => 0,
            // The bits in which it differs from its sign, and one for that.
            _ => 9 - (number ^ number >> 7).leading_zeros(),
        };
        let width = block.iter().map(bits).max().unwrap_or(0);
        out.push(width as u8);
        for group in block.chunks(GROUP) {
            let low = |number: i8| u64::from(number as u8) & ((1 << width) - 1);
            let fields = group.iter().enumerate();
            let word = fields.fold(0, |word, (i, &number)| {
                word | low(number) << (i as u32 * width)
            });
            out.extend_from_slice(&word.to_le_bytes()[..width as usize]);
        }
        let missing = (BLOCK - block.len()) / GROUP;
        out.resize(out.len() + missing * width as usize, 0);
    }
    out
}

/// Takes the next block off the front; none where there is no whole one.
#[inline]
pub fn take(input: &mut &[u8]) -> Option<[i8; BLOCK]> {
    let (&width, rest) = input.split_first()?;
    let bytes = rest.get(..BLOCK / 8 * usize::from(width))?;
    *input = &rest[bytes.len()..];
    match width {
        0 => Some([0; BLOCK]),
        1 => Some(spread::<1>(bytes)),
        2 => Some(spread::<2>(bytes)),
        3 => Some(spread::<3>(bytes)),
        4 => Some(spread::<4>(bytes)),
        5 => Some(spread::<5>(bytes)),
        6 => Some(spread::<6>(bytes)),
        7 => Some(spread::<7>(bytes)),
        8 => Some(spread::<8>(bytes)),
        _ => None,
    }
}

/// The numbers of a block of this width.
#[inline]
fn spread<const WIDTH: usize>(bytes: &[u8]) -> [i8; BLOCK] {
    // Room for the last word, of which not all bytes are asked for.
    let mut padded = [0; BLOCK + GROUP];
    let len = BLOCK / 8 * WIDTH;
    padded[..len].copy_from_slice(&bytes[..len]);
    let mut numbers = [0; BLOCK];
    let (groups, _) = numbers.as_chunks_mut::<GROUP>();
    for (i, group) in groups.iter_mut().enumerate() {
        let word = padded[i * WIDTH..].first_chunk();
        let word = u64::from_le_bytes(*word.expect("a word is behind each group"));
        *group = signed::<WIDTH>(word).to_le_bytes().map(|byte| byte as i8);
    }
    numbers
}

/// Spreads eight numbers of so many bits over the bytes of a word: the upper four move up by so
/// much that they begin with the upper half, of each half the upper two, of each quarter one.
#[inline]
const fn signed<const WIDTH: usize>(word: u64) -> u64 {
    if WIDTH == GROUP {
        return word;
    }
    let halves = (1 << (4 * WIDTH)) - 1;
    let word = word & halves | (word >> (4 * WIDTH) & halves) << 32;
    let quarters = ((1 << (2 * WIDTH)) - 1) * 0x1_0000_0001;
    let word = word & quarters | (word >> (2 * WIDTH) & quarters) << 16;
    let eighths = ((1 << WIDTH) - 1) * 0x0001_0001_0001_0001;
    let word = word & eighths | (word >> WIDTH & eighths) << 8;
    // The sign's bit is worth as much less as it was more; the highest bit of a byte, lent for it,
    // keeps bytes apart.
    const EACH: u64 = 0x0101_0101_0101_0101;
    let sign = EACH << (WIDTH - 1);
    (((word ^ sign) | EACH << 7) - sign) ^ EACH << 7
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn unpack(mut input: &[u8]) -> Vec<i8> {
        let blocks: Vec<_> = std::iter::from_fn(|| take(&mut input)).collect();
        assert!(input.is_empty());
        blocks.concat()
    }

    #[test]
    fn a_block_has_the_width_of_its_largest_number() {
        for (number, width) in [
            (0, 0),
            (-1, 1),
            (1, 2),
            (-2, 2),
            (-64, 7),
            (63, 7),
            (64, 8),
            (-128, 8),
        ] {
            let packed = pack(&[number; BLOCK]);
            assert_eq!((packed[0], packed.len()), (width, 1 + 4 * width as usize));
            assert_eq!(unpack(&packed), [number; BLOCK]);
        }
        // −3 and 2 in three bits each, lowest first: 101, 010.
        assert_eq!(pack(&[-3, 2])[..3], [3, 0b01_0101, 0]);
    }

    #[test]
    fn what_is_no_block_is_none() {
        for bytes in [&[][..], &[9], &[1; 4], &[255; 70]] {
            assert_eq!(take(&mut &bytes[..]), None);
        }
    }

    proptest! {
        #[test]
        fn numbers_come_back(numbers in prop::collection::vec(any::<i8>(), 0..300), shift in 0..8) {
            let numbers: Vec<i8> = numbers.into_iter().map(|number| number >> shift).collect();
            let back = unpack(&pack(&numbers));
            prop_assert_eq!(&back[..numbers.len()], &numbers[..]);
            prop_assert!(back[numbers.len()..].iter().all(|&number| number == 0));
            prop_assert_eq!(back.len(), numbers.len().next_multiple_of(BLOCK));
        }
    }
}
