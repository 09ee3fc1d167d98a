//! Ratings as tags state them.

/// Reads a rating: up to four ASCII digits of a number from 1 to 9999, perhaps in parentheses, or
/// with a sign or a remark after them: `2400`, `(1500)`, `1500?`, `2400+`, `1500P12`, `2400
/// (FIDE)`.
pub fn read_rating(value: &[u8]) -> Option<u16> {
    let value = value.trim_ascii();
    let inner = value.strip_prefix(b"(").and_then(|v| v.strip_suffix(b")"));
    let value = inner.unwrap_or(value).trim_ascii();
    let digits = value.iter().take_while(|c| c.is_ascii_digit()).count();
    let (digits, after) = value.split_at(digits);
    let is_rating = (1..=4).contains(&digits.len()) && (after.is_empty() || is_remark(after));
    let rating = digits
        .iter()
        .filter(|_| is_rating)
        .fold(0, |rating, c| 10 * rating + u16::from(c - b'0'));
    (rating > 0).then_some(rating)
}

/// Whether what follows a rating does not change it: `+`, `?`, `P` for provisional with a number of
/// games, or words after white space or in parentheses.
fn is_remark(text: &[u8]) -> bool {
    let text = match text {
        [b'+' | b'?', after @ ..] => after,
        [b'P' | b'p', after @ ..] => {
            let games = after.iter().take_while(|c| c.is_ascii_digit()).count();
            &after[games..]
        }
        _ => text,
    };
    let is_apart = matches!(text, [] | [b' ' | b'\t' | b'(', ..]);
    is_apart && text.iter().all(|c| !c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_are_numbers_from_1_to_9999() {
        for (text, rating) in [
            ("1", 1),
            ("9999", 9999),
            (" 2851\t", 2851),
            ("0800", 800),
            ("2400+", 2400),
            ("1500?", 1500),
            ("(1500)", 1500),
            (" ( 1500 ) ", 1500),
            ("1500P", 1500),
            ("1500p12", 1500),
            ("2400 (FIDE)", 2400),
            ("2400(FIDE)", 2400),
            ("2400 FIDE", 2400),
            ("1500? (USCF)", 1500),
        ] {
            assert_eq!(read_rating(text.as_bytes()), Some(rating), "{text}");
        }
        for text in [
            "",
            " ",
            "0",
            "?",
            "-",
            "10000",
            "00001",
            "-5",
            "+5",
            "15 00",
            "1e3",
            "70000",
            "0?",
            "()",
            "(1500",
            "2400/2500",
            "2400 (2500)",
            "1500-1600",
            "24.5",
            "2400x",
            "1500P1x",
            "FIDE",
            "~1500",
        ] {
            assert_eq!(read_rating(text.as_bytes()), None, "{text}");
        }
    }
}
