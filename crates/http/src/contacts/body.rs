//! What requests about contacts say.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use tidings_domain::contacts::{
    ContactPatch, ContactStatus, InvalidAttribute, NewIdentity, NewTag, OnConflict, TagRef,
};
use tidings_domain::conversations::{Attachment, Content, MessageTemplate, MessageType, QuickReply, SendMessage};
use tidings_domain::flows::{Reentry, StartFlow};
use tidings_domain::ids::{ChannelId, FlowId, TagId, is_id};
use tidings_domain::patch::Patch;
use tidings_domain::read::texts;
use tidings_domain::read::{
    Fields, Input, Read, Violation, any, boolean, entries, id, list, object, string, text, word,
};
use utoipa::ToSchema;

use crate::problem::Problem;
use crate::request::Cx;

/// Shown, and not to be set.
const READ_ONLY: &[&str] = &["id", "name", "last_message_at", "created_at", "updated_at", "deleted_at", "version"];
/// In an update, tags have routes of their own.
const READ_ONLY_IN_UPDATES: &[&str] =
    &["id", "name", "tags", "last_message_at", "created_at", "updated_at", "deleted_at", "version"];

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
    /// Where the contact is reached, beside the sandbox.
    #[schema(max_items = 20)]
    identities: Option<Vec<IdentityInput>>,
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
    /// Where the contact is reached, all of it: what is not here is gone, but for the sandbox's address.
    #[schema(max_items = 20, nullable = false)]
    identities: Option<Vec<IdentityInput>>,
    /// Values by the keys of custom fields; `null` clears one.
    #[schema(nullable = false)]
    custom_fields: Option<BTreeMap<String, Value>>,
}

/// An address of a contact.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "describes the body")]
struct IdentityInput {
    /// The channel.
    channel_id: ChannelId,
    /// The address there; on a sandbox channel it is the contact's id. One contact has it.
    #[schema(min_length = 1, max_length = 255)]
    address: String,
    /// Whether the contact takes messages there; true when absent.
    #[schema(nullable = false)]
    opted_in: Option<bool>,
}

/// The tags that the contact is to carry.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "describes the body")]
pub(super) struct ReplaceTags {
    /// Tags by id or name; a name that is not there yet makes the tag.
    #[schema(max_items = 100)]
    tags: Vec<String>,
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
    /// What happens while a run of the flow lives for the contact; what the flow's settings say when
    /// absent.
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
    /// The living run is interrupted, and a new one begins.
    Restart,
    /// A new one begins beside it.
    Parallel,
}

/// What is said of a contact, its tags, and what happens where it is there. Where a contact is made, `null` is the
/// same as absent; where one is updated, it clears.
pub(super) fn create(cx: &Cx) -> Result<(ContactPatch, Vec<NewTag>, OnConflict), Problem> {
    let mut query = cx.query();
    let update = query.one("on_conflict", texts::word(&["update"], on_conflict));
    cx.read_with(query, READ_ONLY, |body| {
        let patch = ContactPatch {
            status: body.nullable("status", status()),
            subscribed: body.nullable("subscribed", boolean()),
            identities: body.nullable("identities", identities),
            custom_fields: body.nullable("custom_fields", custom_fields).unwrap_or_default(),
            ..attributes(body)
        };
        let tags = pointed(body.nullable("tags", list(0..=100, tag)).unwrap_or_default());
        Some((patch, tags, update.unwrap_or_default()))
    })
}

/// Reads `{"tags": […]}`.
pub(super) fn tags(cx: &Cx) -> Result<Vec<NewTag>, Problem> {
    cx.read(&[], |body| body.required("tags", list(0..=100, tag)).map(pointed))
}

fn pointed(tags: Vec<TagRef>) -> Vec<NewTag> {
    let pointed = |(index, tag)| NewTag { tag, pointer: format!("/tags/{index}") };
    tags.into_iter().enumerate().map(pointed).collect()
}

