//! Bit packing of signed bytes (spec §8.5.1).
//!
//! A block of 32 numbers is a byte with the bit width of its largest number, then the numbers in
//! that width, from the lowest bit up. Packed parameters are hardly longer than zstd would make
//! them, and unpack in a fraction of the time.

/// Numbers in a block, which have the same bit width.
pub const BLOCK: usize = 32;
/// Numbers that are unpacked at once, into the bytes of a word.
const GROUP: usize = 8;

/// Packs numbers. The last block is padded with zeros.
pub fn pack(numbers: &[i8]) -> Vec<u8> {
    let mut out = Vec::new();
    for block in numbers.chunks(BLOCK) {
        let bits = |&number: &i8| match number {
            0 => 0,
            // The bits that differ from the sign, and one for the sign.
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

/// Unpacks the first block and advances `input`. Returns `None` if there is no valid block.
#[inline]
pub fn take(input: &mut &[u8]) -> Option<[i8; BLOCK]> {
    let (&width, rest) = input.split_first()?;
    let bytes = rest.get(..BLOCK / 8 * usize::from(width))?;
    *input = &rest[bytes.len()..];
    match width {
        0 => Some([0; BLOCK]),
        1 => Some(unpack_block::<1>(bytes)),
        2 => Some(unpack_block::<2>(bytes)),
        3 => Some(unpack_block::<3>(bytes)),
        4 => Some(unpack_block::<4>(bytes)),
        5 => Some(unpack_block::<5>(bytes)),
        6 => Some(unpack_block::<6>(bytes)),
        7 => Some(unpack_block::<7>(bytes)),
        8 => Some(unpack_block::<8>(bytes)),
        _ => None,
    }
}

/// The numbers of a block of this bit width.
#[inline]
fn unpack_block<const WIDTH: usize>(bytes: &[u8]) -> [i8; BLOCK] {
    // Padded, since a whole word is read for the last group.
    let mut padded = [0; BLOCK + GROUP];
    let len = BLOCK / 8 * WIDTH;
    padded[..len].copy_from_slice(&bytes[..len]);
    let mut numbers = [0; BLOCK];
    let (groups, _) = numbers.as_chunks_mut::<GROUP>();
    for (i, group) in groups.iter_mut().enumerate() {
        let word = padded[i * WIDTH..]
            .first_chunk()
            .expect("the buffer is padded by a word");
        *group = spread_signed::<WIDTH>(u64::from_le_bytes(*word))
            .to_le_bytes()
            .map(|byte| byte as i8);
    }
    numbers
}

/// Spreads eight signed numbers of `WIDTH` bits over the bytes of a word. The upper four move to
/// the upper half, then the upper two of each half to its upper quarter, then the upper one of each
/// quarter.
#[inline]
const fn spread_signed<const WIDTH: usize>(word: u64) -> u64 {
    if WIDTH == GROUP {
        return word;
    }
    let halves = (1 << (4 * WIDTH)) - 1;
    let word = word & halves | (word >> (4 * WIDTH) & halves) << 32;
    let quarters = ((1 << (2 * WIDTH)) - 1) * 0x1_0000_0001;
    let word = word & quarters | (word >> (2 * WIDTH) & quarters) << 16;
    let eighths = ((1 << WIDTH) - 1) * 0x0001_0001_0001_0001;
    let word = word & eighths | (word >> WIDTH & eighths) << 8;
    // Sign extension of each byte: (x ^ sign) − sign. Setting the highest bit before the
    // subtraction prevents borrows between bytes.
    const ONES: u64 = 0x0101_0101_0101_0101;
    let sign = ONES << (WIDTH - 1);
    (((word ^ sign) | ONES << 7) - sign) ^ ONES << 7
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
    fn block_has_the_width_of_its_largest_number() {
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
        // −3 and 2 in three bits each, the lowest bits first: 101, 010.
        assert_eq!(pack(&[-3, 2])[..3], [3, 0b01_0101, 0]);
    }

    #[test]
    fn rejects_invalid_blocks() {
        for bytes in [&[][..], &[9], &[1; 4], &[255; 70]] {
            assert_eq!(take(&mut &bytes[..]), None);
        }
    }

    proptest! {
        #[test]
        fn round_trips_any_numbers(numbers in prop::collection::vec(any::<i8>(), 0..300), shift in 0..8) {
            let numbers: Vec<i8> = numbers.into_iter().map(|number| number >> shift).collect();
            let unpacked = unpack(&pack(&numbers));
            prop_assert_eq!(&unpacked[..numbers.len()], &numbers[..]);
            prop_assert!(unpacked[numbers.len()..].iter().all(|&number| number == 0));
            prop_assert_eq!(unpacked.len(), numbers.len().next_multiple_of(BLOCK));
        }
    }
}
