//! Texts of several inputs that share a block.

use ign_format::{
    block::{
        Kind as GameKind,
        encode::{Encoded, Options, encode_texts},
    },
    error::Result,
};

/// Texts, one after the other.
#[derive(Debug, Default)]
pub(super) struct Texts {
    pub text: Vec<u8>,
    /// Where each ends.
    pub ends: Vec<usize>,
}

/// Blocks of texts.
#[derive(Debug, Default)]
pub(super) struct EncodedTexts {
    pub blocks: Vec<Encoded>,
    /// The number of games of each text.
    pub games: Vec<u64>,
}

impl Texts {
    /// A single text.
    pub fn one(text: Vec<u8>) -> Self {
        Self {
            ends: vec![text.len()],
            text,
        }
    }

    /// Adds a text.
    pub fn push(&mut self, text: Vec<u8>) {
        if self.text.is_empty() {
            self.text = text;
        } else {
            self.text.extend_from_slice(&text);
        }
        self.ends.push(self.text.len());
    }

    /// Adds to the last text.
    pub fn extend(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
        match self.ends.last_mut() {
            Some(end) => *end = self.text.len(),
            None => self.ends.push(self.text.len()),
        }
    }

    /// Encodes the texts as a block, or as several if one has no room for the tags of all.
    ///
    /// # Errors
    /// As [`encode_texts`].
    pub fn encode(self, kind: GameKind, options: &Options) -> Result<EncodedTexts> {
        let mut all = EncodedTexts::default();
        // What is not encoded yet, the next one last.
        let mut waiting = vec![self];
        while let Some(mut texts) = waiting.pop() {
            if texts.text.is_empty() {
                all.games.extend(texts.ends.iter().map(|_| 0));
                continue;
            }
            match encode_texts(kind, &mut texts.text, &texts.ends, options)? {
                Some(block) => {
                    all.games.extend(&block.games_of_texts);
                    all.blocks.push(block);
                }
                None => {
                    let second = texts.split_off(texts.ends.len() / 2);
                    waiting.extend([second, texts]);
                }
            }
        }
        Ok(all)
    }

    /// Takes out the texts from this one on.
    fn split_off(&mut self, first: usize) -> Self {
        let ends = self.ends.split_off(first);
        let start = self.ends.last().copied().unwrap_or(0);
        Self {
            text: self.text.split_off(start),
            ends: ends.into_iter().map(|end| end - start).collect(),
        }
    }
}
