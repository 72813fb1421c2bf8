//! Visitors of schemas and operations.

use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{AdditionalProperties, ArrayItems, Object, Schema};
use utoipa::openapi::{OpenApi, RefOr};

/// Visits all objects of a schema, outer ones first. References are not followed.
pub(super) fn each_object(schema: &mut RefOr<Schema>, visit: &mut impl FnMut(&mut Object)) {
    match schema {
        RefOr::Ref(_) => {}
        RefOr::T(Schema::Object(object)) => {
            visit(object);
            object.properties.values_mut().for_each(|part| each_object(part, visit));
            if let Some(AdditionalProperties::RefOr(others)) = object.additional_properties.as_deref_mut() {
                each_object(others, visit);
            }
        }
        RefOr::T(Schema::Array(array)) => {
            if let ArrayItems::RefOrSchema(items) = &mut array.items {
                each_object(items, visit);
            }
        }
        RefOr::T(Schema::OneOf(it)) => it.items.iter_mut().for_each(|item| each_object(item, visit)),
        RefOr::T(Schema::AllOf(it)) => it.items.iter_mut().for_each(|item| each_object(item, visit)),
        RefOr::T(Schema::AnyOf(it)) => it.items.iter_mut().for_each(|item| each_object(item, visit)),
        RefOr::T(_) => {}
    }
}

/// Returns all operations: first those of paths, then those of webhooks.
pub(super) fn each_operation(document: &mut OpenApi) -> impl Iterator<Item = &mut Operation> {
    let webhooks = document.webhooks.iter_mut().flat_map(|webhooks| webhooks.paths.values_mut());
    document.paths.paths.values_mut().chain(webhooks).flat_map(|item| {
        [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete].into_iter().flatten()
    })
}
