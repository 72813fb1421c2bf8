//! Inbound mail as events: messages of contacts, mails of programs, and reports about outbound mail.

use std::thread::{self, Builder};

use mail_parser::{Address, Message, MessageParser};
use tidings_domain::conversations::{
    AnsweredMessage, Content, InboundEvent, InboundMessage, MAX_ORIGINAL, MAX_SUBJECT, MAX_TEXT, MessageType, Original,
    Profile,
};
use tidings_domain::read::Refusal;

use super::attachments::{MailFiles, mail_files};
use super::body;
use super::identity::{message_id_of, own_message, stored_id};
use super::machine::is_automatic;
use super::parse_bounds::{bounded, may_nest};
use super::report::reported;
use super::sender_check::is_verified;
use super::settings::{Settings, mail_address};
use crate::contents::provider_time;

/// Stack of the thread for a mail with mails inside. Their parts are freed by recursion, also parts of an encoded
/// mail, which [`bounded`] does not see.
const DEEP_STACK: usize = 64 * 1024 * 1024;
/// Maximum number of characters of a sender's name.
const LONGEST_NAME: usize = 100;
/// The subject of mails by the link in `List-Unsubscribe`. Mail programs add other text.
pub(super) const UNSUBSCRIBE: &str = "unsubscribe";
/// The text of a mail without a text and a subject.
const EMPTY: &str = "[empty message]";

/// Returns the events of a mail. Mails from the channel's own address are ignored.
///
/// # Errors
/// [`Refusal::Malformed`] if it is no mail, or if it has no sender.
pub(super) fn events(raw: &[u8], settings: &Settings) -> Result<Vec<InboundEvent>, Refusal> {
    let start = bounded(raw);
    if !may_nest(start) {
        return parsed_events(start, raw, settings);
    }
    let failed = || Refusal::Malformed { detail: "the mails inside the mail cannot be parsed".to_owned() };
    thread::scope(|scope| {
        let deep = Builder::new().name("mail".to_owned()).stack_size(DEEP_STACK);
        let parsing = deep.spawn_scoped(scope, || parsed_events(start, raw, settings)).map_err(|_| failed())?;
        parsing.join().unwrap_or_else(|_| Err(failed()))
    })
}

/// Returns the events of a mail. The text is only parsed in `start`.
fn parsed_events(start: &[u8], raw: &[u8], settings: &Settings) -> Result<Vec<InboundEvent>, Refusal> {
    let malformed = |detail: &str| Refusal::Malformed { detail: detail.to_owned() };
    let mail = MessageParser::default().parse(start).filter(|it| !it.parts.is_empty());
    let mail = mail.ok_or_else(|| malformed("the body is not a mail (RFC 5322)"))?;
    if let Some(events) = reported(&mail, raw, settings) {
        return Ok(events);
    }
    let sender = mail.from().and_then(|from| from.first());
    let address = address_in(mail.from());
    let address = address.ok_or_else(|| malformed("the mail has no valid address in `From`"))?;
    if address == settings.address.to_string().to_lowercase() {
        return Ok(Vec::new());
    }
    let name = sender.and_then(|it| it.name()).map(|name| name.chars().take(LONGEST_NAME).collect());
    let id = stored_id(mail.message_id(), &address, raw);
    let check = settings.authserv_id.as_deref().map(|server| is_verified(&mail, &address, server));
    let is_verified = check == Some(true);
    let files = mail_files(raw);
    let profile = Profile { email: address.parse().ok().filter(|_| is_verified), ..Profile::default() };
    let mut content = content(&mail, &files);
    let is_truncated = content.original.is_truncated;
    content.original =
        Original { is_truncated, is_sender_unchecked: check.is_none(), ..original(&mail, content.text.as_deref()) };
    let is_other = |it: &String| *it != address && *it != settings.address.to_string().to_lowercase();
    // Anyone can forge the sender, and would get the answer of a member who believes it.
    content.original.answers_to = address_in(mail.reply_to()).filter(|it| is_verified && is_other(it));
    // A list or a redirection can return a mail of the channel with another sender.
    let is_automatic = is_automatic(&mail) || own_message(&mail, settings).is_some();
    // Mail programs also mark the mails that they send by the link in `List-Unsubscribe`.
    let is_automatic = is_automatic && !asks_to_leave(content.subject.as_deref());
    let files = files.files;
    let sent_at = mail.date().filter(|it| it.is_valid()).map(|it| provider_time(it.to_timestamp()));
    let (referral, reply_to) = (None, answered(&mail, &address));
    let message =
        InboundMessage { id, address, name, is_verified, profile, content, referral, reply_to, sent_at, files };
    let message = Box::new(message);
    let event = match is_automatic {
        true => InboundEvent::Automatic(message),
        false => InboundEvent::Message(message),
    };
    Ok(vec![event])
}

