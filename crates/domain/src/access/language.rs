//! Languages of users.

use crate::words::words;

words! {
    /// A language of the panel.
    Language {
        /// English.
        En = "en",
        /// German.
        De = "de",
    }
}
