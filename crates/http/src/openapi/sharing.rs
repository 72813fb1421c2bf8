//! Moves parameters that many operations share into components.

use std::collections::BTreeMap;

use serde_json::json;
use utoipa::openapi::path::Parameter;
use utoipa::openapi::{OpenApi, Ref, RefOr};

use super::visit::each_operation;

/// The minimum number of operations.
const MANY: usize = 3;

/// Moves the parameters of many operations into components. A name with several meanings, such as `id`, stays inline.
pub(super) fn name_parameters(document: &mut OpenApi) {
    let mut counted: BTreeMap<String, Vec<(Parameter, usize)>> = BTreeMap::new();
    for parameter in each_operation(document).flat_map(|operation| operation.parameters.iter().flatten()) {
        let RefOr::T(parameter) = parameter else { continue };
        let variants = counted.entry(component_name(&parameter.name)).or_default();
        match variants.iter_mut().find(|(known, _)| json!(known) == json!(parameter)) {
            Some((_, count)) => *count += 1,
            None => variants.push((parameter.clone(), 1)),
        }
    }
    let mut named = BTreeMap::new();
    for (name, variants) in counted {
        let mut often = variants.into_iter().filter(|(_, count)| *count >= MANY).map(|(parameter, _)| parameter);
        if let (Some(parameter), None) = (often.next(), often.next()) {
            named.insert(name, parameter);
        }
    }
    for parameter in each_operation(document).flat_map(|operation| operation.parameters.iter_mut().flatten()) {
        let RefOr::T(own) = &*parameter else { continue };
        let name = component_name(&own.name);
        if named.get(&name).is_some_and(|shared| json!(shared) == json!(own)) {
            *parameter = RefOr::Ref(Ref::new(format!("#/components/parameters/{name}")));
        }
    }
    let components = document.components.get_or_insert_default();
    components.parameters.extend(named.into_iter().map(|(name, parameter)| (name, parameter.into())));
}

/// Returns the name of a component: `X-Service-Event` becomes `XServiceEvent`, `contact.tag_added` `ContactTagAdded`.
pub(super) fn component_name(name: &str) -> String {
    let words = name.split(['-', '_', '.']).map(|word| {
        let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        first.to_ascii_uppercase() + rest
    });
    words.collect()
}
