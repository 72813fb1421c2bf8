//! The errors of settings.

use config::ConfigError;

/// The reason why settings are invalid.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// An unknown key.
    #[error("unknown setting `{key}` in {origin}{}", nearest_words(.nearest))]
    Unknown {
        /// The key.
        key: String,
        /// The file or variable with the key.
        origin: String,
        /// The nearest known keys.
        nearest: Vec<String>,
    },
    /// An invalid value.
    #[error("the setting `{key}` is wrong: {why}")]
    Wrong {
        /// The key.
        key: &'static str,
        /// The reason.
        why: String,
    },
    /// An unreadable file, or a value of a wrong type.
    #[error("the settings cannot be read: {0}")]
    Unreadable(#[from] ConfigError),
}

/// Creates the error for an invalid value.
pub(super) fn wrong(key: &'static str, why: impl Into<String>) -> SettingsError {
    SettingsError::Wrong { key, why: why.into() }
}

fn nearest_words(nearest: &[String]) -> String {
    match nearest.split_first() {
        None => "; `tidings settings` prints all settings".to_owned(),
        Some((first, rest)) => {
            rest.iter().fold(format!("; did you mean `{first}`"), |it, key| it + " or `" + key + "`") + "?"
        }
    }
}
