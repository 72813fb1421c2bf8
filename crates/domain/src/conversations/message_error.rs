//! Errors of messages and of their parts.

use serde::{Deserialize, Serialize};

use crate::channels::Explanation;

/// Why a message failed or was suppressed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageError {
    /// Error code.
    pub code: String,
    /// Description of the error.
    pub message: String,
    /// The provider's own code of the error. Releases before 0.5.0 wrote none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_code: Option<String>,
    /// The HTTP status of the provider's response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http_status: Option<u16>,
}

impl MessageError {
    /// Creates an error that the provider did not report.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), provider_code: None, http_status: None }
    }

    /// Adds the provider's own code of the error.
    #[must_use]
    pub fn with_provider_code(self, provider_code: Option<String>) -> Self {
        Self { provider_code, ..self }
    }

    /// Creates the error of a message that the provider did not accept.
    pub(crate) fn explained(code: impl Into<String>, why: &Explanation) -> Self {
        let Explanation { text, provider_code, http_status } = why.clone();
        Self { code: code.into(), message: text, provider_code, http_status }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn reads_errors_of_releases_that_stored_no_provider_code() {
        let stored = json!({"code": "rejected", "message": "No."});
        let error = MessageError::new("rejected", "No.");
        assert_eq!(serde_json::from_value::<MessageError>(stored.clone()).unwrap(), error);
        assert_eq!(serde_json::to_value(error).unwrap(), stored);
    }

    #[test]
    fn keeps_the_error_of_the_provider() {
        let why = Explanation {
            provider_code: Some("131026".to_owned()),
            http_status: Some(400),
            ..Explanation::from("No.")
        };
        let error = MessageError::explained("unreachable", &why);
        let stored = json!({"code": "unreachable", "message": "No.", "provider_code": "131026", "http_status": 400});
        assert_eq!(serde_json::to_value(&error).unwrap(), stored);
        assert_eq!(serde_json::from_value::<MessageError>(stored).unwrap(), error);
    }
}
