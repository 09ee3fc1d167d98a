//! The columns of the table of positions: their names, types and sources.

use std::{fmt, sync::Arc};

use arrow_schema::{DataType, Field, Schema, SchemaRef};
use ign_archive::{Error, Result, positions::PositionColumn, text::closest};

use crate::encoding::Encoding;

/// A column of the table of positions.
///
/// A board is twelve columns of 64 bits, so that SQL and data frames can count and mask the squares
/// of a piece: bit 0 is a1, bit 1 b1, bit 63 h8. Arrays for NumPy with all boards in one are those
/// of [`PositionBatch`](ign_archive::positions::PositionBatch).
///
/// | name | type | null | value |
/// | --- | --- | --- | --- |
/// | `game` | UInt64 | never | the `number` of the game in the table of games |
/// | `ply` | Int32 | never | the number of moves played before |
/// | `white_pawns`, `white_knights`, `white_bishops`, `white_rooks`, `white_queens`, `white_king`, the same with `black_` | UInt64 | never | the squares of these pieces |
/// | `white_to_move` | Boolean | never | whether White is to move |
/// | `castling` | UInt8 | never | castling rights: White's king side 1, White's queen side 2, Black's king side 4, Black's queen side 8 |
/// | `en_passant` | Int8 | there is none | the number of the square that a pawn has just skipped, if an enemy pawn attacks it |
/// | `halfmoves` | UInt16 | never | plies since the last capture or pawn move |
/// | `fullmoves` | Int32 | never | the number of the next move |
/// | `move` | Utf8, dictionary | the game ends here | the move played, as in the column `moves` of games |
/// | `result` | Int8 | the Result tag is none of `1-0`, `0-1`, `1/2-1/2` | 1 White wins, 0 draw, -1 Black wins |
/// | `WhiteElo`, `BlackElo` | Int32 | as in the table of games | the ratings |
/// | `clock` | Float32 | no comment after the move states it | the seconds left to the player after the move |
/// | `eval` | Float32 | no comment states it | the evaluation of the position in pawns, from White's point of view; the comment is that after the move before |
/// | `mate` | Int32 | no comment states it | the moves to mate, negative if Black mates |
/// | `fen` | Utf8 | never | the position as FEN |
/// | `epd` | Utf8 | never | the first four fields of the FEN |
///
/// `fen` and `epd` are returned only if they are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PositionField(Kind);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// One of the boards of a position.
    Board(usize),
    Cp,
    Mate,
    /// A column that has one of its own in the scan.
    Other(PositionColumn),
}

/// The names of the twelve boards.
const BOARDS: [&str; 12] = [
    "white_pawns",
    "white_knights",
    "white_bishops",
    "white_rooks",
    "white_queens",
    "white_king",
    "black_pawns",
    "black_knights",
    "black_bishops",
    "black_rooks",
    "black_queens",
    "black_king",
];

/// The columns that are returned only if they are named.
const ON_REQUEST: [PositionColumn; 2] = [PositionColumn::Fen, PositionColumn::Epd];

impl PositionField {
    /// Every column, in the order of the table.
    pub fn every() -> Vec<Self> {
        let kinds = PositionColumn::ALL
            .iter()
            .copied()
            .flat_map(|column| match column {
                PositionColumn::Boards => (0..BOARDS.len()).map(Kind::Board).collect(),
                PositionColumn::Eval => vec![Kind::Cp, Kind::Mate],
                column => vec![Kind::Other(column)],
            });
        kinds.map(Self).collect()
    }

    /// The columns of a table for which none are named: all but `fen` and `epd`.
    pub fn all() -> Vec<Self> {
        let mut all = Self::every();
        all.retain(|field| !ON_REQUEST.contains(&field.source()));
        all
    }

    /// The column of this name. Upper and lower case differ.
    ///
    /// # Errors
    /// Usage if there is no such column.
    pub fn named(name: &str) -> Result<Self> {
        let every = Self::every();
        let found = every.iter().find(|field| field.name() == name);
        found.copied().ok_or_else(|| {
            let names: Vec<&str> = every.iter().map(Self::name).collect();
            let remedy = match closest(name, &names) {
                Some(known) => format!("did you mean {known}?"),
                None => format!("name one of {}", names.join(", ")),
            };
            Error::usage(format!("positions have no column '{name}'")).with_remedy(remedy)
        })
    }

