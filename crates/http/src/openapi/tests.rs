//! The document against the table of routes.

use std::collections::{BTreeSet, HashSet};

use serde_json::Value;

use crate::routes::{BodyKind, ROUTES, resources};

fn document() -> Value {
    serde_json::to_value(super::openapi()).unwrap()
}

/// Follows a reference inside the document.
fn resolve<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value.get("$ref").and_then(Value::as_str) {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap_or_else(|| panic!("{reference}")),
        None => value,
    }
}

#[test]
fn every_route_is_documented_once_and_nothing_else_is() {
    let document = document();
    let documented: BTreeSet<(String, String)> = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, item)| item.as_object().unwrap().keys().map(|method| (path.clone(), method.to_uppercase())))
        .collect();
    let routes: Vec<_> = ROUTES.iter().map(|it| (it.path.to_owned(), it.method.to_string())).collect();
    assert_eq!(routes.len(), documented.len());
    assert_eq!(routes.into_iter().collect::<BTreeSet<_>>(), documented);
}

#[test]
fn a_path_stands_in_the_table_once() {
    let paths: HashSet<_> = resources().map(|resource| resource.path()).collect();
    assert_eq!(paths.len(), resources().count());
}

#[test]
fn operations_carry_what_the_table_says() {
    let document = document();
    let mut names = HashSet::new();
    for route in ROUTES {
        let operation = &document["paths"][route.path][route.method.as_str().to_lowercase()];
        assert_eq!(operation["operationId"], route.operation_id);
        assert!(names.insert(route.operation_id), "{}", route.operation_id);
        let scope = route.scope.required();
        assert_eq!(operation["x-required-scope"], scope.map_or("none", |scope| scope.as_str()), "{}", route.path);
        assert_eq!(operation["security"].as_array().unwrap().is_empty(), scope.is_none(), "{}", route.path);
        assert_eq!(operation.get("requestBody").is_some(), route.traits.body != BodyKind::None, "{}", route.path);
        let body = operation.pointer("/requestBody/required").and_then(Value::as_bool).unwrap_or(false);
        assert_eq!(body, route.traits.body == BodyKind::Required, "{}", route.path);
        let merge = operation.pointer("/requestBody/content/application~1merge-patch+json");
        assert_eq!(merge.is_some(), route.traits.merge_patch, "{}", route.path);
        assert!(operation["summary"].as_str().is_some_and(|it| it.ends_with('.')), "{}", route.path);
    }
}

#[test]
fn every_response_has_a_description_and_every_problem_its_form() {
    let document = document();
    for route in ROUTES {
        let operation = &document["paths"][route.path][route.method.as_str().to_lowercase()];
        for (status, response) in operation["responses"].as_object().unwrap() {
            let response = resolve(&document, response);
            assert!(response["description"].as_str().is_some_and(|it| !it.is_empty()), "{} {status}", route.path);
            let headers = response["headers"].as_object().unwrap();
            for header in headers.values() {
                assert!(resolve(&document, header)["description"].is_string());
            }
            if status.as_str() >= "400" {
                assert!(response["content"]["application/problem+json"].is_object(), "{} {status}", route.path);
            }
        }
    }
}

#[test]
fn every_parameter_of_a_path_is_described() {
    let document = document();
    for route in ROUTES {
        let operation = &document["paths"][route.path][route.method.as_str().to_lowercase()];
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        let in_path: BTreeSet<_> = parameters
            .iter()
            .map(|parameter| resolve(&document, parameter))
            .filter(|parameter| parameter["in"] == "path")
            .map(|parameter| parameter["name"].as_str().unwrap().to_owned())
            .collect();
        let in_template =
            route.path.split('/').filter_map(|it| it.strip_prefix('{')?.strip_suffix('}')).map(ToOwned::to_owned);
        assert_eq!(in_path, in_template.collect::<BTreeSet<_>>(), "{}", route.path);
        let queried = parameters.iter().any(|parameter| parameter["name"] == "cursor");
        assert_eq!(queried, route.traits.query, "{}", route.path);
    }
}

#[test]
fn bodies_take_no_unknown_fields() {
    let document = document();
    for route in ROUTES.iter().filter(|route| route.traits.body != BodyKind::None) {
        let operation = &document["paths"][route.path][route.method.as_str().to_lowercase()];
        let schema = resolve(&document, &operation["requestBody"]["content"]["application/json"]["schema"]);
        assert_eq!(schema["additionalProperties"], false, "{}", route.path);
    }
}

#[test]
fn every_reference_leads_somewhere() {
    fn visit(document: &Value, value: &Value) {
        match value {
            Value::Object(fields) => {
                resolve(document, value);
                fields.values().for_each(|field| visit(document, field));
            }
            Value::Array(items) => items.iter().for_each(|item| visit(document, item)),
            _ => {}
        }
    }
    let document = document();
    visit(&document, &document);
}
