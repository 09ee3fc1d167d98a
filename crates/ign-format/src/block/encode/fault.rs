//! A fault of the encoder, for tests of what packing does with a block that does not decode to its
//! text.
//!
//! In programs with debug assertions, the environment variable `IGN_FAULT=COLUMN:WORD` damages a
//! column of each block whose text contains the word. Other programs ignore it.

use std::env;

/// The variable of the environment.
fn fault() -> Option<String> {
    let is_read = cfg!(debug_assertions);
    is_read.then(|| env::var("IGN_FAULT").ok()).flatten()
}

/// Whether blocks that do not decode to their text are expected.
pub fn is_expected() -> bool {
    fault().is_some()
}

/// Damages the bytes of a column of the block with this text, if `IGN_FAULT` names them.
pub fn inject(column: &str, text: &[u8], bytes: &mut [u8]) {
    let fault = fault().unwrap_or_default();
    let word = fault
        .split_once(':')
        .and_then(|(name, word)| (name == column).then_some(word));
    if let Some(word) = word
        && memchr::memmem::find(text, word.as_bytes()).is_some()
    {
        // The last bytes of a range coder may say nothing.
        let middle = bytes.len() / 2;
        if let Some(byte) = bytes.get_mut(middle) {
            *byte ^= 0x55;
        }
    }
}
