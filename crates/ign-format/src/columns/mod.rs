//! Tag columns: the values of one tag, or of a few related tags, over the records of a block
//! (spec §4.3).
//!
//! The tags of a block form a [`Table`] with a row for each record and a column for each tag name.
//! A codec encodes one tag, or a few that predict each other (the names of both players, a date and
//! a time), into two [`Streams`]:
//!
//! * *codes* of the range coder. The codec predicts each value from columns that are decoded
//!   earlier (its *references*) and from the values of preceding records. Adaptive bits encode
//!   whether the prediction is right, or the difference from it.
//! * *text*, with one line for each exception: a value that the codes cannot express.
//!
//! Codes are cut into [`parts`] of 1024 records with fresh statistics, so that the tags of one game
//! are read without those of all games before it. [`plan`] chooses which codec encodes which tags;
//! the directory of the block records the choice. [`storage`] stores the streams.
//!
//! | module | values | predicted from |
//! | --- | --- | --- |
//! | [`dictionary`] | any repeated values | the last value with the same key, the value before |
//! | [`name_model`], [`names`] | new strings of a dictionary | the preceding characters, by a network |
//! | [`dates`] | dates, with or without times | the record before, another date |
//! | [`numbers`] | integers, times of day | the record before, a time |
//! | [`ids`] | base-62 identifiers | another identifier of the record |
//! | [`ratings`] | ratings and their changes | the players' last games, Elo's formula |
//! | [`templates`] | phrases with players' names | the names, the result |
//! | [`derived`] | ply counts, final positions | the moves |
//! | [`openings`] | names and codes of openings | the first moves, by an opening book |
//!
//! Two modules are fixed columns, not tag columns: [`signatures`] stores the signatures of all
//! games, [`pawns`] their unmoved pawns.
//!
//! To add a codec, write a module with `encode` and `decode`, give it a number in [`Codec`], and
//! name its tags in [`plan`].

mod calendar;
mod codec;
pub mod dates;
pub mod derived;
pub mod dictionary;
mod differences;
pub mod ids;
pub mod name_model;
pub mod names;
pub mod numbers;
pub mod openings;
pub mod parts;
pub mod pawns;
pub mod plan;
pub mod ratings;
mod rows;
pub mod signatures;
pub mod storage;
mod streams;
mod table;
pub mod templates;
#[cfg(test)]
pub(crate) mod testing;

pub use self::{
    codec::Codec,
    streams::{Lines, Streams, check_overrun, codes_and_text},
    table::{Span, Table},
};
