//! The tests of this crate, in one program, which is linked once.

mod board_representations;
mod board_support;
mod chess_corpus;
mod chess_interop;
mod chess_perft;
mod chess_rules;
mod chess_san;
mod chess_variants;
mod connect_four;
mod go_rules;
mod notation_known_values;
mod notation_oracle;
mod tictactoe;
