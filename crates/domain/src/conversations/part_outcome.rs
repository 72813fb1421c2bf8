//! The final outcome of a part after earlier parts of its message were sent.

use crate::channels::SendOutcome;

/// Returns the outcome of a message of which the part `index` of `count` was not sent. After other parts were sent, the
/// message is never suppressed, because it would look as if no part of it was sent.
pub(super) fn outcome_at(outcome: &SendOutcome, index: usize, count: usize) -> SendOutcome {
    if index == 0 {
        return outcome.clone();
    }
    let number = index + 1;
    let explain = |why: &str| format!("Part {number} of {count}: {why}");
    match outcome {
        SendOutcome::Accepted { .. } => outcome.clone(),
        SendOutcome::Suppressed { reason } => {
            SendOutcome::Rejected { code: reason.as_str().to_owned(), message: explain(reason.message()) }
        }
        SendOutcome::Rejected { code, message } => {
            SendOutcome::Rejected { code: code.clone(), message: explain(message) }
        }
        SendOutcome::Blocked { message } | SendOutcome::OptedOut { message } => {
            SendOutcome::Blocked { message: explain(message) }
        }
        SendOutcome::TryLater { after, message } => SendOutcome::TryLater { after: *after, message: explain(message) },
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
        let outcome = SendOutcome::Suppressed { reason: Suppression::WindowClosed };
        assert_eq!(outcome_at(&outcome, 0, 2), outcome);
    }

    #[test]
    fn a_later_part_never_suppresses_the_message() {
        let failed = |code: &str, why: &str| SendOutcome::Rejected {
            code: code.to_owned(),
            message: format!("Part 2 of 3: {why}"),
        };
        let reason = Suppression::WindowClosed;
        assert_eq!(outcome_at(&SendOutcome::Suppressed { reason }, 1, 3), failed("window_closed", reason.message()));
        let rejected = SendOutcome::Rejected { code: "x".to_owned(), message: "No.".to_owned() };
        assert_eq!(outcome_at(&rejected, 1, 3), failed("x", "No."));
        let left = SendOutcome::OptedOut { message: "Stop.".to_owned() };
        assert!(matches!(outcome_at(&left, 1, 3), SendOutcome::Blocked { message } if message.ends_with("Stop.")));
    }
}
