//! Requests of WhatsApp, <https://developers.facebook.com/docs/whatsapp/cloud-api/webhooks/components>. One request has
//! messages and reports of several numbers. Members that are missing or have another form are skipped, because WhatsApp
//! adds members at any time.

use std::collections::HashMap;

use serde_json::Value;
use tidings_domain::conversations::{
    AnsweredMessage, Content, InboundEvent, InboundMessage, MessageType, PressedButton, Profile, Referral, Report,
    Revision, RevisionKind, StatusReport,
};
use tidings_domain::ids::MessageId;
use tidings_domain::read::Refusal;
use tidings_domain::time::Timestamp;

use super::address::{is_number, is_user_id, phone_of};
use super::address_change::{SYSTEM, address_change};
use super::errors::reported;
use super::is_id;
use super::preferences::{USER_PREFERENCES, marketing_change};
use crate::contents::{
    LONGEST_NAME, UNSUPPORTED, file_at_provider, files_content, place_content, pressed_reply, provider_time,
    text_content, with_data,
};
use crate::graph::GraphError;

/// Maximum number of events of a request. WhatsApp sends at most 1,000.
const MAX_EVENTS: usize = 5_000;
/// Maximum number of characters of an ID that the store accepts.
const MAX_ID: usize = 255;

/// Fields of the changes that are read.
const FIELDS: [&str; 2] = ["messages", USER_PREFERENCES];
/// Types of messages that no contact wrote, or that change an earlier message.
const IGNORED: [&str; 5] = [REACTION, SYSTEM, EDIT, REVOKE, "request_welcome"];
/// Types of messages that change an earlier message.
const REACTION: &str = "reaction";
const EDIT: &str = "edit";
const REVOKE: &str = "revoke";
/// The source of a referral whose type is missing.
const AD: &str = "ad";
/// Types of messages with a file, with the word for a message whose file is missing, and the type of a stored message.
const MEDIA: [(&str, &str, MessageType); 6] = [
    ("image", "image", MessageType::Image),
    ("video", "video", MessageType::Video),
    ("audio", "audio", MessageType::Audio),
    ("voice", "voice message", MessageType::Audio),
    ("document", "file", MessageType::File),
    ("sticker", "sticker", MessageType::Image),
];

/// Parses the messages to the phone number with this ID, and the reports on its messages.
///
/// # Errors
/// [`Refusal::Malformed`] if the body has another form, or too many events.
pub(super) fn events(body: &[u8], phone_number_id: &str) -> Result<Vec<InboundEvent>, Refusal> {
    let malformed = |detail: String| Refusal::Malformed { detail };
    let body: Value = serde_json::from_slice(body).map_err(|error| malformed(error.to_string()))?;
    let entries = body.get("entry").and_then(Value::as_array);
    let entries = entries.ok_or_else(|| malformed("the body has no `entry`".to_owned()))?;
    let is_read = |change: &&Value| text(change, "/field").is_none_or(|field| FIELDS.contains(&field));
    let is_ours = |value: &&Value| text(value, "/metadata/phone_number_id") == Some(phone_number_id);
    let changes = entries.iter().flat_map(|entry| list(entry, "changes")).filter(is_read);
    let mut events = Vec::new();
    for value in changes.filter_map(|change| change.get("value")).filter(is_ours) {
        let contacts = Contacts::of(value);
        events.extend(list(value, "messages").iter().filter_map(|message| event(message, &contacts)));
        events.extend(list(value, "statuses").iter().filter_map(report).map(InboundEvent::Status));
        let preferences = list(value, USER_PREFERENCES).iter().filter_map(marketing_change);
        events.extend(preferences.map(|change| InboundEvent::Marketing(Box::new(change))));
        if events.len() > MAX_EVENTS {
            return Err(malformed(format!("the body has more than {MAX_EVENTS} events")));
        }
    }
    Ok(events)
}

fn list<'v>(of: &'v Value, name: &str) -> &'v [Value] {
    of.get(name).and_then(Value::as_array).map_or(&[][..], Vec::as_slice)
}

