//! Models as values: parameters of a network or of tables, with an identity (spec §8.6).
//!
//! A model consists of its [architecture](Architecture), which is code, and its *data*, which are bytes:
//! shapes and parameters. Its [identity](ModelId) is the number of the architecture and a hash of the data. A
//! block names each model that it needs, so other parameters never need another version of the format.
//!
//! The built-in models are part of the program and are unpacked when they are first used. [`Models`] holds
//! others.

pub mod known_answers;
mod model_id;
mod network;
mod shared;

use std::{
    any::Any,
    sync::{Arc, LazyLock},
};

pub use model_id::{ModelId, PUBLISHED};
pub use network::NetworkParameters;
pub(crate) use network::network_architecture;
pub use shared::{Architecture, Model};

use crate::{
    columns::name_model::NameNetwork,
    error::{Error, Result},
    model::Parameters as Chess,
    pgn::comments::{clock_model::ClockNetwork, evals::EvalNetwork},
};

/// Models beside the built-in ones. A copy is cheap.
#[derive(Debug, Clone, Default)]
pub struct Models(Arc<Vec<(ModelId, AnyModel)>>);

type AnyModel = Arc<dyn Any + Send + Sync>;

impl Models {
    /// The built-in models alone.
    pub fn builtin() -> &'static Self {
        static BUILTIN: LazyLock<Models> = LazyLock::new(Models::default);
        &BUILTIN
    }

    /// These models and another one, which packing prefers to those before of its architecture.
    #[must_use]
    pub fn with<A: Architecture>(&self, model: Model<A>) -> Self {
        let mut all = (*self.0).clone();
        all.push((model.id(), Arc::new(model)));
        Self(Arc::new(all))
    }

    /// Reads a model from its data.
    ///
    /// # Errors
    /// Corrupt, if the data are no model of the architecture; unsupported, if the program has no such
    /// architecture.
    pub fn with_data(&self, architecture: u8, data: &[u8]) -> Result<Self> {
        match architecture {
            Chess::NUMBER => self.with_read::<Chess>(data),
            #[cfg(feature = "go")]
            crate::go_model::Parameters::NUMBER => {
                self.with_read::<crate::go_model::Parameters>(data)
            }
            ClockNetwork::NUMBER => self.with_read::<ClockNetwork>(data),
            EvalNetwork::NUMBER => self.with_read::<EvalNetwork>(data),
            NameNetwork::NUMBER => self.with_read::<NameNetwork>(data),
            other => Err(Error::unsupported(format!(
                "a model of the unknown architecture {other}"
            ))),
        }
    }

    fn with_read<A: Architecture>(&self, data: &[u8]) -> Result<Self> {
        Ok(self.with(Model::<A>::read(data)?))
    }

    /// The model with this identity; `None` if it is neither built in nor held here.
    pub fn find<A: Architecture>(&self, id: ModelId) -> Option<Model<A>> {
        let builtin = A::builtin();
        if builtin.id() == id {
            return Some(builtin);
        }
        let (_, found) = self.0.iter().find(|(known, _)| *known == id)?;
        found.downcast_ref().cloned()
    }

    /// The identity of the model of the architecture with this number that packing uses.
    pub(crate) fn preferred_id(&self, architecture: u8) -> Option<ModelId> {
        Some(match architecture {
            Chess::NUMBER => self.preferred::<Chess>().id(),
            #[cfg(feature = "go")]
            crate::go_model::Parameters::NUMBER => {
                self.preferred::<crate::go_model::Parameters>().id()
            }
            ClockNetwork::NUMBER => self.preferred::<ClockNetwork>().id(),
            EvalNetwork::NUMBER => self.preferred::<EvalNetwork>().id(),
            NameNetwork::NUMBER => self.preferred::<NameNetwork>().id(),
            _ => return None,
        })
    }

    /// The model of this architecture that packing uses: the last one held here, or the built-in one.
    pub fn preferred<A: Architecture>(&self) -> Model<A> {
        let mut held = self.0.iter().rev();
        held.find_map(|(_, model)| model.downcast_ref().cloned())
            .unwrap_or_else(A::builtin)
    }
}
