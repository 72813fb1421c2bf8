//! Requests of Twilio: messages of contacts, <https://www.twilio.com/docs/messaging/guides/webhook-request>, and
//! reports on messages to contacts. Parameters that are missing or have another form are skipped, because Twilio adds
//! parameters at any time.

use tidings_domain::channels::{Channel, InboundRequest};
use tidings_domain::conversations::{
    Attachment, Content, InboundEvent, InboundMessage, MessageError, MessageType, Profile, Report, StatusReport,
};
use tidings_domain::ids::MessageId;
use tidings_domain::read::Refusal;

use super::channel_type::{ACCOUNT_SID, FROM, MESSAGING_SERVICE_SID};
use super::errors::{ErrorClass, class_of, reason_of};
use super::form::Parameters;
use super::media::reference;
use super::outbound::{Place, is_message_id};
use crate::contents::{file_at_provider, files_content, text_content};

/// Maximum number of media of a message.
pub(super) const MAX_MEDIA: usize = 10;
/// Maximum number of characters of an address.
const LONGEST_ADDRESS: usize = 64;
/// The code of a failure without a known reason.
const FAILED: &str = "provider_failed";

/// Parses a message or a report. Requests about other senders are ignored.
///
/// # Errors
/// [`Refusal::Malformed`] if the body has no ID of a message.
pub(super) fn events(channel: &Channel, request: &InboundRequest) -> Result<Vec<InboundEvent>, Refusal> {
    let malformed = |detail: &str| Refusal::Malformed { detail: detail.to_owned() };
    let parameters =
        Parameters::of_body(request).ok_or_else(|| malformed("the body is not a form or a JSON object"))?;
    let id = parameters.get("MessageSid").or_else(|| parameters.get("SmsSid")).filter(|id| is_message_id(id));
    let id = id.ok_or_else(|| malformed("the body has no valid `MessageSid`"))?;
    Ok(match parameters.get("MessageStatus") {
        Some(status) => report(&parameters, request, (id, status)),
        None => message(channel, &parameters, id),
    })
}

/// Returns the events of a contact's message. If Twilio has taken it as an opt-out, with a word of the account, the
/// contact is opted out here, too.
fn message(channel: &Channel, parameters: &Parameters<'_>, id: &str) -> Vec<InboundEvent> {
    let Some(message) = read_message(channel, parameters, id) else { return Vec::new() };
    let has_opted_out = parameters.get("OptOutType").is_some_and(|word| word.eq_ignore_ascii_case("STOP"));
    let message = Box::new(message);
    vec![if has_opted_out { InboundEvent::OptOut(message) } else { InboundEvent::Message(message) }]
}

/// Returns a contact's message with this ID. `None` if it is not for the sender of the channel.
pub(super) fn read_message(channel: &Channel, parameters: &Parameters<'_>, id: &str) -> Option<InboundMessage> {
    let is_address = |from: &&str| {
        let fits = (1..=LONGEST_ADDRESS).contains(&from.chars().count());
        // An address of another channel of Twilio has a prefix, such as `whatsapp:`.
        fits && !from.contains(':') && !from.chars().any(char::is_control)
    };
    let from = parameters.get("From").filter(is_address).filter(|_| is_to(channel, parameters))?;
    let profile = Profile { phone: from.parse().ok(), ..Profile::default() };
    Some(InboundMessage {
        id: id.to_owned(),
        address: from.to_owned(),
        name: None,
        is_verified: true,
        profile,
        content: content(channel, parameters),
        referral: None,
        reply_to: None,
        sent_at: None,
        files: Vec::new(),
    })
}

/// Whether a message is for the sender of the channel. Twilio calls this address for each number that an admin enters
/// it for.
fn is_to(channel: &Channel, parameters: &Parameters<'_>) -> bool {
    let config = |name: &str| channel.endpoint.as_ref().and_then(|endpoint| endpoint.text(name));
    match (config(FROM), config(MESSAGING_SERVICE_SID)) {
        (Some(number), _) => parameters.get("To") == Some(number),
        (None, Some(service)) => parameters.get("MessagingServiceSid").is_none_or(|it| it == service),
        (None, None) => false,
    }
}

