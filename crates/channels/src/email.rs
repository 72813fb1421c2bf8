//! The connector for mailboxes. Mails are sent by SMTP over an encrypted connection, and a relay posts the mails that
//! arrive.

use std::sync::Arc;

use async_trait::async_trait;
use tidings_domain::channels::{
    Channel, ChannelType, Config, Connector, Health, InboundRequest, Outbound, SendOutcome, SetupFailure, Unverified,
};
use tidings_domain::conversations::{Content, InboundEvent, MessageType};
use tidings_domain::ports::{Clock, MediaFiles, Sealer};
use tidings_domain::read::Refusal;
use tidings_domain::trial::TestAnswer;
use tidings_egress::{Egress, SmtpDial, SmtpError, Socket, SocketBounds};

mod attachments;
mod body;
mod channel_type;
mod clean_html;
mod compose;
mod encoded_words;
mod form;
mod html;
mod identity;
mod inbound;
mod machine;
mod mailgun_tokens;
mod mime_parts;
mod mixed_body;
mod outbound_files;
mod outbound_html;
mod outcome;
mod parse_bounds;
mod report;
mod request;
mod sender_check;
mod settings;
mod setup;
mod smtp;
#[cfg(test)]
mod test_settings;
#[cfg(test)]
mod tests;

pub use channel_type::EMAIL;
use channel_type::MAILGUN;
use compose::{Mail, compose, own_message_id};
use mailgun_tokens::MailgunTokens;
use outbound_files::{ContainedFile, FileLoader, LoadedFiles, fitting};
use settings::Settings;
use smtp::{Failure, PATIENCE, Patience, Session};

use crate::send_metrics::measured;

/// The code of a configuration that cannot be used.
const INVALID_CONFIG: &str = "invalid_config";
/// Maximum number of automatic mails to a contact in an hour. It ends a loop with a program, if its answers look like the
/// mails of a person.
const AUTOMATIC_PER_HOUR: usize = 5;

/// Serves `email` channels through the address filter.
///
/// A mail server accepts the same mail twice, so a mail that may have been accepted is never sent again.
pub struct EmailConnector {
    egress: Egress,
    clock: Arc<dyn Clock>,
    sealer: Arc<dyn Sealer>,
    patience: Patience,
    mailgun_tokens: MailgunTokens,
    files: FileLoader,
}

impl EmailConnector {
    /// Creates a connector that connects through `egress`, checks signatures by the time of `clock`, opens secrets with
    /// `sealer`, and sends the files of `files`.
    pub fn new(egress: Egress, clock: Arc<dyn Clock>, sealer: Arc<dyn Sealer>, files: Arc<dyn MediaFiles>) -> Self {
        let (mailgun_tokens, files) = (MailgunTokens::default(), FileLoader::new(files));
        Self { egress, clock, sealer, patience: PATIENCE, mailgun_tokens, files }
    }

    fn settings(&self, channel: &Channel) -> Result<Settings, String> {
        Settings::of(channel, &*self.sealer)
    }

    /// Whether the token of a request of Mailgun belongs to its mail.
    fn is_own_token(&self, channel: &Channel, request: &InboundRequest, now: i64) -> bool {
        let mail = request::mail(request).unwrap_or_default();
        let signed = request::mailgun_signed_text(request);
        signed.is_some_and(|signed| self.mailgun_tokens.admit(channel.id, &signed, &mail, now))
    }

    async fn deliver(&self, message: &Outbound, settings: &Settings) -> SendOutcome {
        let LoadedFiles { files, place: _place } = match self.files.load(&message.context.files).await {
            Ok(loaded) => loaded,
            Err(outcome) => return outcome,
        };
        let has_files = !files.is_empty();
        let mut mail = match composed(message, settings, files) {
            Ok(mail) => mail,
            Err(outcome) => return outcome,
        };
        let mut session = match open(&self.egress, settings, self.patience).await {
            Ok(Ok(session)) => session,
            Ok(Err(failure)) => return outcome::of_failure(failure),
            Err(error) => return outcome::of_connection(error),
        };
        if has_files && session.size_limit().is_some_and(|limit| mail.bytes.len() > limit) {
            // Without files in the mail, the text links to them.
            mail = match composed(message, settings, Vec::new()) {
                Ok(mail) => mail,
                Err(outcome) => return outcome,
            };
        }
        let sent = session.send(&mail).await;
        // The answer to `QUIT` changes nothing.
        session.quit().await;
        match sent {
            Ok(_) => SendOutcome::Accepted { provider_message_id: Some(own_message_id(message.message, settings)) },
            Err(failure) => outcome::of_failure(failure),
        }
    }

