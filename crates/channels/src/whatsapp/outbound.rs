//! Messages to contacts: their parts and their form in the Cloud API,
//! <https://developers.facebook.com/docs/whatsapp/cloud-api/guides/send-messages>.

use serde_json::{Map, Value, json};
use tidings_domain::channels::{Outbound, SendOutcome};
use tidings_domain::conversations::{Attachment, Content, MessageTemplate, MessageType, QuickReply};
use tidings_egress::CallError;

use super::address::{is_number, is_user_id};
use super::channel_type::MAX_CHARACTERS;
use super::errors::outcome_of;
use crate::api::unanswered;
use crate::graph::Reply;
use crate::media::{is_public, media_type, name_of};
use crate::parts::{Divided, coordinates, divide};
use crate::split::split_characters;

/// Media types of pictures, <https://developers.facebook.com/docs/whatsapp/cloud-api/reference/media>.
const IMAGES: [&str; 2] = ["image/jpeg", "image/png"];
const VIDEOS: [&str; 2] = ["video/mp4", "video/3gpp"];
const AUDIOS: [&str; 5] = ["audio/aac", "audio/amr", "audio/mpeg", "audio/mp4", "audio/ogg"];
/// Maximum number of characters of the caption of a file.
const MAX_CAPTION: usize = 1_024;

/// Maximum number of characters of a text with choices.
const MAX_BODY: usize = 1_024;
/// Maximum number of choices that are shown as buttons.
const MAX_BUTTONS: usize = 3;
/// Maximum number of characters of a button.
const MAX_BUTTON: usize = 20;
/// Maximum number of characters of a row of a list.
const MAX_ROW: usize = 24;
/// Maximum number of characters of the description of a row.
const MAX_DESCRIPTION: usize = 72;
/// The button that opens a list.
const LIST_BUTTON: &str = "Options";
/// Maximum number of characters of a message ID that the store accepts.
const MAX_ID: usize = 255;

/// Splits a message into files and texts; the last text has the quick replies. A short text of a single file is its
/// caption. Files that WhatsApp cannot load become links. A template is one part.
pub(super) fn parts(content: &Content) -> Vec<Content> {
    let Some(Divided { media: mut parts, text }) = divide(content, carried) else { return vec![content.clone()] };
    if content.quick_replies.is_empty() {
        let fits = text.as_ref().is_some_and(|text| text.chars().count() <= MAX_CAPTION);
        match parts.as_mut_slice() {
            [file] if fits && may_have_caption(file.kind) => file.text = text,
            _ => {
                let texts = text.iter().flat_map(|text| split_characters(text, MAX_CHARACTERS));
                parts.extend(texts.map(Content::text));
            }
        }
        return parts;
    }
    // Quick replies need a text.
    let text = text.unwrap_or_else(|| LIST_BUTTON.to_owned());
    let text = text.trim();
    let body = split_characters(text, MAX_BODY).pop().unwrap_or_default();
    let before = text.strip_suffix(body).unwrap_or_default().trim_end();
    let texts = split_characters(before, MAX_CHARACTERS).into_iter().filter(|text| !text.is_empty());
    parts.extend(texts.map(Content::text));
    parts.push(Content { quick_replies: content.quick_replies.clone(), ..Content::text(body) });
    parts
}

/// Returns the type that WhatsApp uses for an attachment from its URL: a document if its format is not one of the
/// type's. `None` if WhatsApp cannot load it.
fn carried(kind: MessageType, attachment: &Attachment) -> Option<MessageType> {
    if kind == MessageType::Location {
        return coordinates(&attachment.url).map(|_| kind);
    }
    let known = media_type(attachment);
    let may_be = |types: &[&str]| known.as_deref().is_none_or(|known| types.contains(&known));
    let carried = match kind {
        MessageType::Image | MessageType::Card if may_be(&IMAGES) => MessageType::Image,
        MessageType::Video if may_be(&VIDEOS) => kind,
        MessageType::Audio if may_be(&AUDIOS) => kind,
        MessageType::Image
        | MessageType::Card
        | MessageType::Video
        | MessageType::Audio
        | MessageType::File
        | MessageType::Location
        | MessageType::Text
        | MessageType::Template
        | MessageType::Note => MessageType::File,
    };
    is_public(attachment).then_some(carried)
}

