//! An endgame with all endgames that captures and promotions lead to.
//!
//! A capture or promotion changes the material and so leads to another table, which is solved
//! first. Of two colour-swapped endgames only the one that favours White has a table: KKR is KRK
//! with the colours exchanged and the board reflected.

use std::collections::HashMap;

use shakmaty::{Piece, Role};

use super::{
    error::{Error, Result},
    fold::Squares,
    material::{MAX_PIECES, Material},
    placement::{placed, slots, swapped},
    rules::{PROMOTIONS, Step},
    solve::solve,
    table::Table,
    value::Value,
};
use ign_notation::chess::{Legal, Position};

/// The tables of an endgame and of all that it leads to.
#[derive(Debug)]
pub struct Tables {
    material: Material,
    tables: HashMap<Material, Table>,
}

/// Called while solving with the current endgame and the plies to mate reached.
pub type Progress<'a> = &'a dyn Fn(&Material, u8);

impl Tables {
    /// Solves an endgame.
    ///
    /// # Errors
    /// [`Internal`](super::ErrorKind::Internal) if a mate is longer than a table can store.
    pub fn solve(material: &Material, progress: Progress) -> Result<Self> {
        let mut tables = Self {
            material: material.clone(),
            tables: HashMap::new(),
        };
        tables.add(material, progress)?;
        Ok(tables)
    }

    /// Solves an endgame after those that it leads to.
    fn add(&mut self, material: &Material, progress: Progress) -> Result<()> {
        if self.tables.contains_key(material) || material.pieces().len() == 2 {
            return Ok(());
        }
        for (_, exit) in exits(material) {
            self.add(&exit.material, progress)?;
        }
        let links = links(material, &self.tables);
        let leave = |step: &Step| {
            let link = links[exit_code(step.piece, step.captured, step.promotion)].as_ref();
            link.map_or(Value::Draw, |link| link.value(step, material))
        };
        let table = solve(material, &leave, &|plies| progress(material, plies))?;
        self.tables.insert(material.clone(), table);
        Ok(())
    }

    /// The table of the endgame itself.
    pub fn main(&self) -> &Table {
        &self.tables[&self.material]
    }

    /// The table of another material, if this endgame leads to it.
    pub fn table(&self, material: &Material) -> Option<&Table> {
        self.tables.get(material)
    }

    /// The value of a position. En passant is taken into account.
    ///
    /// # Errors
    /// [`Usage`](super::ErrorKind::Usage) if no table has the position's material, or if there are
    /// castling rights.
    pub fn value(&self, position: &Position) -> Result<Value> {
        if position.castling_rooks().any() {
            return Err(
                Error::usage("endgame tables do not cover positions with castling rights")
                    .with_remedy("write - for the castling rights"),
            );
        }
        if position.en_passant().any() {
            return self.value_by_moves(position);
        }
        let (material, squares) = placed(position)?;
        if material.pieces().len() == 2 {
            return Ok(Value::Draw);
        }
        let value = if let Some(table) = self.tables.get(&material) {
            table.value(squares, position.turn())
        } else if let Some(table) = self.tables.get(&material.swapped()) {
            table.value(swapped(&material, squares), !position.turn())
        } else {
            return Err(Error::usage(format!(
                "the position is one of {material}, not of {}",
                self.material
            )));
        };
        value.ok_or_else(|| Error::internal("a legal position is illegal in the tables"))
    }

    /// The value of a position with an en passant square, which tables do not store: that of the
    /// best move. The positions after the moves are in the tables.
    fn value_by_moves(&self, position: &Position) -> Result<Value> {
        let legal = Legal::new(position);
        let mut best = None;
        let mut fault = None;
        legal.each_move(|played| {
            let mut next = *position;
            next.play(played);
            match self.value(&next) {
                Ok(value) => {
                    let value = value.before();
                    best = Some(best.map_or(value, |best: Value| best.better(value)));
                }
                Err(error) => fault = Some(error),
            }
        });
        match (fault, best) {
            (Some(fault), _) => Err(fault),
            (None, Some(best)) => Ok(best),
            (None, None) if legal.is_check() => Ok(Value::Loss(0)),
            (None, None) => Ok(Value::Draw),
        }
    }
}

