//! Functions of the values of tables: positions of a list of moves, notations, clocks, evaluations.
//!
//! One table, [`FUNCTIONS`], from which the extension of DuckDB and the Python package make theirs.
//!
//! ```
//! use std::sync::Arc;
//! use ign_arrow::{Function, arrow_array::{Array, ArrayRef, Int64Array, StringArray, cast::AsArray}};
//!
//! let moves: ArrayRef = Arc::new(StringArray::from(vec!["1. e4 e5 2. Nf3", "d2d4"]));
//! let position: ArrayRef = Arc::new(Int64Array::from(vec![3, 3]));
//! let fens = Function::named("fen_at_position")?.evaluate(&[moves, position], true)?;
//! let fens = fens.as_string::<i32>();
//! assert_eq!(fens.value(0), "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
//! assert!(fens.is_null(1)); // The list is shorter.
//! # Ok::<(), ign_archive::Error>(())
//! ```

mod moves;
mod replay;
mod values;

use std::{slice, sync::Arc};

use arrow_array::ArrayRef;
use arrow_schema::{DataType, Field, Fields};
use ign_archive::{Error, Result};

use crate::error::error_of_arrow;

/// A function of the values of a row.
///
/// A null gives null, except of the parameters `fen`, `variant` and `mate`, where it means that
/// there is none.
#[derive(Debug)]
pub struct Function {
    /// The name.
    pub name: &'static str,
    /// The parameters, in order.
    pub parameters: &'static [Parameter],
    /// How many of the parameters are required.
    pub required: usize,
    /// A sentence about the result, without a period.
    pub help: &'static str,
    returns: Kind,
    evaluate: fn(&[ArrayRef], Errors) -> Result<ArrayRef>,
}

/// A parameter of a [`Function`].
#[derive(Debug)]
pub struct Parameter {
    /// The name.
    pub name: &'static str,
    kind: Kind,
}

/// Types of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A list of moves, or movetext.
    Moves,
    Text,
    Texts,
    Integer,
    Number,
    Numbers,
    PieceCounts,
}

/// What a value that is wrong gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Errors {
    /// The error.
    Returned,
    /// A null.
    Null,
}

impl Errors {
    /// The result of a row, or a null instead of its error.
    fn of_row<T>(self, result: Result<Option<T>>) -> Result<Option<T>> {
        match self {
            Self::Returned => result,
            Self::Null => Ok(result.unwrap_or_default()),
        }
    }
}

/// The names of the counts of pieces, which are those of the DuckDB extension `aixchess`.
const COUNTS: [&str; 10] = ["wQ", "wR", "wB", "wN", "wP", "bQ", "bR", "bB", "bN", "bP"];

impl Kind {
    /// The types that an argument can have. Others are cast to the first one.
    fn data_types(self) -> Vec<DataType> {
        let list = |of| DataType::List(Arc::new(Field::new_list_field(of, true)));
        match self {
            Self::Moves => vec![list(DataType::Utf8), DataType::Utf8],
            Self::Text => vec![DataType::Utf8],
            Self::Texts => vec![list(DataType::Utf8)],
            Self::Integer => vec![DataType::Int64],
            Self::Number => vec![DataType::Float64],
            Self::Numbers => vec![list(DataType::Float32)],
            Self::PieceCounts => vec![DataType::Struct(count_fields())],
        }
    }

    /// An argument in one of the types of the kind.
    fn of_array(self, array: &ArrayRef) -> Result<ArrayRef> {
        let own = array.data_type();
        let wanted = match (self, own) {
            (Self::Moves, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View) => {
                DataType::Utf8
            }
            _ => self.data_types().swap_remove(0),
        };
        if *own == wanted {
            return Ok(Arc::clone(array));
        }
        arrow_cast::cast(array, &wanted).map_err(error_of_arrow)
    }
}

fn count_fields() -> Fields {
    let field = |name| Field::new(name, DataType::UInt8, true);
    COUNTS.into_iter().map(field).collect()
}

const fn parameter(name: &'static str, kind: Kind) -> Parameter {
    Parameter { name, kind }
}

const MOVES: Parameter = parameter("moves", Kind::Moves);
const FEN: Parameter = parameter("fen", Kind::Text);
const VARIANT: Parameter = parameter("variant", Kind::Text);

