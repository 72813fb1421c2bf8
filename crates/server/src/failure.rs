//! Why a command failed, in a sentence that says what to do.

use std::io;
use std::path::Path;

use tidings_storage::StorageError;

use crate::settings::SettingsError;

/// Why a command failed; the process ends with 1.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The settings cannot be used.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The database cannot be opened or brought up to date.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// A use case did not do what was asked.
    #[error(transparent)]
    UseCase(#[from] tidings_domain::Error),
    /// The operating system did not do its part.
    #[error("{what}: {error}")]
    System {
        /// What was tried.
        what: String,
        /// Its answer.
        error: io::Error,
    },
    /// It cannot be done so; the sentence says what can.
    #[error("{0}")]
    Refused(String),
}

impl Failure {
    /// A sentence that says what to do.
    pub(crate) fn refused(sentence: impl Into<String>) -> Self {
        Self::Refused(sentence.into())
    }

    /// For `map_err`: what was tried, if it fails.
    pub(crate) fn doing(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        |error| Self::System { what: what.into(), error }
    }

    /// For `map_err`: what was tried with a file, if it fails.
    pub(crate) fn with_file(verb: &str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        Self::doing(format!("cannot {verb} {}", path.display()))
    }
}

/// What stands at the bottom of an error, such as `Connection refused (os error 111)`.
pub(crate) fn root_cause(error: &(dyn std::error::Error + 'static)) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
