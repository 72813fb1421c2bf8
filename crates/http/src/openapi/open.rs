//! Objects of any members say so: some generators make of `{"type": "object"}` one that has none.

use utoipa::openapi::OpenApi;
use utoipa::openapi::schema::{AdditionalProperties, Object, SchemaType, Type};

use super::visit::each_object;

/// In every named schema, an object of which nothing is said is open.
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
