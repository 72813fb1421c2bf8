//! The protocol of inbound requests to `http` channels, as `docs/reference/channels.md` documents it.

use url::Url;

use crate::body;
use crate::conversations::{
    AnsweredMessage, Attachment, Content, InboundEvent, InboundMessage, MAX_ATTACHMENTS, MessageType, PressedButton,
    Profile, Referral, Report, StatusReport,
};
use crate::error::Violation;
use crate::media::safe_file_name;
use crate::read::{Refusal, list, name, nested, parse, text, timestamp, word};
use crate::time::Timestamp;
use crate::words::words;

/// Maximum number of stored characters of a sender's name.
const LONGEST_NAME: usize = 100;

body! {
    /// A message of a contact, or a status report on a message to a contact.
    pub enum Inbound by "type" {
        "message" => Message(IncomingMessage),
        "status" => Status(Reported),
    }
}

body! {
    /// A message of a contact.
    pub struct IncomingMessage {
        /// The provider's ID of the message. A repeated ID is stored once.
        required id: String = text(1..=255);
        /// The sender.
        required from: Sender = nested();
        /// The provider's ID of the message that it answers, or the ID of that message in this service.
        nullable reply_to: String = text(1..=255);
        /// Text of the message. Required unless the message has attachments or a `choice`. With attachments, it is their
        /// caption.
        nullable text: String = text(1..=4_096);
        /// Files of the message. The server fetches them in the background.
        nullable attachments: Vec<IncomingFile> = list(0..=MAX_ATTACHMENTS, nested());
        /// The button that the contact pressed. Only without attachments.
        nullable choice: IncomingChoice = nested();
        /// When the message was written.
        nullable timestamp: Timestamp = timestamp();
        /// The link or advertisement through which the contact wrote. Triggers of type `referral` compare its `ref`.
        nullable referral: Referral = nested();
    }
}

body! {
    /// A button of a message to the contact, which the contact pressed.
    pub struct IncomingChoice {
        /// The provider's ID of the message with the button, or its ID in this service.
        required message_id: String = text(1..=255);
        /// Title of the button. It is the text of the message, if the message with the button is known.
        required title: String = text(1..=255);
        /// Payload of the button.
        nullable payload: String = text(1..=1_000);
    }
}

body! {
    /// A file of a contact's message.
    pub struct IncomingFile {
        /// A public URL from which the server fetches the file, without credentials, within a few minutes.
        required url: String = text(1..=2_000);
        /// Name of the file.
        nullable name: String = text(1..=1_000);
        /// Media type of the file. The type of the message depends on it, such as `image`.
        nullable mime_type: String = text(1..=100);
    }
}

body! {
    /// A status report on a message to a contact.
    pub struct Reported {
        /// The provider's ID of the message, or its ID in this service.
        required provider_message_id: String = text(1..=255);
        /// Status of the message.
        required status: ReportedStatus = word(ReportedStatus::WORDS, ReportedStatus::parse);
        /// For a failure: the reason.
        nullable error: String = text(1..=1_000);
        /// When the status was reached.
        nullable timestamp: Timestamp = timestamp();
    }
}

body! {
    /// The sender of a message.
    pub struct Sender {
        /// Address of the contact on the channel. An unknown address creates a contact.
        required address: String = text(1..=255);
        /// Name for a new contact.
        nullable name: String = name(0..=1_000);
    }
}

words! {
    /// Status of a message.
    ReportedStatus {
        /// The message was delivered.
        Delivered = "delivered",
        /// The contact read it.
        Read = "read",
        /// The message will not be delivered.
        Failed = "failed",
    }
}

impl Inbound {
    /// Parses a message or a report.
    ///
    /// # Errors
    /// A [`Refusal`] with all violations.
    pub fn parse(body: &[u8]) -> Result<InboundEvent, Refusal> {
        let inbound: Self = parse(body)?.read_body().map_err(Refusal::Invalid)?;
        match inbound {
            Self::Message(message) => {
                let (message, pressed) = message.into_message().map_err(Refusal::Invalid)?;
                Ok(match pressed {
                    Some(button) => InboundEvent::Press(Box::new(message), button),
                    None => InboundEvent::Message(Box::new(message)),
                })
            }
            Self::Status(report) => Ok(InboundEvent::Status(report.into())),
        }
    }
}