fn text<'v>(of: &'v Value, pointer: &str) -> Option<&'v str> {
    of.pointer(pointer).and_then(Value::as_str)
}

/// Returns an ID that the store accepts.
fn id_of(of: &Value) -> Option<&str> {
    text(of, "/id").filter(|id| is_stored_id(id))
}

fn is_stored_id(id: &str) -> bool {
    (1..=MAX_ID).contains(&id.chars().count()) && !id.contains(char::is_control)
}

/// The contacts of a request by their IDs. A request can have thousands, and each message looks up its own.
struct Contacts<'v> {
    by_number: HashMap<&'v str, &'v Value>,
    by_user: HashMap<&'v str, &'v Value>,
}

impl<'v> Contacts<'v> {
    /// Reads the contacts of a change. Among contacts with the same ID, the first counts.
    fn of(value: &'v Value) -> Self {
        let all = list(value, "contacts");
        let by = |pointer: &str| all.iter().rev().filter_map(|it| Some((text(it, pointer)?, it))).collect();
        Self { by_number: by("/wa_id"), by_user: by("/user_id") }
    }

    /// Returns the sender with this address or user ID.
    fn find(&self, from: Option<&str>, user: Option<&str>) -> Option<&'v Value> {
        let by_number = from.and_then(|from| self.by_number.get(from));
        let by_user = [user, from].into_iter().flatten().find_map(|id| self.by_user.get(id));
        by_number.or(by_user).copied()
    }
}

/// A message that a contact wrote, a change to an earlier one, or a new address.
fn event(message: &Value, contacts: &Contacts<'_>) -> Option<InboundEvent> {
    let change = || Some(InboundEvent::AddressChange(Box::new(address_change(message, id_of(message)?)?)));
    written(message, contacts).or_else(|| revised(message, contacts)).or_else(change)
}

/// A contact's change to an earlier message,
/// <https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/reaction>. A
/// reaction without an emoji is removed. WhatsApp sends edits and deletions only for numbers that are also used in the
/// WhatsApp Business app.
fn revised(message: &Value, contacts: &Contacts<'_>) -> Option<InboundEvent> {
    let id = id_of(message).filter(|_| message.get("group_id").is_none())?;
    let (name, change) = match text(message, "/type")? {
        REACTION => {
            let emoji = text(message, "/reaction/emoji").filter(|emoji| !emoji.contains(char::is_control));
            let emojis = emoji.into_iter().filter(|emoji| !emoji.is_empty()).map(str::to_owned);
            ("/reaction/message_id", RevisionKind::React(emojis.collect()))
        }
        EDIT => ("/edit/original_message_id", RevisionKind::Edit(new_text(message.pointer("/edit/message")?)?)),
        REVOKE => ("/revoke/original_message_id", RevisionKind::Delete),
        _ => return None,
    };
    let of = text(message, name).filter(|id| is_stored_id(id))?;
    let (address, _) = sender(message, contacts)?;
    let revision = Revision {
        id: id.to_owned(),
        address,
        received: Some(of.to_owned()),
        sent: Some(of.to_owned()).filter(|_| matches!(change, RevisionKind::React(_))),
        at: stated_time(message),
        change,
    };
    Some(InboundEvent::Revision(Box::new(revision)))
}

/// Returns the text of an edited message, or the caption of its file. `None` if the type has no text.
fn new_text(message: &Value) -> Option<Option<String>> {
    let kind = text(message, "/type")?;
    if kind == "text" {
        return Some(text_content(text(message, "/text/body")?).text);
    }
    let is_file = MEDIA.iter().any(|(name, ..)| *name == kind);
    let caption = message.get(kind).and_then(|part| part.get("caption")?.as_str());
    let caption = caption.filter(|caption| !caption.trim().is_empty());
    is_file.then(|| caption.and_then(|caption| text_content(caption).text))
}

