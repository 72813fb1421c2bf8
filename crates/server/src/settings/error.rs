//! Why settings cannot be used, in sentences for who writes them.

use config::ConfigError;

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// A key that is not in the defaults.
    #[error("unknown setting `{key}` in {origin}{}", nearest_words(.nearest))]
    Unknown {
        /// The key.
        key: String,
        /// Where it stands.
        origin: String,
        /// The known keys that are nearest.
        nearest: Vec<String>,
    },
    /// A value that may not be.
    #[error("the setting `{key}` is wrong: {why}")]
    Wrong {
        /// The key.
        key: &'static str,
        /// What would be right.
        why: String,
    },
    /// A file that cannot be read, or a value of another type.
    #[error("the settings cannot be read: {0}")]
    Unreadable(#[from] ConfigError),
}

fn nearest_words(nearest: &[String]) -> String {
    match nearest.split_first() {
        None => "; `tidings settings` prints all settings".to_owned(),
        Some((first, rest)) => {
            rest.iter().fold(format!("; did you mean `{first}`"), |it, key| it + " or `" + key + "`") + "?"
        }
    }
}
