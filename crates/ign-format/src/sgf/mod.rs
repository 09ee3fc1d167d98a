//! SGF, the Smart Game Format: text into records and back, byte for byte (spec §14).
//!
//! A collection is cut into *records*, a game tree each. A record is read from front to back as
//! moves with *gaps* before, between and behind them. What stands before the first move is its
//! head, whose properties are tags; in gaps, values of properties are set aside, and what is left
//! is a *template*, of which a collection has few: `];W[` is most of them.
//!
//! ```text
//! (;GM[1]SZ[19]PB[A]PW[B];B[pd];W[dp]C[hm](;B[pp])(;B[dd]))
//! head:  (;GM[·]SZ[·]PB[·]PW[·];B[      moves: pd dp | pp dd
//! gaps:  ];W[   ]C[·](;B[   ])(;B[   ]))
//! ```
//!
//! **Variations** are moves like others: `(` remembers the position, `)` goes back to it. The main
//! line, which is the game, is what is played before the first `)`.
//!
//! **What does not fit** stays text: a value that does not end, moves that the rules forbid, and
//! those behind them in their branch. Nothing is normalised.
//!
//! [`parse::Parser`] goes one way, [`render::render`] the other; [`layout`] codes the gaps.
//! [`game`] is for those who only want a game.

pub mod game;
pub mod layout;
pub mod parse;
pub mod render;
pub mod start;
pub mod syntax;
