//! The bodies of requests for contacts.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use tidings_domain::body;
use tidings_domain::contacts::{
    ContactKey, ContactPatch, ContactStatus, NewIdentity, NewTag, OnConflict, PatchedAttributes, TagRef,
};
use tidings_domain::conversations::{Content, SendMessage};
use tidings_domain::custom_events::{self, CustomEventName, InvalidName, NewCustomEvent};
use tidings_domain::flows::{Reentry, StartFlow};
use tidings_domain::ids::{ChannelId, FlowId, MessageId, TagId, is_id};
use tidings_domain::read::schema::{Annotate, Describe, Described, choice, described};
use tidings_domain::read::texts;
use tidings_domain::read::{Body, Read, Violation, any, boolean, entries, id, list, map, name, nested, string, word};

use crate::request::RequestContext;
use crate::request::query::parameters;
use crate::response::problem::{FieldError, Problem};

/// Fields of the response that a request cannot set.
const READ_ONLY: &[&str] = &["id", "name", "last_message_at", "created_at", "updated_at", "deleted_at", "version"];
/// In an update, tags have their own routes.
const READ_ONLY_IN_UPDATES: &[&str] =
    &["id", "name", "tags", "last_message_at", "created_at", "updated_at", "deleted_at", "version"];

parameters! {
    pub(super) struct CreateParams {
        /// Action if a contact already has the email address, phone number or external ID. If absent, the response
        /// is 409.
        one on_conflict: OnConflict = on_conflict();
        /// With `on_conflict=update`: the only identifier used to find the contact; the others are ordinary values.
        /// If absent, identifiers are tried in this order: external ID, email address, phone number.
        one key: ContactKey = contact_key();
    }
}

body! {
    /// A contact to create.
    #[read_only(READ_ONLY)]
    pub(super) struct CreateContact {
        /// Status; `active` if absent.
        nullable status: ContactStatus = status();
        /// Whether the contact accepts messages; true if absent.
        nullable subscribed: bool = boolean();
        /// Addresses of the contact, in addition to the sandbox.
        nullable identities: Vec<IdentityInput> = list(0..=20, nested());
        /// Values by the keys of custom fields.
        or_default custom_fields: BTreeMap<String, Value> = custom_fields();
        /// Attributes; `null` clears them.
        flat attributes: PatchedAttributes;
        /// Tags by ID or name. Unknown names are created.
        or_default tags: Vec<TagRef> = list(0..=100, tag());
    }
}

body! {
    /// Fields to update. Absent fields stay, `null` clears.
    #[read_only(READ_ONLY_IN_UPDATES)]
    pub(super) struct UpdateContact {
        /// Whether messages to the contact are allowed.
        optional status: ContactStatus = status();
        /// Whether the contact accepts messages.
        optional subscribed: bool = boolean();
        /// All addresses of the contact. Missing addresses are removed, except the address of the sandbox.
        optional identities: Vec<IdentityInput> = list(0..=20, nested());
        /// Values by the keys of custom fields; `null` clears a value.
        optional custom_fields: BTreeMap<String, Value> = custom_fields();
        /// Attributes; `null` clears them.
        flat attributes: PatchedAttributes;
    }
}

body! {
    /// An address of a contact.
    pub(super) struct IdentityInput {
        /// The channel.
        required channel_id: ChannelId = id();
        /// Address on the channel; on a sandbox channel, the ID of the contact. Only one contact can have it.
        required address: String = address();
        /// Whether the contact accepts messages at this address. If absent, an address of the contact keeps its value,
        /// and a new one is true. It starts as false if a contact opted out of this address and was later erased or
        /// deleted; `PATCH` changes that.
        optional opted_in: bool = boolean();
    }
}

body! {
    /// All tags of the contact.
    pub(super) struct ReplaceTags {
        /// Tags by ID or name. Unknown names are created.
        required tags: Vec<TagRef> = list(0..=100, tag());
    }
}

body! {
    /// A tag to add: send `tag_id` or `name`.
    #[schema(|it| it.min_properties(Some(1)).max_properties(Some(1)))]
    pub(super) struct AddTag {
        /// ID of a tag of the workspace.
        optional tag_id: TagId = id();
        /// Name of a tag. An unknown name is created.
        optional name: String = name(1..=100);
    }
}

body! {
    /// A value.
    pub(crate) struct SetValue {
        /// A value of the type of the field; `null` clears.
        present value: Value = any(), "is required; `null` clears";
    }
}