/// Returns the advertisement or post through which the contact wrote,
/// <https://developers.facebook.com/docs/whatsapp/cloud-api/webhooks/components#messages-object>.
fn referral(message: &Value) -> Option<Referral> {
    let origin = message.get("referral")?.as_object()?;
    let member = |name: &str| origin.get(name).and_then(Value::as_str).map(str::to_owned);
    let (source, id) = (member("source_type"), member("source_id"));
    let source = source.unwrap_or_else(|| AD.to_owned());
    let ad_id = id.clone().filter(|_| source == AD);
    let referral = Referral { source, reference: id, url: member("source_url"), ad_id, headline: member("headline") };
    Some(referral.bounded())
}

/// A message that a contact wrote. Messages in groups are ignored.
fn written(message: &Value, contacts: &Contacts<'_>) -> Option<InboundEvent> {
    let id = id_of(message).filter(|_| message.get("group_id").is_none())?;
    let content = content(message)?;
    let (address, profile) = sender(message, contacts)?;
    let button = pressed(message);
    let message = InboundMessage {
        id: id.to_owned(),
        address,
        name: None,
        is_verified: true,
        profile,
        content,
        referral: referral(message),
        reply_to: text(message, "/context/id").filter(|id| is_stored_id(id)).map(AnsweredMessage::named),
        sent_at: stated_time(message),
        files: Vec::new(),
    };
    let message = Box::new(message);
    Some(match button {
        Some(button) => InboundEvent::Press(message, button),
        None => InboundEvent::Message(message),
    })
}

/// Returns the button that the contact pressed: a quick reply of this service, or a button of a template. `None` for
/// other messages.
fn pressed(message: &Value) -> Option<PressedButton> {
    match text(message, "/type")? {
        "interactive" => pressed_reply(text(interactive_reply(message)?, "/id")?),
        "button" => Some(PressedButton::Template {
            provider_message_id: text(message, "/context/id").filter(|id| is_stored_id(id))?.to_owned(),
            title: text_content(text(message, "/button/text")?).text?,
            payload: text(message, "/button/payload").filter(|it| is_stored_id(it)).map(str::to_owned),
        }),
        _ => None,
    }
}

/// Returns the time of a message or of a change to it.
fn stated_time(message: &Value) -> Option<Timestamp> {
    text(message, "/timestamp").and_then(|seconds| seconds.parse().ok()).map(provider_time)
}

/// Returns the address and the profile of a sender. The address is the phone number, otherwise the user ID; the other
/// one is an alias.
fn sender(message: &Value, contacts: &Contacts<'_>) -> Option<(String, Profile)> {
    let (from, user) = (text(message, "/from"), text(message, "/from_user_id"));
    let contact = contacts.find(from, user);
    let of_contact = |pointer: &str| contact.and_then(|contact| text(contact, pointer));
    let named = [from, of_contact("/wa_id"), user, of_contact("/user_id")];
    let number = named.into_iter().flatten().find(|address| is_number(address));
    let user_id = named.into_iter().flatten().find(|address| is_user_id(address));
    let mut addresses = number.into_iter().chain(user_id).map(str::to_owned);
    let address = addresses.next()?;
    let name = of_contact("/profile/name").or_else(|| of_contact("/profile/username"));
    let profile = Profile {
        first_name: name.map(|name| name.chars().take(LONGEST_NAME).collect()),
        phone: number.and_then(phone_of),
        aliases: addresses.collect(),
        ..Profile::default()
    };
    Some((address, profile))
}

