//! The errors of commands, with advice.

use std::io;
use std::path::Path;

use tidings_storage::StorageError;

use crate::settings::SettingsError;

/// The error of a command. The process exits with 1, unless the error has another code.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The settings are invalid.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The database cannot be opened or migrated.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// A use case failed.
    #[error(transparent)]
    UseCase(#[from] tidings_domain::Error),
    /// The operating system reported an error.
    #[error("{what}: {error}")]
    System {
        /// The action that failed.
        what: String,
        /// The error.
        error: io::Error,
    },
    /// The command was rejected; the message says what to do.
    #[error("{0}")]
    Refused(String),
    /// The command failed, and its caller reacts to the exit code.
    #[error("{sentence}")]
    Exiting {
        /// The exit code.
        code: u8,
        /// The error.
        sentence: String,
    },
}

impl Failure {
    /// Returns a rejection. The message must say what to do.
    pub(crate) fn with_advice(sentence: impl Into<String>) -> Self {
        Self::Refused(sentence.into())
    }

    /// Returns a failure with this exit code.
    pub(crate) fn exiting(code: u8, sentence: String) -> Self {
        Self::Exiting { code, sentence }
    }

    /// Returns the exit code of the process.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Exiting { code, .. } => *code,
            Self::Settings(_) | Self::Storage(_) | Self::UseCase(_) | Self::System { .. } | Self::Refused(_) => 1,
        }
    }

    /// Returns a function for `map_err`; `what` is the action that failed.
    pub(crate) fn while_doing(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        |error| Self::System { what: what.into(), error }
    }

    /// Returns a function for `map_err`; `verb` is the action that failed with the file.
    pub(crate) fn with_file(verb: &str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        Self::while_doing(format!("cannot {verb} {}", path.display()))
    }
}

/// Returns the innermost cause of an error, such as `Connection refused (os error 111)`.
pub(crate) fn root_cause(error: &(dyn std::error::Error + 'static)) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