pub(super) fn update(cx: &Cx) -> Result<ContactPatch, Problem> {
    cx.read(READ_ONLY_IN_UPDATES, |body| {
        Some(ContactPatch {
            status: body.optional("status", status()),
            subscribed: body.optional("subscribed", boolean()),
            identities: body.optional("identities", identities),
            custom_fields: body.optional("custom_fields", custom_fields).unwrap_or_default(),
            ..attributes(body)
        })
    })
}

/// The attributes that may be cleared.
fn attributes(body: &mut Fields<'_>) -> ContactPatch {
    ContactPatch {
        external_id: body.patch("external_id", attribute),
        first_name: body.patch("first_name", text(1..=100)),
        last_name: body.patch("last_name", text(1..=100)),
        email: body.patch("email", attribute),
        phone: body.patch("phone", attribute),
        locale: body.patch("locale", attribute),
        time_zone: body.patch("time_zone", attribute),
        ..ContactPatch::default()
    }
}

fn identities(input: Input<'_>) -> Result<Vec<NewIdentity>, Vec<Violation>> {
    let identity = object(|identity| {
        let channel = identity.required("channel_id", id::<ChannelId>());
        let address = identity.required("address", address);
        let opted_in = identity.optional("opted_in", boolean()).unwrap_or(true);
        Some(NewIdentity { channel: channel?, address: address?, opted_in })
    });
    list(0..=20, identity).read(input)
}

fn address(input: Input<'_>) -> Result<String, Vec<Violation>> {
    string(|text| {
        let address = texts::text(1..=255)(text)?;
        if address.chars().any(char::is_control) || address.trim() != address {
            return Err(Violation::here("invalid_format", "expected no control characters or outer spaces"));
        }
        Ok(address)
    })
    .read(input)
}

fn on_conflict(word: &str) -> Option<OnConflict> {
    (word == "update").then_some(OnConflict::Update)
}

pub(super) fn add_tag(cx: &Cx) -> Result<NewTag, Problem> {
    cx.read(&[], |body| {
        let both = body.has("tag_id") && body.has("name");
        let neither = !body.has("tag_id") && !body.has("name");
        let by_id = body.optional("tag_id", id::<TagId>());
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
        match body.patch("value", any()) {
            Patch::Set(value) => Some(value),
            Patch::Keep | Patch::Clear => Some(Value::Null),
        }
    })
}

pub(super) fn send_message(cx: &Cx) -> Result<SendMessage, Problem> {
    cx.read(&[], |body| {
        let content = Content::read(body);
        let channel = body.nullable("channel_id", id::<ChannelId>());
        Some(SendMessage { content: content?, channel })
    })
}

pub(super) fn start_flow(cx: &Cx) -> Result<StartFlow, Problem> {
    cx.read(&[], |body| {
        let flow = body.required("flow_id", id::<FlowId>());
        let vars = body.optional("vars", entries(100, any())).unwrap_or_default();
        let mode = body.optional("mode", word(&Reentry::WORDS, Reentry::parse));
        Some(StartFlow { flow: flow?, vars: Map::from_iter(vars), mode })
    })
}

/// An attribute whose form the domain checks.
fn attribute<T: std::str::FromStr<Err = InvalidAttribute>>(input: Input<'_>) -> Result<T, Vec<Violation>> {
    string(|text| text.parse().map_err(|InvalidAttribute(why)| Violation::here("invalid_format", why))).read(input)
}

fn status() -> impl Read<ContactStatus> {
    word(&ContactStatus::WORDS, ContactStatus::parse)
}

fn custom_fields(input: Input<'_>) -> Result<BTreeMap<String, Value>, Vec<Violation>> {
    Ok(entries(200, any()).read(input)?.into_iter().collect())
}

/// An id or a name. A text that is an id is one; that of another kind is a mistake and makes no tag.
fn tag(input: Input<'_>) -> Result<TagRef, Vec<Violation>> {
    string(|text| match texts::id(text) {
        Ok(id) => Ok(TagRef::Id(id)),
        Err(wrong) if is_id(text) => Err(wrong),
        Err(_) => texts::text(1..=100)(text).map(TagRef::Name),
    })
    .read(input)
}
