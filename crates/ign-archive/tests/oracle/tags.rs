//! The meaning of tag values, by the documentation of the conditions.

use std::sync::LazyLock;

use regex::bytes::{Regex, RegexBuilder};

fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap()
}

fn number(text: &[u8]) -> u64 {
    std::str::from_utf8(text).unwrap().parse().unwrap()
}

/// A rating: one to four digits, not zero.
pub fn rating(value: &[u8]) -> Option<u16> {
    static RATING: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?-u)^[ \t\r\n\x0c]*([0-9]{1,4})[ \t\r\n\x0c]*$"));
    let rating = RATING.captures(value).map(|found| number(&found[1]));
    rating
        .filter(|&rating| rating > 0)
        .map(|rating| rating as u16)
}

/// A date of which the month and the day may be unknown (0).
pub type Date = (u64, u64, u64);

pub fn date(value: &[u8]) -> Option<Date> {
    static DATE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?-u)^[ \t\r\n\x0c]*([0-9]{1,4})(?:[./-]([0-9]{1,4}|\?*)(?:[./-]([0-9]{1,4}|\?*))?)?[ \t\r\n\x0c]*$",
        )
    });
    let found = DATE.captures(value)?;
    let part = |group: usize| match found.get(group).map(|part| part.as_bytes()) {
        None | Some(b"" | [b'?', ..]) => 0,
        Some(digits) => number(digits),
    };
    let (year, month, day) = (part(1), part(2), part(3));
    let day = if month == 0 { 0 } else { day };
    (year > 0 && month <= 12 && part(3) <= 31).then_some((year, month, day))
}

/// The first and the last day that a date can mean.
fn days((year, month, day): Date) -> [Date; 2] {
    let or = |part: u64, unknown: u64| if part == 0 { unknown } else { part };
    [
        (year, or(month, 1), or(day, 1)),
        (year, or(month, 12), or(day, 31)),
    ]
}

/// Whether every day that a date can mean is between two dates.
pub fn is_date_in(date: Date, min: Option<Date>, max: Option<Date>) -> bool {
    let [first, last] = days(date);
    min.is_none_or(|min| days(min)[0] <= first) && max.is_none_or(|max| last <= days(max)[1])
}

/// The ECO code that a value begins with.
pub fn eco(value: &[u8]) -> Option<String> {
    static ECO: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?s-u)^([A-E][0-9]{2})(?:[^0-9]|$)"));
    let found = ECO.captures(value)?;
    Some(String::from_utf8(found[1].to_vec()).unwrap())
}

/// The speed of a time control, by the classes of Lichess.
pub fn speed(value: &[u8]) -> Option<&'static str> {
    static PERIOD: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?-u)^(?:([0-9]+)/)?([0-9]+(?:\.[0-9]+)?)(?:\+([0-9]+(?:\.[0-9]+)?))?(?::.*)?$")
    });
    if value == b"-" {
        return Some("correspondence");
    }
    let found = PERIOD.captures(value)?;
    let seconds = |group: usize| -> f64 {
        found.get(group).map_or(0.0, |text| {
            std::str::from_utf8(text.as_bytes())
                .unwrap()
                .parse()
                .unwrap()
        })
    };
    let moves = found.get(1).map(|moves| moves.as_bytes());
    if moves == Some(b"1") && seconds(2) >= 86_400.0 {
        return Some("correspondence");
    }
    let estimate = seconds(2) + 40.0 * seconds(3);
    let below = |(_, limit): &(&str, f64)| estimate < *limit;
    let classes = [
        ("ultraBullet", 30.0),
        ("bullet", 180.0),
        ("blitz", 480.0),
        ("rapid", 1_500.0),
        ("classical", 21_600.0),
        ("correspondence", f64::INFINITY),
    ];
    classes.into_iter().find(below).map(|(name, _)| name)
}

/// The id of a game in an address, or the text itself if it is no address.
pub fn id(value: &[u8]) -> Option<String> {
    static LICHESS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?-u)^(?:https?://)?[^/#?]*lichess\.org/([A-Za-z0-9_-]+)(?:[/#?]|$)")
    });
    static OTHER: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?-u)^(?:https?://[^/#?]*/)?(?:[^#?]*/)?([A-Za-z0-9_-]+)/*(?:[#?]|$)")
    });
    if value.is_ascii()
        && let Some(found) = LICHESS.captures(value)
    {
        let id = String::from_utf8(found[1].to_vec()).unwrap();
        return Some(if id.len() == 12 {
            id[..8].to_owned()
        } else {
            id
        });
    }
    let found = OTHER
        .captures(value)
        .filter(|_| std::str::from_utf8(value).is_ok())?;
    Some(String::from_utf8(found[1].to_vec()).unwrap())
}

/// A pattern in which `*` stands for any text and letters match in both cases; letters other than A to Z
/// only if the value is UTF-8.
pub fn wildcards(text: &str) -> impl Fn(&[u8]) -> bool + use<> {
    let parts: Vec<String> = text.split('*').map(regex::escape).collect();
    // Without Unicode, letters of the pattern that are not ASCII are their bytes.
    let bytes = |part: &String| -> String {
        part.bytes()
            .map(|byte| {
                if byte.is_ascii() {
                    (byte as char).to_string()
                } else {
                    format!("\\x{byte:02x}")
                }
            })
            .collect()
    };
    let build = |parts: &[String], unicode: bool| {
        RegexBuilder::new(&format!("^(?:{})$", parts.join(".*")))
            .unicode(unicode)
            .case_insensitive(true)
            .dot_matches_new_line(true)
            .build()
            .unwrap()
    };
    let of_text = (!text.is_ascii()).then(|| build(&parts, true));
    let of_bytes = build(&parts.iter().map(bytes).collect::<Vec<_>>(), false);
    move |value| match &of_text {
        Some(of_text) if std::str::from_utf8(value).is_ok() => of_text.is_match(value),
        _ => of_bytes.is_match(value),
    }
}
