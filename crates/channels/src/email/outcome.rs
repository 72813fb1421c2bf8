//! The meaning of a mail server's answers for a message.

use std::time::Duration;

use tidings_domain::channels::{RetryScope, SendOutcome};
use tidings_egress::{EgressError, SmtpError};

use super::smtp::{Failure, Reply, Step};

/// The wait after 450 to 452: the server is greylisting or busy, or the mailbox is full.
const BUSY: Duration = Duration::from_secs(300);
/// Codes of a server that accepts no mail of any sender now.
const BUSY_SERVER: [u16; 2] = [421, 454];
/// Codes of a rejected log-in, or of a server that requires one.
const LOG_IN: [u16; 3] = [530, 534, 535];
/// The code of a log-in that the mail server does not accept.
pub(super) const INVALID_LOG_IN: &str = "invalid_login";

/// Returns the outcome of a mail that was not accepted, because no connection was made.
pub(super) fn of_connection(error: SmtpError) -> SendOutcome {
    let later =
        |message: String| SendOutcome::TryLater { after: None, scope: RetryScope::Recipient, message: message.into() };
    match error {
        SmtpError::Failed(EgressError::Forbidden(why)) => rejected("forbidden_address", why),
        SmtpError::Failed(error @ (EgressError::TimedOut | EgressError::Failed(_))) => later(error.to_string()),
        error @ SmtpError::NoTls => channel_failed("tls_required", format!("tls_required: {error}")),
        SmtpError::Refused { code, .. } => {
            let outcome =
                SendOutcome::TryLater { after: None, scope: scope_of(code), message: error.to_string().into() };
            outcome.with_provider_error(Some(code.to_string()), None)
        }
    }
}

/// Returns the outcome of a mail that was not accepted.
pub(super) fn of_failure(failure: Failure) -> SendOutcome {
    match failure {
        Failure::Refused(step, reply) => {
            let code = reply.enhanced().map_or_else(|| reply.code.to_string(), str::to_owned);
            refused(step, &reply).with_provider_error(Some(code), None)
        }
        Failure::TooLarge { limit } => {
            rejected("too_large", format!("The mail server accepts mail of at most {limit} bytes."))
        }
        // An admin must change the log-in; until then the message waits.
        Failure::NoLogIn => channel_failed(INVALID_LOG_IN, no_log_in().to_owned()),
        Failure::Interrupted(_, error) => {
            let message = format!("The connection to the mail server ended before the mail was sent: {error}.");
            SendOutcome::TryLater { after: None, scope: RetryScope::Recipient, message: message.into() }
        }
        Failure::LostAfterDot(error) => {
            let message = format!("The mail server did not confirm that it accepted the mail: {error}.");
            SendOutcome::Unknown { message: message.into() }
        }
    }
}

/// The sentence for a server without a usable log-in.
pub(super) fn no_log_in() -> &'static str {
    "The mail server offers neither PLAIN nor LOGIN. Check the host and the port."
}

/// Whether an answer means that the server does not accept the log-in.
pub(super) fn rejects_the_log_in(step: Step, reply: &Reply) -> bool {
    LOG_IN.contains(&reply.code) || (step == Step::LogIn && (500..600).contains(&reply.code))
}

fn refused(step: Step, reply: &Reply) -> SendOutcome {
    let sentence = reply.sentence();
    let later = |after: Option<Duration>, message: String| SendOutcome::TryLater {
        after,
        scope: scope_of(reply.code),
        message: message.into(),
    };
    if rejects_the_log_in(step, reply) {
        return channel_failed(
            INVALID_LOG_IN,
            format!("The log-in at the mail server failed: check its secrets. {sentence}"),
        );
    }
    match (reply.code, step) {
        (450..=452, _) => later(Some(BUSY), sentence),
        (400..=499, _) => later(None, sentence),
        (_, Step::Greeting | Step::LogIn | Step::Sender) => {
            let message = format!("The mail server does not accept mail from this sender. {sentence}");
            channel_failed("sender_rejected", message)
        }
        (_, Step::Recipient) => rejected(recipient_code(reply), sentence),
        (_, Step::Content) => {
            let is_large = reply.code == 552 || reply.enhanced().is_some_and(|it| it.ends_with(".3.4"));
            rejected(if is_large { "too_large" } else { "message_rejected" }, sentence)
        }
    }
}

/// Returns the messages that a server with this answer does not accept now.
fn scope_of(code: u16) -> RetryScope {
    if BUSY_SERVER.contains(&code) { RetryScope::Channel } else { RetryScope::Recipient }
}

/// Returns the code of a message after the server refused its recipient.
fn recipient_code(reply: &Reply) -> &'static str {
    let enhanced = reply.enhanced().unwrap_or_default();
    match reply.code {
        550 | 551 | 553 if enhanced.starts_with("5.1.") => "unreachable",
        552 => "mailbox_full",
        _ if enhanced == "5.2.2" => "mailbox_full",
        _ => "recipient_rejected",
    }
}

fn channel_failed(code: &'static str, message: String) -> SendOutcome {
    SendOutcome::ChannelFailed { code, after: None, message: message.into() }
}

