//! The schemas of channels: one for each type, with the configuration that the type declares.

use serde_json::Value;
use tidings_domain::channels::{ChannelType, schema_of};
use utoipa::openapi::schema::{Discriminator, OneOfBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{ObjectBuilder, OpenApi, Ref, RefOr};

use super::sharing::component_name;

/// The schema of channels of all types.
const CHANNEL: &str = "Channel";
/// The schema of their configuration, which the schemas of the types replace.
const CONFIG: &str = "ChannelConfig";
/// The member of `config` that channels of all types have.
const URL: &str = "url";

/// Replaces the schema of channels by a union of one schema for each type. `kind` is the discriminator. Without types,
/// nothing changes.
pub(super) fn separate_types(document: &mut OpenApi, types: &[&'static ChannelType]) {
    let components = document.components.get_or_insert_default();
    let Some(RefOr::T(Schema::Object(channel))) = components.schemas.get(CHANNEL).cloned() else { return };
    if types.is_empty() {
        return;
    }
    let mut discriminator = Discriminator::new("kind");
    let mut union = OneOfBuilder::new().description(channel.description.clone());
    for channel_type in types {
        let word = channel_type.kind.as_str();
        let [name, config] = [CHANNEL, CONFIG].map(|part| component_name(word) + part);
        let kind = ObjectBuilder::new().schema_type(Type::String).enum_values(Some([word]));
        let mut variant = channel.clone();
        variant.description = Some(format!("A channel of the type `{word}`."));
        variant.properties.insert("kind".to_owned(), kind.description(Some("Type of the channel.")).into());
        variant.properties.insert("config".to_owned(), Ref::from_schema_name(&config).into());
        let reference = Ref::from_schema_name(&name);
        discriminator.mapping.insert(word.to_owned(), reference.ref_location.clone());
        union = union.item(reference);
        components.schemas.insert(name, Schema::Object(variant).into());
        components.schemas.insert(config, config_of(channel_type).into());
    }
    components.schemas.remove(CONFIG);
    components.schemas.insert(CHANNEL.to_owned(), union.discriminator(Some(discriminator)).into());
}

/// Describes `config` in responses: the members that the type declares, and those that the provider reports. Only `url`
/// is always present: private members are hidden without write access, and others can be missing.
fn config_of(channel_type: &ChannelType) -> ObjectBuilder {
    let declared = schema_of(&[channel_type.config, channel_type.reported].concat());
    let members = declared.get("properties").and_then(Value::as_object).into_iter().flatten();
    let members = members.filter(|(name, _)| *name != URL);
    let members = members.filter_map(|(name, it)| Some((name, serde_json::from_value::<Schema>(it.clone()).ok()?)));
    // Also for types without a URL: the TypeScript client leaves out members that can only be `null`.
    let url = ObjectBuilder::new().schema_type(SchemaType::from_iter([Type::String, Type::Null]));
    let url = url.description(Some(match channel_type.config_field(URL) {
        Some(field) => format!("{} Visible only with write access.", field.description),
        None => "Always `null`: channels of this type have no URL.".to_owned(),
    }));
    let about = format!("Configuration of a channel of the type `{}`.", channel_type.kind.as_str());
    let config = ObjectBuilder::new().description(Some(about)).property(URL, url).required(URL);
    members.fold(config, |config, (name, it)| config.property(name, it))
}
