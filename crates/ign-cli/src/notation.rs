//! The options that `ign encode` and `ign decode` frequency, and how integers are written.

use clap::builder::PossibleValuesParser;
use serde_json::{Value, json};

use ign_archive::integers::{Notation, Options, Running, Step};
use ign_format::error::{Error, Result};
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
    /// Which integer: ign, ordinals from 1, stops at 0; ign-end, with end moves, that tell how the
    /// game ended; counted, ordinals from 0, the number of half-moves beside it; weighted, likely
    /// moves cheaper, by the move model
    #[arg(long, value_name = "CODING", default_value = "ign", value_parser = PossibleValuesParser::new(Notation::ALL.map(Notation::name)))]
    coding: String,
    /// Number Black's squares from h8 instead of a1
    #[arg(long)]
    rotated: bool,
    /// Which moves are listed: legal, or pseudo-legal, in which pinned pieces move and kings step
    /// into check
    #[arg(long, value_name = "RULES", default_value = "legal", value_parser = ["legal", "pseudo-legal"])]
    rules: String,
    /// The rules, whatever the tags say
    #[arg(long, value_name = "NAME", value_parser = variant)]
    variant: Option<Variant>,
    /// The position at the start, whatever the tags say
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Whose games the move model takes it for, with --coding weighted
    #[arg(long, value_name = "STYLE", default_value = "amateurs", value_parser = STYLES)]
    style: String,
    /// Write integers in hexadecimal
    #[arg(long, conflicts_with = "bits")]
    hex: bool,
    /// Write integers in bits
    #[arg(long)]
    bits: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Show each choice: its digit, the base, and what it comes to so far
    #[arg(short, long)]
    pub verbose: bool,
}

/// Styles that the move model knows, by number (spec §8.5).
const STYLES: [&str; 3] = ["amateurs", "masters", "engines"];

fn variant(name: &str) -> std::result::Result<Variant, String> {
    Variant::of_name(name.as_bytes()).ok_or_else(|| {
        let names = Variant::ALL.map(Variant::name).join(", ");
        format!("not one of {names}")
    })
}

impl NotationArgs {
    /// What they ask for.
    pub fn options(&self) -> Options {
        let notation = Notation::ALL.into_iter().find(|n| n.name() == self.coding);
        let style = STYLES.iter().position(|style| *style == self.style);
        Options {
            notation: notation.unwrap_or_default(),
            numbering: match self.rotated {
                true => Numbering::Rotated,
                false => Numbering::Plain,
            },
            rules: match self.rules == "pseudo-legal" {
                true => Rules::PseudoLegal,
                false => Rules::Legal,
            },
            style: style.unwrap_or_default() as u8,
            variant: self.variant,
            fen: self.fen.clone(),
            go: None,
        }
    }

    /// An integer as it is asked for.
    pub fn spell(&self, integer: &Integer) -> String {
        match (self.hex, self.bits) {
            (true, _) => format!("{integer:#x}"),
            (_, true) => format!("{integer:#b}"),
            _ => integer.to_string(),
        }
    }

    /// The choices of a game, for programs.
    pub fn steps_json(&self, steps: &[Step], integer: &Integer) -> Value {
        let mut running = Running::new(integer, self.options().notation);
        let step = |step: &Step| {
            let mut value = json!({
                "move": step.name,
                "number": step.number,
                "digit": step.digit,
                "base": step.base,
                "value": self.spell(&running.next(step)),
            });
            if let Some(frequency) = step.frequency {
                value["frequency"] = frequency.into();
            }
            value
        };
        steps.iter().map(step).collect()
    }

    /// The choices of a game as a table.
    pub fn table(&self, steps: &[Step], integer: &Integer) -> String {
        let notation = self.options().notation;
        let mut running = Running::new(integer, notation);
        let head = match notation {
            Notation::Weighted => ["move", "before", "frequency", "of", "from here on"],
            _ => ["move", "digit", "", "base", "so far"],
        };
        let row = |step: &Step| {
            [
                format!("{} {}", step.number, step.name),
                step.digit.to_string(),
                step.frequency
                    .map(|frequency| frequency.to_string())
                    .unwrap_or_default(),
                step.base.to_string(),
                self.spell(&running.next(step)),
            ]
        };
        let rows: Vec<[String; 5]> = steps.iter().map(row).collect();
        let width = |column: usize| {
            let cells = rows.iter().map(|row| row[column].chars().count());
            cells.chain([head[column].len()]).max().unwrap_or(0)
        };
        let widths = [0, 1, 2, 3].map(width);
        let mut out = String::new();
        let rows = rows.iter().map(|row| row.each_ref().map(String::as_str));
        for [name, digit, frequency, base, value] in [head].into_iter().chain(rows) {
            out += &format!("{name:<w$}  {digit:>d$}", w = widths[0], d = widths[1]);
            if notation == Notation::Weighted {
                out += &format!("  {frequency:>s$}", s = widths[2]);
            }
            out += &format!("  {base:>b$}  {value}\n", b = widths[3]);
        }
        out
    }
}

/// Reads an integer: decimal, hexadecimal behind `0x`, bits behind `0b`.
///
/// # Errors
/// Usage.
pub fn read_integer(text: &str) -> Result<Integer> {
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
            Error::usage(format!("'{shown}' is not a whole number"))
                .with_remedy("write it in decimal, in hexadecimal behind 0x or in bits behind 0b; moves become one by ign encode")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_read_in_three_ways() {
        for text in ["143395", "0x23023", "0b100011000000100011"] {
            assert_eq!(read_integer(text).unwrap(), 143_395);
        }
        for wrong in ["", "x", "-1", "+1", "0x", "0xg", "0b2", "1.5", "0x-1"] {
            assert!(read_integer(wrong).is_err(), "{wrong}");
        }
    }
}
