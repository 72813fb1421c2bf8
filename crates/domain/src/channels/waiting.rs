//! Messages while their channel is disconnected by its provider: they wait, or they are suppressed.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::read::Violation;
use crate::time::IsoDuration;
use crate::words::words;

/// The longest wait.
const LONGEST: Duration = Duration::from_secs(7 * 86_400);
/// The usual wait.
const USUAL: &str = "PT24H";

words! {
    /// Handling of messages while a channel is disconnected by its provider.
    DisconnectedMode {
        /// They wait until the channel is connected again.
        Wait = "wait",
        /// They are suppressed.
        Suppress = "suppress",
    }
}

/// Handling of messages while a channel is disconnected by its provider, such as after the token was revoked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WhileDisconnected {
    /// `wait`, or `suppress`.
    pub mode: DisconnectedMode,
    /// The longest wait, such as `PT24H`. Then the messages are suppressed.
    #[serde(rename = "for")]
    pub duration: String,
}

impl WhileDisconnected {
    /// Creates it from a duration that [`WhileDisconnected::check`] accepts; without one, it is 24 hours.
    pub fn new(mode: DisconnectedMode, duration: Option<String>) -> Self {
        Self { mode, duration: duration.unwrap_or_else(|| USUAL.to_owned()) }
    }

    /// Validates a duration.
    ///
    /// # Errors
    /// The violation.
    pub fn check(duration: &str) -> Result<String, Violation> {
        let read: IsoDuration =
            duration.parse().map_err(|error| Violation::at_root("invalid_format", format!("{error}")))?;
        if read.get().is_zero() {
            return Err(Violation::at_root("out_of_range", "must be more than PT0S"));
        }
        if read.get() > LONGEST {
            return Err(Violation::at_root("out_of_range", "must be at most P7D"));
        }
        Ok(duration.to_owned())
    }

    /// Returns the longest wait; `None` if messages do not wait.
    pub(super) fn wait(&self) -> Option<Duration> {
        let duration = self.duration.parse::<IsoDuration>().ok().map(IsoDuration::get);
        duration.filter(|_| self.mode == DisconnectedMode::Wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_wait_for_a_day_or_not_at_all() {
        let waiting = WhileDisconnected::new(DisconnectedMode::Wait, None);
        assert_eq!(waiting.wait(), Some(Duration::from_secs(86_400)));
        assert_eq!(WhileDisconnected::new(DisconnectedMode::Suppress, None).wait(), None);
        let json = serde_json::json!({"mode": "wait", "for": "PT24H"});
        assert_eq!(serde_json::to_value(&waiting).unwrap(), json);
        assert_eq!(serde_json::from_value::<WhileDisconnected>(json).unwrap(), waiting);
    }

    #[test]
    fn bounds_the_wait() {
        let code = |text: &str| WhileDisconnected::check(text).map_err(|violation| violation.code);
        assert_eq!(code("PT90M"), Ok("PT90M".to_owned()));
        assert_eq!(code("P7D"), Ok("P7D".to_owned()));
        assert_eq!([code("P8D"), code("PT0S")], [Err("out_of_range"), Err("out_of_range")]);
        assert_eq!(code("a day"), Err("invalid_format"));
    }
}
