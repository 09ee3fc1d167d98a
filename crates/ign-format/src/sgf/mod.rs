//! SGF, the Smart Game Format: text into records and back, byte for byte (spec §14).
//!
//! A collection is split into *records*, one game tree each. The text before a record's first move
//! is its *head*, the text after each move is a *gap*. Heads and gaps are stored as *templates*:
//! property values are extracted, in the head as tags. A collection has few distinct templates;
//! most gaps are `];W[` or `];B[`.
//!
//! ```text
//! (;GM[1]SZ[19]PB[A]PW[B];B[pd];W[dp]C[hm](;B[pp])(;B[dd]))
//! head:  (;GM[·]SZ[·]PB[·]PW[·];B[      moves: pd dp | pp dd
//! gaps:  ];W[   ]C[·](;B[   ])(;B[   ]))
//! ```
//!
//! **Variations** are part of the sequence of moves: `(` pushes the position on a stack, and `)`
//! pops it. The main line consists of the moves before the first `)`.
//!
//! **Exceptions** stay text: a value without an end, an illegal move, and the moves after it in its
//! branch. Nothing is normalised.
//!
//! [`parse::Parser`] splits a record into its parts, [`render::render`] joins them, and [`layout`]
//! encodes the templates. [`game`] reads and writes single games without their layout.

pub mod game;
pub mod layout;
pub mod parse;
pub mod render;
pub mod start;
pub mod syntax;
