//! Errors of messages and of their parts.

use serde::{Deserialize, Serialize};

/// Why a message failed or was suppressed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageError {
    /// Error code.
    pub code: String,
    /// Description of the error.
    pub message: String,
}
