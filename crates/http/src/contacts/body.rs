//! What requests about contacts say.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use tidings_domain::contacts::{ContactPatch, ContactStatus, InvalidAttribute, NewContact, NewTag, TagRef};
use tidings_domain::conversations::{Attachment, MessageTemplate, MessageType, QuickReply, SendMessage};
use tidings_domain::flows::StartFlow;
use tidings_domain::ids::{ChannelId, FlowId, TagId, is_id};
use tidings_domain::patch::Patch;
use utoipa::ToSchema;

use crate::json::{Json, any, boolean, entries, id, list, string, text, word};
use crate::message::content;
use crate::problem::{Fault, Faults, Problem};
use crate::request::Cx;
use crate::values;

/// Shown, and not to be set.
const READ_ONLY: &[&str] =
    &["id", "name", "identities", "last_message_at", "created_at", "updated_at", "deleted_at", "version"];
/// In an update, tags have routes of their own.
const READ_ONLY_IN_UPDATES: &[&str] =
    &["id", "name", "identities", "tags", "last_message_at", "created_at", "updated_at", "deleted_at", "version"];

/// A contact to be created.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "describes the body")]
pub(super) struct CreateContact {
    /// Your own name for the contact; unique among living contacts.
    #[schema(min_length = 1, max_length = 200)]
    external_id: Option<String>,
    /// Given name.
    #[schema(min_length = 1, max_length = 100)]
    first_name: Option<String>,
    /// Family name.
    #[schema(min_length = 1, max_length = 100)]
    last_name: Option<String>,
    /// E-mail address; unique among living contacts.
    #[schema(max_length = 254, example = "ada@example.com")]
    email: Option<String>,
    /// Telephone number in E.164; unique among living contacts.
    #[schema(example = "+49301234567")]
    phone: Option<String>,
    /// Language tag (BCP 47).
    #[schema(example = "pt-BR")]
    locale: Option<String>,
    /// IANA time zone.
    #[schema(example = "Europe/Berlin")]
    time_zone: Option<String>,
    /// `active` when absent.
    status: Option<ContactStatus>,
    /// Whether the contact wants to be written to; true when absent.
    subscribed: Option<bool>,
    /// Tags by id or name; a name that is not there yet makes the tag.
    #[schema(max_items = 100)]
    tags: Option<Vec<String>>,
    /// Values by the keys of custom fields.
    custom_fields: Option<BTreeMap<String, Value>>,
}

/// A merging update: what is absent stays, `null` clears.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "describes the body")]
pub(super) struct UpdateContact {
    /// Your own name for the contact; unique among living contacts.
    #[schema(min_length = 1, max_length = 200)]
    external_id: Option<String>,
    /// Given name.
    #[schema(min_length = 1, max_length = 100)]
    first_name: Option<String>,
    /// Family name.
    #[schema(min_length = 1, max_length = 100)]
    last_name: Option<String>,
    /// E-mail address; unique among living contacts.
    #[schema(max_length = 254, example = "ada@example.com")]
    email: Option<String>,
    /// Telephone number in E.164; unique among living contacts.
    #[schema(example = "+49301234567")]
    phone: Option<String>,
    /// Language tag (BCP 47).
    #[schema(example = "pt-BR")]
    locale: Option<String>,
    /// IANA time zone.
    #[schema(example = "Europe/Berlin")]
    time_zone: Option<String>,
    /// Whether the contact may be written to.
    #[schema(nullable = false)]
    status: Option<ContactStatus>,
    /// Whether the contact wants to be written to.
    #[schema(nullable = false)]
    subscribed: Option<bool>,
    /// Values by the keys of custom fields; `null` clears one.
    #[schema(nullable = false)]
    custom_fields: Option<BTreeMap<String, Value>>,
}

/// A tag to put on the contact: one of both.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(min_properties = 1, max_properties = 1)]
#[allow(dead_code, reason = "describes the body")]
pub(super) struct AddTag {
    /// A tag of the workspace.
    #[schema(nullable = false)]
    tag_id: Option<TagId>,
    /// A tag by its name; one that is not there yet is created.
    #[schema(min_length = 1, max_length = 100, nullable = false)]
    name: Option<String>,
}

/// A value.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "describes the body")]
pub(crate) struct SetValue {
    /// A value of the field's type; `null` clears.
    #[schema(required)]
    value: Value,
}

/// A message to be sent.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SendMessage)]
#[allow(dead_code, reason = "describes the body")]
pub(super) struct SendMessageBody {
    /// Of which type it is; the other parts follow from it.
    #[serde(rename = "type")]
    kind: MessageType,
    /// The words, as they are to be shown; of pictures and files their caption.
    #[schema(min_length = 1, max_length = 4096)]
    text: Option<String>,
    /// Of `image`, `video`, `audio`, `file`, `location` (one, `geo:…`) and `card`.
    #[schema(max_items = 10)]
    attachments: Option<Vec<Attachment>>,
    /// Answers to choose from.
    #[schema(max_items = 10)]
    quick_replies: Option<Vec<QuickReply>>,
    /// Of `template`: which, and what stands in it.
    template: Option<MessageTemplate>,
    /// On which channel; when absent the one last used with the contact, else the workspace's default.
    channel_id: Option<ChannelId>,
}

