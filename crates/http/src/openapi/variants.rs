//! Names for the variants of unions. Client generators create a type per named schema; unnamed variants get none, or
//! one with a colliding name.

use std::mem::replace;

use utoipa::openapi::schema::{AdditionalProperties, Object, ObjectBuilder, Schema};
use utoipa::openapi::{OpenApi, Ref, RefOr};

use super::sharing::component_name;

/// Moves each variant of a named union into its own schema: `Condition` and `all` become `ConditionAll`.
pub(super) fn name_variants(document: &mut OpenApi) {
    let components = document.components.get_or_insert_default();
    let mut variants = Vec::new();
    for (union, schema) in &mut components.schemas {
        let RefOr::T(Schema::OneOf(union_of)) = schema else { continue };
        for item in &mut union_of.items {
            let Some(word) = word_of(item) else { continue };
            let name = format!("{union}{}", component_name(&word));
            let mut variant = replace(item, Ref::from_schema_name(&name).into());
            if let RefOr::T(Schema::Object(object)) = &mut variant {
                object.title = None;
            }
            variants.push((name, variant));
        }
    }
    components.schemas.extend(variants);
}

/// Returns the distinguishing word of a variant: its title, the only value of a field, or its first required field.
fn word_of(variant: &RefOr<Schema>) -> Option<String> {
    match variant {
        RefOr::T(Schema::Object(object)) if !object.properties.is_empty() => {
            let only = object.properties.values().find_map(only_value);
            object.title.clone().or(only).or_else(|| object.required.first().cloned())
        }
        RefOr::T(Schema::AllOf(all)) => all.items.iter().find_map(word_of),
        _ => None,
    }
}

/// Returns the value of a field with a single possible value.
fn only_value(field: &RefOr<Schema>) -> Option<String> {
    let RefOr::T(Schema::Object(Object { enum_values: Some(values), .. })) = field else { return None };
    match values.as_slice() {
        [value] => value.as_str().map(str::to_owned),
        _ => None,
    }
}

/// Names the schema of a channel's generated secrets. Client generators would give it the name of the secrets in requests,
/// `ChannelSecrets`.
pub(super) fn name_generated_secrets(document: &mut OpenApi) {
    const NAME: &str = "GeneratedSecrets";
    let components = document.components.get_or_insert_default();
    let Some(RefOr::T(Schema::Object(channel))) = components.schemas.get_mut("Channel") else { return };
    let Some(secrets) = channel.properties.get_mut("secrets") else { return };
    let generated = replace(secrets, Ref::from_schema_name(NAME).into());
    components.schemas.insert(NAME.to_owned(), generated);
}

/// Sets the schemas of definitions: complete for a published version, any object for a draft.
pub(super) fn type_definitions(document: &mut OpenApi) {
    let components = document.components.get_or_insert_default();
    for (owner, name) in [("FlowVersion", "FlowDefinition"), ("Flow", "FlowDraft")] {
        let Some(RefOr::T(Schema::Object(object))) = components.schemas.get_mut(owner) else { continue };
        object.properties.insert("definition".to_owned(), Ref::from_schema_name(name).into());
    }
    let draft = ObjectBuilder::new()
        .description(Some("The draft of a flow as it was written. It may be incomplete."))
        .additional_properties(Some(AdditionalProperties::FreeForm(true)));
    components.schemas.insert("FlowDraft".to_owned(), draft.build().into());
}