impl IncomingMessage {
    fn into_message(self) -> Result<(InboundMessage, Option<PressedButton>), Vec<Violation>> {
        let Self { id, from, text, attachments, choice, timestamp: sent_at, referral, reply_to } = self;
        let Sender { address, name } = from;
        let attachments = attachments.unwrap_or_default();
        if choice.is_some() && !attachments.is_empty() {
            return Err(vec![Violation::new("/choice", "not_allowed", "is not allowed with `attachments`")]);
        }
        let text = text.or_else(|| choice.as_ref().map(|it| it.title.clone()));
        let content = content_of(text, attachments)?;
        let pressed = choice.map(|IncomingChoice { message_id, title, payload }| PressedButton::Template {
            provider_message_id: message_id,
            title,
            payload,
        });
        let (name, profile) = (name.map(|name| name.chars().take(LONGEST_NAME).collect()), Profile::default());
        let referral = referral.map(Referral::bounded);
        let reply_to = reply_to.as_deref().map(AnsweredMessage::named);
        let files = Vec::new();
        let is_verified = true;
        let message =
            InboundMessage { id, address, name, is_verified, profile, content, referral, reply_to, sent_at, files };
        Ok((message, pressed))
    }
}

/// Returns the content of a message with this text and these files. It needs one of both.
fn content_of(text: Option<String>, files: Vec<IncomingFile>) -> Result<Content, Vec<Violation>> {
    if files.is_empty() {
        let missing = || {
            vec![Violation::new("/text", "required", "is required, unless the message has `attachments` or a `choice`")]
        };
        return text.map(Content::text).ok_or_else(missing);
    }
    let (kind, mut attachments, mut wrong) = (kind_of(&files), Vec::new(), Vec::new());
    for (index, file) in files.into_iter().enumerate() {
        match file.into_attachment() {
            Some(attachment) => attachments.push(attachment),
            None => {
                let why = "expected a URL that starts with https:// or http://";
                wrong.push(Violation::new(format!("/attachments/{index}/url"), "invalid_format", why));
            }
        }
    }
    let content = Content { text, attachments, ..Content::of(kind) };
    if wrong.is_empty() {
        wrong = content.check_inbound();
    }
    if wrong.is_empty() { Ok(content) } else { Err(wrong) }
}

/// Returns the type of a message with these files: `file`, unless all of them are pictures, films or sounds.
fn kind_of(files: &[IncomingFile]) -> MessageType {
    let first = files.first().map_or(MessageType::File, IncomingFile::kind);
    if files.iter().all(|file| file.kind() == first) { first } else { MessageType::File }
}

impl IncomingFile {
    fn kind(&self) -> MessageType {
        let kind = self.mime_type.as_deref().and_then(|it| it.split('/').next()).map(str::to_ascii_lowercase);
        match kind.as_deref() {
            Some("image") => MessageType::Image,
            Some("video") => MessageType::Video,
            Some("audio") => MessageType::Audio,
            Some(_) | None => MessageType::File,
        }
    }

    /// Returns the attachment of a file that the server will fetch. `None` if the URL cannot be called or is too long.
    fn into_attachment(self) -> Option<Attachment> {
        let url =
            Url::parse(&self.url).ok().filter(|url| matches!(url.scheme(), "https" | "http") && url.has_host())?;
        let name = self.name.as_deref().map(safe_file_name);
        Attachment::at_provider(url.as_str(), name, self.mime_type)
    }
}

