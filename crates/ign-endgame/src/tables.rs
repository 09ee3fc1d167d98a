//! An endgame with all those it may turn into, solved.
//!
//! A man taken or a pawn promoted gives other men; theirs is another table, solved before. Tables
//! are kept for one of two mirrored endgames only, the one that favours White: KKR is KRK with the
//! colours and the ends of the board exchanged.

use std::collections::HashMap;

use shakmaty::{Color, Piece, Role};

use super::{
    fold::Squares,
    material::{MAX_PIECES, Material},
    rules::{PROMOTIONS, Step},
    solve::Table,
    value::Value,
};
use ign_format::error::{Error, Result};
use ign_notation::chess::{Legal, Position};

/// An endgame and those it may turn into.
#[derive(Debug)]
pub struct Tables {
    wanted: Material,
    tables: HashMap<Material, Table>,
}

/// Told while solving: which endgame, and how many half-moves from mate it has come.
pub type Told<'a> = &'a dyn Fn(&Material, u8);

impl Tables {
    /// Solves an endgame.
    ///
    /// # Errors
    /// Internal, if a limit of the tables was chosen too low.
    pub fn solve(material: &Material, threads: usize, told: Told) -> Result<Self> {
        let mut tables = Self {
            wanted: material.clone(),
            tables: HashMap::new(),
        };
        tables.add(material, threads, told)?;
        Ok(tables)
    }

    /// Solves these men, after whatever they may turn into.
    fn add(&mut self, material: &Material, threads: usize, told: Told) -> Result<()> {
        if self.tables.contains_key(material) || material.men().len() == 2 {
            return Ok(());
        }
        for (_, exit) in exits(material) {
            self.add(&exit.material, threads, told)?;
        }
        let ways: Vec<Option<Way>> = ways(material, &self.tables);
        let leave = |step: &Step| {
            let way = ways[code(step.man, step.taken, step.promotion)].as_ref();
            way.map_or(Value::Draw, |way| way.value(step, material))
        };
        let table = Table::solve(material, threads, &leave, &|plies| told(material, plies))?;
        self.tables.insert(material.clone(), table);
        Ok(())
    }

    /// The table of the endgame itself.
    pub fn wanted(&self) -> &Table {
        &self.tables[&self.wanted]
    }

    /// The table of other men.
    pub fn table(&self, material: &Material) -> Option<&Table> {
        self.tables.get(material)
    }

    /// What a position of chess is worth.
    ///
    /// # Errors
    /// Usage when its men are not among the tables, or somebody may castle.
    pub fn value(&self, position: &Position) -> Result<Value> {
        if position.castling_rooks().any() {
            return Err(
                Error::usage("somebody may castle, which endgame tables leave out")
                    .with_remedy("write - for the castling rights"),
            );
        }
        if position.en_passant().any() {
            // The tables know no such right; what it leads to they know.
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
            return match (fault, best) {
                (Some(fault), _) => Err(fault),
                (None, Some(best)) => Ok(best),
                (None, None) if legal.is_check() => Ok(Value::Loss(0)),
                (None, None) => Ok(Value::Draw),
            };
        }
        let (material, squares) = placed(position)?;
        if material.men().len() == 2 {
            return Ok(Value::Draw);
        }
        let swapped = material.swapped();
        let value = if let Some(table) = self.tables.get(&material) {
            table.value(squares, position.turn())
        } else if let Some(table) = self.tables.get(&swapped) {
            let squares = exchanged(&material, squares);
            table.value(squares, !position.turn())
        } else {
            return Err(Error::usage(format!(
                "the position is one of {material}, not of {}",
                self.wanted
            )));
        };
        value.ok_or_else(|| Error::internal("a legal position is illegal in the tables"))
    }
}

/// The men of a position and where they are.
///
/// # Errors
/// Usage when they are too many for a table.
pub fn placed(position: &Position) -> Result<(Material, Squares)> {
    let mut men: Vec<(Piece, u8)> = Vec::new();
    for square in position.occupied() {
        let piece = position.piece_at(square).expect("an occupied square");
        men.push((piece, square.to_u32() as u8));
    }
    let others = men
        .iter()
        .map(|man| man.0)
        .filter(|piece| piece.role != Role::King);
    let material = Material::new(others)?;
    let mut squares = Squares::default();
    for (slot, piece) in squares.iter_mut().zip(material.men()) {
        let found = men.iter().position(|(man, _)| man == piece);
        *slot = men.remove(found.expect("the same men")).1;
    }
    Ok((material, squares))
}

/// What an endgame turns into when a man takes another, or promotes, or both at once.
struct Exit {
    /// The men left, in the table that knows them.
    material: Material,
    /// Which man, of those before, is in each place of that table.
    slots: Vec<usize>,
    /// Whether the colours are exchanged there.
    swapped: bool,
}

