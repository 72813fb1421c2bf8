//! Error codes of WhatsApp, <https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes>.

use std::time::Duration;

use tidings_domain::channels::{Explanation, FetchFailure, RetryScope, SendOutcome};
use tidings_domain::conversations::{MessageError, Suppression};

use crate::graph::{GraphError, Reply};

/// Number of repetitions after WhatsApp rejected media, which it may have failed to load.
const MEDIA_RETRIES: i32 = 2;
/// The code of an access token that WhatsApp does not accept.
pub(super) const INVALID_TOKEN: &str = "invalid_token";
/// Maximum exponent of the wait for a recipient, in seconds: 4⁷ s is about 4.5 hours.
const MAX_EXPONENT: u32 = 7;

/// Meaning of an error code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// WhatsApp did not process the message: too many for this recipient.
    WaitForRecipient,
    /// WhatsApp did not process the message: too many, or maintenance.
    Wait,
    /// WhatsApp may have sent the message.
    Unknown,
    /// WhatsApp rejects the message for good, with this code of the service.
    Reject(&'static str),
    /// WhatsApp rejects media.
    Media,
    /// The contact may not get the message now.
    Suppress(Suppression),
    /// The account, the token or the phone number is not accepted. The message waits.
    Channel,
}

/// Returns the meaning of a code; `None` if it is not listed.
fn meaning(code: i64) -> Option<Meaning> {
    Some(match code {
        131_056 => Meaning::WaitForRecipient,
        4 | 80_007 | 130_429 | 133_004 | 131_057 => Meaning::Wait,
        1 | 2 | 131_000 | 131_016 => Meaning::Unknown,
        131_026 => Meaning::Reject("undeliverable"),
        131_062 => Meaning::Reject("number_required"),
        130_497 => Meaning::Reject("country_not_allowed"),
        131_030 => Meaning::Reject("not_a_test_number"),
        131_021 => Meaning::Reject("recipient_is_sender"),
        131_047 => Meaning::Suppress(Suppression::WindowClosed),
        131_050 => Meaning::Suppress(Suppression::MarketingStopped),
        131_049 | 130_472 | 131_048 | 131_064 => Meaning::Reject("provider_limit"),
        131_052 | 131_053 => Meaning::Media,
        100 | 131_008 | 131_009 | 131_051 | 132_000..=132_999 | 135_000 => Meaning::Reject("provider_rejected"),
        0 | 3 | 10 | 190 | 200..=299 | 131_005 | 131_031 | 131_042 | 131_045 | 133_010 | 368 => Meaning::Channel,
        _ => return None,
    })
}

/// Returns the meaning of a response that is no success. A listed code counts more than the HTTP status.
fn meaning_of(reply: &Reply) -> Meaning {
    let listed = reply.code().and_then(meaning);
    let is_transient = reply.error.as_ref().is_some_and(|error| error.is_transient);
    listed.unwrap_or(match reply.status {
        401 | 403 => Meaning::Channel,
        429 => Meaning::Wait,
        // The message cannot be accepted at another address.
        300..=399 => Meaning::Channel,
        400..=499 if !is_transient => Meaning::Reject("provider_rejected"),
        _ => Meaning::Unknown,
    })
}

/// Converts a response that is no success into the outcome of a message. `attempts` is the number of earlier attempts.
pub(super) fn outcome_of(reply: &Reply, attempts: i32) -> SendOutcome {
    let code = reply.error.as_ref().and_then(|error| error.code);
    refused(reply, attempts).with_provider_error(code.map(|code| code.to_string()), Some(reply.status))
}

fn refused(reply: &Reply, attempts: i32) -> SendOutcome {
    let sentence = reply.sentence();
    let message = Explanation::from(sentence.as_str());
    let rejected = |code: &str, message| SendOutcome::Rejected { code: code.to_owned(), message };
    match meaning_of(reply) {
        Meaning::WaitForRecipient => {
            let exponent = u32::try_from(attempts).unwrap_or_default().min(MAX_EXPONENT);
            SendOutcome::TryLater {
                after: Some(Duration::from_secs(4_u64.pow(exponent))),
                scope: RetryScope::Recipient,
                message,
            }
        }
        Meaning::Wait => SendOutcome::TryLater { after: reply.retry_after, scope: RetryScope::Channel, message },
        Meaning::Unknown => SendOutcome::Unknown { message },
        Meaning::Reject(code) => rejected(code, message),
        Meaning::Media if attempts < MEDIA_RETRIES => {
            SendOutcome::TryLater { after: None, scope: RetryScope::Recipient, message }
        }
        Meaning::Media => rejected("media_rejected", message),
        Meaning::Suppress(reason) => SendOutcome::Suppressed { reason, message },
        Meaning::Channel => {
            let message = format!("WhatsApp does not accept messages of this channel: test it. {sentence}").into();
            let code = if reply.rejects_the_token() { INVALID_TOKEN } else { "channel_rejected" };
            SendOutcome::ChannelFailed { code, after: reply.retry_after, message }
        }
    }
}

/// Converts a response without a file into a failure.
pub(super) fn fetch_failure(reply: &Reply) -> FetchFailure {
    let sentence = reply.sentence();
    match meaning_of(reply) {
        Meaning::Reject(_) | Meaning::Suppress(_) => FetchFailure::Gone(sentence),
        Meaning::WaitForRecipient | Meaning::Wait | Meaning::Unknown | Meaning::Media | Meaning::Channel => {
            FetchFailure::Retry(sentence)
        }
    }
}

/// Converts the error of a status report into the error of the message.
pub(super) fn reported(error: &GraphError) -> MessageError {
    let code = match error.code.and_then(meaning) {
        Some(Meaning::Reject(code)) => code,
        Some(Meaning::Suppress(reason)) => reason.as_str(),
        Some(Meaning::Media) => "media_rejected",
        Some(Meaning::WaitForRecipient | Meaning::Wait) => "provider_limit",
        Some(Meaning::Unknown | Meaning::Channel) | None => "provider_failed",
    };
    MessageError::new(code, format!("WhatsApp reports {}", error.sentence()))
        .with_provider_code(error.code.map(|code| code.to_string()))
}