/// All functions.
///
/// A list of moves is one as in the column `moves`, of moves in SAN or UCI notation, or a text of
/// such moves, perhaps with their numbers, comments, variations and the result. `fen` and
/// `variant` are the values of these tags of the game.
pub const FUNCTIONS: &[Function] = &[
    Function {
        name: "fen_at_position",
        parameters: &[MOVES, parameter("position", Kind::Integer), FEN, VARIANT],
        required: 2,
        help: "The FEN after this number of plies; -1 is the last position. Null if the list is shorter",
        returns: Kind::Text,
        evaluate: moves::fen_at_position,
    },
    Function {
        name: "chess_moves_san",
        parameters: &[MOVES, FEN, VARIANT],
        required: 1,
        help: "The moves in standard algebraic notation",
        returns: Kind::Texts,
        evaluate: moves::san,
    },
    Function {
        name: "chess_moves_uci",
        parameters: &[MOVES, FEN, VARIANT],
        required: 1,
        help: "The moves in UCI notation, as in the column moves",
        returns: Kind::Texts,
        evaluate: moves::uci,
    },
    Function {
        name: "chess_board",
        parameters: &[FEN],
        required: 1,
        help: "The board of a FEN or EPD as eight lines of text, the eighth rank first",
        returns: Kind::Text,
        evaluate: values::board,
    },
    Function {
        name: "chess_piece_counts",
        parameters: &[FEN],
        required: 1,
        help: "The numbers of the pieces of a FEN or EPD, without the kings",
        returns: Kind::PieceCounts,
        evaluate: values::piece_counts,
    },
    Function {
        name: "chess_move_times",
        parameters: &[
            parameter("clocks", Kind::Numbers),
            parameter("time_control", Kind::Text),
        ],
        required: 2,
        help: "The seconds that each move took, from the clocks after the moves and the TimeControl tag",
        returns: Kind::Numbers,
        evaluate: values::move_times,
    },
    Function {
        name: "chess_win_percent",
        parameters: &[
            parameter("eval", Kind::Number),
            parameter("mate", Kind::Integer),
        ],
        required: 1,
        help: "White's chances in percent, from an evaluation in pawns or a mate, as Lichess computes them",
        returns: Kind::Number,
        evaluate: values::win_percent,
    },
];

impl Function {
    /// The function of this name.
    ///
    /// # Errors
    /// Usage if there is none.
    pub fn named(name: &str) -> Result<&'static Self> {
        let found = FUNCTIONS.iter().find(|function| function.name == name);
        found.ok_or_else(|| Error::usage(format!("there is no function '{name}'")))
    }

    /// The types of the result.
    pub fn returns(&self) -> DataType {
        self.returns.data_types().swap_remove(0)
    }

    /// The lists of types that the arguments can have.
    pub fn signatures(&self) -> Vec<Vec<DataType>> {
        let mut all = vec![Vec::new()];
        let mut signatures = Vec::new();
        for (place, parameter) in self.parameters.iter().enumerate() {
            let types = parameter.kind.data_types();
            let longer = all.iter().flat_map(|types_before| {
                let with = |of: &DataType| [types_before, slice::from_ref(of)].concat();
                types.iter().map(with).collect::<Vec<_>>()
            });
            all = longer.collect();
            if place + 1 >= self.required {
                signatures.extend(all.iter().cloned());
            }
        }
        signatures
    }

    /// The results of all rows. An argument of another type is cast. With `strict`, the first wrong
    /// value is an error; without, it gives null.
    ///
    /// # Errors
    /// Usage if the number of arguments is another, if they have different numbers of rows, or if
    /// `strict` and a value is wrong.
    pub fn evaluate(&self, arguments: &[ArrayRef], strict: bool) -> Result<ArrayRef> {
        let wrong = |why: String| Error::usage(format!("{}: {why}", self.name));
        let (least, most, given) = (self.required, self.parameters.len(), arguments.len());
        if !(least..=most).contains(&given) {
            return Err(wrong(format!(
                "{given} arguments instead of {least} to {most}"
            )));
        }
        if arguments
            .iter()
            .any(|array| array.len() != arguments[0].len())
        {
            return Err(wrong("the arguments have different numbers of rows".into()));
        }
        let pairs = self.parameters.iter().zip(arguments);
        let arguments = pairs
            .map(|(parameter, array)| parameter.kind.of_array(array))
            .collect::<Result<Vec<_>>>()?;
        let errors = if strict {
            Errors::Returned
        } else {
            Errors::Null
        };
        (self.evaluate)(&arguments, errors).map_err(|error| {
            let message = format!("{}: {}", self.name, error.message());
            error.with_message(message)
        })
    }
}
