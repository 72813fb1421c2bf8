//! The parser of scripts in requests and definitions.

use serde_json::{Map, Value};

use super::bounds::{MAX_ANSWERS, MAX_ENTRIES};
use super::script::{Answered, CallFailure, CannedAnswer, Entry, Expectation, MadeUpContact, Script, StartBy};
use crate::body;
use crate::contacts::{ContactStatus, KnownAttributes, NewContact, NewTag, TagRef};
use crate::conversations::{MAX_REFERENCE, MAX_TEXT, Referral};
use crate::custom_events::{CustomEventName, InvalidName, MAX_DATA};
use crate::ids::{ChannelId, TagId, is_id};
#[cfg(feature = "openapi")]
use crate::read::schema::{Describe, Described};
use crate::read::{
    Body, Fields, Input, Read, StringReader, Violation, any, boolean, entries, id, integer, list, map, nested, string,
    text, timestamp, word,
};
use crate::time::{InvalidDuration, IsoDuration, Timestamp};

/// The source of a simulated referral.
const SIMULATED: &str = "simulation";

body! {
    /// A script for simulating a flow or a sequence.
    pub struct ScriptFields as "SimulationScript" {
        /// Display name.
        optional name: String = text(1..=100);
        /// A fictional contact. If absent, the contact of the request; without one, an unknown contact.
        optional contact: ContactFields = nested();
        /// When the simulation starts; now if absent.
        optional start_at: Timestamp = timestamp();
        /// Start of the run: `api`, or `trigger`, an entry that matches a trigger of the flow. If absent: `trigger`
        /// if the first entry matches one, otherwise `api`. For a sequence, the contact is always enrolled at once.
        optional start: StartBy = word(StartBy::WORDS, StartBy::parse);
        /// Variables for templates, under `vars`, in a run that the API starts.
        optional vars: Vec<(String, Value)> = entries(100, any());
        /// The entries, in order. If absent, time passes until nothing is left to do.
        optional script: Vec<Entry> = list(0..=MAX_ENTRIES, EntryReader);
        /// Responses of the called services. Each is used once, for the first matching call.
        optional http: Vec<CannedAnswer> = list(0..=MAX_ANSWERS, AnswerReader);
        /// Expectations of the script.
        optional expect: ExpectFields = nested();
    }
}

body! {
    /// A fictional contact of a script.
    pub struct ContactFields as "SimulatedContact" {
        /// The attributes.
        flat attributes: KnownAttributes;
        /// Status; `active` if absent.
        optional status: ContactStatus = word(&ContactStatus::WORDS, ContactStatus::parse);
        /// Whether the contact accepts messages; true if absent.
        optional subscribed: bool = boolean();
        /// Tags by ID or name; unknown names are allowed.
        optional tags: Vec<TagRef> = list(0..=100, tag());
        /// Values by the keys of custom fields.
        optional custom_fields: Vec<(String, Value)> = entries(200, any());
    }
}

body! {
    /// One entry: send exactly one of `message`, `advance` and `event`.
    pub struct EntryFields as "SimulationEntry" {
        /// The contact sends this message.
        optional message: String = text(1..=MAX_TEXT);
        /// With `message`: the channel. If absent, the channel of the last message, otherwise the default channel.
        optional channel_id: ChannelId = id();
        /// With `message`: the contact writes through a start link or an advertisement with this reference.
        optional reference as "ref": String = text(1..=MAX_REFERENCE);
        /// Time passes: an ISO 8601 duration of at most ten years.
        optional advance: IsoDuration = duration();
        /// Records a custom event with this name.
        optional event: CustomEventName = event_name();
        /// With `event`: the data of the event.
        optional data: Map<String, Value> = map(entries(100, any()), Map::from_iter);
    }
}

body! {
    /// The response of a called service.
    pub struct AnswerFields as "SimulatedAnswer" {
        /// For calls of this node; any node if absent.
        optional node_id: String = text(1..=64);
        /// For calls of this URL, after rendering; any URL if absent.
        optional url: String = text(1..=4_096);
        /// HTTP status; 200 if absent.
        optional status: i64 = integer(200..=599);
        /// The body: a string is used as it is, other values as JSON.
        nullable body: Value = any();
        /// Instead of a response: how the call fails.
        optional failure: CallFailure = word(CallFailure::WORDS, CallFailure::parse);
    }
}

body! {
    /// Expectations of a script. If a flow stores a script and an expectation is not met, publishing returns a warning.
    pub struct ExpectFields as "SimulationExpectation" {
        /// Nodes that must be visited in this order; other nodes can be in between. For a sequence: its steps.
        optional nodes: Vec<String> = list(0..=100, text(1..=64));
        /// Texts that sent messages must contain, in this order; other messages can be in between.
        optional texts: Vec<String> = list(0..=100, text(1..=MAX_TEXT));
        /// Names of tags that the contact must have at the end.
        optional tags: Vec<String> = list(0..=100, text(1..=100));
    }
}

impl Script {
    /// Parses a script.
    ///
    /// # Errors
    /// All violations; pointers are relative to the script.
    pub fn parse<'a>(written: impl Into<Input<'a>>) -> Result<Self, Vec<Violation>> {
        nested::<ScriptFields>().read(written.into()).map(ScriptFields::into)
    }
}

impl From<ScriptFields> for Script {
    fn from(it: ScriptFields) -> Self {
        Self {
            name: it.name,
            contact: it.contact.map(ContactFields::into),
            start_at: it.start_at,
            start: it.start,
            vars: it.vars.unwrap_or_default().into_iter().collect(),
            entries: it.script,
            answers: it.http.unwrap_or_default(),
            expect: it.expect.map(ExpectFields::into).unwrap_or_default(),
        }
    }
}

