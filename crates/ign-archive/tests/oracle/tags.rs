//! The meaning of tag values, by the documentation of the conditions.

use std::sync::LazyLock;

use regex::bytes::Regex;
use unicode_normalization::UnicodeNormalization;

use super::records;

fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap()
}

fn number(text: &[u8]) -> u64 {
    std::str::from_utf8(text).unwrap().parse().unwrap()
}

/// The text of a value: UTF-8, or ISO 8859-1.
pub fn decoded(value: &[u8]) -> String {
    match std::str::from_utf8(value) {
        Ok(text) => text.to_owned(),
        Err(_) => value.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// A text without accents.
pub fn without_accents(text: &str) -> String {
    let letters = text.nfd().filter(|c| !('\u{300}'..='\u{36f}').contains(c));
    letters.collect()
}

/// A rating: one to four digits, not zero, perhaps in parentheses or with a remark.
pub fn rating(value: &[u8]) -> Option<u16> {
    static RATING: LazyLock<Regex> = LazyLock::new(|| {
        let rating = r"([0-9]{1,4})(?:[+?]|[Pp][0-9]*)?(?:[ \t(][^0-9]*)?";
        let space = r"[ \t\r\n\x0c]*";
        pattern(&format!(
            r"(?s-u)^{space}(?:{rating}|\({space}{rating}{space}\)){space}$"
        ))
    });
    let found = RATING.captures(value)?;
    let digits = found.get(1).or(found.get(2))?;
    let rating = number(digits.as_bytes());
    (rating > 0).then_some(rating as u16)
}

/// A date of which the month and the day may be unknown (0).
pub type Date = (u64, u64, u64);

pub fn date(value: &[u8]) -> Option<Date> {
    if let Some(date) = date_with_name(value) {
        return Some(date);
    }
    static DATES: LazyLock<[Regex; 3]> = LazyLock::new(|| {
        [
            r"(?<y>[0-9]{3,4})(?:[./-](?<m>[0-9]{1,4}|\?*)(?:[./-](?<d>[0-9]{1,4}|\?*))?)?",
            r"(?:(?<d>[0-9]{1,2}|\?*)\.)?(?<m>[0-9]{1,2}|\?*)[./-](?<y>[0-9]{3,4})",
            r"(?<a>[0-9]{1,2}|\?*)[./-](?<b>[0-9]{1,2}|\?*)[./-](?<y>[0-9]{3,4})",
        ]
        .map(|form| pattern(&format!(r"(?-u)^[ \t\r\n\x0c]*(?:{form})[ \t\r\n\x0c]*$")))
    });
    // A date with slashes is in the third form, also if its first separator is a full stop.
    let has_stops = !value.iter().any(|c| matches!(c, b'/' | b'-'));
    let parts = value.split(|c| b"./-".contains(c)).count();
    let is_third = !has_stops && parts == 3 && !DATES[0].is_match(value);
    let form = if is_third {
        &DATES[2]
    } else {
        DATES[..2].iter().find(|form| form.is_match(value))?
    };
    let found = form.captures(value)?;
    let part = |name: &str| match found.name(name).map(|part| part.as_bytes()) {
        None | Some(b"" | [b'?', ..]) => 0,
        Some(digits) => number(digits),
    };
    let (month, day) = match (part("a"), part("b")) {
        _ if !is_third => (part("m"), part("d")),
        (a, b) if a > 12 || a == b => (b, a),
        (a, b) if b > 12 => (a, b),
        _ => (0, 0),
    };
    let is_date = part("y") > 0 && month <= 12 && day <= 31;
    is_date.then_some((part("y"), month, if month == 0 { 0 } else { day }))
}

/// A date without separators, or with the name of its month.
fn date_with_name(value: &[u8]) -> Option<Date> {
    static FORMS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
        const NAME: &str = "(?i:(?<m>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)";
        const BETWEEN: &str = "[ .,/-]+";
        [
            "(?<y>[0-9]{4})(?<n>[0-9]{2})(?<d>[0-9]{2})".to_owned(),
            format!("(?:(?<d>[0-9]{{1,2}}){BETWEEN})?{NAME}{BETWEEN}(?<y>[0-9]{{3,4}})"),
            format!("{NAME}{BETWEEN}(?<d>[0-9]{{1,2}}){BETWEEN}(?<y>[0-9]{{3,4}})"),
        ]
        .iter()
        .map(|form| pattern(&format!("(?-u)^ *(?:{form}) *$")))
        .collect()
    });
    let found = FORMS.iter().find_map(|form| form.captures(value))?;
    let part = |name: &str| found.name(name).map(|part| part.as_bytes());
    let month = match part("m") {
        None => number(part("n")?),
        Some(name) => {
            let names = b"janfebmaraprmayjunjulaugsepoctnovdec";
            let mut names = names.chunks(3);
            1 + names.position(|known| known.eq_ignore_ascii_case(name))? as u64
        }
    };
    let (year, day) = (number(part("y")?), part("d").map_or(0, number));
    let is_date = year > 0 && month <= 12 && day <= 31;
    is_date.then_some((year, month, if month == 0 { 0 } else { day }))
}