/// A start of a flow.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = StartFlow)]
#[allow(dead_code, reason = "describes the body")]
pub(super) struct StartFlowBody {
    /// The flow.
    flow_id: FlowId,
    /// What templates find under `vars`.
    #[schema(nullable = false)]
    vars: Option<BTreeMap<String, Value>>,
    /// What happens while a run of the flow lives for the contact: that run is the answer.
    #[schema(nullable = false)]
    mode: Option<StartMode>,
}

/// What happens while a run lives.
#[derive(ToSchema)]
#[serde(rename_all = "snake_case")]
#[allow(dead_code, reason = "describes the body")]
enum StartMode {
    /// The living run is the answer.
    Skip,
}

pub(super) fn create(cx: &Cx) -> Result<NewContact, Problem> {
    cx.read(READ_ONLY, |body| {
        let external_id = body.nullable("external_id", attribute);
        let first_name = body.nullable("first_name", text(1..=100));
        let last_name = body.nullable("last_name", text(1..=100));
        let email = body.nullable("email", attribute);
        let phone = body.nullable("phone", attribute);
        let locale = body.nullable("locale", attribute);
        let time_zone = body.nullable("time_zone", attribute);
        let status = body.nullable("status", status());
        let subscribed = body.nullable("subscribed", boolean);
        let tags = body.nullable("tags", list(0..=100, tag)).unwrap_or_default();
        let custom_fields = body.nullable("custom_fields", custom_fields).unwrap_or_default();
        let pointed = tags.into_iter().enumerate();
        let tags = pointed.map(|(index, tag)| NewTag { tag, pointer: format!("/tags/{index}") }).collect();
        Some(NewContact {
            external_id,
            first_name,
            last_name,
            email,
            phone,
            locale,
            time_zone,
            status,
            subscribed,
            tags,
            custom_fields,
        })
    })
}

pub(super) fn update(cx: &Cx) -> Result<ContactPatch, Problem> {
    cx.read(READ_ONLY_IN_UPDATES, |body| {
        Some(ContactPatch {
            external_id: body.patch("external_id", attribute),
            first_name: body.patch("first_name", text(1..=100)),
            last_name: body.patch("last_name", text(1..=100)),
            email: body.patch("email", attribute),
            phone: body.patch("phone", attribute),
            locale: body.patch("locale", attribute),
            time_zone: body.patch("time_zone", attribute),
            status: body.optional("status", status()),
            subscribed: body.optional("subscribed", boolean),
            custom_fields: body.optional("custom_fields", custom_fields).unwrap_or_default(),
        })
    })
}

pub(super) fn add_tag(cx: &Cx) -> Result<NewTag, Problem> {
    cx.read(&[], |body| {
        let both = body.has("tag_id") && body.has("name");
        let neither = !body.has("tag_id") && !body.has("name");
        let by_id = body.optional("tag_id", id::<TagId>);
        let by_name = body.optional("name", text(1..=100));
        if both {
            body.error("/name", "not_allowed", "give `tag_id` or `name`, not both");
        } else if neither {
            body.error("", "required", "give `tag_id` or `name`");
        }
        let by_id = by_id.map(|id| NewTag { tag: TagRef::Id(id), pointer: "/tag_id".to_owned() });
        by_id.or(by_name.map(|name| NewTag { tag: TagRef::Name(name), pointer: "/name".to_owned() }))
    })
}

/// Reads `{"value": …}`, where `null` is a value that clears.
pub(crate) fn value(cx: &Cx) -> Result<Value, Problem> {
    cx.read(&[], |body| {
        if !body.has("value") {
            body.error("/value", "required", "is required; `null` clears");
        }
        match body.patch("value", any) {
            Patch::Set(value) => Some(value),
            Patch::Keep | Patch::Clear => Some(Value::Null),
        }
    })
}

pub(super) fn send_message(cx: &Cx) -> Result<SendMessage, Problem> {
    cx.read(&[], |body| {
        let content = content(body);
        let channel = body.nullable("channel_id", id::<ChannelId>);
        Some(SendMessage { content: content?, channel })
    })
}

pub(super) fn start_flow(cx: &Cx) -> Result<StartFlow, Problem> {
    cx.read(&[], |body| {
        let flow = body.required("flow_id", id::<FlowId>);
        let vars = body.optional("vars", entries(100, |_, json| any(json))).unwrap_or_default();
        body.optional("mode", word(&["skip"], |word| (word == "skip").then_some(())));
        Some(StartFlow { flow: flow?, vars: Map::from_iter(vars) })
    })
}

/// An attribute whose form the domain checks.
fn attribute<T: std::str::FromStr<Err = InvalidAttribute>>(json: &Json) -> Result<T, Faults> {
    string(|text| text.parse().map_err(|InvalidAttribute(why)| Fault::new("invalid_format", why)))(json)
}

fn status() -> impl Fn(&Json) -> Result<ContactStatus, Faults> {
    word(&ContactStatus::WORDS, ContactStatus::parse)
}

fn custom_fields(json: &Json) -> Result<BTreeMap<String, Value>, Faults> {
    Ok(entries(200, |_, json| any(json))(json)?.into_iter().collect())
}

/// An id or a name. A text that is an id is one; that of another kind is a mistake and makes no tag.
fn tag(json: &Json) -> Result<TagRef, Faults> {
    string(|text| match values::id(text) {
        Ok(id) => Ok(TagRef::Id(id)),
        Err(fault) if is_id(text) => Err(fault),
        Err(_) => values::text(1..=100)(text).map(TagRef::Name),
    })(json)
}
