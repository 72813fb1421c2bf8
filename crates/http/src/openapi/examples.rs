//! Recorded examples of bodies and responses.
//!
//! `examples.json` contains them by schema. `tests/service/openapi.rs` records them, and checks them against their schemas.

use std::collections::BTreeMap;

use serde_json::Value;
use utoipa::openapi::example::Example;
use utoipa::openapi::{Content, OpenApi, Ref, RefOr};

use super::visit::each_operation;

const KEPT: &str = include_str!("examples.json");
/// The name of each example.
const NAME: &str = "default";

/// Adds the examples to all bodies and responses.
pub(super) fn add(document: &mut OpenApi) {
    let kept: BTreeMap<String, Value> = serde_json::from_str(KEPT).unwrap_or_default();
    for operation in each_operation(document) {
        if let Some(RefOr::T(body)) = &mut operation.request_body {
            body.content.values_mut().for_each(|content| name_in(content, &kept));
        }
        for (_, response) in operation.responses.responses.iter_mut().filter(|(status, _)| status.starts_with('2')) {
            if let RefOr::T(response) = response {
                response.content.values_mut().for_each(|content| name_in(content, &kept));
            }
        }
    }
    let components = document.components.get_or_insert_default();
    for (name, value) in kept {
        let mut example = Example::new();
        example.value = Some(value);
        components.examples.insert(name, RefOr::T(example));
    }
}

fn name_in(content: &mut RefOr<Content>, kept: &BTreeMap<String, Value>) {
    let RefOr::T(content) = content else { return };
    let Some(RefOr::Ref(schema)) = &content.schema else { return };
    let name = schema.ref_location.strip_prefix("#/components/schemas/").filter(|name| kept.contains_key(*name));
    if let Some(name) = name {
        let example = Ref::new(format!("#/components/examples/{name}"));
        content.examples.insert(NAME.to_owned(), RefOr::Ref(example));
    }
}