/// Returns the content of a message; `None` if no contact wrote it.
fn content(message: &Value) -> Option<Content> {
    let kind = text(message, "/type")?;
    if IGNORED.contains(&kind) {
        return None;
    }
    let said = match kind {
        "text" => text(message, "/text/body"),
        "button" => text(message, "/button/text"),
        "interactive" => chosen(message),
        _ => None,
    };
    if let Some(said) = said {
        let form = text(message, "/interactive/nfm_reply/response_json");
        let form: Option<Value> = form.and_then(|form| serde_json::from_str(form).ok());
        return Some(with_data(text_content(said), "form", &form.unwrap_or_default()));
    }
    if kind == "location"
        && let Some(place) = location(message)
    {
        return Some(place);
    }
    if kind == "contacts" {
        let detail = |pointer: &str| text(message, pointer);
        let details = [detail("/contacts/0/name/formatted_name"), detail("/contacts/0/phones/0/phone")];
        let cards = message.get("contacts").unwrap_or(&Value::Null);
        return Some(with_data(labelled("contact", details), "contacts", cards));
    }
    if kind == "order" {
        let shown = labelled("order", [text(message, "/order/text"), None]);
        return Some(with_data(shown, "order", message.get("order").unwrap_or(&Value::Null)));
    }
    let Some((_, word, stored)) = MEDIA.iter().find(|(name, ..)| *name == kind) else {
        return Some(Content::text(UNSUPPORTED));
    };
    let part = |name: &str| message.get(kind)?.get(name)?.as_str();
    let id = part("id").filter(|id| is_id(id));
    let file = id.and_then(|id| file_at_provider(id, part("filename"), part("mime_type")));
    let files = file.and_then(|file| files_content(*stored, vec![file], part("caption")));
    if files.is_some() {
        return files;
    }
    let is_voice = kind == "audio" && message.pointer("/audio/voice") == Some(&Value::Bool(true));
    Some(labelled(if is_voice { "voice message" } else { word }, [part("filename"), part("caption")]))
}

fn labelled(label: &str, details: [Option<&str>; 2]) -> Content {
    let details: Vec<&str> = details.into_iter().flatten().collect();
    text_content(&format!("[{label}] {}", details.join(" ")))
}

/// Returns the title of the chosen button or row. The ID of a choice of this service has the whole title.
fn chosen(message: &Value) -> Option<&str> {
    let Some(reply) = interactive_reply(message) else { return text(message, "/interactive/nfm_reply/body") };
    let whole = text(reply, "/id").and_then(|id| id.strip_prefix("c:")?.splitn(3, ':').nth(2));
    whole.filter(|title| !title.is_empty()).or_else(|| text(reply, "/title"))
}

/// Returns the chosen button or row.
fn interactive_reply(message: &Value) -> Option<&Value> {
    message.pointer("/interactive/button_reply").or_else(|| message.pointer("/interactive/list_reply"))
}

/// Returns a place with its name.
fn location(message: &Value) -> Option<Content> {
    let place = message.get("location")?;
    let coordinates = (place.get("latitude")?.as_f64()?, place.get("longitude")?.as_f64()?);
    place_content(coordinates, text(place, "/name").or_else(|| text(place, "/address")))
}

/// A report on a message. A message in parts has the status of its last part, and fails with any part. Earlier parts are
/// only reported as sent.
fn report(status: &Value) -> Option<StatusReport> {
    let id = id_of(status)?;
    let callback = text(status, "/biz_opaque_callback_data").and_then(part_of);
    let is_earlier = callback.is_some_and(|(_, _, is_last)| !is_last);
    let report = match text(status, "/status")? {
        "delivered" | "read" | "played" if is_earlier => Report::Sent { provider_message_id: id.to_owned() },
        "sent" => Report::Sent { provider_message_id: id.to_owned() },
        "delivered" => Report::Delivered,
        "read" | "played" => Report::Read,
        "failed" => Report::Failed(reported(&failure(status))),
        _ => return None,
    };
    let provider_message_id = callback.map_or(id, |(message, _, _)| message).to_owned();
    let part = callback.map(|(_, number, _)| number);
    Some(StatusReport { provider_message_id, part, report })
}

/// Returns the first error of a report.
fn failure(status: &Value) -> GraphError {
    list(status, "errors").first().map(GraphError::read).unwrap_or_default()
}

/// Returns the message of this service, the index of the part that the report is about, and whether it is the last one.
fn part_of(callback: &str) -> Option<(&str, usize, bool)> {
    let (message, part) = callback.rsplit_once(':')?;
    let (number, count) = part.split_once('/')?;
    let (number, count): (usize, usize) = (number.parse().ok()?, count.parse().ok()?);
    let is_part = number < count && message.parse::<MessageId>().is_ok();
    is_part.then_some((message, number, number.checked_add(1) == Some(count)))
}

#[cfg(test)]
#[path = "update_tests.rs"]
mod tests;
