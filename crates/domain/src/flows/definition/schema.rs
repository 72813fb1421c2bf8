//! OpenAPI schema of definitions: nodes come from the table of node types, bounds from the constants of the readers.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::RangeInclusive;

use serde_json::json;
use utoipa::openapi::schema::{
    AdditionalProperties, ArrayItems, Discriminator, OneOfBuilder, Schema, SchemaType, Type,
};
use utoipa::openapi::{ArrayBuilder, ObjectBuilder, Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use super::triggers::{KEYWORDS, MAX_CHANNELS, REFERRAL_WORDS};
use super::{
    Definition, FieldContent, KeywordMatch, MAX_ID, MAX_NODES, MAX_TRIGGERS, NODE_TYPES, NodeType, Reentry, Settings,
};
use crate::conditions::Condition;
use crate::conversations::{Content, MAX_REFERENCE};
use crate::events::EventKind;
use crate::send_window::SendWindow;
use crate::simulation::{MAX_SCRIPTS, ScriptFields};

type Component = (String, RefOr<Schema>);

fn closed() -> ObjectBuilder {
    let object = ObjectBuilder::new().schema_type(Type::Object);
    object.additional_properties(Some(AdditionalProperties::FreeForm(false)))
}

fn text() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}

fn words(words: &[&str]) -> ObjectBuilder {
    text().enum_values(Some(words.iter().copied()))
}

fn number(bounds: &RangeInclusive<u64>) -> ObjectBuilder {
    let number = ObjectBuilder::new().schema_type(Type::Integer);
    number.minimum(Some(*bounds.start())).maximum(Some(*bounds.end()))
}

fn duration() -> ObjectBuilder {
    text().examples([json!("P1D")])
}

fn condition() -> RefOr<Schema> {
    Ref::from_schema_name(Condition::name()).into()
}

fn list(items: impl Into<ArrayItems>, bounds: &RangeInclusive<usize>) -> ArrayBuilder {
    let least = Some(*bounds.start()).filter(|least| *least > 0);
    ArrayBuilder::new().items(items).min_items(least).max_items(Some(*bounds.end()))
}

/// Adds a description to a schema.
fn said(schema: impl Into<RefOr<Schema>>, about: &str) -> RefOr<Schema> {
    match schema.into() {
        RefOr::Ref(mut reference) => {
            about.clone_into(&mut reference.description);
            reference.into()
        }
        RefOr::T(Schema::Object(object)) => ObjectBuilder::from(object).description(Some(about)).into(),
        RefOr::T(Schema::Array(array)) => ArrayBuilder::from(array).description(Some(about)).into(),
        RefOr::T(other) => other.into(),
    }
}

impl FieldContent {
    fn schema(self) -> RefOr<Schema> {
        match self {
            Self::Text | Self::Exit => text().into(),
            Self::Word(known) => words(known).into(),
            Self::Texts(most) => list(text(), &(0..=most)).into(),
            Self::TextByName => {
                let values = AdditionalProperties::RefOr(text().into());
                ObjectBuilder::new().schema_type(Type::Object).additional_properties(Some(values)).into()
            }
            Self::Count(bounds) => number(bounds).into(),
            Self::Duration => duration().into(),
            Self::Message => Ref::from_schema_name(Content::name()).into(),
            Self::Condition => condition(),
            Self::Window => Ref::from_schema_name(SendWindow::name()).into(),
            Self::Branches(most) => {
                let way = closed().property("when", condition()).property("next", text());
                list(way.required("when").required("next"), &(0..=most)).into()
            }
            Self::Arms { count, weight } => {
                let way = closed().property("weight", number(weight)).property("next", text());
                list(way.required("weight").required("next"), count).into()
            }
            Self::Anything => ObjectBuilder::new().schema_type(SchemaType::AnyValue).into(),
        }
    }
}

impl NodeType {
    /// Returns the schema name: `AddTagNode` for `add_tag`.
    fn schema_name(&self) -> String {
        let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
        self.word.split('_').map(capital).collect::<String>() + "Node"
    }

    fn schema(&self) -> RefOr<Schema> {
        let id = text().max_length(Some(MAX_ID)).description(Some("The ID of the node, unique in the flow."));
        let node = closed().description(Some(self.about)).property("id", id).required("id");
        let node = node.property("type", words(&[self.word])).required("type");
        let with = |node: ObjectBuilder, field: &super::NodeField| {
            let node = node.property(field.name, said(field.holds.schema(), field.about));
            if field.required { node.required(field.name) } else { node }
        };
        self.fields.iter().fold(node, with).into()
    }
}

