//! Whether models and coders compute on this machine what the format states.

use super::KnownAnswer;

/// Computes the known answers of the coders and the built-in models
/// ([format-spec.md §8.7, §9.7](https://docs.rs/ign-format)), in some milliseconds. Packing and verifying compare
/// those of the models by themselves.
///
/// ```
/// use ign_archive::check::known_answers;
///
/// for answer in known_answers() {
///     assert!(answer.is_right(), "{}", answer.name);
/// }
/// ```
pub fn known_answers() -> Vec<KnownAnswer> {
    ign_format::known_answers::all().collect()
}
