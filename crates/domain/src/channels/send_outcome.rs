//! The outcome of sending a message to a provider.

use std::time::Duration;

use super::explanation::Explanation;
use crate::conversations::Suppression;

/// The messages that a provider does not accept now either, after it did not accept one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryScope {
    /// Those to the same recipient. They follow the message in any case.
    Recipient,
    /// All messages of the channel.
    Channel,
    /// The provider does not state it: those to the same recipient, or all messages of the channel if the provider
    /// refused a message to another recipient shortly before.
    Unstated,
}

/// Outcome of sending a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SendOutcome {
    /// The provider accepted the message.
    Accepted {
        /// The provider's ID of the message.
        provider_message_id: Option<String>,
    },
    /// The provider rejected the message for good.
    Rejected {
        /// Code for programs, such as `unreachable`.
        code: String,
        /// Description of the error, with the error of the provider.
        message: Explanation,
    },
    /// The provider did not accept the message now, and may accept it later.
    TryLater {
        /// Minimum time until the next attempt.
        after: Option<Duration>,
        /// The messages that the provider does not accept now either.
        scope: RetryScope,
        /// Description of the error, with the error of the provider.
        message: Explanation,
    },
    /// The provider accepts no message of the channel until an admin corrects it, such as after it revoked the token.
    /// The message waits.
    ChannelFailed {
        /// Code of the problem for programs, such as `invalid_token`.
        code: &'static str,
        /// Minimum time until the next attempt.
        after: Option<Duration>,
        /// Description of the error, with the error of the provider.
        message: Explanation,
    },
    /// The provider rejected the message for good, because the contact has blocked the sender. The contact is opted out
    /// of the channel.
    Blocked {
        /// Description of the error, with the error of the provider.
        message: Explanation,
    },
    /// The provider rejected the message, because the contact may not get it now.
    Suppressed {
        /// The reason.
        reason: Suppression,
        /// Description of the error, with the error of the provider.
        message: Explanation,
    },
    /// The provider rejected the message for good, because the contact refuses messages of the sender. The message is
    /// suppressed, and the contact is opted out of the channel.
    OptedOut {
        /// Description of the error, with the error of the provider.
        message: Explanation,
    },
    /// The outcome is unknown: the provider may have accepted the message.
    Unknown {
        /// Description of the error, with the error of the provider.
        message: Explanation,
    },
}

impl SendOutcome {
    /// Adds the error of the provider's response: its own code, and the HTTP status. A success has none.
    #[must_use]
    pub fn with_provider_error(mut self, code: Option<String>, http_status: Option<u16>) -> Self {
        match &mut self {
            Self::Accepted { .. } => {}
            Self::Rejected { message, .. }
            | Self::TryLater { message, .. }
            | Self::ChannelFailed { message, .. }
            | Self::Blocked { message }
            | Self::Suppressed { message, .. }
            | Self::OptedOut { message }
            | Self::Unknown { message } => {
                message.provider_code = code;
                message.http_status = http_status;
            }
        }
        self
    }
}