/// Returns the schema of any node; `type` is the discriminator.
fn node() -> RefOr<Schema> {
    let mut told = Discriminator::new("type");
    for node in NODE_TYPES {
        let path = Ref::from_schema_name(node.schema_name()).ref_location;
        told.mapping.insert(node.word.to_owned(), path);
    }
    let refs = NODE_TYPES.iter().map(|node| Ref::from_schema_name(node.schema_name()));
    refs.fold(OneOfBuilder::new(), OneOfBuilder::item).discriminator(Some(told)).into()
}

fn trigger() -> RefOr<Schema> {
    let of = |word: &str| closed().property("type", words(&[word])).required("type");
    let filter = || said(condition(), "A condition that the event must match. It can use the event as `event`.");
    let keywords = list(text(), &KEYWORDS).description(Some("The keywords. Case is ignored."));
    let channels = list(text(), &(0..=MAX_CHANNELS)).description(Some("The channels; all channels if absent."));
    let keyword = of("keyword")
        .property("keywords", keywords)
        .property(
            "match",
            words(&KeywordMatch::WORDS).description(Some("The method of comparison; `exact` if absent.")),
        )
        .property("channel_ids", channels);
    let referral = of("referral")
        .property(
            "ref",
            text().max_length(Some(MAX_REFERENCE)).description(Some(
                "The `ref` of the message's referral, such as the parameter of a start link or the ID of an \
                 advertisement. Case counts.",
            )),
        )
        .property("match", words(&REFERRAL_WORDS).description(Some("The method of comparison; `exact` if absent.")));
    let kinds: Vec<&str> = EventKind::ALL.iter().map(|kind| kind.as_str()).collect();
    let event = of("event").property("event", words(&kinds)).property("filter", filter());
    let custom =
        of("custom_event").property("name", text().examples([json!("order.paid")])).property("filter", filter());
    let cron = text()
        .description(Some("A cron expression of five fields, in the time zone of the workspace."))
        .examples([json!("0 9 * * mon-fri")]);
    let schedule = of("schedule")
        .property("cron", cron)
        .property("audience", said(condition(), "A condition that selects the contacts that the flow starts for."));
    OneOfBuilder::new()
        .description(Some("Starts a flow automatically: by a keyword, a referral, an event or a schedule."))
        .item(keyword.required("keywords"))
        .item(event.required("event"))
        .item(custom.required("name"))
        .item(schedule.required("cron").required("audience"))
        .item(referral.required("ref"))
        .into()
}

fn settings() -> ObjectBuilder {
    let default = Settings::default();
    let days = default.expires_after.as_secs() / 86_400;
    let reentry =
        words(&Reentry::WORDS).description(Some("The effect of a start while a run is active; `skip` if absent."));
    let expires = duration().description(Some(format!("The maximum duration of a run; `P{days}D` if absent.")));
    closed().property("reentry", reentry).property("expires_after", expires)
}

impl PartialSchema for Definition {
    fn schema() -> RefOr<Schema> {
        let about = "The graph of a flow. A draft may be incomplete: any object is stored unchanged. Publishing, \
                     validating and simulating report its errors.";
        let scripts = list(Ref::from_schema_name(ScriptFields::name()), &(0..=MAX_SCRIPTS));
        let layout = ObjectBuilder::new().schema_type(Type::Object);
        let layout = layout.additional_properties(Some(AdditionalProperties::FreeForm(true)));
        closed()
            .description(Some(about))
            .property("triggers", list(Ref::from_schema_name("FlowTrigger"), &(0..=MAX_TRIGGERS)))
            .property("start", text().description(Some("The ID of the first node.")))
            .property("nodes", list(Ref::from_schema_name("FlowNode"), &(0..=MAX_NODES)))
            .property("settings", settings().description(Some("The settings of its runs.")))
            .property(
                "scripts",
                scripts.description(Some("Scripts that are simulated each time the flow is published.")),
            )
            .property(
                "layout",
                layout.description(Some("The positions of the nodes in editors; the server does not use it.")),
            )
            .required("start")
            .required("nodes")
            .into()
    }
}

impl ToSchema for Definition {
    fn name() -> Cow<'static, str> {
        "FlowDefinition".into()
    }

    fn schemas(schemas: &mut Vec<Component>) {
        schemas.push(("FlowNode".to_owned(), node()));
        schemas.push(("FlowTrigger".to_owned(), trigger()));
        schemas.extend(NODE_TYPES.iter().map(|node| (node.schema_name(), node.schema())));
        named::<Condition>(schemas);
        named::<Content>(schemas);
        named::<SendWindow>(schemas);
        named::<ScriptFields>(schemas);
    }
}

fn named<T: ToSchema>(schemas: &mut Vec<Component>) {
    schemas.push((T::name().into_owned(), T::schema()));
    T::schemas(schemas);
}
