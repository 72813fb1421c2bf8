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
    log_in(egress, settings, patience).await.map(drop)
}

/// Tests the mail server without sending a mail.
pub(super) async fn test(egress: &Egress, settings: &Settings, patience: Patience) -> TestAnswer {
    match log_in(egress, settings, patience).await {
        Ok(reply) => TestAnswer { status: Some(i32::from(reply.code)), body: reply.text, ..TestAnswer::default() },
        Err(failure) => TestAnswer {
            status: failure.provider_code.and_then(|code| code.parse().ok()),
            error: Some(failure.hint),
            ..TestAnswer::default()
        },
    }
}

/// Logs in at the mail server without sending a mail.
pub(super) async fn health(egress: &Egress, settings: &Settings, patience: Patience) -> Health {
    let Err(failure) = log_in(egress, settings, patience).await else { return Health::default() };
    // A temporary answer (4xx) says nothing about the log-in.
    let is_temporary = failure.provider_code.as_deref().is_some_and(|code| code.starts_with('4'));
    match failure.step {
        "log_in" if !is_temporary && failure.provider_code.is_some() => {
            Health::default().with_problem(INVALID_LOG_IN, failure.hint, true)
        }
        "tls" => Health::default().with_problem("tls_required", failure.hint, true),
        _ => Health::default().with_problem("provider_unavailable", failure.hint, false),
    }
}

async fn log_in(egress: &Egress, settings: &Settings, patience: Patience) -> Result<Reply, SetupFailure> {
    let mut session = match open(egress, settings, patience).await {
        Ok(session) => session.map_err(of_failure)?,
        Err(error) => return Err(of_connection(&error)),
    };
    let reply = session.check().await.map_err(of_failure)?;
    session.quit().await;
    Ok(reply)
}

fn of_connection(error: &SmtpError) -> SetupFailure {
    let failed = |step, code: Option<u16>, hint: String| SetupFailure {
        step,
        provider_code: code.map(|code| code.to_string()),
        hint,
        secret: None,
    };
    match error {
        SmtpError::Failed(EgressError::Forbidden(why)) => failed("address", None, why.clone()),
        SmtpError::Failed(EgressError::TimedOut | EgressError::Failed(_)) => {
            failed("connect", None, format!("The mail server cannot be reached. {error}"))
        }
        SmtpError::NoTls => failed("tls", None, format!("tls_required: {error}")),
        SmtpError::Refused { code, .. } => failed("greeting", Some(*code), error.to_string()),
    }
}

fn of_failure(failure: Failure) -> SetupFailure {
    let failed = |step, provider_code, hint: String| SetupFailure { step, provider_code, hint, secret: None };
    match failure {
        Failure::Refused(step, reply) if rejects_the_log_in(step, &reply) => SetupFailure {
            secret: Some(SMTP_PASSWORD),
            ..failed(
                "log_in",
                Some(reply.code.to_string()),
                format!("The mail server does not accept the user name and the password. {}", reply.sentence()),
            )
        },
        Failure::Refused(step, reply) => failed(name_of(step), Some(reply.code.to_string()), reply.sentence()),
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
