//! Required attributes of responses, for generated types.
//!
//! Derived schemas make every `Option` optional. That is correct for requests, but a response contains all attributes,
//! possibly `null`. The few attributes that a response can omit are never `null`; they are marked with `nullable =
//! false`.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use utoipa::openapi::schema::{ArrayItems, Object, Schema, SchemaType, Type};
use utoipa::openapi::{OpenApi, Ref, RefOr};

use super::visit::each_object;

/// The prefix of the schema of a list; the name of its rows follows.
const LIST: &str = "List_";

/// Replaces the derived copies of row schemas with references.
pub(super) fn name_rows(document: &mut OpenApi) {
    let Some(components) = &mut document.components else { return };
    let named: BTreeSet<String> = components.schemas.keys().cloned().collect();
    for (list, schema) in &mut components.schemas {
        let Some(row) = list.strip_prefix(LIST).filter(|row| named.contains(*row)) else { continue };
        let RefOr::T(Schema::Object(list)) = schema else { continue };
        if let Some(RefOr::T(Schema::Array(rows))) = list.properties.get_mut("data") {
            rows.items = ArrayItems::RefOrSchema(Box::new(Ref::from_schema_name(row).into()));
        }
    }
}

/// Makes nullable attributes required in all schemas that no request uses.
pub(super) fn require_what_comes(document: &mut OpenApi) {
    let taken = sent_schemas(document);
    let Some(components) = &mut document.components else { return };
    for (_, schema) in components.schemas.iter_mut().filter(|(name, _)| !taken.contains(*name)) {
        each_object(schema, &mut require);
    }
}

/// Returns the names of all schemas in requests.
fn sent_schemas(document: &OpenApi) -> BTreeSet<String> {
    let operations = document
        .paths
        .paths
        .values()
        .flat_map(|item| [&item.get, &item.post, &item.put, &item.patch, &item.delete].into_iter().flatten());
    let mut next: Vec<Value> =
        operations.map(|operation| json!([operation.request_body, operation.parameters])).collect();
    let schemas = document.components.as_ref().map(|components| &components.schemas);
    let mut taken = BTreeSet::new();
    while let Some(part) = next.pop() {
        match part {
            Value::Object(members) => next.extend(members.into_iter().map(|(_, member)| member)),
            Value::Array(items) => next.extend(items),
            Value::String(text) => {
                let Some(name) = text.strip_prefix("#/components/schemas/") else { continue };
                if taken.insert(name.to_owned()) {
                    next.extend(schemas.and_then(|schemas| schemas.get(name)).map(|schema| json!(schema)));
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    taken
}

fn require(object: &mut Object) {
    for (name, part) in &object.properties {
        if takes_null(part) && !object.required.contains(name) {
            object.required.push(name.clone());
        }
    }
}

fn takes_null(schema: &RefOr<Schema>) -> bool {
    let kinds = match schema {
        RefOr::Ref(_) => return false,
        RefOr::T(Schema::Object(object)) => &object.schema_type,
        RefOr::T(Schema::Array(array)) => &array.schema_type,
        RefOr::T(Schema::OneOf(it)) => return it.items.iter().any(takes_null),
        RefOr::T(_) => return false,
    };
    match kinds {
        SchemaType::Type(kind) => *kind == Type::Null,
        SchemaType::Array(kinds) => kinds.contains(&Type::Null),
        SchemaType::AnyValue => false,
    }
}
