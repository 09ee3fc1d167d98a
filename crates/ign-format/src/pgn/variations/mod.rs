//! Variations of a block: lines that replace moves of the games (spec §4.6).
//!
//! A variation replaces a move of the game or of another variation. It is parsed like a game, into
//! moves, gaps and payloads, by a parser and a layout model of its own. What cannot be replayed is
//! stored as text. The lines of a record are stored in pre-order: each directly after the move's
//! line that it belongs to.
//!
//! * *codes*: for each line its number of moves and its layout. They are decoded without the moves,
//!   so readers can skip records, and are divided into [`parts`](super::parts);
//! * *text*: templates, comments and literal text;
//! * *moves*: [choices] among the legal moves, in parts of a few games.
//!
//! [`Packer`] takes the variations of a record as text, with the game they belong to; [`Unpacker`]
//! restores the text.

pub mod choices;
mod line;
mod packer;
mod unpacker;

pub use self::{
    line::{Game, MAX_DEPTH, Record},
    packer::{Packed, Packer},
    unpacker::{Lines, Unpacker},
};

#[cfg(test)]
mod tests {
    use super::{choices::KnownMoves, *};
    use crate::{
        error::Result,
        model::{MoveModel, Parameters},
        models::Architecture as _,
        pgn::{
            gaps::Templates,
            layout::{Layout, LayoutModel},
            movetext::{Context, Movetext, Parser},
            parts,
            start::Start,
        },
    };
    use ign_entropy::adaptive::{Decoder, Encoder};
    use ign_notation::chess::Move;
    use proptest::prelude::*;

    fn move_model(weighted: bool) -> Option<MoveModel> {
        weighted.then(Parameters::builtin)
    }

    impl Packed {
        fn streams(&self) -> [&[u8]; 4] {
            let parts::Packed { codes, text, parts } = &self.lines;
            [codes, text, parts, &self.moves]
        }
    }

    /// Packed games: their layouts, templates, moves and variations.
    #[derive(Default)]
    struct Games {
        layouts: Vec<u8>,
        templates: Vec<u8>,
        moves: Vec<Vec<Move>>,
        variations: Vec<Vec<u8>>,
        packed: Packed,
        known: KnownMoves,
    }

    fn pack(movetexts: &[&str], weighted: bool) -> Games {
        let (mut parser, mut model) = (Parser::default(), LayoutModel::default());
        let (mut coder, mut packer) = (Encoder::new(), Packer::default());
        let mut games = Games::default();
        let start = Start::default();
        for (number, text) in movetexts.iter().enumerate() {
            let mut movetext = Movetext::default();
            let context = Context {
                line_end: b"\n",
                start: Some(&start),
                result: None,
            };
            parser.parse(text.as_bytes(), context, &model, &mut movetext);
            model.code(&mut coder, &mut movetext.layout).unwrap();
            let record = Record {
                layout: &movetext.layout,
                model: &model,
                gaps: &parser.templates,
            };
            let game = Game {
                number,
                start: &start,
                moves: &movetext.moves,
            };
            let variations = &movetext.payloads.variations;
            packer.push(&record, Some(game), variations).unwrap();
            games.moves.push(movetext.moves);
            games.variations.push(movetext.payloads.variations);
        }
        games.layouts = coder.finish();
        games.templates = parser.templates.write();
        games.packed = packer.finish(move_model(weighted).as_ref(), Some(&mut games.known));
        games
    }

