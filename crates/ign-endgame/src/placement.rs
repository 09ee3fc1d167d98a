//! Conversion between chess positions and the squares of a material's pieces.

use shakmaty::{Color, Piece, Role};

use super::{error::Result, fold::Squares, material::Material};
use ign_notation::chess::Position;

/// The material of a position and the squares of its pieces.
///
/// # Errors
/// [`Usage`](super::ErrorKind::Usage) if there are more pieces than an endgame can have.
pub fn placed(position: &Position) -> Result<(Material, Squares)> {
    let mut placed: Vec<(Piece, u8)> = Vec::new();
    for square in position.occupied() {
        let piece = position.piece_at(square).expect("an occupied square");
        placed.push((piece, square.to_u32() as u8));
    }
    let others = placed
        .iter()
        .map(|&(piece, _)| piece)
        .filter(|piece| piece.role != Role::King);
    let material = Material::new(others)?;
    let mut squares = Squares::default();
    for (slot, wanted) in squares.iter_mut().zip(material.pieces()) {
        let found = placed.iter().position(|(piece, _)| piece == wanted);
        *slot = placed.remove(found.expect("the same pieces")).1;
    }
    Ok((material, squares))
}

/// For each piece of the material that `pieces` form, its index in `pieces`. With `swapped`, the
/// material is that with the colours exchanged.
pub fn slots(pieces: &[Piece], swapped: bool) -> Vec<usize> {
    let color = |piece: &Piece| {
        piece
            .role
            .of(if swapped { !piece.color } else { piece.color })
    };
    let colored: Vec<Piece> = pieces.iter().map(color).collect();
    let others = colored.iter().copied();
    let material = Material::new(others.filter(|piece| piece.role != Role::King))
        .expect("no more pieces than before");
    let mut left: Vec<usize> = (0..pieces.len()).collect();
    let take = |piece: &Piece| {
        let found = left.iter().position(|&index| colored[index] == *piece);
        left.remove(found.expect("the same pieces"))
    };
    material.pieces().iter().map(take).collect()
}

/// The squares after exchanging the colours and reflecting top and bottom, in the order of
/// [`Material::swapped`].
pub fn swapped(material: &Material, squares: Squares) -> Squares {
    let mut swapped = Squares::default();
    for (slot, index) in swapped.iter_mut().zip(slots(material.pieces(), true)) {
        *slot = squares[index] ^ 56;
    }
    swapped
}

/// The first four fields of the FEN of a position.
pub fn fen(material: &Material, squares: Squares, turn: Color) -> String {
    let mut fen = String::new();
    for rank in (0..8u8).rev() {
        let mut empty = 0;
        for file in 0..8 {
            let is_here = |index: &usize| squares[*index] == 8 * rank + file;
            let Some(index) = (0..material.pieces().len()).find(is_here) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                fen += &std::mem::take(&mut empty).to_string();
            }
            fen.push(material.pieces()[index].char());
        }
        if empty > 0 {
            fen += &empty.to_string();
        }
        fen.push(if rank > 0 { '/' } else { ' ' });
    }
    fen + if turn.is_white() { "w - -" } else { "b - -" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_round_trip_and_swap() {
        let fen_text = "k7/8/1K6/8/8/8/6P1/1r6 w - -";
        let position = Position::from_fen(fen_text.as_bytes()).unwrap();
        let (material, squares) = placed(&position).unwrap();
        assert_eq!(material.to_string(), "KPKR");
        assert_eq!(squares, [41, 56, 14, 1]);
        assert_eq!(fen(&material, squares, Color::White), fen_text);
        assert_eq!(
            fen(
                &material.swapped(),
                swapped(&material, squares),
                Color::Black
            ),
            "1R6/6p1/8/8/8/1k6/8/K7 b - -"
        );
    }
}
