//! The reason why a message was not sent.

use std::fmt::{self, Display};

/// Why a provider did not accept a message: a sentence, and the error of the provider.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Explanation {
    /// The sentence.
    pub text: String,
    /// The provider's own code of the error, such as `131026`.
    pub provider_code: Option<String>,
    /// The HTTP status of the provider's response.
    pub http_status: Option<u16>,
}

impl From<String> for Explanation {
    fn from(text: String) -> Self {
        Self { text, provider_code: None, http_status: None }
    }
}

impl From<&str> for Explanation {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