/// Returns the files of a message with its text. A file that cannot be fetched is a word before the text.
fn content(channel: &Channel, parameters: &Parameters<'_>) -> Content {
    let count = parameters.get("NumMedia").and_then(|count| count.parse::<usize>().ok()).unwrap_or_default();
    let account = channel.endpoint.as_ref().and_then(|endpoint| endpoint.text(ACCOUNT_SID)).unwrap_or_default();
    let (mut kinds, mut files, mut words) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..count.min(MAX_MEDIA) {
        let media_type = parameters.get(&format!("MediaContentType{number}")).unwrap_or_default();
        let (kind, word) = kind_of(media_type);
        let url = parameters.get(&format!("MediaUrl{number}"));
        match url.and_then(|url| file_at_provider(&reference(account, url)?, None, Some(media_type))) {
            Some(file) => {
                kinds.push(kind);
                files.push(file);
            }
            None => words.push(word),
        }
    }
    let body = parameters.get("Body").map(str::trim_end).filter(|body| !body.is_empty());
    let text = words.into_iter().chain(body).collect::<Vec<_>>().join(" ");
    files_of(&kinds, files, &text).unwrap_or_else(|| text_content(&text))
}

/// Returns files with their text. Files of several types are of the type `file`.
fn files_of(kinds: &[MessageType], files: Vec<Attachment>, text: &str) -> Option<Content> {
    let first = *kinds.first()?;
    let kind = if kinds.iter().all(|kind| *kind == first) { first } else { MessageType::File };
    files_content(kind, files, Some(text))
}

/// Returns the type of a message with a file of this media type, and the word for the file.
fn kind_of(media_type: &str) -> (MessageType, &'static str) {
    match media_type.split('/').next().unwrap_or_default() {
        "image" => (MessageType::Image, "[picture]"),
        "video" => (MessageType::Video, "[video]"),
        "audio" => (MessageType::Audio, "[audio]"),
        _ => (MessageType::File, "[file]"),
    }
}

/// Returns the events of a report. It names the message and the part in the query, which the channel wrote; otherwise
/// Twilio's ID names the message.
fn report(parameters: &Parameters<'_>, request: &InboundRequest, (id, status): (&str, &str)) -> Vec<InboundEvent> {
    let query = Parameters::of_query(&request.query);
    let named = |name: &str| query.as_ref().and_then(|query| query.get(name));
    let message = named("message").filter(|message| message.parse::<MessageId>().is_ok());
    let number = |name: &str| named(name).and_then(|it| it.parse::<usize>().ok()).unwrap_or(1);
    let place = Place { number: number("part"), count: number("parts") };
    let code = parameters.get("ErrorCode").and_then(|code| code.parse::<i64>().ok());
    let report = match status {
        "delivered" => Report::Delivered,
        "read" => Report::Read,
        "failed" | "undelivered" | "canceled" => failure(status, code),
        "accepted" | "scheduled" | "queued" | "sending" | "sent" | "partially_delivered" => {
            Report::Sent { provider_message_id: id.to_owned() }
        }
        _ => return Vec::new(),
    };
    // The last part decides whether the message was delivered.
    let report = match report {
        Report::Delivered | Report::Read if place.number < place.count => {
            Report::Sent { provider_message_id: id.to_owned() }
        }
        report => report,
    };
    let part = message.and_then(|_| place.number.checked_sub(1));
    let provider_message_id = message.unwrap_or(id).to_owned();
    vec![InboundEvent::Status(StatusReport { provider_message_id, part, report })]
}

fn failure(status: &str, code: Option<i64>) -> Report {
    let class = code.and_then(class_of);
    let word = class.map_or(FAILED, ErrorClass::word);
    let reason = code.and_then(reason_of).map(|reason| format!(": {reason}")).unwrap_or_default();
    let shown = code.map(|code| format!(" (error {code})")).unwrap_or_default();
    let message = format!("Twilio reported `{status}`{shown}{reason}.");
    let error = MessageError::new(word, message).with_provider_code(code.map(|code| code.to_string()));
    if class == Some(ErrorClass::OptedOut) { Report::OptedOut(error) } else { Report::Failed(error) }
}
