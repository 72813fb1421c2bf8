//! Messages to contacts: their parts, and the meaning of responses.

use tidings_domain::channels::{Explanation, Outbound, RetryScope, SegmentEncoding, Segments, SendOutcome};
use tidings_domain::conversations::{Attachment, Content, MessageType};
use tidings_egress::CallError;

use super::api::{Member, Reply};
use super::channel_type::{FROM, MAX_CHARACTERS, MESSAGING_SERVICE_SID, is_number};
use super::errors::{ErrorClass, class_of};
use super::mms::{carried, receives_files, sends_files};
use super::segments::segments;
use crate::api::unanswered;
use crate::parts::{Divided, divide, redirected};
use crate::split::split_characters;

/// Asks Twilio to repeat a request that failed,
/// <https://www.twilio.com/docs/usage/webhooks/webhooks-connection-overrides>.
pub(super) const OVERRIDES: &str = "#rc=5&rp=all&ct=2000&rt=4000";
/// The code of an auth token or an API key that Twilio does not accept.
pub(super) const INVALID_TOKEN: &str = "invalid_token";
/// The sentence for an account or a sender that cannot send.
const CANNOT_SEND: &str =
    "Twilio does not let this channel send: test the channel, and correct its secrets or its sender.";

/// Returns the parts of a message to its recipient.
pub(super) fn parts_of(message: &Outbound) -> Vec<Content> {
    parts(&message.content, sends_files(&message.channel) && receives_files(&message.address))
}

/// Splits a message into texts. Quick replies become numbered lines, and locations become links. All files are in the
/// first part if the number sends files, with the text if it is short; otherwise they become links, too. A template
/// stays as it is, and is rejected later.
pub(super) fn parts(content: &Content, sends_files: bool) -> Vec<Content> {
    let sent = |kind: MessageType, file: &Attachment| carried(kind, file).filter(|_| sends_files);
    let Some(Divided { media, text }) = divide(content, sent) else { return vec![content.clone()] };
    let replies = (1..).zip(&content.quick_replies).map(|(number, reply)| format!("{number}. {}", reply.title));
    let text = text.into_iter().chain(replies).collect::<Vec<_>>().join("\n");
    let texts = split_characters(&text, MAX_CHARACTERS).into_iter().filter(|text| !text.is_empty());
    let mut parts: Vec<Content> = texts.map(Content::text).collect();
    if let Some(kind) = media.first().map(|file| file.kind) {
        let caption = if parts.len() == 1 { parts.pop().and_then(|only| only.text) } else { None };
        let attachments = media.into_iter().flat_map(|file| file.attachments).collect();
        parts.insert(0, Content { text: caption, attachments, ..Content::of(kind) });
    }
    // A long text of spaces has no part, and Twilio rejects it.
    if parts.is_empty() { vec![content.clone()] } else { parts }
}

/// Returns the segments of the parts of a message together; `None` for a template, and for files, which are not charged
/// by segments. The encoding is UCS-2 if a part needs it.
pub(super) fn segments_of(parts: &[Content]) -> Option<Segments> {
    let of_part = |part: &Content| Some(segments(part.text.as_deref().filter(|_| part.attachments.is_empty())?));
    let of_parts: Option<Vec<Segments>> = parts.iter().map(of_part).collect();
    of_parts?.into_iter().reduce(|all, part| {
        let encoding = if part.encoding == SegmentEncoding::Ucs2 { part.encoding } else { all.encoding };
        Segments { encoding, count: all.count + part.count }
    })
}

/// The place of a part in its message, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) number: usize,
    pub(super) count: usize,
}

/// Builds the form that sends a part. Twilio reports its status to `inbound_url`, with the message and the part.
///
/// # Errors
/// The outcome of a message that Twilio cannot send.
pub(super) fn form(
    message: &Outbound,
    part: &Content,
    place: Place,
    inbound_url: Option<&str>,
) -> Result<Vec<Member>, SendOutcome> {
    if !is_number(&message.address) {
        let why = "The address of the contact is not a phone number such as +491711234567.";
        return Err(rejected("unreachable", why));
    }
    if part.text.is_none() && part.attachments.is_empty() {
        return Err(rejected("unsupported_type", "An SMS channel cannot send templates."));
    }
    let config = |name: &str| message.channel.endpoint.as_ref().and_then(|endpoint| endpoint.text(name));
    let sender = match (config(FROM), config(MESSAGING_SERVICE_SID)) {
        (Some(number), _) => ("From", number.to_owned()),
        (None, Some(service)) => ("MessagingServiceSid", service.to_owned()),
        (None, None) => return Err(rejected("channel_misconfigured", "The channel has no sender.")),
    };
    let Place { number, count } = place;
    let callback = inbound_url.map(|url| {
        let url = format!("{url}?message={}&part={number}&parts={count}{OVERRIDES}", message.message);
        ("StatusCallback", url)
    });
    let text = part.text.iter().map(|text| ("Body", text.clone()));
    let files = part.attachments.iter().map(|file| ("MediaUrl", file.url.clone()));
    let recipient = [("To", message.address.clone()), sender].into_iter();
    Ok(recipient.chain(text).chain(files).chain(callback).collect())
}

fn rejected(code: &str, message: impl Into<Explanation>) -> SendOutcome {
    SendOutcome::Rejected { code: code.to_owned(), message: message.into() }
}

/// Converts the response to a message into the outcome of its part.
pub(super) fn outcome(result: Result<Reply, CallError>) -> SendOutcome {
    let reply = match result {
        Ok(reply) => reply,
        Err(error) => return unanswered(error),
    };
    if reply.result.is_some() {
        return match reply.text("sid").filter(|sid| is_message_id(sid)) {
            Some(sid) => SendOutcome::Accepted { provider_message_id: Some(sid.to_owned()) },
            None => SendOutcome::Unknown { message: "Twilio answered without the ID of the message.".into() },
        };
    }
    refused(&reply).with_provider_error(reply.code.map(|code| code.to_string()), Some(reply.status))
}

/// Converts a response that is no success into the outcome of a part.
fn refused(reply: &Reply) -> SendOutcome {
    let (sentence, after) = (reply.sentence(), reply.retry_after);
    if let Some(class) = reply.code.and_then(class_of) {
        return match class {
            ErrorClass::Busy => SendOutcome::TryLater { after, scope: RetryScope::Channel, message: sentence.into() },
            // The message waits until an admin corrects the channel.
            ErrorClass::Channel => {
                let code = if reply.rejects_the_login() { INVALID_TOKEN } else { class.word() };
                SendOutcome::ChannelFailed { code, after, message: format!("{CANNOT_SEND} {sentence}").into() }
            }
            ErrorClass::Unreachable | ErrorClass::Recipient | ErrorClass::Message => rejected(class.word(), sentence),
            ErrorClass::OptedOut => SendOutcome::OptedOut { message: sentence.into() },
        };
    }
    match reply.status {
        429 => SendOutcome::TryLater { after, scope: RetryScope::Channel, message: sentence.into() },
        401 | 403 => {
            let code = if reply.status == 401 { INVALID_TOKEN } else { ErrorClass::Channel.word() };
            SendOutcome::ChannelFailed { code, after, message: format!("{CANNOT_SEND} {sentence}").into() }
        }
        300..=399 => redirected(&sentence),
        400..=499 => rejected("provider_rejected", sentence),
        // Twilio may have taken the message.
        _ => SendOutcome::Unknown { message: sentence.into() },
    }
}

/// Whether a text can be the ID of a message of Twilio, and can be stored.
pub(super) fn is_message_id(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