/// An exit with its table; none where only the kings are left.
struct Way<'t> {
    exit: Exit,
    table: Option<&'t Table>,
}

impl Way<'_> {
    /// What the position after a step is worth to the side that is then to move.
    fn value(&self, step: &Step, before: &Material) -> Value {
        let Some(table) = self.table else {
            return Value::Draw;
        };
        let mut squares = Squares::default();
        for (slot, &man) in squares.iter_mut().zip(&self.exit.slots) {
            *slot = step.squares[man] ^ if self.exit.swapped { 56 } else { 0 };
        }
        let turn = !before.men()[step.man].color;
        let turn = if self.exit.swapped { !turn } else { turn };
        let value = table.value(squares, turn);
        value.expect("a legal move leads to a legal position")
    }
}

/// Numbers below [`CODES`] for the ways to leave a table.
fn code(man: usize, taken: Option<usize>, promotion: Option<Role>) -> usize {
    let taken = taken.map_or(0, |taken| taken + 1);
    let promotion = promotion.map_or(0, |role| role as usize);
    (man * (MAX_PIECES + 1) + taken) * 8 + promotion
}

const CODES: usize = MAX_PIECES * (MAX_PIECES + 1) * 8;

fn ways<'t>(material: &Material, tables: &'t HashMap<Material, Table>) -> Vec<Option<Way<'t>>> {
    let mut ways: Vec<Option<Way>> = (0..CODES).map(|_| None).collect();
    for (code, exit) in exits(material) {
        let table = tables.get(&exit.material);
        ways[code] = Some(Way { exit, table });
    }
    ways
}

/// All ways to leave a table, each with its code.
fn exits(material: &Material) -> Vec<(usize, Exit)> {
    let men = material.men();
    let mut exits = Vec::new();
    for (man, piece) in men.iter().enumerate() {
        let taken = (0..men.len())
            .filter(|&other| men[other].color != piece.color && men[other].role != Role::King);
        for taken in taken.map(Some).chain([None]) {
            let promotions = PROMOTIONS.iter().filter(|_| piece.role == Role::Pawn);
            for promotion in promotions.copied().map(Some).chain([None]) {
                if taken.is_some() || promotion.is_some() {
                    let exit = exit(men, man, taken, promotion);
                    exits.push((code(man, taken, promotion), exit));
                }
            }
        }
    }
    exits
}

fn exit(men: &[Piece], man: usize, taken: Option<usize>, promotion: Option<Role>) -> Exit {
    let mut after = men.to_vec();
    if let Some(role) = promotion {
        after[man].role = role;
    }
    let left = |&other: &usize| Some(other) != taken;
    let kept: Vec<usize> = (0..men.len()).filter(left).collect();
    let pieces: Vec<Piece> = kept.iter().map(|&man| after[man]).collect();
    let material = Material::new(pieces[2..].iter().copied()).expect("no more men than before");
    let swapped = !material.favours_white();
    let slots = slots(&pieces, swapped).into_iter().map(|slot| kept[slot]);
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

/// Which of these men is in each place of their table, or of the one with the colours exchanged.
fn slots(men: &[Piece], swapped: bool) -> Vec<usize> {
    let color = |piece: &Piece| {
        piece
            .role
            .of(if swapped { !piece.color } else { piece.color })
    };
    let wanted: Vec<Piece> = men.iter().map(color).collect();
    let material = Material::new(wanted.iter().copied().filter(|p| p.role != Role::King));
    let mut left: Vec<usize> = (0..men.len()).collect();
    let material = material.expect("as many men");
    let place = |piece: &Piece| {
        let found = left.iter().position(|&man| wanted[man] == *piece);
        left.remove(found.expect("the same men"))
    };
    material.men().iter().map(place).collect()
}

/// The squares of a position of these men once the colours and the ends of the board are
/// exchanged: in the order of [`Material::swapped`].
pub fn exchanged(material: &Material, squares: Squares) -> Squares {
    let mut exchanged = Squares::default();
    for (slot, man) in exchanged.iter_mut().zip(slots(material.men(), true)) {
        *slot = squares[man] ^ 56;
    }
    exchanged
}

/// A position of these men as a FEN of four fields.
pub fn fen(material: &Material, squares: Squares, turn: Color) -> String {
    let mut fen = String::new();
    for row in (0..8u8).rev() {
        let mut empty = 0;
        for file in 0..8 {
            let on = |man: &usize| squares[*man] == 8 * row + file;
            let Some(man) = (0..material.men().len()).find(on) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                fen += &std::mem::take(&mut empty).to_string();
            }
            fen.push(material.men()[man].char());
        }
        if empty > 0 {
            fen += &empty.to_string();
        }
        fen.push(if row > 0 { '/' } else { ' ' });
    }
    fen + if turn.is_white() { "w - -" } else { "b - -" }
}