impl From<ContactFields> for MadeUpContact {
    fn from(it: ContactFields) -> Self {
        let ContactFields { attributes, status, subscribed, tags, custom_fields } = it;
        let tags = tags.unwrap_or_default().into_iter().enumerate();
        let tags = tags.map(|(place, tag)| NewTag { tag, pointer: format!("/tags/{place}") }).collect();
        let custom_fields = custom_fields.unwrap_or_default().into_iter().collect();
        Self { person: NewContact { status, subscribed, tags, custom_fields, ..attributes.into() } }
    }
}

impl From<ExpectFields> for Expectation {
    fn from(it: ExpectFields) -> Self {
        let (nodes, texts, tags) = (it.nodes, it.texts, it.tags);
        Self { nodes: nodes.unwrap_or_default(), texts: texts.unwrap_or_default(), tags: tags.unwrap_or_default() }
    }
}

#[derive(Debug, Clone, Copy)]
struct EntryReader;

impl Read<Entry> for EntryReader {
    fn read(&self, input: Input<'_>) -> Result<Entry, Vec<Violation>> {
        let wrong = |pointer: &str, code, message: &str| Err(Violation::new(pointer, code, message).into());
        let it: EntryFields = nested().read(input)?;
        if it.message.is_none() && it.channel_id.is_some() {
            return wrong("/channel_id", "not_allowed", "is only allowed with `message`");
        }
        if it.message.is_none() && it.reference.is_some() {
            return wrong("/ref", "not_allowed", "is only allowed with `message`");
        }
        if it.event.is_none() && it.data.is_some() {
            return wrong("/data", "not_allowed", "is only allowed with `event`");
        }
        match (it.message, it.advance, it.event) {
            (Some(text), None, None) => {
                let referral = it.reference.map(|reference| Referral::of(SIMULATED, &reference));
                Ok(Entry::Message { text, channel: it.channel_id, referral })
            }
            (None, Some(duration), None) => Ok(Entry::Advance(duration)),
            (None, None, Some(name)) => {
                let data = it.data.unwrap_or_default();
                let length = serde_json::to_string(&data).map_or(usize::MAX, |text| text.len());
                if length > MAX_DATA {
                    return wrong("/data", "too_long", &format!("at most {MAX_DATA} bytes as JSON, got {length}"));
                }
                Ok(Entry::Event { name, data })
            }
            (None, None, None) => wrong("", "required", "`message`, `advance` or `event` is required"),
            _ => wrong(
                "",
                "not_allowed",
                "use only one of `message`, `advance` and `event`; add another entry for the next step",
            ),
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct AnswerReader;

impl Read<CannedAnswer> for AnswerReader {
    fn read(&self, input: Input<'_>) -> Result<CannedAnswer, Vec<Violation>> {
        let it: AnswerFields = nested().read(input)?;
        if it.failure.is_some() && (it.status.is_some() || it.body.is_some()) {
            let message = "a failed call has no response: use either `failure`, or `status` and `body`";
            return Err(Violation::new("/failure", "not_allowed", message).into());
        }
        let answered = match it.failure {
            Some(failure) => Answered::Failed(failure),
            None => {
                let status = it.status.and_then(|status| u16::try_from(status).ok()).unwrap_or(200);
                Answered::With { status, body: it.body }
            }
        };
        Ok(CannedAnswer { node: it.node_id, url: it.url, answered })
    }
}

#[cfg(feature = "openapi")]
impl Describe for EntryReader {
    fn describe(&self) -> Described {
        Described::named::<EntryFields>()
    }
}

#[cfg(feature = "openapi")]
impl Describe for AnswerReader {
    fn describe(&self) -> Described {
        Described::named::<AnswerFields>()
    }
}

impl Body for Script {
    const READ_ONLY: &'static [&'static str] = ScriptFields::READ_ONLY;

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        ScriptFields::read(fields).map(Self::from)
    }
}

#[cfg(feature = "openapi")]
mod schema {
    use utoipa::openapi::{RefOr, Schema};

    use super::{Script, ScriptFields};
    use crate::read::schema::{Declare, Declared, Name};

    impl Declare for Script {
        fn declared() -> Declared {
            ScriptFields::declared()
        }
    }

    impl utoipa::PartialSchema for Script {
        fn schema() -> RefOr<Schema> {
            ScriptFields::schema()
        }
    }

    impl utoipa::ToSchema for Script {
        fn name() -> Name {
            ScriptFields::name()
        }

        fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
            ScriptFields::schemas(schemas);
        }
    }
}

/// Parses a text.
type Texts<T> = StringReader<fn(&str) -> Result<T, Violation>>;

/// An ISO 8601 duration.
fn duration() -> Texts<IsoDuration> {
    string(|text| {
        text.parse().map_err(|wrong: InvalidDuration| {
            Violation::at_root("invalid_format", format!("{wrong}, of at most ten years"))
        })
    })
}

/// The name of a custom event.
fn event_name() -> Texts<CustomEventName> {
    string(|text| text.parse().map_err(|wrong: InvalidName| Violation::at_root(wrong.code(), wrong.to_string())))
}

/// A tag by ID or name.
fn tag() -> Texts<TagRef> {
    string(|text| match (text.parse::<TagId>(), is_id(text)) {
        (Ok(id), _) => Ok(TagRef::Id(id)),
        (Err(_), true) => Err(Violation::at_root("invalid_id", "expected the ID or the name of a tag")),
        (Err(_), false) if text.trim().is_empty() => Err(Violation::at_root("blank", "must not be blank")),
        (Err(_), false) if text.chars().count() > 100 => Err(Violation::at_root("too_long", "at most 100 characters")),
        (Err(_), false) => Ok(TagRef::Name(text.trim().to_owned())),
    })
}
