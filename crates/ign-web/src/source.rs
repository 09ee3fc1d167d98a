//! A file or an address, which JavaScript reads.

use std::{
    io,
    ops::Range,
    sync::{Mutex, PoisonError},
};

use ign_archive::ReadAt;
use js_sys::Array;
use wasm_bindgen::{
    JsCast as _,
    prelude::{JsValue, wasm_bindgen},
};

use crate::pages::Pages;

#[wasm_bindgen]
extern "C" {
    /// The bytes of a range of a source. Throws an error with a sentence.
    #[wasm_bindgen(catch, js_namespace = globalThis, js_name = ignRead)]
    fn ign_read(source: u32, offset: f64, length: f64) -> Result<Vec<u8>, JsValue>;

    /// Announces ranges that will be read, each an offset and a length.
    #[wasm_bindgen(catch, js_namespace = globalThis, js_name = ignAnnounce)]
    fn ign_announce(source: u32, ranges: &Array) -> Result<(), JsValue>;
}

/// A source of JavaScript, with the pages of it that were read.
pub struct Source {
    number: u32,
    len: u64,
    pages: Mutex<Pages>,
}

impl Source {
    /// The source of this number, with its size in bytes.
    pub fn new(number: u32, len: u64) -> Self {
        Self {
            number,
            len,
            pages: Mutex::default(),
        }
    }

    fn request(&self, bytes: Range<u64>) -> io::Result<Vec<u8>> {
        let len = bytes.end - bytes.start;
        let read = ign_read(self.number, bytes.start as f64, len as f64)
            .map_err(|error| io::Error::other(sentence(&error)))?;
        if read.len() as u64 == len {
            Ok(read)
        } else {
            let message = format!("{} bytes were read where {len} are needed", read.len());
            Err(io::Error::new(io::ErrorKind::UnexpectedEof, message))
        }
    }
}

/// The message of an error of JavaScript.
fn sentence(error: &JsValue) -> String {
    let message = match error.dyn_ref::<js_sys::Error>() {
        Some(error) => error.message().as_string(),
        None => error.as_string(),
    };
    message.unwrap_or_else(|| "the source cannot be read".to_owned())
}

impl ReadAt for Source {
    fn size(&self) -> io::Result<u64> {
        Ok(self.len)
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let end = offset.checked_add(buffer.len() as u64);
        if end.is_none_or(|end| end > self.len) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        pages.read(buffer, offset, self.len, |bytes| self.request(bytes))
    }

    fn will_read(&self, ranges: &[Range<u64>]) {
        let pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        let missing = pages.missing(ranges, self.len);
        let pairs = missing.iter().map(|run| {
            let [offset, len] = [run.start, run.end - run.start].map(|n| JsValue::from(n as f64));
            Array::of2(&offset, &len)
        });
        let pairs: Array = pairs.collect();
        if pairs.length() > 0 {
            // What could not be announced is read all the same.
            _ = ign_announce(self.number, &pairs);
        }
    }
}
