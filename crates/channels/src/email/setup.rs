//! The check of a channel: a log-in at its mail server.

use tidings_domain::channels::{Health, SetupFailure};
use tidings_domain::trial::TestAnswer;
use tidings_egress::signing::SigningSecret;
use tidings_egress::{Egress, EgressError, SmtpError};

use super::channel_type::{INBOUND_SECRET, SMTP_PASSWORD, STANDARD_WEBHOOKS};
use super::open;
use super::outcome::{INVALID_LOG_IN, no_log_in, rejects_the_log_in};
use super::settings::Settings;
use super::smtp::{Failure, Patience, Reply, Step};

/// Logs in at the mail server, and checks that the secret for inbound mail can be used.
///
/// # Errors
/// [`SetupFailure`].
pub(super) async fn connect(egress: &Egress, settings: &Settings, patience: Patience) -> Result<(), SetupFailure> {
    if settings.auth == STANDARD_WEBHOOKS && SigningSecret::parse(&settings.inbound_secret).is_err() {
        let hint = "The secret for Standard Webhooks signatures must be `whsec_` and the base64 of 24 to 64 bytes. Leave \
                    it out, and the server generates one.";
        let failure = SetupFailure { step: "inbound", provider_code: None, hint: hint.to_owned(), secret: None };
        return Err(SetupFailure { secret: Some(INBOUND_SECRET), ..failure });
    }
    log_in(egress, settings, patience).await.map(drop).map_err(SetupFailure::from)
}

/// Tests the mail server without sending a mail.
pub(super) async fn test(egress: &Egress, settings: &Settings, patience: Patience) -> TestAnswer {
    match log_in(egress, settings, patience).await {
        Ok(reply) => TestAnswer { status: Some(i32::from(reply.code)), body: reply.text, ..TestAnswer::default() },
        Err(failed) => {
            TestAnswer { status: failed.code.map(i32::from), error: Some(failed.hint), ..TestAnswer::default() }
        }
    }
}

/// Logs in at the mail server without sending a mail.
pub(super) async fn health(egress: &Egress, settings: &Settings, patience: Patience) -> Health {
    log_in(egress, settings, patience).await.map_or_else(health_after, |_| Health::default())
}

/// The cause of a failed check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// The server does not accept the user name and the password.
    RejectedLogIn,
    /// The server does not encrypt the connection.
    NoTls,
    /// Any other cause, such as a temporary answer (4xx). It says nothing about the log-in.
    Unavailable,
}

/// A failed check of the mail server.
#[derive(Debug)]
struct FailedCheck {
    cause: Cause,
    /// The step, as [`SetupFailure`] names it.
    step: &'static str,
    /// The reply code of the server, such as 535.
    code: Option<u16>,
    /// Advice for an admin, as a sentence.
    hint: String,
}

impl From<FailedCheck> for SetupFailure {
    fn from(failed: FailedCheck) -> Self {
        let FailedCheck { cause, step, code, hint } = failed;
        let secret = (cause == Cause::RejectedLogIn).then_some(SMTP_PASSWORD);
        Self { step, provider_code: code.map(|code| code.to_string()), hint, secret }
    }
}

fn health_after(failed: FailedCheck) -> Health {
    let (code, ends_sending) = match failed.cause {
        Cause::RejectedLogIn => (INVALID_LOG_IN, true),
        Cause::NoTls => ("tls_required", true),
        Cause::Unavailable => ("provider_unavailable", false),
    };
    Health::default().with_problem(code, failed.hint, ends_sending)
}

async fn log_in(egress: &Egress, settings: &Settings, patience: Patience) -> Result<Reply, FailedCheck> {
    let mut session = match open(egress, settings, patience).await {
        Ok(session) => session.map_err(of_failure)?,
        Err(error) => return Err(of_connection(&error)),
    };
    let reply = session.check().await.map_err(of_failure)?;
    session.quit().await;
    Ok(reply)
}

fn of_connection(error: &SmtpError) -> FailedCheck {
    let failed = |cause, step, code, hint| FailedCheck { cause, step, code, hint };
    match error {
        SmtpError::Failed(EgressError::Forbidden(why)) => failed(Cause::Unavailable, "address", None, why.clone()),
        SmtpError::Failed(EgressError::TimedOut | EgressError::Failed(_)) => {
            failed(Cause::Unavailable, "connect", None, format!("The mail server cannot be reached. {error}"))
        }
        SmtpError::NoTls => failed(Cause::NoTls, "tls", None, format!("tls_required: {error}")),
        SmtpError::Refused { code, .. } => failed(Cause::Unavailable, "greeting", Some(*code), error.to_string()),
    }
}

fn of_failure(failure: Failure) -> FailedCheck {
    let failed = |step, code, hint| FailedCheck { cause: Cause::Unavailable, step, code, hint };
    match failure {
        Failure::Refused(step, reply) if rejects_the_log_in(step, &reply) => {
            let hint = format!("The mail server does not accept the user name and the password. {}", reply.sentence());
            FailedCheck { cause: Cause::RejectedLogIn, ..failed("log_in", Some(reply.code), hint) }
        }
        Failure::Refused(step, reply) => failed(name_of(step), Some(reply.code), reply.sentence()),
        Failure::NoLogIn => failed("log_in", None, no_log_in().to_owned()),
        Failure::Interrupted(step, error) => {
            failed(name_of(step), None, format!("The connection to the mail server ended: {error}."))
        }
        // No mail is sent.
        Failure::TooLarge { .. } | Failure::LostAfterDot(_) => failed("greeting", None, String::new()),
    }
}

fn name_of(step: Step) -> &'static str {
    match step {
        Step::Greeting => "greeting",
        Step::LogIn => "log_in",
        Step::Sender => "sender",
        Step::Recipient => "recipient",
        Step::Content => "content",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(step: Step, code: u16) -> FailedCheck {
        of_failure(Failure::Refused(step, Reply { code, text: String::new() }))
    }

    #[test]
    fn only_a_rejected_log_in_names_the_password() {
        for (failed, is_rejected) in [
            (refused(Step::LogIn, 535), true),
            (refused(Step::Greeting, 530), true),
            (refused(Step::LogIn, 454), false),
            (refused(Step::Greeting, 554), false),
            (of_failure(Failure::NoLogIn), false),
        ] {
            let text = format!("{failed:?}");
            let code = failed.code.map(|code| code.to_string());
            let failure = SetupFailure::from(failed);
            assert_eq!((failure.secret.is_some(), failure.provider_code), (is_rejected, code), "{text}");
        }
    }

    #[test]
    fn a_temporary_answer_does_not_end_the_sending() {
        let problem = |failed| health_after(failed).problems.first().map(|it| (it.code, it.ends_sending));
        assert_eq!(problem(refused(Step::LogIn, 535)), Some((INVALID_LOG_IN, true)));
        assert_eq!(problem(of_connection(&SmtpError::NoTls)), Some(("tls_required", true)));
        for failed in [refused(Step::LogIn, 454), of_failure(Failure::NoLogIn)] {
            assert_eq!(problem(failed), Some(("provider_unavailable", false)));
        }
    }
}