    /// The variations of the wanted records.
    fn unpack(
        games: &Games,
        weighted: bool,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Vec<Vec<u8>>> {
        unpack_by(None, games, weighted, wanted)
    }

    /// The same, with known moves to check against.
    fn unpack_by(
        known: Option<&KnownMoves>,
        games: &Games,
        weighted: bool,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Vec<Vec<u8>>> {
        let records = games.moves.len();
        let of_part = |row| {
            (row - row % choices::PART..)
                .take(choices::PART)
                .any(&wanted)
        };
        let streams = games.packed.streams();
        let mut unpacker = Unpacker::new(streams, move_model(weighted), 100_000, records, of_part)?;
        if let Some(known) = known {
            unpacker.check_by(known);
        }
        let (mut model, mut coder) = (LayoutModel::default(), Decoder::new(&games.layouts));
        let templates = Templates::read(&games.templates).unwrap();
        let start = Start::default();
        let mut found = Vec::new();
        for (number, moves) in games.moves.iter().enumerate() {
            let mut layout = Layout::default();
            model.code(&mut coder, &mut layout).unwrap();
            let record = Record {
                layout: &layout,
                model: &model,
                gaps: &templates,
            };
            let mut out = Vec::new();
            let lines = unpacker.read(&record)?;
            let game = Game {
                number,
                start: &start,
                moves,
            };
            if layout.variations && wanted(number) {
                out = unpacker.render(&record, lines, Some(game), 100_000)?;
            }
            found.push(out);
        }
        unpacker.finish()?;
        Ok(found)
    }

    #[test]
    fn round_trips_variations_of_all_kinds() {
        let long = format!(
            "1. e4 {}1. d4{} 1... e5 *",
            "(1. c4 ".repeat(3000),
            ")".repeat(3000)
        );
        let games = [
            "1. e4 e5 (1... c5 2. Nf3 d6) 2. Nf3 (2. f4 exf4 3. Nf3 (3. Bc4) 3... g5) 2... Nc6 *",
            "1. e4 {first} (1. d4 {a (b)} d5 $1 {c} 2. c4 (2. Nf3 ) ) e5 *",
            // Text that is not or not only moves, and unusual notation.
            "1. e4 (see 1. d4) (1. d4 d5 2. Ke4 (1. d4) Kf6) (1. Nf3! Nf6?! 1-0) (1.d2-d4 d7d5) *",
            "(1. e4) 1. e4 () ( ) (1. O-O) (1. e4 e5) (1. e4 0-1 1-0) (1.Nf3 Nf6 ; c\n2.c4) *",
            // A variation replaces the last move, whatever is between.
            "1. f3 e5 2. g4 Qh4# (2... d5 3. e4) {x} (2... Bc5) *",
            &long,
            "1. e4 e5 *",
        ];
        for weighted in [false, true] {
            let packed = pack(&games, weighted);
            assert_eq!(
                unpack(&packed, weighted, |_| true).unwrap(),
                packed.variations
            );
        }
    }

    #[test]
    fn a_game_needs_only_the_variations_of_its_part() {
        // Parts after the first introduce new templates.
        let games: Vec<String> = (0..4800)
            .map(|i| match i % 3 {
                0 => format!(
                    "1. e4 ({}. d4{}d5) 1... e5 *",
                    1 + i / 120,
                    " ".repeat(1 + i / 1600)
                ),
                1 => "1. e4 e5 *".into(),
                _ => "1. e4 e5 2. Nf3 (2. Nc3 {why} Nc6 3. f4) 2... Nc6 *".into(),
            })
            .collect();
        let games: Vec<&str> = games.iter().map(String::as_str).collect();
        let packed = pack(&games, true);
        assert!(packed.packed.lines.parts.len() > 3 * 3, "several parts");
        for game in [0, 7, 8, 39, 1535, 1536, 1604, 2000, 3260, 4000, 4799] {
            let part = game - game % choices::PART..=game;
            let found = unpack(&packed, true, |i| part.contains(&i)).unwrap();
            assert_eq!(found[game], packed.variations[game]);
        }
    }

    #[test]
    fn known_moves_accept_only_their_streams() {
        // At first only every sixteenth game has a line, so some parts have none.
        let line = "1. e4 e5 2. Nf3 (2. f4 exf4 3. Nf3 (3. Bc4) 3... g5) 2... Nc6 *";
        let games: Vec<&str> = (0..120)
            .map(|i| {
                if i < 80 && i % 16 > 0 {
                    "1. e4 e5 *"
                } else {
                    line
                }
            })
            .collect();
        for weighted in [false, true] {
            let mut packed = pack(&games, weighted);
            let known = std::mem::take(&mut packed.known);
            let unpack = |packed: &Games| unpack_by(Some(&known), packed, weighted, |_| true);
            assert_eq!(unpack(&packed).unwrap(), packed.variations);
            let mut refused = 0;
            for bit in 0..8 * packed.packed.moves.len() {
                packed.packed.moves[bit / 8] ^= 1 << (bit % 8);
                match unpack(&packed) {
                    Err(_) => refused += 1,
                    // Different last bits of a stream may mean the same. One part in eight is
                    // decoded, so its text may differ.
                    Ok(text) => assert!((8..64).all(|game| text[game] == packed.variations[game])),
                }
                packed.packed.moves[bit / 8] ^= 1 << (bit % 8);
            }
            assert!(refused > 100, "{refused}");
        }
    }

    #[test]
    fn moves_take_no_text_and_few_codes() {
        let games = ["1. e4 e5 (1... c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6) 2. Nf3 *"; 50];
        for (weighted, max_bits) in [(false, 10 * 5 + 4), (true, 10 * 2)] {
            let Packed { lines, moves } = pack(&games, weighted).packed;
            let parts::Packed { codes, text, .. } = lines;
            // The templates "#... ", " #. ", " " and "", and their length.
            assert_eq!(text.len(), 1 + 6 + 5 + 2 + 1);
            assert!(codes.len() < 80, "{} bytes", codes.len());
            assert!(8 * moves.len() < 50 * max_bits, "{} bytes", moves.len());
        }
    }

    #[test]
    fn the_replaced_move_is_not_predicted() {
        let bytes = |game: &str| pack(&[game; 64], true).packed.moves.len();
        // The best reply, replacing another move and replacing itself.
        let other = bytes("1. e4 e5 2. Qh5 Nc6 3. Bc4 g6 4. Qf3 Nd4 (4... Nf6) *");
        let itself = bytes("1. e4 e5 2. Qh5 Nc6 3. Bc4 g6 4. Qf3 Nf6 (4... Nf6) *");
        assert!(other + 64 < itself, "{other}, {itself}");
    }

    #[test]
    fn decodes_damaged_streams_without_panic() {
        let games = [
            "1. e4 e5 (1... c5 2. Nf3 d6) 2. Nf3 (2. f4 {x} exf4 3. Nf3 (3. Bc4) 3... g5) Nc6 *",
            "1. e4 e5 (1... c5 ; z\n2. Nf3) 2. Nf3 (2. f4 exf4 3. Nf3 (3. Bc4 $1) 3... g5) Nc6 *",
        ];
        for weighted in [false, true] {
            let packed = pack(&games, weighted);
            for stream in 0..4 {
                let len = packed.packed.streams()[stream].len();
                for bit in 0..8 * len {
                    let mut bad = Games {
                        layouts: packed.layouts.clone(),
                        templates: packed.templates.clone(),
                        moves: packed.moves.clone(),
                        variations: Vec::new(),
                        packed: packed.packed.clone(),
                        known: KnownMoves::default(),
                    };
                    let Packed { lines, moves } = &mut bad.packed;
                    let streams = [&mut lines.codes, &mut lines.text, &mut lines.parts, moves];
                    streams[stream][bit / 8] ^= 1 << (bit % 8);
                    _ = unpack(&bad, weighted, |_| true);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn round_trips_any_text_in_parentheses(
            variations in prop::collection::vec(
                "((1|2)(\\.|\\.\\.\\.| )|e4|e5|d5|Nf3|Nc6|Nf6 |[(){}$;! \n]|c4|O-O|1-0){0,20}", 1..8
            )
        ) {
            let games: Vec<String> = variations
                .iter()
                .map(|text| format!("1. e4 ({text}) 1... e5 ({text}) *"))
                .collect();
            let games: Vec<&str> = games.iter().map(String::as_str).collect();
            let packed = pack(&games, false);
            prop_assert_eq!(&unpack(&packed, false, |_| true).unwrap(), &packed.variations);
        }

        #[test]
        fn decodes_arbitrary_bytes_in_bounded_time(
            codes in prop::collection::vec(any::<u8>(), 0..60),
            text in prop::collection::vec(any::<u8>(), 0..40),
            moves in prop::collection::vec(any::<u8>(), 0..40),
        ) {
            let mut games = pack(&["1. e4 (1. d4 d5) 1... e5 (1... c5) *"; 3], false);
            let parts = vec![3, codes.len() as u8, text.len() as u8];
            let text = [&[0][..], &text].concat();
            let lines = parts::Packed { codes, text, parts };
            games.packed = Packed { lines, moves };
            _ = unpack(&games, false, |_| true);
        }
    }
}
