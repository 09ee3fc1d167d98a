//! Writes moves in standard form.

use shakmaty::Role;

use super::{naming::Naming, text::San};
use crate::chess::{legal::Legal, moves::Move};

/// Writes a legal move in standard form, without `+` or `#`.
#[inline]
pub fn write(legal: &Legal, m: Move) -> San {
    write_with(Naming::Standard, legal, m)
}

/// Writes a legal move in this form, without `+` or `#`. The null move is `--` in every form.
#[inline]
pub fn write_with(naming: Naming, legal: &Legal, m: Move) -> San {
    if m.is_null() {
        return San::null();
    }
    if naming == Naming::Squares {
        return San::squares(m);
    }
    let position = legal.position();
    let (from, to) = (m.from(), m.to());
    if let Some(side) = position.castling_side(m) {
        return San::castling(side);
    }
    let role = position.role_at(from).unwrap_or(Role::Pawn);
    // For kings and pawns `origins` is empty: they have no rivals.
    let rivals = legal.origins(role, to).without(from);
    San::named(naming, role, m, rivals, position.them().contains(to))
}
