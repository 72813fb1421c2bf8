//! Updates of a bot, <https://core.telegram.org/bots/api#update>. Members that are missing or have another form are
//! skipped, because Telegram adds members at any time.

use serde_json::{Value, json};
use tidings_domain::contacts::Phone;
use tidings_domain::conversations::{
    AnsweredMessage, Block, Content, InboundEvent, InboundMessage, MessageType, Profile, Referral, Revision,
    RevisionKind,
};
use tidings_domain::read::Refusal;

use crate::contents::{
    LONGEST_NAME, UNSUPPORTED, file_at_provider, files_content, place_content, pressed_reply, provider_time,
    text_content, with_data,
};
use crate::event_digest::event_digest;

/// Types of updates that the bot subscribes to. Telegram sends others only if they are listed.
pub(super) const SUBSCRIBED: [&str; 5] =
    ["message", "edited_message", "message_reaction", "callback_query", "my_chat_member"];
/// The command of a start link, before its parameter, <https://core.telegram.org/bots/features#deep-linking>.
const START: &str = "/start ";
/// The source of a referral by a start link.
const START_LINK: &str = "start_link";
/// Maximum number of characters of the parameter of a start link.
const MAX_PARAMETER: usize = 64;
/// A reaction that is no emoji of Unicode.
const OTHER_EMOJI: &str = "[emoji]";
/// A paid reaction.
const STAR: &str = "⭐";
/// The text of a button that Telegram does not show any more.
const BUTTON: &str = "[button]";

/// A member of a message.
struct Medium {
    name: &'static str,
    /// The word for it, if it has no file.
    word: &'static str,
    /// The type of a message with its file.
    kind: MessageType,
    /// The media type of its file, if the member states none.
    usual_type: Option<&'static str>,
}

impl Medium {
    const fn new(name: &'static str, word: &'static str, kind: MessageType, usual_type: Option<&'static str>) -> Self {
        Self { name, word, kind, usual_type }
    }
}

/// Members of a message with media, in the order of precedence.
static MEDIA: [Medium; 8] = [
    Medium::new("photo", "photo", MessageType::Image, Some("image/jpeg")),
    Medium::new("animation", "animation", MessageType::Video, Some("video/mp4")),
    Medium::new("video", "video", MessageType::Video, Some("video/mp4")),
    Medium::new("video_note", "video message", MessageType::Video, Some("video/mp4")),
    Medium::new("voice", "voice message", MessageType::Audio, Some("audio/ogg")),
    Medium::new("audio", "audio", MessageType::Audio, Some("audio/mpeg")),
    Medium::new("sticker", "sticker", MessageType::Image, Some("image/webp")),
    Medium::new("document", "file", MessageType::File, None),
];
/// Members of a message without a file.
const OTHERS: [&str; 3] = ["story", "dice", "game"];
/// Members of service messages that no contact wrote.
const SERVICE: [&str; 4] =
    ["pinned_message", "message_auto_delete_timer_changed", "chat_background_set", "write_access_allowed"];

/// Members of forwarded messages. Bot API servers before 7.0 send the second one.
const FORWARDED: [&str; 2] = ["forward_origin", "forward_date"];

/// Parses an update. Updates about groups, channels and bots are ignored.
///
/// # Errors
/// [`Refusal::Malformed`] if it is not an update.
pub(super) fn events(body: &[u8]) -> Result<Vec<InboundEvent>, Refusal> {
    let malformed = |detail: String| Refusal::Malformed { detail };
    let update: Value = serde_json::from_slice(body).map_err(|error| malformed(error.to_string()))?;
    let id = update.get("update_id").and_then(Value::as_i64);
    let id = id.ok_or_else(|| malformed("the body has no `update_id`".to_owned()))?;
    let event = written(&update, id).or_else(|| pressed(&update, id)).or_else(|| blocked(&update, id));
    let event = event.or_else(|| edited(&update, id)).or_else(|| reacted(&update, id));
    Ok(event.into_iter().collect())
}

/// Returns the ID of the query that a press of a button waits for, and its message: chat and ID.
pub(super) fn query(body: &[u8]) -> Option<(String, Option<(i64, i64)>)> {
    let update: Value = serde_json::from_slice(body).ok()?;
    let query = update.get("callback_query")?;
    let id = query.get("id")?.as_str()?.to_owned();
    let number = |pointer: &str| query.pointer(pointer).and_then(Value::as_i64);
    Some((id, number("/message/chat/id").zip(number("/message/message_id"))))
}

/// A message that a contact wrote.
fn written(update: &Value, id: i64) -> Option<InboundEvent> {
    let message = update.get("message")?;
    let content = content(message)?;
    let chat = private_chat(message)?;
    let id = message_id(message).map_or_else(|| id.to_string(), |message| stored_id(chat, message));
    let mut event = inbound(id, chat, message.get("from")?, (content, referral(message)))?;
    if let InboundEvent::Message(written) = &mut event {
        written.profile.phone = own_number(message);
        written.sent_at = message.get("date").and_then(Value::as_i64).map(provider_time);
        written.reply_to = message
            .get("reply_to_message")
            .and_then(message_id)
            .map(|answered| AnsweredMessage { sent: answered.to_string(), received: stored_id(chat, answered) });
    }
    Some(event)
}