impl From<Reported> for StatusReport {
    fn from(it: Reported) -> Self {
        let Reported { provider_message_id, status, error, timestamp: _at } = it;
        let report = match status {
            ReportedStatus::Delivered => Report::Delivered,
            ReportedStatus::Read => Report::Read,
            ReportedStatus::Failed => Report::failed(error.as_deref().unwrap_or("the provider gave no reason")),
        };
        Self { provider_message_id, part: None, report }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn violations(body: &str) -> Vec<(String, &'static str)> {
        match Inbound::parse(body.as_bytes()) {
            Ok(_) => Vec::new(),
            Err(Refusal::Invalid(violations)) => violations.into_iter().map(|it| (it.pointer, it.code)).collect(),
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn reports_every_violation_of_a_message() {
        assert_eq!(violations(r#"{"type":"message","id":"1","from":{"address":"a","name":null},"text":"Hi"}"#), []);
        let wrong = violations(r#"{"type":"message","id":"","from":{"adress":"a"},"text":1,"status":"read"}"#);
        let expected = [
            ("/id", "blank"),
            ("/from/address", "required"),
            ("/from/adress", "unknown_field"),
            ("/text", "wrong_type"),
            ("/status", "unknown_field"),
        ];
        assert_eq!(wrong, expected.map(|(pointer, code)| (pointer.to_owned(), code)));
    }

    #[test]
    fn a_message_can_have_the_time_at_which_it_was_written() {
        let body =
            r#"{"type":"message","id":"1","from":{"address":"a"},"text":"Hi","timestamp":"2026-01-01T00:00:00Z"}"#;
        let event = Inbound::parse(body.as_bytes());
        let Ok(InboundEvent::Message(message)) = event else { panic!("{event:?}") };
        assert_eq!(message.sent_at, Some(Timestamp::EPOCH_2026));
    }

    #[test]
    fn a_message_can_name_the_message_that_it_answers() {
        let of = |name: &str| {
            format!(r#"{{"type":"message","id":"2","from":{{"address":"a"}},"text":"Hi","reply_to":{name}}}"#)
        };
        let answered = |name: &str| match Inbound::parse(of(name).as_bytes()) {
            Ok(InboundEvent::Message(message)) => message.reply_to,
            other => panic!("{other:?}"),
        };
        assert_eq!((answered(r#""p1""#), answered("null")), (Some(AnsweredMessage::named("p1")), None));
        assert_eq!(violations(&of(r#""""#)), [("/reply_to".to_owned(), "blank")]);
    }

    /// Returns the content of a message with these members.
    fn content(members: &str) -> Content {
        let body = format!(r#"{{"type":"message","id":"1","from":{{"address":"a"}},{members}}}"#);
        match Inbound::parse(body.as_bytes()) {
            Ok(InboundEvent::Message(message)) => message.content,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_message_can_have_files_that_the_server_fetches() {
        let of = |kind: &str| format!(r#"{{"url":"https://a.io/1?k=ä b","name":"../cat.png","mime_type":"{kind}"}}"#);
        let picture = content(&format!(r#""text":"My cat","attachments":[{}]"#, of("Image/PNG")));
        assert_eq!((picture.kind, picture.text.as_deref()), (MessageType::Image, Some("My cat")));
        let file = &picture.attachments[0];
        assert_eq!(file.provider_reference(), Some("https://a.io/1?k=%C3%A4%20b"));
        assert_eq!(file.name.as_deref(), Some("cat.png"));
        for (files, kind) in [
            (of("video/mp4"), MessageType::Video),
            (of("audio/ogg"), MessageType::Audio),
            (format!("{},{}", of("image/png"), of("image/gif")), MessageType::Image),
            (format!("{},{}", of("image/png"), of("audio/ogg")), MessageType::File),
            (r#"{"url":"http://a.io/1.png"}"#.to_owned(), MessageType::File),
        ] {
            let message = content(&format!(r#""attachments":[{files}]"#));
            assert_eq!((message.kind, message.text), (kind, None), "{files}");
        }
    }

    #[test]
    fn a_message_can_be_a_pressed_button() {
        let of = |members: &str| format!(r#"{{"type":"message","id":"1","from":{{"address":"a"}},{members}}}"#);
        let pressed = |members: &str| match Inbound::parse(of(members).as_bytes()) {
            Ok(InboundEvent::Press(message, button)) => (message.content.text.unwrap_or_default(), button),
            other => panic!("{other:?}"),
        };
        let button = |payload: Option<&str>| PressedButton::Template {
            provider_message_id: "p1".to_owned(),
            title: "Yes".to_owned(),
            payload: payload.map(str::to_owned),
        };
        let choice = r#""choice":{"message_id":"p1","title":"Yes","payload":"y"}"#;
        assert_eq!(pressed(choice), ("Yes".to_owned(), button(Some("y"))));
        let without = r#""text":"Sure","choice":{"message_id":"p1","title":"Yes"}"#;
        assert_eq!(pressed(without), ("Sure".to_owned(), button(None)));
        let with_file = format!(r#"{choice},"attachments":[{{"url":"https://a.io/1"}}]"#);
        assert_eq!(violations(&of(&with_file)), [("/choice".to_owned(), "not_allowed")]);
        assert_eq!(violations(&of(r#""choice":{"title":"Yes"}"#)), [("/choice/message_id".to_owned(), "required")]);
    }

    #[test]
    fn a_message_needs_a_text_or_files() {
        let of = |members: &str| format!(r#"{{"type":"message","id":"1","from":{{"address":"a"}}{members}}}"#);
        for none in ["", r#","text":null"#, r#","attachments":[]"#, r#","text":null,"attachments":null"#] {
            assert_eq!(violations(&of(none)), [("/text".to_owned(), "required")], "{none}");
        }
        for url in ["media:media_01h455vb4pex5vsknk084sn02q", "provider:1", "file:///etc/passwd", "/a", "https://"] {
            let wrong = violations(&of(&format!(r#","attachments":[{{"url":"{url}"}}]"#)));
            assert_eq!(wrong, [("/attachments/0/url".to_owned(), "invalid_format")], "{url}");
        }
        let file = r#"{"url":"https://a.io/1"}"#;
        let many = [file; MAX_ATTACHMENTS + 1].join(",");
        let wrong = violations(&of(&format!(r#","attachments":[{many}]"#)));
        assert_eq!(wrong, [("/attachments".to_owned(), "too_many")]);
    }

    #[test]
    fn a_message_can_have_a_referral() {
        let of = |referral: &str| {
            format!(r#"{{"type":"message","id":"1","from":{{"address":"a"}},"text":"Hi","referral":{referral}}}"#)
        };
        let event = Inbound::parse(of(r#"{"source":"link","ref":"spring","url":null}"#).as_bytes());
        let Ok(InboundEvent::Message(message)) = event else { panic!("{event:?}") };
        assert_eq!(message.referral, Some(Referral::of("link", "spring")));
        assert_eq!(message.sent_at, None);
        let wrong = violations(&of(r#"{"ref":"","campaign":"x"}"#));
        let expected =
            [("/referral/source", "required"), ("/referral/ref", "blank"), ("/referral/campaign", "unknown_field")];
        assert_eq!(wrong, expected.map(|(pointer, code)| (pointer.to_owned(), code)));
        assert_eq!(violations(&of("null")), []);
    }

    #[test]
    fn reports_every_violation_of_a_report() {
        assert_eq!(violations(r#"{"type":"status","provider_message_id":"1","status":"read","error":null}"#), []);
        let wrong = violations(r#"{"type":"status","status":"lost","error":"","timestamp":"soon","id":"1"}"#);
        let expected = [
            ("/provider_message_id", "required"),
            ("/status", "invalid_value"),
            ("/error", "blank"),
            ("/timestamp", "invalid_format"),
            ("/id", "unknown_field"),
        ];
        assert_eq!(wrong, expected.map(|(pointer, code)| (pointer.to_owned(), code)));
    }

    #[test]
    fn rejects_other_types() {
        for body in [r#"{"type":"reaction"}"#, r#"{"type":"Message"}"#] {
            assert_eq!(violations(body), [("/type".to_owned(), "invalid_value")], "{body}");
        }
    }

    #[test]
    fn adds_a_default_reason_to_a_failure() {
        let event = Inbound::parse(br#"{"type":"status","provider_message_id":"1","status":"failed"}"#);
        let report = Report::failed("the provider gave no reason");
        let report = StatusReport { provider_message_id: "1".to_owned(), part: None, report };
        assert_eq!(event, Ok(InboundEvent::Status(report)));
    }
}