/// Whether a file of this type may have a caption.
fn may_have_caption(kind: MessageType) -> bool {
    matches!(kind, MessageType::Image | MessageType::Video | MessageType::File)
}

/// Builds the body of the call for a part, `number` of `count`.
///
/// # Errors
/// The outcome of a message that WhatsApp cannot send.
pub(super) fn body(message: &Outbound, part: &Content, (number, count): (usize, usize)) -> Result<Value, SendOutcome> {
    let (key, address) = recipient(&message.address)?;
    let unsupported = || rejected("unsupported_type", "A WhatsApp channel cannot send this message.");
    let (kind, content) = match (part.kind, &part.text, &part.template) {
        (MessageType::Template, _, Some(template)) => ("template", template_of(template)?),
        (MessageType::Text, Some(text), _) if part.quick_replies.is_empty() => ("text", json!({"body": text})),
        (MessageType::Text, Some(text), _) => ("interactive", choices(message, text, &part.quick_replies)),
        (_, caption, _) => file_of(part, caption.as_deref()).ok_or_else(unsupported)?,
    };
    let mut body = json!({
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        key: address,
        "type": kind,
        kind: content,
        "biz_opaque_callback_data": format!("{}:{number}/{count}", message.message),
    });
    let answered = message.context.reply_to.as_ref().filter(|_| number == 0 && part.kind != MessageType::Template);
    if let (Some(answered), Some(members)) = (answered, body.as_object_mut()) {
        members.insert("context".to_owned(), json!({"message_id": answered.provider_message_id}));
    }
    Ok(body)
}

fn rejected(code: &str, why: &str) -> SendOutcome {
    SendOutcome::Rejected { code: code.to_owned(), message: why.into() }
}

/// Builds a file or a location, with the name of its type; `None` for other parts.
fn file_of(part: &Content, caption: Option<&str>) -> Option<(&'static str, Value)> {
    let attachment = part.attachments.first()?;
    let file = |name: Option<String>| {
        let members =
            [("link", Some(attachment.url.clone())), ("caption", caption.map(str::to_owned)), ("filename", name)];
        members.into_iter().filter_map(|(name, value)| Some((name, value?))).collect::<Value>()
    };
    match part.kind {
        MessageType::Image => Some(("image", file(None))),
        MessageType::Video => Some(("video", file(None))),
        MessageType::Audio => Some(("audio", file(None))),
        MessageType::File => Some(("document", file(name_of(attachment)))),
        MessageType::Location => {
            let (latitude, longitude) = coordinates(&attachment.url)?;
            let mut place = json!({"latitude": latitude, "longitude": longitude});
            if let (Some(place), Some(name)) = (place.as_object_mut(), &attachment.name) {
                place.insert("name".to_owned(), name.as_str().into());
            }
            Some(("location", place))
        }
        MessageType::Text | MessageType::Card | MessageType::Template | MessageType::Note => None,
    }
}

/// Returns the member for the recipient, and its value. Numbers have no plus sign in WhatsApp.
fn recipient(address: &str) -> Result<(&'static str, &str), SendOutcome> {
    let digits = address.strip_prefix('+').unwrap_or(address);
    if is_number(digits) {
        return Ok(("to", digits));
    }
    match is_user_id(address) {
        true => Ok(("recipient", address)),
        false => Err(rejected("unreachable", "The address of the contact is no phone number and no WhatsApp user ID.")),
    }
}

/// Builds buttons, or a list if there are too many choices or a title is too long for a button.
fn choices(message: &Outbound, text: &str, replies: &[QuickReply]) -> Value {
    // The answer returns the ID, so the ID has the whole title.
    let id = |number: usize, title: &str| format!("c:{}:{number}:{title}", message.message);
    let are_short = replies.iter().all(|reply| reply.title.chars().count() <= MAX_BUTTON);
    let limit = if replies.len() <= MAX_BUTTONS && are_short { MAX_BUTTON } else { MAX_ROW };
    let titles = unique_titles(replies.iter().map(|reply| reply.title.as_str()), limit);
    let named = replies.iter().zip(titles).enumerate();
    if limit == MAX_BUTTON {
        let button = |(number, (reply, title)): (usize, (&QuickReply, String))| json!({"type": "reply", "reply": {"id": id(number, &reply.title), "title": title}});
        let buttons: Vec<Value> = named.map(button).collect();
        return json!({"type": "button", "body": {"text": text}, "action": {"buttons": buttons}});
    }
    let row = |(number, (reply, title)): (usize, (&QuickReply, String))| {
        let mut row =
            Map::from_iter([("id".to_owned(), id(number, &reply.title).into()), ("title".to_owned(), title.into())]);
        let rest = split_characters(&reply.title, MAX_ROW).get(1..).unwrap_or_default().join(" ");
        let description: String = rest.chars().take(MAX_DESCRIPTION).collect();
        if !description.is_empty() {
            row.insert("description".to_owned(), description.into());
        }
        Value::Object(row)
    };
    let rows: Vec<Value> = named.map(row).collect();
    let action = json!({"button": LIST_BUTTON, "sections": [{"rows": rows}]});
    json!({"type": "list", "body": {"text": text}, "action": action})
}