/// Returns the mail that a mail of this sender answers. Mails to contacts are stored under their `Message-ID`.
fn answered(mail: &Message<'_>, sender: &str) -> Option<AnsweredMessage> {
    let id = mail.in_reply_to().as_text().filter(|id| !id.is_empty())?;
    let received = stored_id(Some(id), sender, &[]);
    let sent = message_id_of(&received)?.to_owned();
    Some(AnsweredMessage { sent, received })
}

/// Returns the first address of a header in lower case, if it is valid.
fn address_in(header: Option<&Address<'_>>) -> Option<String> {
    let address = header?.first()?.address()?;
    // Only ASCII letters change. Otherwise the Kelvin sign would become a `k`, and the sender another person.
    mail_address(&address.to_ascii_lowercase()).map(|it| it.to_string())
}

/// Returns subject and text within the limits of messages. A mail without a text has its subject as the text, so a
/// mail with the subject `STOP` opts out. So does a mail by the link in `List-Unsubscribe`. The last lines of the text
/// name files that are not stored.
fn content(mail: &Message<'_>, files: &MailFiles) -> Content {
    let line = |text: &str| text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>();
    let subject = mail.subject().map(|it| limited(&line(it), MAX_SUBJECT)).filter(|it| !it.trim().is_empty());
    if asks_to_leave(subject.as_deref()) {
        return Content { text: subject.clone(), subject, ..Content::of(MessageType::Text) };
    }
    let text = Some(body::text(mail)).filter(|it| !it.trim().is_empty()).or_else(|| subject.clone());
    let omitted = files.omitted.iter().map(|name| format!("[file] {name}"));
    let lines: Vec<String> = text.into_iter().chain(omitted).collect();
    if lines.is_empty() && !files.files.is_empty() {
        return Content::of(MessageType::File);
    }
    let whole = lines.join("\n");
    let text = Some(limited(&whole, MAX_TEXT)).filter(|it| !it.trim().is_empty());
    let mut content = Content { subject, ..Content::text(text.unwrap_or_else(|| EMPTY.to_owned())) };
    content.original.is_truncated = whole.chars().filter(|c| *c != '\0').nth(MAX_TEXT).is_some();
    if content.check().is_empty() { content } else { Content::text(EMPTY) }
}

/// Returns the parts of a mail that the text of its message leaves out.
fn original(mail: &Message<'_>, text: Option<&str>) -> Original {
    let whole = limited(&body::whole_text(mail), MAX_ORIGINAL);
    let is_longer = !whole.trim().is_empty() && text != Some(whole.as_str());
    Original { text: Some(whole).filter(|_| is_longer), html: body::html(mail), ..Original::default() }
}

/// Whether the link in `List-Unsubscribe` created a mail with this subject.
fn asks_to_leave(subject: Option<&str>) -> bool {
    subject.is_some_and(|it| it.trim().eq_ignore_ascii_case(UNSUBSCRIBE))
}

/// Returns the first characters, without those that databases cannot store.
fn limited(text: &str, most: usize) -> String {
    text.chars().filter(|c| *c != '\0').take(most).collect()
}

#[cfg(test)]
#[path = "inbound_tests.rs"]
mod tests;
