//! A SHA-256, which sites publish with their files (spec §5.1).

use std::{fmt, str::FromStr};

use crate::error::Error;

/// Length of a SHA-256 in bytes (spec §5.1).
pub const SHA256_LEN: usize = 32;

/// The SHA-256 of a file. As text it has 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sha256([u8; SHA256_LEN]);

impl Sha256 {
    /// The SHA-256 with these bytes.
    pub const fn new(bytes: [u8; SHA256_LEN]) -> Self {
        Self(bytes)
    }

    /// The bytes.
    pub const fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Sha256 {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut digits = text.chars().map(|c| c.to_digit(16));
        let mut bytes = [0; SHA256_LEN];
        for byte in &mut bytes {
            let mut next = || digits.next().flatten();
            let (Some(high), Some(low)) = (next(), next()) else {
                return Err(not_sha256());
            };
            *byte = (high << 4 | low) as u8;
        }
        match digits.next() {
            None => Ok(Self(bytes)),
            Some(_) => Err(not_sha256()),
        }
    }
}

fn not_sha256() -> Error {
    Error::usage("a SHA-256 has 64 hexadecimal digits")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_64_digits_in_either_case() {
        let text = "00ff10".to_owned() + &"a9".repeat(29);
        let sha256: Sha256 = text.parse().unwrap();
        assert_eq!(sha256.0[..4], [0, 255, 16, 0xa9]);
        assert_eq!(sha256.to_string(), text);
        assert_eq!(text.to_uppercase().parse::<Sha256>().unwrap(), sha256);
        for wrong in [
            "",
            &text[1..],
            &(text.clone() + "0"),
            &text.replace('f', "g"),
        ] {
            assert!(wrong.parse::<Sha256>().is_err(), "{wrong}");
        }
    }
}
