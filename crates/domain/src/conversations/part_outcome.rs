//! The final outcome of a part after earlier parts of its message were sent.

use crate::channels::{Explanation, SendOutcome};

/// Returns the outcome of a message of which the part `index` of `count` was not sent. After other parts were sent, the
/// message is never suppressed, because it would look as if no part of it was sent.
pub(super) fn outcome_at(outcome: &SendOutcome, index: usize, count: usize) -> SendOutcome {
    if index == 0 {
        return outcome.clone();
    }
    let number = index + 1;
    let explain = |why: &Explanation| Explanation { text: format!("Part {number} of {count}: {why}"), ..why.clone() };
    match outcome {
        SendOutcome::Accepted { .. } => outcome.clone(),
        SendOutcome::Suppressed { reason, message } => {
            let why = Explanation { text: reason.message().to_owned(), ..message.clone() };
            SendOutcome::Rejected { code: reason.as_str().to_owned(), message: explain(&why) }
        }
        SendOutcome::Rejected { code, message } => {
            SendOutcome::Rejected { code: code.clone(), message: explain(message) }
        }
        SendOutcome::Blocked { message } | SendOutcome::OptedOut { message } => {
            SendOutcome::Blocked { message: explain(message) }
        }
        SendOutcome::TryLater { after, scope, message } => {
            SendOutcome::TryLater { after: *after, scope: *scope, message: explain(message) }
        }
        SendOutcome::ChannelFailed { code, after, message } => {
            let (code, after) = (*code, *after);
            SendOutcome::ChannelFailed { code, after, message: explain(message) }
        }
        SendOutcome::Unknown { message } => SendOutcome::Unknown { message: explain(message) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversations::Suppression;

    #[test]
    fn the_first_part_decides_about_the_message() {
        let outcome = SendOutcome::Suppressed { reason: Suppression::WindowClosed, message: "Late.".into() };
        assert_eq!(outcome_at(&outcome, 0, 2), outcome);
    }

    #[test]
    fn a_later_part_never_suppresses_the_message() {
        let failed = |code: &str, why: &str| SendOutcome::Rejected {
            code: code.to_owned(),
            message: format!("Part 2 of 3: {why}").into(),
        };
        let of_provider = |outcome: SendOutcome| outcome.with_provider_error(Some("131047".to_owned()), Some(400));
        let reason = Suppression::WindowClosed;
        let late = of_provider(SendOutcome::Suppressed { reason, message: "Late.".into() });
        assert_eq!(outcome_at(&late, 1, 3), of_provider(failed("window_closed", reason.message())));
        let rejected = SendOutcome::Rejected { code: "x".to_owned(), message: "No.".into() };
        assert_eq!(outcome_at(&rejected, 1, 3), failed("x", "No."));
        let refused = rejected.with_provider_error(Some("550".to_owned()), None);
        let expected = failed("x", "No.").with_provider_error(Some("550".to_owned()), None);
        assert_eq!(outcome_at(&refused, 1, 3), expected, "the provider's code stays");
        let left = SendOutcome::OptedOut { message: "Stop.".into() };
        assert!(matches!(outcome_at(&left, 1, 3), SendOutcome::Blocked { message } if message.text.ends_with("Stop.")));
    }
}
