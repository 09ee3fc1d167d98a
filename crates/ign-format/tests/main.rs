//! The tests of this crate, in one program, which is linked once.

mod blocks;
mod go;
mod limits;
mod lossless;
mod models;
mod movetext;
mod null_moves;
mod pack_anything;
mod variants;
