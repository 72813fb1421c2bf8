//! Marks objects with arbitrary members: some generators treat `{"type": "object"}` as an object without members.

use utoipa::openapi::OpenApi;
use utoipa::openapi::schema::{AdditionalProperties, Object, SchemaType, Type};

use super::visit::each_object;

/// Allows additional members of objects without properties in all named schemas.
pub(super) fn say_what_is_open(document: &mut OpenApi) {
    for schema in document.components.iter_mut().flat_map(|components| components.schemas.values_mut()) {
        each_object(schema, &mut open);
    }
}

fn open(object: &mut Object) {
    let is_object = match &object.schema_type {
        SchemaType::Type(kind) => *kind == Type::Object,
        SchemaType::Array(kinds) => kinds.contains(&Type::Object),
        SchemaType::AnyValue => false,
    };
    if is_object && object.properties.is_empty() && object.additional_properties.is_none() {
        object.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(true)));
    }
}