    /// The columns of these names, in their order. `boards` names all twelve boards.
    ///
    /// # Errors
    /// Usage if there is no such column, or if one is named twice.
    pub fn named_all<N: AsRef<str>>(names: impl IntoIterator<Item = N>) -> Result<Vec<Self>> {
        let mut fields: Vec<Self> = Vec::new();
        for name in names {
            let named = match name.as_ref() {
                "boards" => (0..BOARDS.len())
                    .map(|board| Self(Kind::Board(board)))
                    .collect(),
                name => vec![Self::named(name)?],
            };
            for field in named {
                if fields.contains(&field) {
                    return Err(Error::usage(format!("column {field} is named twice")));
                }
                fields.push(field);
            }
        }
        Ok(fields)
    }

    /// The name of the column.
    pub fn name(&self) -> &'static str {
        match self.0 {
            Kind::Board(board) => BOARDS[board],
            Kind::Mate => "mate",
            // Ratings have the names of the table of games.
            Kind::Other(PositionColumn::WhiteElo) => "WhiteElo",
            Kind::Other(PositionColumn::BlackElo) => "BlackElo",
            Kind::Cp | Kind::Other(_) => self.source().name(),
        }
    }

    /// What a scan must return for the column.
    pub fn source(&self) -> PositionColumn {
        match self.0 {
            Kind::Board(_) => PositionColumn::Boards,
            Kind::Cp | Kind::Mate => PositionColumn::Eval,
            Kind::Other(column) => column,
        }
    }

    pub(super) fn kind(&self) -> Kind {
        self.0
    }

    /// The field of the schema.
    pub fn field(&self, encoding: Encoding) -> Field {
        use PositionColumn as Column;
        let (data_type, is_nullable) = match self.0 {
            Kind::Board(_) => (DataType::UInt64, false),
            Kind::Cp => (DataType::Float32, true),
            Kind::Mate => (DataType::Int32, true),
            Kind::Other(column) => match column {
                Column::Game => (DataType::UInt64, false),
                Column::WhiteToMove => (DataType::Boolean, false),
                Column::Castling => (DataType::UInt8, false),
                Column::EnPassant | Column::Result => (DataType::Int8, true),
                Column::Halfmoves => (DataType::UInt16, false),
                Column::Move => (encoding.move_type(), true),
                Column::WhiteElo | Column::BlackElo => (DataType::Int32, true),
                Column::Clock => (DataType::Float32, true),
                Column::Fen | Column::Epd => (DataType::Utf8, false),
                _ => (DataType::Int32, false),
            },
        };
        Field::new(self.name(), data_type, is_nullable)
    }
}

impl fmt::Display for PositionField {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The schema of a table of positions with these columns.
pub fn position_schema(columns: &[PositionField], encoding: Encoding) -> SchemaRef {
    let fields = columns.iter().map(|column| column.field(encoding));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_has_a_name_of_its_own() {
        let every = PositionField::every();
        let mut names: Vec<&str> = every.iter().map(PositionField::name).collect();
        assert!(names.iter().all(|name| !name.is_empty()));
        for field in &every {
            assert_eq!(PositionField::named(field.name()).unwrap(), *field);
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), every.len());
        assert_eq!(PositionField::all().len() + 2, every.len());
    }

    #[test]
    fn boards_names_twelve_columns_and_unknown_names_are_errors() {
        let fields = PositionField::named_all(["ply", "boards"]).unwrap();
        assert_eq!((fields.len(), fields[12].name()), (13, "black_king"));
        let message = |names: [&str; 2]| PositionField::named_all(names).unwrap_err().to_string();
        assert!(message(["boards", "white_king"]).contains("white_king is named twice"));
        assert!(message(["ply", "Fen"]).contains("no column 'Fen'"));
    }
}
