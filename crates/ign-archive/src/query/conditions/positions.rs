//! Conditions on the positions of the main line: one position must meet all of them. Games of
//! variants are compared by the same parts; pieces in hand and remaining checks are not compared. A
//! game without moves, or whose moves are kept as text, has no positions.

use std::num::NonZeroU32;

use ign_format::error::{Error, Result};
use ign_notation::chess::Position;

use super::flag::Flag;
use crate::{
    plan::{Evaluate, Narrowing, Plan},
    query::{
        condition::{Condition, Form, Heading, IndexSection, Reads},
        entries::Query,
    },
    values::{BoardPattern, Material, parse_any_position, parse_board},
};

pub const POSITION: Condition = Condition {
    name: "position",
    form: Form::Fen,
    heading: Heading::Positions,
    label: "Position (FEN)",
    help: "This position occurs: pieces, side to move, castling, en passant",
    example: "8/8/4k3/8/8/4K3/4P3/8 w - -",
    reads: Reads::Positions,
    section: Some(IndexSection::Positions),
    read: |text| Ok(Box::new(InPosition(parse_any_position(text)?))),
};

/// This position, however the game reached it.
#[derive(Debug)]
struct InPosition(Position);

impl Evaluate for InPosition {
    fn plan<'q>(&'q self, _: &'static str, plan: &mut Plan<'q>) {
        plan.replay.positions.first.position = Some(self.0);
    }

    fn narrow(&self, _: &'static str, index: &mut Narrowing) -> Result<bool> {
        index.position()
    }
}

pub const BOARD: Condition = Condition {
    name: "board",
    label: "Pieces on squares (FEN)",
    help: "The pieces of this position occur on their squares, whoever is to move",
    example: "8/8/4k3/8/8/4K3/4P3/8",
    section: None,
    read: |text| Ok(Box::new(Board(parse_board(text)?))),
    ..POSITION
};

/// The pieces of this position on their squares.
#[derive(Debug)]
struct Board(Position);

impl Evaluate for Board {
    fn plan<'q>(&'q self, _: &'static str, plan: &mut Plan<'q>) {
        plan.replay.positions.first.board = Some(self.0);
    }
}

pub const MATERIAL: Condition = Condition {
    name: "material",
    form: Form::Word,
    label: "Material",
    help: "These pieces occur: KRPKR is king, rook and pawn against king and rook; KRP-KR gives \
           White the pawn; \
           or numbers of some pieces, White's in upper case: \"Q=0,r=..2,Nn=1..\"",
    example: "KRPKR",
    section: Some(IndexSection::Materials),
    read: |text| Ok(Box::new(text.parse::<Material>()?)),
    ..BOARD
};

impl Evaluate for Material {
    fn plan<'q>(&'q self, _: &'static str, plan: &mut Plan<'q>) {
        plan.replay.positions.first.material = Some(self.clone());
    }

    fn narrow(&self, _: &'static str, index: &mut Narrowing) -> Result<bool> {
        index.material()
    }
}

pub const PATTERN: Condition = Condition {
    name: "pattern",
    form: Form::Word,
    label: "Pattern",
    help: "A board with wildcards occurs: squares \"Kg1,[Qq]d4,_e5\", all squares of a file or rank \
           \"[^Pp]d\", any of several files or ranks \"[^Pp]a..h\", or ranks \"*/*/*/*/*/*/*PPP/*RK1\"",
    example: "Kg1,[Qq]d4,_e5",
    section: None,
    read: |text| Ok(Box::new(text.parse::<BoardPattern>()?)),
    ..BOARD
};

impl Evaluate for BoardPattern {
    fn plan<'q>(&'q self, _: &'static str, plan: &mut Plan<'q>) {
        plan.replay.positions.first.pattern = Some(self.clone());
    }
}

pub const FINAL: Condition = Condition {
    name: "final",
    form: Form::Flag,
    label: "The position is the last of the game",
    help: "The position must be the last of the game",
    example: "true",
    reads: Reads::LastPosition,
    read: |text| Flag::read(text, last_only),
    ..BOARD
};

pub const FLIP: Condition = Condition {
    name: "flipped",
    label: "Also with colors exchanged",
    help: "The conditions on positions may also be met with colors exchanged: the board mirrored from rank to \
           rank, the other side to move",
    read: |text| Flag::read(text, flip),
    ..FINAL
};

pub const LASTING: Condition = Condition {
    name: "lasting",
    form: Form::Number,
    label: "Positions in a row",
    help: "The conditions on positions are met by at least this many positions in a row: 8 is 8 plies in a row; \
           with later, this is about the position before it, and a later one has its own: \
           later=\"material=KRKR;lasting=8\"",
    example: "8",
    read: |text| {
        let number = text.trim().parse().map_err(|_| {
            Error::usage(format!("'{text}' is not a number of positions"))
                .with_remedy("write an integer of at least 1, such as 8")
        })?;
        Ok(Box::new(Lasting(number)))
    },
    ..FINAL
};

fn flip(plan: &mut Plan, is: bool) {
    plan.replay.positions.flips = is;
}

fn last_only(plan: &mut Plan, is: bool) {
    plan.replay.positions.first.last_only = is;
}

/// The number of positions in a row that must meet the conditions on positions.
#[derive(Debug)]
struct Lasting(NonZeroU32);

impl Evaluate for Lasting {
    fn plan<'q>(&'q self, _: &'static str, plan: &mut Plan<'q>) {
        plan.replay.positions.first.lasting = self.0.get();
    }
}

impl Query {
    /// This position: pieces, side to move, castling rights, and the en passant square if a capture
    /// there is legal. It does not matter how the game reached it.
    pub fn position(self, position: Position) -> Self {
        self.with(&POSITION, InPosition(position))
    }

    /// The position that must occur, if this is a condition.
    pub fn position_condition(&self) -> Option<&Position> {
        self.value().map(|InPosition(position)| position)
    }

    /// The pieces of this position on their squares, whatever the side to move and its rights.
    pub fn board(self, position: Position) -> Self {
        self.with(&BOARD, Board(position))
    }

    /// These pieces, wherever they are.
    pub fn material(self, material: Material) -> Self {
        self.with(&MATERIAL, material)
    }

    /// A board with wildcards.
    pub fn pattern(self, pattern: BoardPattern) -> Self {
        self.with(&PATTERN, pattern)
    }

    /// Whether the conditions on positions may also be met with colors exchanged: the board is
    /// mirrored from rank to rank, and side to move, castling rights and the sides of material are
    /// exchanged.
    pub fn flipped(self, is: bool) -> Self {
        self.with(&FLIP, Flag::new(is, flip))
    }

    /// The least number of positions in a row that must meet the conditions on positions:
    /// `material` with 8 means that the material is on the board for at least 8 plies without
    /// interruption.
    pub fn lasting(self, positions: NonZeroU32) -> Self {
        self.with(&LASTING, Lasting(positions))
    }

    /// Whether the position of the other conditions must be the last of the game. With
    /// [`later`](Self::later) ones, the last of these must be it.
    pub fn last_position(self, is: bool) -> Self {
        self.with(&FINAL, Flag::new(is, last_only))
    }
}
