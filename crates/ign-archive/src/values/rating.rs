//! Ratings as tags state them.

/// Reads a rating: up to four ASCII digits, perhaps with white space around them, of a number from
/// 1 to 9999.
pub fn read_rating(value: &[u8]) -> Option<u16> {
    let digits = value.trim_ascii();
    let is_number = (1..=4).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    let rating = digits
        .iter()
        .filter(|_| is_number)
        .fold(0, |rating, c| 10 * rating + u16::from(c - b'0'));
    (rating > 0).then_some(rating)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_are_numbers_from_1_to_9999() {
        for (text, rating) in [("1", 1), ("9999", 9999), (" 2851\t", 2851), ("0800", 800)] {
            assert_eq!(read_rating(text.as_bytes()), Some(rating), "{text}");
        }
        for text in [
            "", " ", "0", "?", "-", "1500?", "10000", "00001", "-5", "+5", "15 00", "1e3", "70000",
        ] {
            assert_eq!(read_rating(text.as_bytes()), None, "{text}");
        }
    }
}