/// The material after a capture, a promotion or both.
struct Exit {
    /// The material whose table covers it.
    material: Material,
    /// For each piece of that table, its index among the pieces before the move.
    slots: Vec<usize>,
    /// Whether the colours are exchanged in that table.
    swapped: bool,
}

/// An exit with its table; `None` if only the kings are left.
struct Link<'t> {
    exit: Exit,
    table: Option<&'t Table>,
}

impl Link<'_> {
    /// The value, for the side to move, of the position after a step from `before`.
    fn value(&self, step: &Step, before: &Material) -> Value {
        let Some(table) = self.table else {
            return Value::Draw;
        };
        let mut squares = Squares::default();
        for (slot, &index) in squares.iter_mut().zip(&self.exit.slots) {
            *slot = step.squares[index] ^ if self.exit.swapped { 56 } else { 0 };
        }
        let mover = before.pieces()[step.piece].color;
        let turn = if self.exit.swapped { mover } else { !mover };
        table
            .value(squares, turn)
            .expect("a legal move leads to a legal position")
    }
}

/// The index below [`EXIT_CODES`] of an exit, for lookup without hashing.
fn exit_code(piece: usize, captured: Option<usize>, promotion: Option<Role>) -> usize {
    let captured = captured.map_or(0, |captured| captured + 1);
    let promotion = promotion.map_or(0, |role| role as usize);
    (piece * (MAX_PIECES + 1) + captured) * 8 + promotion
}

const EXIT_CODES: usize = MAX_PIECES * (MAX_PIECES + 1) * 8;

/// All exits with their tables, by [`exit_code`].
fn links<'t>(material: &Material, tables: &'t HashMap<Material, Table>) -> Vec<Option<Link<'t>>> {
    let mut links: Vec<Option<Link>> = (0..EXIT_CODES).map(|_| None).collect();
    for (code, exit) in exits(material) {
        let table = tables.get(&exit.material);
        links[code] = Some(Link { exit, table });
    }
    links
}

/// All exits of an endgame, each with its code.
fn exits(material: &Material) -> Vec<(usize, Exit)> {
    let pieces = material.pieces();
    let mut exits = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        let captured = (0..pieces.len()).filter(|&other| {
            pieces[other].color != piece.color && pieces[other].role != Role::King
        });
        for captured in captured.map(Some).chain([None]) {
            let promotions = PROMOTIONS.iter().filter(|_| piece.role == Role::Pawn);
            for promotion in promotions.copied().map(Some).chain([None]) {
                if captured.is_some() || promotion.is_some() {
                    let exit = exit(pieces, index, captured, promotion);
                    exits.push((exit_code(index, captured, promotion), exit));
                }
            }
        }
    }
    exits
}

fn exit(pieces: &[Piece], index: usize, captured: Option<usize>, promotion: Option<Role>) -> Exit {
    let mut after = pieces.to_vec();
    if let Some(role) = promotion {
        after[index].role = role;
    }
    let is_left = |&other: &usize| Some(other) != captured;
    let left: Vec<usize> = (0..pieces.len()).filter(is_left).collect();
    let pieces: Vec<Piece> = left.iter().map(|&index| after[index]).collect();
    let material = Material::new(pieces[2..].iter().copied()).expect("no more pieces than before");
    let swapped = !material.favours_white();
    let slots = slots(&pieces, swapped).into_iter().map(|slot| left[slot]);
    Exit {
        material: if swapped {
            material.swapped()
        } else {
            material
        },
        slots: slots.collect(),
        swapped,
    }
}
