//! Messages to contacts: their parts and their form in the Cloud API,
//! <https://developers.facebook.com/docs/whatsapp/cloud-api/guides/send-messages>.

use serde_json::{Map, Value, json};
use tidings_domain::channels::{Outbound, SendOutcome};
use tidings_domain::conversations::{Content, MessageTemplate, MessageType, QuickReply};
use tidings_egress::{CallError, EgressError};

use super::address::{is_number, is_user_id};
use super::channel_type::MAX_CHARACTERS;
use super::errors::outcome_of;
use crate::graph::Reply;
use crate::parts::text_of;
use crate::split::split_characters;

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

/// Splits a message into texts; the last one has the quick replies. Attachments and locations become links. A template
/// is one part.
pub(super) fn parts(content: &Content) -> Vec<Content> {
    let Some(text) = text_of(content) else { return vec![content.clone()] };
    if content.quick_replies.is_empty() {
        return split_characters(&text, MAX_CHARACTERS).into_iter().map(Content::text).collect();
    }
    let text = text.trim();
    let body = split_characters(text, MAX_BODY).pop().unwrap_or_default();
    let before = text.strip_suffix(body).unwrap_or_default().trim_end();
    let mut parts: Vec<Content> = split_characters(before, MAX_CHARACTERS).into_iter().map(Content::text).collect();
    parts.retain(|part| part.text.as_deref() != Some(""));
    parts.push(Content { quick_replies: content.quick_replies.clone(), ..Content::text(body) });
    parts
}

/// Builds the body of the call for a part, `number` of `count`.
///
/// # Errors
/// The outcome of a message that WhatsApp cannot send.
pub(super) fn body(message: &Outbound, part: &Content, (number, count): (usize, usize)) -> Result<Value, SendOutcome> {
    let (key, address) = recipient(&message.address)?;
    let (kind, content) = match (part.kind, &part.text, &part.template) {
        (MessageType::Template, _, Some(template)) => ("template", template_of(template)?),
        (MessageType::Text, Some(text), _) if part.quick_replies.is_empty() => ("text", json!({"body": text})),
        (MessageType::Text, Some(text), _) => ("interactive", choices(message, text, &part.quick_replies)),
        (_, _, _) => return Err(rejected("unsupported_type", "A WhatsApp channel cannot send this message.")),
    };
    Ok(json!({
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        key: address,
        "type": kind,
        kind: content,
        "biz_opaque_callback_data": format!("{}:{number}/{count}", message.message),
    }))
}

fn rejected(code: &str, why: &str) -> SendOutcome {
    SendOutcome::Rejected { code: code.to_owned(), message: why.to_owned() }
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
    // The ID comes back with the answer, so it has the whole title.
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
        Err(CallError { error: EgressError::Forbidden(why), .. }) => return rejected("forbidden_address", &why),
        Err(CallError { error, may_have_arrived: false }) => {
            return SendOutcome::TryLater { after: None, message: error.to_string() };
        }
        Err(CallError { error, may_have_arrived: true }) => return SendOutcome::Unknown { message: error.to_string() },
    };
    if !reply.is_success() {
        return outcome_of(&reply, attempts);
    }
    let id = reply.body.pointer("/messages/0/id").and_then(Value::as_str);
    match id.filter(|id| (1..=MAX_ID).contains(&id.chars().count()) && !id.contains('\0')) {
        Some(id) => SendOutcome::Accepted { provider_message_id: Some(id.to_owned()) },
        None => SendOutcome::Unknown { message: "WhatsApp answered without the ID of the message.".to_owned() },
    }
}
