//! Messages to contacts: their parts, and the meaning of responses.

use serde_json::{Value, json};
use tidings_domain::channels::{Outbound, SendOutcome};
use tidings_domain::conversations::{Content, MessageType};
use tidings_egress::{CallError, EgressError};

use super::api::Reply;
use super::channel_type::MAX_UNITS;
use crate::parts::text_of;
use crate::split::split_utf16;

/// Splits a message into texts; the last one has the quick replies. Attachments and locations become links. A template
/// stays as it is, and is rejected later.
pub(super) fn parts(content: &Content) -> Vec<Content> {
    let Some(text) = text_of(content) else { return vec![content.clone()] };
    let mut parts: Vec<Content> = split_utf16(&text, MAX_UNITS).into_iter().map(Content::text).collect();
    match parts.last_mut() {
        Some(last) => last.quick_replies.clone_from(&content.quick_replies),
        None => parts.push(content.clone()),
    }
    parts
}

/// Builds the body of `sendMessage` for a part. The text has no `parse_mode`, so no character has a special meaning.
///
/// # Errors
/// The outcome of a message that Telegram cannot send.
pub(super) fn body(message: &Outbound, part: &Content) -> Result<Value, SendOutcome> {
    let rejected =
        |code: &str, why: &str| Err(SendOutcome::Rejected { code: code.to_owned(), message: why.to_owned() });
    // Private chats have positive IDs. Others are groups, channels and public names.
    let Ok(chat) = message.address.parse::<u64>() else {
        return rejected("unreachable", "The address of the contact is not the ID of a private chat.");
    };
    let Some(text) = part.text.as_deref().filter(|_| part.kind == MessageType::Text) else {
        return rejected("unsupported_type", "A Telegram channel cannot send templates.");
    };
    let mut body = json!({"chat_id": chat, "text": text});
    if !part.quick_replies.is_empty() {
        let button = |(number, title): (usize, &str)| json!([{"text": title, "callback_data": format!("c:{}:{number}", message.message)}]);
        let titles = part.quick_replies.iter().map(|reply| reply.title.as_str());
        let rows: Vec<Value> = titles.enumerate().map(button).collect();
        let keyboard = json!({"inline_keyboard": rows});
        body.as_object_mut().map(|body| body.insert("reply_markup".to_owned(), keyboard));
    }
    Ok(body)
}

/// Converts the result of `sendMessage` into the outcome of a part.
pub(super) fn outcome(result: Result<Reply, CallError>) -> SendOutcome {
    let rejected = |code: &str, message: String| SendOutcome::Rejected { code: code.to_owned(), message };
    let reply = match result {
        Ok(reply) => reply,
        Err(CallError { error: EgressError::Forbidden(why), .. }) => return rejected("forbidden_address", why),
        Err(CallError { error, may_have_arrived: false }) => {
            return SendOutcome::TryLater { after: None, message: error.to_string() };
        }
        Err(CallError { error, may_have_arrived: true }) => return SendOutcome::Unknown { message: error.to_string() },
    };
    if let Some(result) = &reply.result {
        let id = result.get("message_id").and_then(Value::as_i64);
        return SendOutcome::Accepted { provider_message_id: id.map(|id| id.to_string()) };
    }
    let (sentence, description) = (reply.sentence(), reply.description.to_lowercase());
    let says = |words: &str| description.contains(words);
    match reply.status {
        429 => SendOutcome::TryLater { after: reply.retry_after, message: sentence },
        // The message waits until an admin replaces the token.
        401 | 404 => {
            SendOutcome::TryLater { after: reply.retry_after, message: format!("{TOKEN_REJECTED} {sentence}") }
        }
        403 if says("blocked by the user") => SendOutcome::Blocked { message: sentence },
        403 if says("deactivated") => rejected("deactivated", sentence),
        403 if says("initiate conversation") => rejected("not_started", sentence),
        400 if says("chat not found") || says("user not found") => rejected("unreachable", sentence),
        400..=499 => rejected("provider_rejected", sentence),
        300..=399 => SendOutcome::TryLater { after: None, message: format!("{sentence} Redirects are not followed.") },
        // The request may have been executed: 500 can mean that Telegram restarted while it worked.
        _ => SendOutcome::Unknown { message: sentence },
    }
}

/// The sentence for a token that is not valid.
const TOKEN_REJECTED: &str = "The bot token is not valid: copy it from @BotFather again, and update the channel.";
