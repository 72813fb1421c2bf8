//! The protocol of inbound requests to `http` channels, as `docs/reference/channels.md` documents it.

use crate::body;
use crate::conversations::{
    AnsweredMessage, Content, InboundEvent, InboundMessage, Profile, Referral, Report, StatusReport,
};
use crate::read::{Refusal, name, nested, parse, text, timestamp, word};
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
        /// Text of the message.
        required text: String = text(1..=4_096);
        /// When the message was written.
        nullable timestamp: Timestamp = timestamp();
        /// The link or advertisement through which the contact wrote. Triggers of type `referral` compare its `ref`.
        nullable referral: Referral = nested();
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
        Ok(inbound.into())
    }
}

impl From<Inbound> for InboundEvent {
    fn from(it: Inbound) -> Self {
        match it {
            Inbound::Message(message) => Self::Message(Box::new(message.into())),
            Inbound::Status(report) => Self::Status(report.into()),
        }
    }
}

impl From<IncomingMessage> for InboundMessage {
    fn from(it: IncomingMessage) -> Self {
        let IncomingMessage { id, from: Sender { address, name }, text, timestamp: sent_at, referral, reply_to } = it;
        let name = name.map(|name| name.chars().take(LONGEST_NAME).collect());
        let (profile, content) = (Profile::default(), Content::text(text));
        let referral = referral.map(Referral::bounded);
        let reply_to = reply_to.as_deref().map(AnsweredMessage::named);
        let files = Vec::new();
        Self { id, address, name, is_verified: true, profile, content, referral, reply_to, sent_at, files }
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
