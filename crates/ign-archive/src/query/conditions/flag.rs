//! Conditions that are true or false.

use std::fmt;

use ign_format::error::{Error, Result};

use crate::plan::{Evaluate, Plan};

/// Whether games have a property, or do not have it.
pub struct Flag {
    is: bool,
    add: fn(&mut Plan, bool),
}

impl Flag {
    /// A flag that `add` adds to a plan.
    pub fn new(is: bool, add: fn(&mut Plan, bool)) -> Self {
        Self { is, add }
    }

    /// Reads `true` or `false`, in any case.
    ///
    /// # Errors
    /// Usage.
    pub fn read(text: &str, add: fn(&mut Plan, bool)) -> Result<Box<dyn Evaluate>> {
        let is = match &*text.to_ascii_lowercase() {
            "true" | "1" => true,
            "false" | "0" => false,
            _ => {
                return Err(Error::usage(format!("'{text}' is not a boolean"))
                    .with_remedy("write true or false"));
            }
        };
        Ok(Box::new(Self::new(is, add)))
    }
}

impl fmt::Debug for Flag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.is.fmt(f)
    }
}

impl Evaluate for Flag {
    fn plan<'q>(&'q self, _: &'static str, plan: &mut Plan<'q>) {
        (self.add)(plan, self.is);
    }
}