    /// Sends the part of a message at the index of its context.
    async fn send_part_of(&self, message: Outbound) -> SendOutcome {
        match self.settings(&message.channel) {
            Ok(settings) => self.deliver(&message, &settings).await,
            Err(why) => SendOutcome::ChannelFailed { code: INVALID_CONFIG, after: None, message: why.into() },
        }
    }
}

/// Builds the mail of a message, or returns the outcome of a message that cannot be a mail.
fn composed(message: &Outbound, settings: &Settings, files: Vec<ContainedFile>) -> Result<Mail, SendOutcome> {
    compose(message, settings, files)
        .map_err(|(code, message)| SendOutcome::Rejected { code: code.to_owned(), message: message.into() })
}

/// Connects to the channel's mail server, and logs in.
async fn open(
    egress: &Egress,
    settings: &Settings,
    patience: Patience,
) -> Result<Result<Session<Socket>, Failure>, SmtpError> {
    let dial = SmtpDial {
        host: settings.host.clone(),
        port: settings.port,
        tls: settings.tls,
        hello: settings.domain().to_owned(),
        bounds: SocketBounds { idle: patience.dot, ..SocketBounds::default() },
    };
    let socket = egress.dial_smtp(dial).await?;
    let mut session = match Session::open(socket, settings.domain(), patience).await {
        Ok(session) => session,
        Err(failure) => return Ok(Err(failure)),
    };
    if let Some((user, password)) = &settings.log_in
        && let Err(failure) = session.log_in(user, password).await
    {
        return Ok(Err(failure));
    }
    Ok(Ok(session))
}

#[async_trait]
impl Connector for EmailConnector {
    fn channel_type(&self) -> &'static ChannelType {
        &EMAIL
    }

    fn shows_threads(&self) -> bool {
        true
    }

    fn offers_unsubscribe_link(&self) -> bool {
        true
    }

    fn max_automatic_per_hour(&self) -> Option<usize> {
        Some(AUTOMATIC_PER_HOUR)
    }

    async fn connect(&self, channel: &Channel, _: &str) -> Result<Config, SetupFailure> {
        let wrong = |hint| SetupFailure { step: "configuration", provider_code: None, hint, secret: None };
        let settings = self.settings(channel).map_err(wrong)?;
        setup::connect(&self.egress, &settings, self.patience).await.map(|()| Config::new())
    }

    async fn health(&self, channel: &Channel) -> Health {
        match self.settings(channel) {
            Ok(settings) => setup::health(&self.egress, &settings, self.patience).await,
            Err(why) => Health::default().with_problem(INVALID_CONFIG, why, true),
        }
    }

    fn is_signed(&self, request: &InboundRequest) -> bool {
        request::is_signed(request)
    }

    fn verify(&self, channel: &Channel, request: &InboundRequest) -> Result<(), Unverified> {
        let settings = self.settings(channel).map_err(|_| Unverified::Secret)?;
        let now = self.clock.now().unix_seconds();
        let is_verified = request::is_from_the_relay(request, &settings, now)
            && (settings.auth != MAILGUN || self.is_own_token(channel, request, now));
        if is_verified { Ok(()) } else { Err(Unverified::Signature) }
    }

    fn parse(&self, channel: &Channel, request: &InboundRequest) -> Result<Vec<InboundEvent>, Refusal> {
        let malformed = |detail: &str| Refusal::Malformed { detail: detail.to_owned() };
        let settings = self.settings(channel).map_err(|why| malformed(&why))?;
        let mail = request::mail(request);
        let mail =
            mail.ok_or_else(|| malformed("the body has no mail: neither a field nor `RawEmail` contains one"))?;
        inbound::events(&mail, &settings)
    }

    /// A mail is one part. A preview contains every file.
    fn plan(&self, _: &Channel, content: &Content) -> Vec<Content> {
        vec![compose::planned(content, |_| content.kind != MessageType::Location)]
    }

    fn parts(&self, message: &Outbound) -> Vec<Content> {
        let files = fitting(&message.context.files);
        vec![compose::planned(&message.content, |index| files.iter().any(|file| file.attachment == index))]
    }

    async fn test(&self, channel: &Channel) -> TestAnswer {
        match self.settings(channel) {
            Ok(settings) => setup::test(&self.egress, &settings, self.patience).await,
            Err(why) => TestAnswer::failed(why),
        }
    }

    async fn send(&self, message: Outbound) -> SendOutcome {
        measured(EMAIL.kind, self.send_part_of(message)).await
    }
}
