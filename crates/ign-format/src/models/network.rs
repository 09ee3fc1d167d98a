//! The parameters of a network (spec §9.5) as a model: those of clocks, evaluations and names.

use std::borrow::Cow;

use ign_entropy::{
    network::{Network, Shape},
    varint,
};

use crate::error::{Error, Result};

/// A network of `WIDTH` hidden units, and the bytes of its parameters.
#[derive(Debug)]
pub struct NetworkParameters<const WIDTH: usize, const UNITS: usize> {
    network: Network<'static, WIDTH, UNITS>,
    bytes: Cow<'static, [u8]>,
}

impl<const WIDTH: usize, const UNITS: usize> NetworkParameters<WIDTH, UNITS> {
    /// The network with these parameters, which are part of the program.
    pub(crate) fn of_program(bytes: &'static [u8], shape: Shape) -> Self {
        Self {
            network: Network::from_bytes(bytes, shape),
            bytes: Cow::Borrowed(bytes),
        }
    }

    /// Reads the data of a model: the shape, then the parameters.
    ///
    /// # Errors
    /// Corrupt, if it has another shape.
    pub(crate) fn read(mut data: &[u8], shape: Shape) -> Result<Self> {
        for expected in dimensions(shape) {
            if varint::read(&mut data)? != expected {
                return Err(Error::corrupt("the network of a model has another shape"));
            }
        }
        if data.len() != shape.parameters() {
            return Err(Error::corrupt(
                "the network of a model is cut off or too long",
            ));
        }
        Ok(Self {
            network: Network::from_bytes(data, shape).into_owned(),
            bytes: Cow::Owned(data.to_vec()),
        })
    }

    /// The data of the model.
    pub(crate) fn data(&self, shape: Shape) -> Vec<u8> {
        let mut out = Vec::new();
        for dimension in dimensions(shape) {
            varint::write(&mut out, dimension);
        }
        out.extend_from_slice(&self.bytes);
        out
    }

    /// The network.
    #[inline]
    pub fn network(&self) -> &Network<'static, WIDTH, UNITS> {
        &self.network
    }
}

/// What the data of a network begin with.
fn dimensions(shape: Shape) -> [u64; 3] {
    [shape.rows, shape.width, shape.decisions].map(|dimension| dimension as u64)
}

/// Defines the architecture of a network: its type, its number, its name, the built-in parameters,
/// and the constants `SHAPE`, `WIDTH` and `UNITS` of the module.
macro_rules! network_architecture {
    ($(#[$doc:meta])* $name:ident, $number:literal, $title:literal, $parameters:expr) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name($crate::models::NetworkParameters<WIDTH, UNITS>);

        impl $name {
            /// The network.
            #[inline]
            pub fn network(&self) -> &ign_entropy::network::Network<'static, WIDTH, UNITS> {
                self.0.network()
            }
        }

        impl $crate::models::Architecture for $name {
            const NUMBER: u8 = $number;
            const NAME: &'static str = $title;

            fn builtin() -> $crate::models::Model<Self> {
                use $crate::models::{Model, NetworkParameters, PUBLISHED};
                static BUILTIN: std::sync::LazyLock<Model<$name>> =
                    std::sync::LazyLock::new(|| {
                        Model::of_program(PUBLISHED[$number - 1], || {
                            $name(NetworkParameters::of_program($parameters, SHAPE))
                        })
                    });
                BUILTIN.clone()
            }

            fn read(data: &[u8]) -> $crate::error::Result<Self> {
                $crate::models::NetworkParameters::read(data, SHAPE).map(Self)
            }

            fn data(&self) -> Vec<u8> {
                self.0.data(SHAPE)
            }
        }
    };
}
pub(crate) use network_architecture;