/// Shortens titles to `limit` characters. Equal titles get a number, because WhatsApp rejects them.
fn unique_titles<'t>(titles: impl Iterator<Item = &'t str>, limit: usize) -> Vec<String> {
    let mut unique: Vec<String> = Vec::new();
    for title in titles {
        let short = split_characters(title, limit).first().map_or("", |first| first.trim());
        let numbered = |number: usize| {
            let suffix = format!(" {number}");
            let kept: String = short.chars().take(limit - suffix.len()).collect();
            format!("{}{suffix}", kept.trim_end())
        };
        let mut candidates = std::iter::once(short.to_owned()).chain((2..=99).map(numbered));
        let free = candidates.find(|candidate| !unique.contains(candidate));
        unique.extend(free);
    }
    unique
}

/// Builds a template with the parameters of its header, its text and the links of its buttons.
fn template_of(template: &MessageTemplate) -> Result<Value, SendOutcome> {
    let Some(language) = &template.language else {
        return Err(rejected("invalid_template", "A template of WhatsApp needs its language."));
    };
    let (mut header, mut body, mut buttons) = (Vec::new(), Vec::new(), Vec::new());
    for (name, value) in &template.parameters {
        match name.split_once('.') {
            None => body.push((name.as_str(), value)),
            Some(("header", name)) if name != "media" => header.push((name, value)),
            Some(("button", index)) if index.parse::<u8>().is_ok() => buttons.push((index, value)),
            Some(_) => {
                let why = format!("The parameter {name} is not supported: use names, header.NAME and button.NUMBER.");
                return Err(rejected("invalid_template", &why));
            }
        }
    }
    let mut components = Vec::new();
    for (kind, parameters) in [("header", header), ("body", body)] {
        if !parameters.is_empty() {
            components.push(json!({"type": kind, "parameters": texts(parameters)}));
        }
    }
    for (index, value) in buttons {
        let parameters = json!([{"type": "text", "text": value}]);
        components.push(json!({"type": "button", "sub_type": "url", "index": index, "parameters": parameters}));
    }
    Ok(json!({"name": template.name, "language": {"code": language}, "components": components}))
}

/// Builds the parameters of a component: numbered ones in the order of their numbers, others with their names.
fn texts(mut parameters: Vec<(&str, &String)>) -> Vec<Value> {
    parameters.sort_by_key(|(name, _)| name.parse::<u32>().unwrap_or(u32::MAX));
    let parameter = |(name, value): (&str, &String)| match name.parse::<u32>() {
        Ok(_) => json!({"type": "text", "text": value}),
        Err(_) => json!({"type": "text", "parameter_name": name, "text": value}),
    };
    parameters.into_iter().map(parameter).collect()
}

/// Converts the result of a call into the outcome of a part. `attempts` is the number of earlier attempts.
pub(super) fn outcome(result: Result<Reply, CallError>, attempts: i32) -> SendOutcome {
    let reply = match result {
        Ok(reply) => reply,
        Err(error) => return unanswered(error),
    };
    if !reply.is_success() {
        return outcome_of(&reply, attempts);
    }
    let id = reply.body.pointer("/messages/0/id").and_then(Value::as_str);
    match id.filter(|id| (1..=MAX_ID).contains(&id.chars().count()) && !id.contains('\0')) {
        Some(id) => SendOutcome::Accepted { provider_message_id: Some(id.to_owned()) },
        None => SendOutcome::Unknown { message: "WhatsApp answered without the ID of the message.".into() },
    }
}
