//! Results of a connector's calls about a channel as a whole.

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
}
