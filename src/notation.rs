//! The options that `ign encode` and `ign decode` share, and the text form of integers.

use clap::builder::PossibleValuesParser;

use super::{json::notation::Digit, table::Table};
use ign_archive::integers::{Notation, Options, Running, Step};
use ign_archive::{Error, Result};
use ign_notation::{
    Integer,
    chess::{
        reference::{Numbering, Rules},
        variant::Variant,
    },
};

/// Which integer is meant, and how it is written.
#[derive(Debug, clap::Args)]
pub struct NotationArgs {
    /// How moves become an integer: ign, ordinals from 1, which end at 0; ign-end, with end moves,
    /// which record how the game ended; counted, ordinals from 0, where the number of plies is
    /// stored separately; weighted, by the move model, with fewer bits for likely moves
    #[arg(long, value_name = "CODING", default_value = "ign", value_parser = PossibleValuesParser::new(Notation::ALL.iter().map(|form| form.name())))]
    coding: String,
    /// Number Black's squares from h8 instead of a1
    #[arg(long)]
    rotated: bool,
    /// Which moves are listed: legal, or pseudo-legal, which ignores that moves can leave the king
    /// in check
    #[arg(long, value_name = "RULES", default_value = "legal", value_parser = ["legal", "pseudo-legal"])]
    rules: String,
    /// Variant of chess, overrides the tag Variant
    #[arg(long, value_name = "NAME", value_parser = parse_variant)]
    variant: Option<Variant>,
    /// Starting position, overrides the tag FEN
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Kind of players that the move model assumes, for --coding weighted
    #[arg(long, value_name = "STYLE", default_value = "amateurs", value_parser = STYLES)]
    style: String,
    /// Write integers in hexadecimal
    #[arg(long, conflicts_with = "bits")]
    hex: bool,
    /// Write integers in binary
    #[arg(long)]
    bits: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Show each move with its digit, its base and the value so far
    #[arg(short, long)]
    pub verbose: bool,
}

/// Styles of the move model, by number (spec §8.5).
const STYLES: [&str; 3] = ["amateurs", "masters", "engines"];

fn parse_variant(name: &str) -> std::result::Result<Variant, String> {
    Variant::of_name(name.as_bytes()).ok_or_else(|| {
        let names = Variant::ALL
            .iter()
            .map(|one| one.name())
            .collect::<Vec<_>>()
            .join(", ");
        format!("not one of {names}")
    })
}

impl NotationArgs {
    /// The form of the notation.
    fn form(&self) -> Notation {
        let mut forms = Notation::ALL.iter().copied();
        forms
            .find(|form| form.name() == self.coding)
            .unwrap_or_default()
    }

    /// The options for the library.
    pub fn options(&self) -> Options {
        let style = STYLES.iter().position(|style| *style == self.style);
        Options::new()
            .notation(self.form())
            .numbering(if self.rotated {
                Numbering::Rotated
            } else {
                Numbering::Plain
            })
            .rules(if self.rules == "pseudo-legal" {
                Rules::PseudoLegal
            } else {
                Rules::Legal
            })
            .style(style.unwrap_or_default() as u8)
            .variant(self.variant)
            .fen(self.fen.clone())
    }

    /// An integer in the requested base.
    pub fn format(&self, integer: &Integer) -> String {
        match (self.hex, self.bits) {
            (true, _) => format!("{integer:#x}"),
            (_, true) => format!("{integer:#b}"),
            _ => integer.to_string(),
        }
    }

    /// The moves of a game with their digits, for JSON; `None` without `--verbose`.
    pub fn digits(&self, steps: &[Step], integer: &Integer) -> Option<Vec<Digit>> {
        let mut running = Running::new(integer, self.form());
        let digit = |step: &Step| Digit {
            played: step.name.clone(),
            number: step.number.clone(),
            digit: step.digit,
            base: step.base,
            value: self.format(&running.next(step)),
            frequency: step.frequency,
        };
        self.verbose.then(|| steps.iter().map(digit).collect())
    }

    /// The moves of a game with their digits, as a table.
    pub fn table(&self, steps: &[Step], integer: &Integer) -> Table {
        let notation = self.form();
        let mut running = Running::new(integer, notation);
        let weighted = notation == Notation::Weighted;
        let mut table = if weighted {
            let header = [
                "move",
                "cumulative",
                "frequency",
                "total",
                "value from here",
            ];
            Table::new(&header).left(4)
        } else {
            Table::new(&["move", "digit", "base", "so far"]).left(3)
        };
        for step in steps {
            let name = format!("{} {}", step.number, step.name);
            let value = self.format(&running.next(step));
            match step.frequency.filter(|_| weighted) {
                Some(frequency) => {
                    table.row([&name, &step.digit, &frequency, &step.base, &value]);
                }
                None if weighted => table.row([&name, &step.digit, &"", &step.base, &value]),
                None => table.row([&name, &step.digit, &step.base, &value]),
            }
        }
        table
    }
}

/// Parses an integer: decimal, hexadecimal after `0x`, binary after `0b`.
///
/// # Errors
/// Usage.
pub fn parse_integer(text: &str) -> Result<Integer> {
    let (digits, radix) = match text.get(..2) {
        Some("0x" | "0X") => (&text[2..], 16),
        Some("0b" | "0B") => (&text[2..], 2),
        _ => (text, 10),
    };
    let signed = digits.starts_with(['-', '+']);
    Integer::from_str_radix(digits, radix)
        .ok()
        .filter(|_| !signed)
        .ok_or_else(|| {
            let mut shown: String = text.chars().take(40).collect();
            if shown.len() < text.len() {
                shown.push('…');
            }
            Error::usage(format!("'{shown}' is not a non-negative integer"))
                .with_remedy("write it in decimal, in hexadecimal after 0x or in binary after 0b; ign encode turns moves into integers")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_three_bases_and_rejects_other_text() {
        for text in ["143395", "0x23023", "0b100011000000100011"] {
            assert_eq!(parse_integer(text).unwrap(), 143_395);
        }
        for wrong in ["", "x", "-1", "+1", "0x", "0xg", "0b2", "1.5", "0x-1"] {
            assert!(parse_integer(wrong).is_err(), "{wrong}");
        }
    }
}