/// The result by the Result tag, or by the movetext if the tag does not say how the game ended.
pub fn result(tag: Option<&[u8]>, movetext: &[u8]) -> Option<&'static str> {
    let is_final = |result: &&str| *result != "*";
    let (tag, stated) = (tag.and_then(result_of), movetext_result(movetext));
    tag.filter(is_final)
        .or(stated.filter(is_final))
        .or(tag)
        .or(stated)
}

fn result_of(value: &[u8]) -> Option<&'static str> {
    static RESULTS: LazyLock<Vec<(regex::Regex, &str)>> = LazyLock::new(|| {
        let dash = r"[-\u{2010}-\u{2015}\u{2212}\u{96}\u{97}]";
        let half = "(?:1/2|½|0[.,]5)";
        let forms = [
            (format!(r"1\s*(?::|{dash})\s*0|\+\s*[:/]?\s*{dash}"), "1-0"),
            (format!(r"0\s*(?::|{dash})\s*1|{dash}\s*[:/]?\s*\+"), "0-1"),
            (
                format!(r"{half}(?:\s*(?::|{dash})\s*{half})?|(?i-u:draw)"),
                "1/2-1/2",
            ),
            (format!(r"0\s*(?::|{dash})\s*0"), "0-0"),
        ];
        let remark = r"(?:\s*[Ff]|\s*FF|\s*ff|(?:\s+|\s*[,;(\[{])[^\p{N}+*?=]*)?";
        let form = |(form, result): (String, _)| {
            let form = format!(r"^\s*(?:{form}){remark}\s*$");
            (regex::Regex::new(&form).unwrap(), result)
        };
        let mut all: Vec<_> = forms.into_iter().map(form).collect();
        all.push((regex::Regex::new(r"^\s*\*\s*$").unwrap(), "*"));
        all.push((regex::Regex::new(r"^\s*=\s*$").unwrap(), "1/2-1/2"));
        all
    });
    let text = decoded(value);
    let found = RESULTS.iter().find(|(form, _)| form.is_match(&text));
    found.map(|(_, result)| *result)
}

/// The result that is the last word of a movetext, outside of comments.
fn movetext_result(movetext: &[u8]) -> Option<&'static str> {
    static WORD: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?s-u)(?:^|[\s})])([0-9*\x80-\xff][^\s})]*)\s*(?:\{[^{}]*\}\s*)*$")
    });
    if records::without_comments(movetext).contains(&b'{') {
        return None;
    }
    let word = WORD.captures(movetext)?;
    let result = result_of(&word[1]).filter(|result| *result != "0-0");
    result.filter(|_| matches!(word[1].last(), Some(b'0'..=b'9' | b'*' | 0xbd)))
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

/// Time controls in free text, with their speeds.
pub const FREE_CONTROLS: [(&str, &str); 8] = [
    ("90min/40 moves + 30s", "classical"),
    ("15 min + 10 s", "rapid"),
    ("15 min/game + 10 sec/move", "rapid"),
    ("G/60", "classical"),
    ("Blitz 3'+2''", "blitz"),
    ("1 min", "bullet"),
    ("3 days per move", "correspondence"),
    ("10 s", "ultraBullet"),
];

/// The speed of a time control, by the classes of Lichess.
pub fn speed(value: &[u8]) -> Option<&'static str> {
    static PERIOD: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?-u)^(?:([0-9]+)/)?([0-9]+(?:\.[0-9]+)?)(?:\+([0-9]+(?:\.[0-9]+)?))?(?::.*)?$")
    });
    if value == b"-" {
        return Some("correspondence");
    }
    let text = decoded(value);
    if let Some((_, speed)) = FREE_CONTROLS.iter().find(|(free, _)| *free == text) {
        return Some(speed);
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

/// The id of a game in an address, or the text itself if it is not an address.
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

/// A pattern in which `*` stands for any text. Letters match in both cases, with or without
/// accents.
pub fn wildcards(text: &str) -> impl Fn(&[u8]) -> bool + use<> {
    let text = without_accents(text);
    let parts: Vec<String> = text.split('*').map(regex::escape).collect();
    let pattern = regex::RegexBuilder::new(&format!("^(?:{})$", parts.join(".*")))
        .case_insensitive(true)
        .dot_matches_new_line(true)
        .build()
        .unwrap();
    move |value| pattern.is_match(&without_accents(&decoded(value)))
}