fn rejected(code: &str, message: String) -> SendOutcome {
    SendOutcome::Rejected { code: code.to_owned(), message: message.into() }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    fn outcome(step: Step, number: u16, text: &str) -> String {
        match of_failure(Failure::Refused(step, Reply { code: number, text: text.to_owned() })) {
            SendOutcome::TryLater { after, .. } => format!("later {}", after.unwrap_or_default().as_secs()),
            SendOutcome::ChannelFailed { code, .. } => code.to_owned(),
            SendOutcome::Rejected { code, message } => {
                assert!(message.text.contains(text), "{message}");
                let enhanced = text.split(' ').next().filter(|it| it.starts_with('5')).map(str::to_owned);
                assert_eq!(message.provider_code, Some(enhanced.unwrap_or_else(|| number.to_string())), "{text}");
                code
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn follows_the_table_of_answers() {
        for (step, code, text, expected) in [
            (Step::Greeting, 421, "4.3.2 busy", "later 0"),
            (Step::LogIn, 454, "4.7.0 later", "later 0"),
            (Step::Recipient, 450, "4.2.0 greylisted", "later 300"),
            (Step::Recipient, 451, "4.7.1 wait", "later 300"),
            (Step::Content, 452, "4.3.1 full", "later 300"),
            (Step::Sender, 530, "5.7.0 log in", "invalid_login"),
            (Step::LogIn, 534, "5.7.9 weak", "invalid_login"),
            (Step::LogIn, 535, "5.7.8 wrong", "invalid_login"),
            (Step::LogIn, 504, "unknown", "invalid_login"),
            (Step::Greeting, 554, "go away", "sender_rejected"),
            (Step::Sender, 550, "5.7.1 not yours", "sender_rejected"),
            (Step::Recipient, 550, "5.1.1 nobody", "unreachable"),
            (Step::Recipient, 551, "5.1.6 moved", "unreachable"),
            (Step::Recipient, 553, "5.1.3 form", "unreachable"),
            (Step::Recipient, 550, "5.7.1 policy", "recipient_rejected"),
            (Step::Recipient, 550, "nobody", "recipient_rejected"),
            (Step::Recipient, 552, "5.2.2 full", "mailbox_full"),
            (Step::Recipient, 550, "5.2.2 full", "mailbox_full"),
            (Step::Content, 552, "5.3.4 large", "too_large"),
            (Step::Content, 554, "5.3.4 large", "too_large"),
            (Step::Content, 554, "5.7.1 spam", "message_rejected"),
            (Step::Content, 550, "5.6.0 form", "message_rejected"),
        ] {
            assert_eq!(outcome(step, code, text), expected, "{code} {text}");
        }
    }

    #[test]
    fn a_busy_server_accepts_no_mail_of_the_channel() {
        let scope = |outcome: SendOutcome| match outcome {
            SendOutcome::TryLater { scope, .. } => scope,
            other => panic!("{other:?}"),
        };
        let refused = |step: Step, code: u16| {
            scope(of_failure(Failure::Refused(step, Reply { code, text: "4.3.2 later".to_owned() })))
        };
        assert_eq!(refused(Step::Greeting, 421), RetryScope::Channel);
        assert_eq!(refused(Step::LogIn, 454), RetryScope::Channel);
        assert_eq!(refused(Step::Recipient, 450), RetryScope::Recipient);
        let greeted = |code: u16| scope(of_connection(SmtpError::Refused { code, text: "later".to_owned() }));
        assert_eq!([421, 554].map(greeted), [RetryScope::Channel, RetryScope::Recipient]);
    }

    #[test]
    fn only_a_loss_after_the_final_dot_is_unknown() {
        let lost = || io::Error::from(io::ErrorKind::ConnectionReset);
        for step in [Step::Greeting, Step::LogIn, Step::Sender, Step::Recipient, Step::Content] {
            let outcome = of_failure(Failure::Interrupted(step, lost()));
            assert!(matches!(outcome, SendOutcome::TryLater { after: None, .. }), "{outcome:?}");
        }
        assert!(matches!(of_failure(Failure::LostAfterDot(lost())), SendOutcome::Unknown { .. }));
        let large = of_failure(Failure::TooLarge { limit: 1_000 });
        assert!(matches!(&large, SendOutcome::Rejected { code, .. } if code == "too_large"), "{large:?}");
        assert!(matches!(of_failure(Failure::NoLogIn), SendOutcome::ChannelFailed { .. }));
    }

    #[test]
    fn sends_nothing_without_encryption() {
        let outcome = of_connection(SmtpError::NoTls);
        let SendOutcome::ChannelFailed { message, .. } = &outcome else { panic!("{outcome:?}") };
        assert!(message.text.starts_with("tls_required"), "{message}");
        let forbidden = of_connection(EgressError::Forbidden("No.".to_owned()).into());
        assert!(matches!(&forbidden, SendOutcome::Rejected { code, .. } if code == "forbidden_address"));
        assert!(matches!(of_connection(EgressError::TimedOut.into()), SendOutcome::TryLater { .. }));
        let refused = SmtpError::Refused { code: 554, text: "no".to_owned() };
        assert!(matches!(of_connection(refused), SendOutcome::TryLater { .. }));
    }
}
