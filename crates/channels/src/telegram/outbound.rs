//! Messages to contacts: their parts, and the meaning of responses.

use serde_json::{Map, Value, json};
use tidings_domain::channels::{Outbound, RetryScope, SendOutcome};
use tidings_domain::conversations::{Attachment, Content, MessageType};
use tidings_egress::CallError;

use super::INVALID_TOKEN;
use super::api::Reply;
use super::channel_type::{MAX_CAPTION_UNITS, MAX_UNITS};
use crate::api::unanswered;
use crate::media::{is_public, media_type};
use crate::parts::{Divided, coordinates, divide, redirected};
use crate::split::split_utf16;

/// Media types that Telegram loads from a URL, <https://core.telegram.org/bots/api#sending-files>.
const FILES: [&str; 3] = ["image/gif", "application/pdf", "application/zip"];
const IMAGES: [&str; 3] = ["image/jpeg", "image/png", "image/webp"];
const VIDEOS: [&str; 1] = ["video/mp4"];
const AUDIOS: [&str; 3] = ["audio/mpeg", "audio/mp4", VOICE];
/// The media type of voice messages.
const VOICE: &str = "audio/ogg";
/// The method that sends a photo again as a file.
pub(super) const SEND_DOCUMENT: &str = "sendDocument";

/// Splits a message into files and texts; the last part has the quick replies. A short text of a single file is its
/// caption. Files that Telegram does not load from URLs become links. A template stays as it is, and is rejected later.
pub(super) fn parts(content: &Content) -> Vec<Content> {
    let Some(Divided { media: mut parts, text }) = divide(content, carried) else { return vec![content.clone()] };
    let place = parts.iter().find(|part| part.kind == MessageType::Location);
    // A location has no caption, so its name is a text.
    let name = place.and_then(|place| place.attachments.first()?.name.clone());
    let lines: Vec<String> = name.into_iter().chain(text).collect();
    let text = Some(lines.join("\n")).filter(|_| !lines.is_empty());
    let fits = text.as_ref().is_some_and(|text| text.encode_utf16().count() <= MAX_CAPTION_UNITS);
    match parts.as_mut_slice() {
        [file] if fits && file.kind != MessageType::Location => file.text = text,
        _ => {
            let texts = text.iter().flat_map(|text| split_utf16(text, MAX_UNITS));
            parts.extend(texts.map(Content::text));
        }
    }
    match parts.last_mut() {
        Some(last) => last.quick_replies.clone_from(&content.quick_replies),
        None => parts.push(content.clone()),
    }
    parts
}

/// Returns the type by which Telegram sends an attachment from its URL; `None` for others.
fn carried(kind: MessageType, attachment: &Attachment) -> Option<MessageType> {
    if kind == MessageType::Location {
        return coordinates(&attachment.url).map(|_| kind);
    }
    let known = media_type(attachment);
    let may_be = |types: &[&str]| known.as_deref().is_none_or(|known| types.contains(&known));
    if !is_public(attachment) {
        return None;
    }
    if known.is_some() && may_be(&FILES) {
        return Some(MessageType::File);
    }
    match kind {
        MessageType::Image | MessageType::Card => may_be(&IMAGES).then_some(MessageType::Image),
        MessageType::Video => may_be(&VIDEOS).then_some(kind),
        MessageType::Audio => may_be(&AUDIOS).then_some(kind),
        MessageType::File | MessageType::Location | MessageType::Text | MessageType::Template | MessageType::Note => {
            None
        }
    }
}

/// Returns the method that sends a part, and its members; `None` if no method sends such a part. Texts have no
/// `parse_mode`, so no character has a special meaning.
fn method_of(part: &Content) -> Option<(&'static str, Vec<(&'static str, Value)>)> {
    let file = |method: &'static str, member: &'static str| {
        let url = Value::from(part.attachments.first()?.url.as_str());
        let caption = part.text.as_deref().map(|text| ("caption", Value::from(text)));
        Some((method, std::iter::once((member, url)).chain(caption).collect::<Vec<_>>()))
    };
    match part.kind {
        MessageType::Text => Some(("sendMessage", vec![("text", part.text.as_deref()?.into())])),
        MessageType::Image => file("sendPhoto", "photo"),
        MessageType::Video => file("sendVideo", "video"),
        MessageType::Audio => match part.attachments.first().and_then(media_type).as_deref() {
            Some(VOICE) => file("sendVoice", "voice"),
            Some(_) | None => file("sendAudio", "audio"),
        },
        MessageType::File => file(SEND_DOCUMENT, "document"),
        MessageType::Location => {
            let (latitude, longitude) = coordinates(&part.attachments.first()?.url)?;
            Some(("sendLocation", vec![("latitude", latitude.into()), ("longitude", longitude.into())]))
        }
        MessageType::Card | MessageType::Template | MessageType::Note => None,
    }
}

