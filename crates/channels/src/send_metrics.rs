//! The metrics of calls that send messages to providers.

use std::time::Instant;

use tidings_domain::channels::{ChannelKind, SendOutcome};

/// Makes a call that sends a part of a message, and counts it with its outcome and its duration.
pub(crate) async fn measured(kind: ChannelKind, call: impl Future<Output = SendOutcome> + Send) -> SendOutcome {
    let (kind, began) = (kind.as_str(), Instant::now());
    let outcome = call.await;
    metrics::counter!("tidings_channel_sends_total", "kind" => kind, "outcome" => word(&outcome)).increment(1);
    metrics::histogram!("tidings_channel_send_duration_seconds", "kind" => kind).record(began.elapsed());
    outcome
}

/// Returns the outcome as a label.
fn word(outcome: &SendOutcome) -> &'static str {
    match outcome {
        SendOutcome::Accepted { .. } => "accepted",
        SendOutcome::Rejected { .. } => "rejected",
        SendOutcome::TryLater { .. } => "later",
        SendOutcome::ChannelFailed { .. } => "channel_failed",
        SendOutcome::Blocked { .. } | SendOutcome::OptedOut { .. } => "opted_out",
        SendOutcome::Suppressed { .. } => "suppressed",
        SendOutcome::Unknown { .. } => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use tidings_domain::channels::RetryScope;

    use super::*;

    #[tokio::test]
    async fn a_measured_call_keeps_its_outcome() {
        let outcome = SendOutcome::Accepted { provider_message_id: Some("p1".to_owned()) };
        let call = outcome.clone();
        assert_eq!(measured(ChannelKind::Http, async move { call }).await, outcome);
    }

    #[test]
    fn each_outcome_has_a_label() {
        let later = SendOutcome::TryLater { after: None, scope: RetryScope::Channel, message: "busy".into() };
        let failed = SendOutcome::ChannelFailed { code: "invalid_token", after: None, message: "No.".into() };
        let labels = [
            (SendOutcome::Accepted { provider_message_id: None }, "accepted"),
            (SendOutcome::Rejected { code: "x".to_owned(), message: "No.".into() }, "rejected"),
            (later, "later"),
            (failed, "channel_failed"),
            (SendOutcome::Blocked { message: "No.".into() }, "opted_out"),
            (SendOutcome::OptedOut { message: "No.".into() }, "opted_out"),
            (SendOutcome::Unknown { message: "Lost.".into() }, "unknown"),
        ];
        for (outcome, label) in labels {
            assert_eq!(word(&outcome), label, "{outcome:?}");
        }
    }
}