body! {
    /// A message to send.
    pub(super) struct SendMessageBody as "SendMessage" {
        /// The content of the message.
        flat content: Content;
        /// The channel; if absent, the channel last used with the contact, or the default channel of the workspace.
        nullable channel_id: ChannelId = id();
        /// The message that it answers: one of the contact or to the contact, on the same channel.
        nullable reply_to: MessageId = id();
    }
}

body! {
    /// A start of a flow.
    pub(super) struct StartFlowBody as "StartFlow" {
        /// The flow.
        required flow_id: FlowId = id();
        /// Variables for templates, under `vars`.
        optional vars: Vec<(String, Value)> = entries(100, any());
        /// Action if the contact already has a live run of the flow; the setting of the flow if absent.
        optional mode: Reentry = choice(
            "StartMode", "Action if the contact already has a live run of the flow.",
            &Reentry::WORDS, Reentry::parse);
    }
}

body! {
    /// Something that happened to a contact outside the service.
    pub(super) struct CreateCustomEvent {
        /// Name of the event: lower-case letters, digits, `_` and `.`, with a letter first. The service's own event
        /// types are not allowed.
        required name: CustomEventName = event_name();
        /// Data of the event: an object of at most 16384 bytes as JSON.
        optional data: Map<String, Value> = event_data();
    }
}

/// Adds the other errors of a contact to be created: unknown tags and fields, and field values of a wrong type.
pub(super) async fn with_wrong_names(cx: &RequestContext, problem: Problem) -> Problem {
    let tags = cx.salvage(|fields| fields.given("tags", list(0..=100, tag())).unwrap_or_default());
    with_wrong_values(cx, problem, pointed(tags.unwrap_or_default())).await
}

/// Adds the other errors of an update: unknown fields, and field values of a wrong type.
pub(super) async fn with_wrong_fields(cx: &RequestContext, problem: Problem) -> Problem {
    with_wrong_values(cx, problem, Vec::new()).await
}

async fn with_wrong_values(cx: &RequestContext, problem: Problem, tags: Vec<NewTag>) -> Problem {
    let values = cx.salvage(|fields| fields.given("custom_fields", custom_fields()).unwrap_or_default());
    let wrong = cx.services().contacts.wrong_names(cx.access(), &tags, &values.unwrap_or_default()).await;
    // If the store fails, the problem is returned as it is.
    problem.and(wrong.unwrap_or_default())
}

impl CreateParams {
    /// Returns whether an existing contact is updated, and the identifier that finds it.
    ///
    /// # Errors
    /// `key` without `on_conflict=update`.
    pub(super) fn upserts(&self) -> Result<Option<Option<ContactKey>>, Problem> {
        match (self.on_conflict.unwrap_or_default(), self.key) {
            (OnConflict::Update, key) => Ok(Some(key)),
            (OnConflict::Refuse, None) => Ok(None),
            (OnConflict::Refuse, Some(_)) => {
                let message = "is only allowed with `on_conflict=update`";
                Err(Problem::validation(vec![FieldError::in_parameter("key", "not_allowed", message)]))
            }
        }
    }
}

/// The identifier that finds the contact of an upsert, or `None` for all identifiers by rank. The outer `None` means no
/// `on_conflict=update`.
type Upsert = Option<Option<ContactKey>>;

/// Reads the attributes of a contact, its tags, and how an upsert finds it. `null` clears when a contact is updated;
/// when one is created, it means absent.
pub(super) fn create(cx: &RequestContext) -> Result<(ContactPatch, Vec<NewTag>, Upsert), Problem> {
    let mut query = cx.query();
    let params: CreateParams = query.read();
    let it: CreateContact = cx.body_with(query)?;
    let (patch, tags) = it.into_patch();
    Ok((patch, tags, params.upserts()?))
}

impl CreateContact {
    /// Returns the attributes of the contact, and its tags.
    pub(super) fn into_patch(self) -> (ContactPatch, Vec<NewTag>) {
        let patch = ContactPatch {
            status: self.status,
            subscribed: self.subscribed,
            identities: self.identities.map(identities),
            custom_fields: self.custom_fields,
            ..self.attributes.into()
        };
        (patch, pointed(self.tags))
    }
}

pub(super) fn tags(cx: &RequestContext) -> Result<Vec<NewTag>, Problem> {
    let ReplaceTags { tags } = cx.body()?;
    Ok(pointed(tags))
}

