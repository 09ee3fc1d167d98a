//! Opening codes.

use std::{fmt, str::FromStr};

use ign_format::error::{Error, Result};

/// An opening code of the *Encyclopaedia of Chess Openings*, from A00 to E99.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Eco(u16);

impl Eco {
    /// The number of codes.
    pub const COUNT: u16 = 500;
    /// The first code.
    pub const A00: Self = Self(0);

    /// Reads the code that an ECO tag begins with; programs add variations to it (`B90/01`,
    /// `C50h`).
    pub fn read(value: &[u8]) -> Option<Self> {
        let &[letter @ b'A'..=b'E', tens, ones, ..] = value else {
            return None;
        };
        let is_code = tens.is_ascii_digit()
            && ones.is_ascii_digit()
            && !value.get(3).is_some_and(u8::is_ascii_digit);
        is_code.then(|| {
            Self(
                u16::from(letter - b'A') * 100
                    + u16::from(tens - b'0') * 10
                    + u16::from(ones - b'0'),
            )
        })
    }

    /// The code with this number: A00 is 0, E99 is 499. `None` for greater numbers.
    pub fn from_number(number: u16) -> Option<Self> {
        (number < Self::COUNT).then_some(Self(number))
    }

    /// The number of the code.
    pub fn number(self) -> u16 {
        self.0
    }
}

impl super::RangeEnd for Eco {
    fn problem(text: &str, _: &Error) -> String {
        format!("'{text}' is not an ECO code from A00 to E99")
    }
}

impl FromStr for Eco {
    type Err = Error;

    /// Reads a code in either case.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage).
    fn from_str(text: &str) -> Result<Self> {
        let code = Self::read(text.to_ascii_uppercase().as_bytes()).filter(|_| text.len() == 3);
        code.ok_or_else(|| {
            Error::usage("is not an ECO code").with_remedy("write a code from A00 to E99")
        })
    }
}

impl fmt::Display for Eco {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let letter = (b'A' + (self.0 / 100) as u8) as char;
        write!(f, "{letter}{:02}", self.0 % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eco_codes_are_read_with_what_programs_add() {
        let read = |text: &str| Eco::read(text.as_bytes()).map(|eco| eco.to_string());
        for (text, code) in [
            ("A00", "A00"),
            ("E99", "E99"),
            ("B90/01", "B90"),
            ("C50h", "C50"),
        ] {
            assert_eq!(read(text).as_deref(), Some(code));
        }
        for wrong in ["", "A0", "F00", "b20", "A000", "?"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        for number in 0..Eco::COUNT {
            let eco = Eco::from_number(number).unwrap();
            assert_eq!(eco.to_string().parse::<Eco>().unwrap(), eco);
        }
        assert_eq!(Eco::from_number(Eco::COUNT), None);
    }
}
