//! Inbound mail as events: messages of contacts, mails of programs, and reports about outbound mail.

use mail_parser::{Message, MessageParser};
use tidings_domain::conversations::{Content, InboundEvent, InboundMessage, MAX_SUBJECT, MAX_TEXT, Profile};
use tidings_domain::read::Refusal;

use super::body;
use super::identity::stored_id;
use super::machine::is_automatic;
use super::report::reported;
use super::settings::{Settings, mail_address};

/// Maximum number of bytes of a mail that are parsed. The text comes before attachments.
const MAX_PARSED: usize = 1024 * 1024;
/// Maximum number of lines that may be the border of a part, among the parsed ones.
const MAX_BORDERS: usize = 500;
/// Maximum number of characters of a sender's name.
const LONGEST_NAME: usize = 100;
/// The text of a mail without a text and a subject.
const EMPTY: &str = "[empty message]";

/// Returns the events of a mail. Mails from the channel's own address are ignored.
///
/// # Errors
/// [`Refusal::Malformed`] if it is no mail, or if it has no sender.
pub(super) fn events(raw: &[u8], settings: &Settings) -> Result<Vec<InboundEvent>, Refusal> {
    let malformed = |detail: &str| Refusal::Malformed { detail: detail.to_owned() };
    let mail = MessageParser::default().parse(bounded(raw)).filter(|it| !it.parts.is_empty());
    let mail = mail.ok_or_else(|| malformed("the body is not a mail (RFC 5322)"))?;
    if let Some(events) = reported(&mail, settings) {
        return Ok(events);
    }
    let sender = mail.from().and_then(|from| from.first());
    let address = sender.and_then(|it| it.address()).and_then(|it| mail_address(&it.to_lowercase()));
    let address = address.ok_or_else(|| malformed("the mail has no valid address in `From`"))?.to_string();
    if address == settings.address.to_string().to_lowercase() {
        return Ok(Vec::new());
    }
    let name = sender.and_then(|it| it.name()).map(|name| name.chars().take(LONGEST_NAME).collect());
    let id = stored_id(mail.message_id(), &address, raw);
    let content = content(&mail);
    let message = Box::new(InboundMessage { id, address, name, profile: Profile::default(), content });
    let event = match is_automatic(&mail) {
        true => InboundEvent::Automatic(message),
        false => InboundEvent::Message(message),
    };
    Ok(vec![event])
}

/// Returns the start of a mail that is safe to parse: a hostile mail could otherwise have millions of parts.
pub(super) fn bounded(raw: &[u8]) -> &[u8] {
    let start = raw.get(..MAX_PARSED).unwrap_or(raw);
    let borders = start.windows(3).enumerate().filter(|(_, window)| *window == b"\n--");
    match borders.map(|(position, _)| position).nth(MAX_BORDERS) {
        Some(position) => start.get(..position).unwrap_or(start),
        None => start,
    }
}

/// Returns subject and text within the limits of messages. A mail without a text has its subject as the text, so that a
/// mail with the subject `STOP` opts out.
fn content(mail: &Message<'_>) -> Content {
    let line = |text: &str| text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>();
    let subject = mail.subject().map(|it| limited(&line(it), MAX_SUBJECT)).filter(|it| !it.trim().is_empty());
    let text = limited(&body::text(mail), MAX_TEXT);
    let text = match text.trim().is_empty() {
        true => subject.clone().unwrap_or_else(|| EMPTY.to_owned()),
        false => text,
    };
    let content = Content { subject, ..Content::text(text) };
    if content.check().is_empty() { content } else { Content::text(EMPTY) }
}

/// Returns the first characters, without those that databases cannot store.
fn limited(text: &str, most: usize) -> String {
    text.chars().filter(|c| *c != '\0').take(most).collect()
}

#[cfg(test)]
#[path = "inbound_tests.rs"]
mod tests;
