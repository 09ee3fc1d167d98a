//! Signatures as text: `A=e4f6??` (D. Dyer, *Signatures for Go game records*).
//!
//! Two characters per move: the destination square, or `??`. In a signature that is printed, `??`
//! means that the game was over; in one that is searched for, it matches any square. In Go the two
//! characters are the letters of SGF: squares have a digit, points have none.

use ign_format::error::{Error, Result};
#[cfg(feature = "go")]
use ign_notation::go;
use ign_notation::signature::{Element, LEVELS, Signature};

/// Reads parts such as `A=e4f6??` and `B=????g7`. Parts that are missing match any game.
///
/// # Errors
/// [`Usage`](crate::ErrorKind::Usage) for text of another form.
pub fn parse_signature(parts: &[impl AsRef<str>]) -> Result<Signature> {
    let mut signature = [None; LEVELS];
    let mut given = [false; 2];
    for part in parts
        .iter()
        .flat_map(|parts| parts.as_ref().split([' ', ',']))
    {
        let wrong = || {
            Error::usage(format!("'{part}' is not a signature")).with_remedy(
                "write A= or B= and three squares, or points of a Go board, ?? where any \
                     will do: A=e4f6??, A=qqol??",
            )
        };
        let (name, squares) = part.split_once('=').ok_or_else(wrong)?;
        let first = match name {
            "A" | "a" => 0,
            "B" | "b" => 1,
            _ => return Err(wrong()),
        };
        if std::mem::replace(&mut given[first], true) {
            return Err(Error::usage(format!("signature {name} is given twice")));
        }
        let squares = squares.as_bytes();
        if squares.len() != 6 {
            return Err(wrong());
        }
        let elements = signature.iter_mut().skip(first).step_by(2);
        for (element, square) in elements.zip(squares.chunks(2)) {
            *element = match square {
                b"??" => None,
                [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                    Some(u16::from((rank - b'1') * 8 + (file - b'a')))
                }
                #[cfg(not(feature = "go"))]
                _ => return Err(wrong()),
                #[cfg(feature = "go")]
                point => Some(go::signature::read(point).ok_or_else(wrong)?),
            };
        }
    }
    Ok(signature)
}

/// Writes the squares of A.
pub fn format_a(signature: &Signature) -> String {
    spell(signature.iter().step_by(2))
}

/// Writes the squares of B.
pub fn format_b(signature: &Signature) -> String {
    spell(signature.iter().skip(1).step_by(2))
}

fn spell<'s>(elements: impl Iterator<Item = &'s Element>) -> String {
    elements.fold(String::new(), |text, element| match element {
        None => text + "??",
        Some(square @ 0..64) => {
            let file = (b'a' + (square % 8) as u8) as char;
            text + &format!("{file}{}", square / 8 + 1)
        }
        #[cfg(not(feature = "go"))]
        Some(_) => text + "??",
        #[cfg(feature = "go")]
        Some(point) => text + &go::signature::spell(*point).unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_read_as_they_are_written() {
        let signature = parse_signature(&["B=a1h8??", "A=e4??f6"]).unwrap();
        assert_eq!(
            signature,
            [Some(28), Some(0), None, Some(63), Some(45), None]
        );
        assert_eq!(
            (format_a(&signature), format_b(&signature)),
            ("e4??f6".into(), "a1h8??".into())
        );
        assert_eq!(parse_signature(&["A=e4??f6,B=a1h8??"]).unwrap(), signature);
        let go = parse_signature(&["A=qqol??", "B=tt[]ZZ"]).unwrap();
        assert_eq!(
            (format_a(&go), format_b(&go)),
            ("qqol??".into(), "tt[]ZZ".into())
        );
        assert!(parse_signature(&["A=e4??f6", "A=e4??f6"]).is_err());
        for wrong in [
            "",
            "A",
            "C=e4e4e4",
            "A=e4e4",
            "A=e4e4e9",
            "A=e4e4e4e4",
            "A=é4é4",
        ] {
            assert!(parse_signature(&[wrong]).is_err(), "{wrong}");
        }
    }
}
