//! Mails to contacts.

use std::time::{Duration, SystemTime};

use lettre::message::header::{ContentTransferEncoding, HeaderName, HeaderValue};
use lettre::message::{Body, Mailbox};
use lettre::{Address, Message};
use tidings_domain::channels::{EarlierMessage, Outbound};
use tidings_domain::conversations::{Attachment, Content, MAX_SUBJECT};
use tidings_domain::ids::MessageId;

use super::encoded_words::{encode_words, may_be_decoded};
use super::identity::{OWN_ID, message_id_of};
use super::inbound::UNSUBSCRIBE;
use super::mixed_body::{mixed_body, without_files};
use super::outbound_files::ContainedFile;
use super::outbound_html::to_html;
use super::settings::{Settings, mail_address};
use crate::parts::text_of;

/// Maximum number of message IDs in `References`.
const MOST_REFERENCES: usize = 10;

/// A mail that is ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mail {
    /// The sender's address, for `MAIL FROM`.
    pub(super) from: String,
    /// The recipient's address, for `RCPT TO`.
    pub(super) to: String,
    /// Headers and body, with CRLF as the end of each line.
    pub(super) bytes: Vec<u8>,
}

/// The reason why a message cannot be a mail: a code for programs, and a sentence.
pub(super) type Unsendable = (&'static str, String);

/// Returns the `Message-ID` of a message, with angle brackets.
pub(super) fn own_message_id(message: MessageId, settings: &Settings) -> String {
    format!("<{message}@{}>", settings.domain())
}

/// Builds the mail of a message. It contains `files`; other attachments are links in the text.
///
/// # Errors
/// [`Unsendable`].
pub(super) fn compose(message: &Outbound, settings: &Settings, files: Vec<ContainedFile>) -> Result<Mail, Unsendable> {
    let unsupported = || ("unsupported_type", "An email channel cannot send templates.".to_owned());
    let content = without_files(&message.content, &files);
    let text = body_of(&content, settings.signature.as_deref()).ok_or_else(unsupported)?;
    let answered = message.context.reply_to.as_ref();
    // A program answers the sender only. Otherwise a mail could make it write to a third party.
    let asked = answered.filter(|_| message.context.by_person).and_then(|it| mail_address(it.answers_to.as_deref()?));
    let to = asked.or_else(|| mail_address(&message.address));
    let to = to.ok_or_else(|| ("unreachable", "The address of the contact is not an email address.".to_owned()))?;
    let from = &settings.address;
    let sender = Mailbox::new(settings.name.as_deref().map(one_line), from.clone());
    let mut builder = Message::builder()
        .from(sender)
        .to(Mailbox::new(None, to.clone()))
        .date(sent_at(message))
        .message_id(Some(own_message_id(message.message, settings)));
    let subject = subject(message, answered, settings);
    builder = match may_be_decoded(&subject) {
        true => builder.raw_header(encoded_subject(subject)),
        false => builder.subject(subject),
    };
    if let Some(id) = answered.and_then(|it| message_id_of(&it.provider_message_id)) {
        builder = builder.in_reply_to(id.to_owned()).references(references(&message.context.earlier, id));
    }
    builder = builder.raw_header(header(OWN_ID, &own_message_id(message.message, settings)));
    if !message.context.by_person {
        builder = builder.raw_header(header("Auto-Submitted", "auto-generated"));
    }
    if message.context.is_bulk {
        let mail = format!("<mailto:{}?subject={UNSUBSCRIBE}>", percent_encoded(from));
        // A program that opts out at once takes the first address (RFC 8058).
        let links = match &message.context.unsubscribe_url {
            Some(url) => format!("<{url}>, {mail}"),
            None => mail,
        };
        builder = builder.raw_header(header("List-Unsubscribe", &links));
        if message.context.unsubscribe_url.is_some() {
            builder = builder.raw_header(header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"));
        }
    }
    let unwritable = |why: &str| ("message_rejected", format!("The mail cannot be written: {why}."));
    let encoded = |text: String| {
        let body = Body::new_with_encoding(text, ContentTransferEncoding::QuotedPrintable);
        body.map_err(|_| unwritable("its text cannot be encoded"))
    };
    let html = encoded(to_html(&text))?;
    let body = mixed_body(encoded(text)?, html, &message.content, files);
    let mail = builder.multipart(body.ok_or_else(|| unwritable("a file cannot be encoded"))?);
    let mail = mail.map_err(|error| unwritable(&error.to_string()))?;
    Ok(Mail { from: from.to_string(), to: to.to_string(), bytes: mail.formatted() })
}

fn header(name: &'static str, value: &str) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned())
}

/// Encodes a subject that contains an encoded word literally.
fn encoded_subject(subject: String) -> HeaderValue {
    let encoded = encode_words(&subject);
    HeaderValue::dangerous_new_pre_encoded(HeaderName::new_from_ascii_str("Subject"), subject, encoded)
}

fn sent_at(message: &Outbound) -> SystemTime {
    let seconds = u64::try_from(message.created_at.unix_seconds()).unwrap_or_default();
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
}

/// Returns a message as its mail shows it: quick replies and links to other attachments than the contained ones are lines
/// of the text.
pub(super) fn planned(content: &Content, is_contained: impl Fn(usize) -> bool) -> Content {
    let (kept, linked): (Vec<_>, Vec<_>) =
        content.attachments.iter().cloned().enumerate().partition(|(index, _)| is_contained(*index));
    let attachments = |of: Vec<(usize, Attachment)>| of.into_iter().map(|(_, it)| it).collect::<Vec<_>>();
    match body_of(&Content { attachments: attachments(linked), ..content.clone() }, None) {
        None => content.clone(),
        Some(text) => Content {
            text: Some(text.trim_end().to_owned()).filter(|text| !text.is_empty()),
            attachments: attachments(kept),
            quick_replies: Vec::new(),
            ..content.clone()
        },
    }
}

/// Returns the text of a mail: quick replies are numbered lines. `None` for types that a mail cannot contain.
fn body_of(content: &Content, signature: Option<&str>) -> Option<String> {
    let text = Some(text_of(content)?).filter(|it| !it.is_empty());
    let replies = (1..).zip(&content.quick_replies).map(|(number, it)| format!("{number}. {}", it.title));
    let replies: Vec<String> = replies.collect();
    let replies = Some(replies.join("\n")).filter(|it| !it.is_empty());
    let signature = signature.map(|it| format!("-- \n{it}"));
    let parts: Vec<String> = [text, replies, signature].into_iter().flatten().collect();
    Some(format!("{}\n", parts.join("\n\n")))
}

/// Returns the subject: the message's own, otherwise `Re:` and the subject of the answered mail, otherwise a default.
fn subject(message: &Outbound, answered: Option<&EarlierMessage>, settings: &Settings) -> String {
    if let Some(own) = &message.content.subject {
        return one_line(own);
    }
    match answered.and_then(|it| it.subject.as_deref()) {
        Some(subject) if has_reply_prefix(subject) => one_line(subject),
        Some(subject) => format!("Re: {}", one_line(subject)),
        None => format!("Message from {}", one_line(settings.name.as_deref().unwrap_or(settings.address.as_ref()))),
    }
}

/// Whether a subject starts with the mark of a reply, in one of the common languages.
fn has_reply_prefix(subject: &str) -> bool {
    let start = subject.trim_start().split(':').next().unwrap_or_default();
    let has_colon = subject.contains(':');
    has_colon && ["re", "aw", "sv", "antw", "rif"].iter().any(|prefix| start.eq_ignore_ascii_case(prefix))
}

/// Returns the text without control characters, so that it cannot start another header.
fn one_line(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MAX_SUBJECT).collect();
    text.trim().to_owned()
}

/// Returns the IDs of the mails of a thread, `earlier` and then the answered one (RFC 5322, section 3.6.4).
fn references(earlier: &[EarlierMessage], answered: &str) -> String {
    let ids = earlier.iter().filter_map(|it| message_id_of(&it.provider_message_id));
    let mut ids: Vec<&str> = ids.filter(|id| *id != answered).collect();
    let skipped = ids.len().saturating_sub(MOST_REFERENCES - 1);
    ids.drain(..skipped);
    ids.push(answered);
    ids.join(" ")
}

/// Returns an address for a `mailto:` link (RFC 6068).
fn percent_encoded(address: &Address) -> String {
    let encode = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'@' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    address.to_string().bytes().map(encode).collect()
}

#[cfg(test)]
#[path = "compose_tests.rs"]
mod tests;