/// Returns the phone number of a sender who shares the own contact card. Telegram sets the ID of the user to whom the
/// number belongs, <https://core.telegram.org/bots/api#contact>. A forwarded card can have an earlier number of the
/// sender.
fn own_number(message: &Value) -> Option<Phone> {
    let is_forwarded = FORWARDED.iter().any(|member| message.get(member).is_some());
    let card = message.get("contact").filter(|_| !is_forwarded)?;
    let is_own = card.get("user_id")? == message.pointer("/from/id")?;
    let number = card.get("phone_number")?.as_str()?;
    format!("+{}", number.trim_start_matches('+')).parse().ok().filter(|_| is_own)
}

fn message_id(of: &Value) -> Option<i64> {
    of.get("message_id").and_then(Value::as_i64)
}

/// Returns the ID of a contact's message. Telegram counts messages in each chat.
fn stored_id(chat: i64, message: i64) -> String {
    format!("{chat}:{message}")
}

/// Returns the referral of a message that a start link wrote.
fn referral(message: &Value) -> Option<Referral> {
    let parameter = message.get("text")?.as_str()?.strip_prefix(START)?.trim_end();
    let is_valid = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let fits = (1..=MAX_PARAMETER).contains(&parameter.len()) && parameter.chars().all(is_valid);
    fits.then(|| Referral::of(START_LINK, parameter))
}

/// A message that its contact edited. Telegram also sends this update if other members change, such as the place of a
/// moving location.
fn edited(update: &Value, id: i64) -> Option<InboundEvent> {
    let message = update.get("edited_message")?;
    let (chat, content) = (private_chat(message)?, content(message)?);
    if is_bot(message.get("from")?) {
        return None;
    }
    let revision = Revision {
        id: id.to_string(),
        address: chat.to_string(),
        received: Some(stored_id(chat, message_id(message)?)),
        sent: None,
        at: message.get("edit_date").and_then(Value::as_i64).map(provider_time),
        change: RevisionKind::Edit(content.text),
    };
    Some(InboundEvent::Revision(Box::new(revision)))
}

/// The reactions of a contact to a message in either direction, after each change.
fn reacted(update: &Value, id: i64) -> Option<InboundEvent> {
    let reaction = update.get("message_reaction")?;
    let (chat, message) = (private_chat(reaction)?, message_id(reaction)?);
    if is_bot(reaction.get("user")?) {
        return None;
    }
    let emojis = reaction.get("new_reaction")?.as_array()?.iter().map(emoji);
    let revision = Revision {
        id: id.to_string(),
        address: chat.to_string(),
        received: Some(stored_id(chat, message)),
        sent: Some(message.to_string()),
        at: reaction.get("date").and_then(Value::as_i64).map(provider_time),
        change: RevisionKind::React(emojis.collect()),
    };
    Some(InboundEvent::Revision(Box::new(revision)))
}

/// Returns the emoji of a reaction, <https://core.telegram.org/bots/api#reactiontype>.
fn emoji(reaction: &Value) -> String {
    let member = |name: &str| reaction.get(name).and_then(Value::as_str);
    match (member("type"), member("emoji")) {
        (_, Some(emoji)) if !emoji.contains(char::is_control) => emoji.to_owned(),
        (Some("paid"), _) => STAR.to_owned(),
        (_, _) => OTHER_EMOJI.to_owned(),
    }
}

/// The press of a button: the contact says its title. Telegram omits the title if the message is old.
fn pressed(update: &Value, id: i64) -> Option<InboundEvent> {
    let query = update.get("callback_query")?;
    let (message, data) = (query.get("message")?, query.get("data")?);
    let rows = message.pointer("/reply_markup/inline_keyboard").and_then(Value::as_array);
    let mut buttons = rows.into_iter().flatten().filter_map(Value::as_array).flatten();
    let button = buttons.find(|button| button.get("callback_data") == Some(data));
    let title = button.and_then(|button| button.get("text")?.as_str()).unwrap_or(BUTTON);
    let event = inbound(id.to_string(), private_chat(message)?, query.get("from")?, (text_content(title), None))?;
    Some(match (event, data.as_str().and_then(pressed_reply)) {
        (InboundEvent::Message(message), Some(button)) => InboundEvent::Press(message, button),
        (event, _) => event,
    })
}

/// A contact that blocked the bot, or unblocked it.
fn blocked(update: &Value, id: i64) -> Option<InboundEvent> {
    let change = update.get("my_chat_member")?;
    let chat = private_chat(change)?;
    let block = Block { event: event_digest(&id.to_string()), address: chat.to_string() };
    match change.pointer("/new_chat_member/status")?.as_str()? {
        "kicked" => Some(InboundEvent::Blocked(block)),
        "member" => Some(InboundEvent::Unblocked(block)),
        _ => None,
    }
}

