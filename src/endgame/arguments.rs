//! Parsers for the arguments of `ign endgame`.

use shakmaty::{Role, Square};

use ign_archive::{Error, Result};
use ign_endgame::{
    intervals::Fixed,
    material::Material,
    numbering::{Numbering, coordinate_name},
};
use ign_notation::chess::Position;

/// Parses a position.
///
/// # Errors
/// Usage.
pub fn parse_fen(fen: &str) -> Result<Position> {
    Position::from_fen(fen.as_bytes())
        .map_err(|error| Error::usage(format!("'{fen}' is not a position: {error}")))
}

/// Parses arguments such as `WK=e8`.
///
/// # Errors
/// Usage, if one cannot be parsed, a piece or a square occurs twice, or a pawn is on rank 1 or 8.
pub fn parse_fixed(arguments: &[String], material: &Material) -> Result<Vec<(usize, u8)>> {
    let fixed = arguments
        .iter()
        .map(|fix| parse_fix(fix, material))
        .collect::<Result<Vec<_>>>()?;
    check(&fixed, material)?;
    Ok(fixed)
}

fn parse_fix(fix: &str, material: &Material) -> Result<(usize, u8)> {
    let count = material.pieces().len();
    let wrong = || {
        let names: Vec<_> = (0..count).map(|piece| material.piece_name(piece)).collect();
        Error::usage(format!("'{fix}' is not a piece and its square"))
            .with_remedy(format!("write WK=e8; the pieces are {}", names.join(", ")))
    };
    let (name, square) = fix.split_once('=').ok_or_else(wrong)?;
    let is_named = |piece: &usize| material.piece_name(*piece).eq_ignore_ascii_case(name);
    let piece = (0..count).find(is_named).ok_or_else(wrong)?;
    let square: Square = square.parse().map_err(|_| wrong())?;
    Ok((piece, square.to_u32() as u8))
}

fn check(fixed: &Fixed, material: &Material) -> Result<()> {
    for (place, &(piece, square)) in fixed.iter().enumerate() {
        let name = material.piece_name(piece);
        for &(other, other_square) in &fixed[..place] {
            if other == piece {
                return Err(Error::usage(format!("{name} is on two squares")));
            }
            if other_square == square {
                let other = material.piece_name(other);
                return Err(Error::usage(format!(
                    "{other} and {name} are on one square"
                )));
            }
        }
        let is_pawn = material.pieces()[piece].role == Role::Pawn;
        if is_pawn && matches!(square / 8, 0 | 7) {
            return Err(Error::usage(format!("{name} is a pawn on rank 1 or 8")));
        }
    }
    Ok(())
}

/// Parses the names of all coordinates, the slowest first.
///
/// # Errors
/// Usage.
pub fn parse_order(order: &str, material: &Material) -> Result<Numbering> {
    let count = material.pieces().len();
    let find = |name: &str| {
        (0..2 * count as u8)
            .find(|&coordinate| coordinate_name(material, coordinate).eq_ignore_ascii_case(name))
    };
    let words = order.split([' ', ',']).filter(|word| !word.is_empty());
    let coordinates = words.map(find).collect::<Option<Vec<_>>>();
    coordinates
        .map(Numbering::plain)
        .filter(|numbering| numbering.suits(material.pieces()))
        .ok_or_else(|| {
            let example = Numbering::f1(count).formula(material);
            Error::usage(format!("'{order}' is not an order of all coordinates")).with_remedy(
                format!("write each coordinate once, the slowest first: {example}"),
            )
        })
}
