//! Results of a connector's calls about a channel as a whole.

use serde::{Deserialize, Serialize};

use super::model::Config;
use crate::time::Timestamp;

/// A step of connecting a channel that failed at the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetupFailure {
    /// The failed step, such as `set_webhook`.
    pub step: &'static str,
    /// The provider's error code.
    pub provider_code: Option<String>,
    /// Advice for an admin, as a sentence.
    pub hint: String,
    /// The secret that the provider rejected, by name.
    pub secret: Option<&'static str>,
}

/// Health of a channel, as its provider reports it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Health {
    /// Current problems. Empty if there are none or if the provider cannot be asked.
    pub problems: Vec<HealthProblem>,
    /// The delivery of inbound requests.
    pub webhook: WebhookReport,
    /// Limits and ratings, by name.
    pub limits: Config,
    /// End of validity of the credential.
    pub credential_expires_at: Option<Timestamp>,
}

/// A problem of a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthProblem {
    /// Code for programs, such as `webhook_taken`.
    pub code: &'static str,
    /// Description of the problem.
    pub message: String,
    /// Whether no message can be sent until an admin corrects the channel.
    pub ends_sending: bool,
}

/// The delivery of inbound requests, as the provider reports it. Members that it does not report are empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct WebhookReport {
    /// Whether the provider sends requests to this server.
    pub ok: Option<bool>,
    /// Number of requests that wait at the provider.
    pub pending: Option<u64>,
    /// The last error that the provider had with this server.
    pub last_error: Option<String>,
}

impl Health {
    /// Adds a problem.
    #[must_use]
    pub fn with_problem(mut self, code: &'static str, message: impl Into<String>, ends_sending: bool) -> Self {
        self.problems.push(HealthProblem { code, message: message.into(), ends_sending });
        self
    }
}
