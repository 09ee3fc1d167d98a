//! Reading fixed-width fields off the front of a byte slice.

use crate::{
    container::CHECKSUM_LEN,
    error::{Error, Result},
};

/// Takes `len` bytes.
///
/// # Errors
/// Corrupt, if fewer are left.
pub fn take<'a>(input: &mut &'a [u8], len: usize) -> Result<&'a [u8]> {
    input
        .split_off(..len)
        .ok_or_else(|| Error::corrupt("a frame's payload is cut off"))
}

/// Takes one byte.
///
/// # Errors
/// Corrupt, if none is left.
pub fn take_byte(input: &mut &[u8]) -> Result<u8> {
    take(input, 1).map(|bytes| bytes[0])
}

/// Takes as many bytes as the array has.
///
/// # Errors
/// Corrupt, if fewer are left.
pub fn take_array<const N: usize>(input: &mut &[u8]) -> Result<[u8; N]> {
    let mut array = [0; N];
    array.copy_from_slice(take(input, N)?);
    Ok(array)
}

/// Takes a little-endian 32-bit integer.
///
/// # Errors
/// Corrupt, if fewer than four bytes are left.
pub fn take_u32(input: &mut &[u8]) -> Result<u32> {
    take(input, size_of::<u32>())
        .map(|bytes| u32::from_le_bytes(bytes.try_into().expect("four bytes")))
}

/// Takes a little-endian 64-bit integer: a checksum, or a field of the footer.
///
/// # Errors
/// Corrupt, if fewer than eight bytes are left.
pub fn take_u64(input: &mut &[u8]) -> Result<u64> {
    take(input, CHECKSUM_LEN)
        .map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight bytes")))
}