/// Builds the method and the body that send a part.
///
/// # Errors
/// The outcome of a message that Telegram cannot send.
pub(super) fn call(message: &Outbound, part: &Content) -> Result<(&'static str, Value), SendOutcome> {
    let rejected = |code: &str, why: &str| Err(SendOutcome::Rejected { code: code.to_owned(), message: why.into() });
    // Private chats have positive IDs. Others are groups, channels and public names.
    let Ok(chat) = message.address.parse::<u64>() else {
        return rejected("unreachable", "The address of the contact is not the ID of a private chat.");
    };
    let Some((method, members)) = method_of(part) else {
        return rejected("unsupported_type", "A Telegram channel cannot send templates.");
    };
    let mut body: Map<String, Value> = members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    body.insert("chat_id".to_owned(), chat.into());
    if let Some(answered) = answered(message) {
        let parameters = json!({"message_id": answered, "allow_sending_without_reply": true});
        body.insert("reply_parameters".to_owned(), parameters);
    }
    if !part.quick_replies.is_empty() {
        let button = |(number, title): (usize, &str)| json!([{"text": title, "callback_data": format!("c:{}:{number}", message.message)}]);
        let titles = part.quick_replies.iter().map(|reply| reply.title.as_str());
        let rows: Vec<Value> = titles.enumerate().map(button).collect();
        body.insert("reply_markup".to_owned(), json!({"inline_keyboard": rows}));
    }
    Ok((method, Value::Object(body)))
}

/// Returns the ID of the message that the first part answers. IDs of messages of contacts are stored with their chat.
fn answered(message: &Outbound) -> Option<i64> {
    let answered = message.context.reply_to.as_ref().filter(|_| message.context.part == 0)?;
    let id = answered.provider_message_id.as_str();
    let id = if answered.is_inbound { id.split_once(':')?.1 } else { id };
    id.parse().ok()
}

/// Returns the body that sends a photo as a file, if Telegram refused the photo.
pub(super) fn as_document(body: Value, result: &Result<Reply, CallError>) -> Option<Value> {
    let is_refused = result.as_ref().is_ok_and(|reply| reply.status == 400 && !reply.has_no_chat());
    let Value::Object(mut body) = body else { return None };
    let photo = body.remove("photo").filter(|_| is_refused)?;
    body.insert("document".to_owned(), photo);
    Some(Value::Object(body))
}

/// Converts the result of a call that sends a part into its outcome.
pub(super) fn outcome(result: Result<Reply, CallError>) -> SendOutcome {
    let reply = match result {
        Ok(reply) => reply,
        Err(error) => return unanswered(error),
    };
    if let Some(result) = &reply.result {
        let id = result.get("message_id").and_then(Value::as_i64);
        return SendOutcome::Accepted { provider_message_id: id.map(|id| id.to_string()) };
    }
    // The error code of Telegram is the HTTP status.
    let code = Some(reply.status.to_string()).filter(|_| !reply.description.is_empty());
    refused(&reply).with_provider_error(code, Some(reply.status))
}

fn rejected(code: &str, message: String) -> SendOutcome {
    SendOutcome::Rejected { code: code.to_owned(), message: message.into() }
}

/// Converts a response that is no success into the outcome of a part.
fn refused(reply: &Reply) -> SendOutcome {
    let (sentence, description) = (reply.sentence(), reply.description.to_lowercase());
    let says = |words: &str| description.contains(words);
    match reply.status {
        429 => {
            SendOutcome::TryLater { after: reply.retry_after, scope: RetryScope::Unstated, message: sentence.into() }
        }
        // The message waits until an admin replaces the token.
        401 | 404 => {
            let message = format!("{TOKEN_REJECTED} {sentence}").into();
            SendOutcome::ChannelFailed { code: INVALID_TOKEN, after: reply.retry_after, message }
        }
        403 if says("blocked by the user") => SendOutcome::Blocked { message: sentence.into() },
        403 if says("deactivated") => rejected("deactivated", sentence),
        403 if says("initiate conversation") => rejected("not_started", sentence),
        400 if reply.has_no_chat() => rejected("unreachable", sentence),
        400..=499 => rejected("provider_rejected", sentence),
        300..=399 => redirected(&sentence),
        // The request may have been executed: 500 can mean that Telegram restarted while it worked.
        _ => SendOutcome::Unknown { message: sentence.into() },
    }
}

/// The sentence for a token that is not valid.
const TOKEN_REJECTED: &str = "The bot token is not valid: copy it from @BotFather again, and update the channel.";
