//! A model that threads share, and that is unpacked when it is first used.

use std::{
    ops::Deref,
    sync::{Arc, OnceLock},
};

use super::ModelId;
use crate::error::Result;

/// The parameters of a model in the form that the program uses, with the code that they belong to.
pub trait Architecture: Sized + Send + Sync + 'static {
    /// The number of the architecture (spec §8.6).
    const NUMBER: u8;
    /// What it is, for messages: `move model`.
    const NAME: &'static str;

    /// The model that is part of the program. A copy is cheap.
    fn builtin() -> Model<Self>;

    /// Reads the parameters from the data of a model.
    ///
    /// # Errors
    /// Corrupt, if the shapes are invalid or exceed a limit, or the data have another length.
    fn read(data: &[u8]) -> Result<Self>;

    /// The data of the model.
    fn data(&self) -> Vec<u8>;
}

/// A model. A copy is cheap.
#[derive(Debug)]
pub struct Model<A>(Arc<Inner<A>>);

#[derive(Debug)]
struct Inner<A> {
    id: ModelId,
    parameters: OnceLock<A>,
    /// Unpacks the parameters of a built-in model.
    unpack: fn() -> A,
}

impl<A> Clone for Model<A> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<A: Architecture> Model<A> {
    /// A built-in model.
    pub(crate) fn of_program(id: ModelId, unpack: fn() -> A) -> Self {
        Self(Arc::new(Inner {
            id,
            parameters: OnceLock::new(),
            unpack,
        }))
    }

    /// The model with these data.
    ///
    /// # Errors
    /// As [`Architecture::read`].
    pub fn read(data: &[u8]) -> Result<Self> {
        Ok(Self(Arc::new(Inner {
            id: ModelId::of_data(A::NUMBER, data),
            parameters: OnceLock::from(A::read(data)?),
            unpack: || unreachable!("the parameters are there"),
        })))
    }

    /// The identity.
    pub fn id(&self) -> ModelId {
        self.0.id
    }
}

impl<A> Deref for Model<A> {
    type Target = A;

    #[inline]
    fn deref(&self) -> &A {
        self.0.parameters.get_or_init(self.0.unpack)
    }
}