fn is_bot(user: &Value) -> bool {
    user.get("is_bot") == Some(&Value::Bool(true))
}

fn inbound(
    id: String,
    chat: i64,
    from: &Value,
    (content, referral): (Content, Option<Referral>),
) -> Option<InboundEvent> {
    if is_bot(from) {
        return None;
    }
    let text = |name: &str| from.get(name).and_then(Value::as_str);
    let name = |name: &str| text(name).map(|name| name.chars().take(LONGEST_NAME).collect());
    let profile = Profile {
        first_name: name("first_name"),
        last_name: name("last_name"),
        locale: text("language_code").and_then(|code| code.parse().ok()),
        ..Profile::default()
    };
    let message = InboundMessage {
        id,
        address: chat.to_string(),
        name: None,
        is_verified: true,
        profile,
        content,
        referral,
        reply_to: None,
        sent_at: None,
        files: Vec::new(),
    };
    Some(InboundEvent::Message(Box::new(message)))
}

/// Returns the ID of the chat, if it is private.
fn private_chat(of: &Value) -> Option<i64> {
    let chat = of.get("chat")?;
    let is_private = chat.get("type").and_then(Value::as_str) == Some("private");
    chat.get("id")?.as_i64().filter(|_| is_private)
}

/// Returns the content of a message; `None` if no contact wrote it.
fn content(message: &Value) -> Option<Content> {
    let text = |pointer: &str| message.pointer(pointer).and_then(Value::as_str);
    if let Some(text) = text("/text") {
        return Some(text_content(text));
    }
    if SERVICE.iter().any(|name| message.get(name).is_some()) {
        return None;
    }
    if let Some(place) = location(message) {
        return Some(place);
    }
    let listed = |parts: [Option<&str>; 3]| parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
    if let Some(card) = message.get("contact") {
        let parts = [text("/contact/first_name"), text("/contact/last_name"), text("/contact/phone_number")];
        let shown = text_content(&format!("[contact] {}", listed(parts)));
        return Some(with_data(shown, "contacts", &json!([card])));
    }
    if let (Some(poll), Some(question)) = (message.get("poll"), text("/poll/question")) {
        return Some(with_data(text_content(&format!("[poll] {question}")), "poll", poll));
    }
    if let Some(content) = files(message) {
        return Some(content);
    }
    let medium = MEDIA.iter().find(|it| message.get(it.name).is_some()).map(|it| it.word);
    let word = medium.or_else(|| OTHERS.into_iter().find(|name| message.get(name).is_some()));
    let label = word.map_or(UNSUPPORTED.to_owned(), |word| format!("[{word}]"));
    let details = [text("/document/file_name"), text("/sticker/emoji"), text("/caption")];
    Some(text_content(&format!("{label} {}", listed(details))))
}

/// Returns the file of a message with its caption; `None` without a file. The caption of a sticker is its emoji.
fn files(message: &Value) -> Option<Content> {
    let (medium, value) = MEDIA.iter().find_map(|it| Some((it, message.get(it.name)?)))?;
    let (file, usual_type) = match medium.name {
        "photo" => (largest(value)?, medium.usual_type),
        // A picture is shown for a moving sticker.
        "sticker" if is_moving(value) => (value.get("thumbnail")?, None),
        _ => (value, medium.usual_type),
    };
    let of_file = |name: &str| file.get(name).and_then(Value::as_str);
    let name = of_file("file_name").or_else(|| of_file("title"));
    let file = file_at_provider(of_file("file_id")?, name, of_file("mime_type").or(usual_type))?;
    let caption = message.get("caption").or_else(|| message.pointer("/sticker/emoji")).and_then(Value::as_str);
    files_content(medium.kind, vec![file], caption)
}

/// Returns the largest size of a photo.
fn largest(sizes: &Value) -> Option<&Value> {
    let length = |size: &Value, name: &str| size.get(name).and_then(Value::as_u64).unwrap_or_default();
    let area = |size: &&Value| length(size, "width").saturating_mul(length(size, "height"));
    sizes.as_array()?.iter().max_by_key(area)
}

/// Whether a sticker is an animation or a video.
fn is_moving(sticker: &Value) -> bool {
    ["is_animated", "is_video"].iter().any(|name| sticker.get(name) == Some(&Value::Bool(true)))
}

/// Returns a place, with the name of its venue.
fn location(message: &Value) -> Option<Content> {
    let place = message.get("location")?;
    let (latitude, longitude) = (place.get("latitude")?.as_f64()?, place.get("longitude")?.as_f64()?);
    place_content((latitude, longitude), message.pointer("/venue/title").and_then(Value::as_str))
}

#[cfg(test)]
#[path = "update_tests.rs"]
mod tests;