fn pointed(tags: Vec<TagRef>) -> Vec<NewTag> {
    let pointed = |(index, tag)| NewTag { tag, pointer: format!("/tags/{index}") };
    tags.into_iter().enumerate().map(pointed).collect()
}

pub(super) fn update(cx: &RequestContext) -> Result<ContactPatch, Problem> {
    Ok(cx.body::<UpdateContact>()?.into())
}

impl From<UpdateContact> for ContactPatch {
    fn from(it: UpdateContact) -> Self {
        Self {
            status: it.status,
            subscribed: it.subscribed,
            identities: it.identities.map(identities),
            custom_fields: it.custom_fields.unwrap_or_default(),
            ..it.attributes.into()
        }
    }
}

fn identities(given: Vec<IdentityInput>) -> Vec<NewIdentity> {
    let identity = |IdentityInput { channel_id, address, opted_in }: IdentityInput| NewIdentity {
        channel: channel_id,
        address,
        opted_in,
    };
    given.into_iter().map(identity).collect()
}

fn address() -> impl Read<String> + Describe {
    string(|text| {
        let address = texts::text(1..=255)(text)?;
        if address.chars().any(char::is_control) || address.trim() != address {
            return Err(Violation::at_root(
                "invalid_format",
                "must not contain control characters, or begin or end with a space",
            ));
        }
        Ok(address)
    })
    .with(|it| it.min_length(Some(1)).max_length(Some(255)))
}

pub(super) fn contact_key() -> impl Read<ContactKey> + Describe {
    choice("ContactKey", "The identifier used to find a contact.", ContactKey::WORDS, ContactKey::parse)
}

fn on_conflict() -> impl Read<OnConflict> + Describe {
    let parse = |word: &str| (word == "update").then_some(OnConflict::Update);
    choice("OnConflict", "Action if the contact already exists.", &["update"], parse)
}

pub(super) fn add_tag(cx: &RequestContext) -> Result<NewTag, Problem> {
    cx.read(AddTag::READ_ONLY, |body| {
        let (by_id, by_name) = (body.has("tag_id"), body.has("name"));
        let AddTag { tag_id, name } = AddTag::read(body)?;
        if by_id && by_name {
            body.error("/name", "not_allowed", "send `tag_id` or `name`, not both");
        } else if !by_id && !by_name {
            body.error("", "required", "send `tag_id` or `name`");
        }
        let by_id = tag_id.map(|id| NewTag { tag: TagRef::Id(id), pointer: "/tag_id".to_owned() });
        by_id.or(name.map(|name| NewTag { tag: TagRef::Name(name), pointer: "/name".to_owned() }))
    })
}

pub(super) fn send_message(cx: &RequestContext) -> Result<SendMessage, Problem> {
    let SendMessageBody { content, channel_id, reply_to } = cx.body()?;
    Ok(SendMessage { content, channel: channel_id, reply_to })
}

pub(super) fn start_flow(cx: &RequestContext) -> Result<StartFlow, Problem> {
    let StartFlowBody { flow_id, vars, mode } = cx.body()?;
    Ok(StartFlow { flow: flow_id, vars: Map::from_iter(vars.unwrap_or_default()), mode })
}

fn custom_fields() -> impl Read<BTreeMap<String, Value>> + Describe {
    map(entries(200, any()), BTreeMap::from_iter)
}

fn status() -> impl Read<ContactStatus> + Describe {
    word(&ContactStatus::WORDS, ContactStatus::parse)
}

/// Reads an ID or a name. An ID of another type is an error, so that it does not create a tag.
fn tag() -> impl Read<TagRef> + Describe {
    string(|text| match texts::id(text) {
        Ok(id) => Ok(TagRef::Id(id)),
        Err(wrong) if is_id(text) => Err(wrong),
        Err(_) => texts::name(1..=100)(text).map(TagRef::Name),
    })
}

pub(super) fn custom_event(cx: &RequestContext) -> Result<NewCustomEvent, Problem> {
    let CreateCustomEvent { name, data } = cx.body()?;
    Ok(NewCustomEvent { name, data: data.unwrap_or_default() })
}

fn event_name() -> impl Read<CustomEventName> + Describe {
    string(|text| text.parse().map_err(|wrong: InvalidName| Violation::at_root(wrong.code(), wrong.to_string())))
        .with(|it| it.pattern(Some(CustomEventName::PATTERN)))
}

fn event_data() -> impl Read<Map<String, Value>> + Describe {
    described(custom_events::data, Described::object)
}
