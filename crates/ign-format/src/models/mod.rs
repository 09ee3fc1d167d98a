//! Models as values: parameters of a network or of tables, with an identity (spec §8.6).
//!
//! A model consists of its [architecture](Architecture), which is code, and its *data*, which are
//! bytes: shapes and parameters. Its [identity](ModelId) is the number of the architecture and a
//! hash of the data. A block names each model that it needs, so other parameters never need another
//! version of the format.
//!
//! The built-in models are part of the program and are unpacked when they are first used.
//! [`Models`] holds others.

mod model_id;
mod network;
mod shared;

use std::{
    any::Any,
    fmt,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

pub use model_id::{ModelId, PUBLISHED};
pub use network::NetworkParameters;
pub(crate) use network::network_architecture;
pub use shared::{Architecture, Model};

#[cfg(feature = "go")]
use crate::go_model::Parameters as Go;
use crate::{
    columns::name_model::NameNetwork,
    error::{Error, Remedy, Result},
    model::Parameters as Chess,
    pgn::comments::{clock_model::ClockNetwork, evals::EvalNetwork},
};

/// Evaluates an expression with `$A` as the architecture of this number; `None` if the program has
/// none.
macro_rules! of_architecture {
    ($number:expr, $A:ident => $value:expr) => {
        match $number {
            Chess::NUMBER => of_architecture!(Chess, $A, $value),
            #[cfg(feature = "go")]
            Go::NUMBER => of_architecture!(Go, $A, $value),
            ClockNetwork::NUMBER => of_architecture!(ClockNetwork, $A, $value),
            EvalNetwork::NUMBER => of_architecture!(EvalNetwork, $A, $value),
            NameNetwork::NUMBER => of_architecture!(NameNetwork, $A, $value),
            _ => None,
        }
    };
    ($architecture:ident, $A:ident, $value:expr) => {{
        type $A = $architecture;
        Some($value)
    }};
}

impl ModelId {
    /// What the model is: `move model`; `unknown model` if the program has no such architecture.
    pub fn name(self) -> &'static str {
        of_architecture!(self.architecture, A => A::NAME).unwrap_or("unknown model")
    }

    /// Whether the model is part of the program.
    pub fn is_builtin(self) -> bool {
        of_architecture!(self.architecture, A => A::builtin().id()) == Some(self)
    }
}

/// Models beside the built-in ones. A copy is cheap.
#[derive(Debug, Clone, Default)]
pub struct Models {
    held: Arc<Vec<(ModelId, AnyModel)>>,
    /// Where other models are read from when they are needed.
    source: Option<Arc<dyn ModelSource>>,
    /// Those that were read from there.
    read: Arc<Mutex<Vec<(ModelId, AnyModel)>>>,
}

/// Models of a source that stay in memory.
const MAX_READ: usize = 16;

type AnyModel = Arc<dyn Any + Send + Sync>;

/// The data of models, such as those of an archive.
pub trait ModelSource: fmt::Debug + Send + Sync {
    /// The data of the model with this identity; `None` if there is none.
    ///
    /// # Errors
    /// Those of reading; corrupt.
    fn data(&self, id: ModelId) -> Result<Option<Vec<u8>>>;
}

impl Models {
    /// The built-in models alone.
    pub fn builtin() -> &'static Self {
        static BUILTIN: LazyLock<Models> = LazyLock::new(Models::default);
        &BUILTIN
    }

    /// Models that are read from a source when they are needed.
    pub fn of_source(source: Arc<dyn ModelSource>) -> Self {
        Self {
            source: Some(source),
            ..Self::default()
        }
    }

    /// These models and another one, which packing prefers to those before of its architecture.
    #[must_use]
    pub fn with<A: Architecture>(&self, model: Model<A>) -> Self {
        let mut held = (*self.held).clone();
        held.push((model.id(), Arc::new(model)));
        Self {
            held: Arc::new(held),
            ..self.clone()
        }
    }

    /// Whether a model is held here.
    pub fn holds(&self, id: ModelId) -> bool {
        self.held.iter().any(|(held, _)| *held == id)
    }

    /// The identities of the models that are held here.
    pub fn held(&self) -> impl Iterator<Item = ModelId> {
        self.held.iter().map(|&(id, _)| id)
    }

    /// Reads a model from its data.
    ///
    /// # Errors
    /// Corrupt, if the data are no model of the architecture; unsupported, if the program has no
    /// such architecture.
    pub fn with_data(&self, architecture: u8, data: &[u8]) -> Result<Self> {
        let with = of_architecture!(architecture, A => Model::<A>::read(data).map(|model| self.with(model)));
        with.unwrap_or_else(|| {
            Err(Error::unsupported(format!(
                "a model of the unknown architecture {architecture}"
            ))
            .with_remedy(Remedy::LaterVersion))
        })
    }

    /// The model with this identity; `None` if it is neither built in nor held here nor in the
    /// source.
    ///
    /// # Errors
    /// Those of the source.
    pub fn find<A: Architecture>(&self, id: ModelId) -> Result<Option<Model<A>>> {
        let builtin = A::builtin();
        if builtin.id() == id {
            return Ok(Some(builtin));
        }
        let among = |models: &[(ModelId, AnyModel)]| -> Option<Model<A>> {
            let (_, found) = models.iter().find(|(known, _)| *known == id)?;
            found.downcast_ref().cloned()
        };
        if let Some(model) = among(&self.held) {
            return Ok(Some(model));
        }
        let Some(source) = &self.source else {
            return Ok(None);
        };
        // A model is read once, however many threads need it.
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = among(&read) {
            return Ok(Some(model));
        }
        let Some(data) = source.data(id)? else {
            return Ok(None);
        };
        let model = Model::<A>::read(&data)?;
        if read.len() == MAX_READ {
            read.remove(0);
        }
        read.push((id, Arc::new(model.clone())));
        Ok(Some(model))
    }

    /// Whether a model is neither built in nor held here nor in the source, or is damaged there.
    ///
    /// # Errors
    /// Those of the source, but for damage.
    pub fn lacks(&self, id: ModelId) -> Result<bool> {
        let found =
            of_architecture!(id.architecture, A => self.find::<A>(id).map(|model| model.is_some()));
        match found {
            Some(Err(error)) if !error.is_data_error() => Err(error),
            Some(Ok(is_found)) => Ok(!is_found),
            _ => Ok(true),
        }
    }

    /// These models, and those of another source where they are needed for reading.
    #[must_use]
    pub fn reading(&self, source: &Self) -> Self {
        Self {
            held: self.held.clone(),
            source: source.source.clone(),
            read: source.read.clone(),
        }
    }

    /// The data of the model with this identity; `None` if there is none.
    ///
    /// # Errors
    /// Those of the source.
    pub fn data(&self, id: ModelId) -> Result<Option<Vec<u8>>> {
        let data =
            of_architecture!(id.architecture, A => self.find::<A>(id)?.map(|model| model.data()));
        Ok(data.flatten())
    }

    /// The identity of the model of the architecture with this number that packing uses.
    pub fn preferred_id(&self, architecture: u8) -> Option<ModelId> {
        of_architecture!(architecture, A => self.preferred::<A>().id())
    }

    /// The model of this architecture that packing uses: the last one held here, or the built-in
    /// one.
    pub fn preferred<A: Architecture>(&self) -> Model<A> {
        let mut held = self.held.iter().rev();
        held.find_map(|(_, model)| model.downcast_ref().cloned())
            .unwrap_or_else(A::builtin)
    }
}
