//! Names that clients depend on do not change by accident: `wire_names.txt` lists the paths, methods, operation IDs,
//! parameters, statuses, fields, enum values and error codes of the document.
//!
//! Texts and names of components may change freely. A new or changed name is an API change: write the file again with
//! `TEST_WRITE_NAMES=1`, review the difference, and describe it in `CHANGELOG.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde_json::Value;
use tidings_domain::events::EventKind;
use tidings_http::problem::Code;

use super::{KEPT, METHODS};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/service/openapi/wire_names.txt");

#[test]
fn names_on_the_wire_do_not_change_by_accident() {
    let now = names(&serde_json::from_str(KEPT).unwrap());
    if std::env::var_os("TEST_WRITE_NAMES").is_some() {
        std::fs::write(FILE, &now).unwrap();
    }
    let before = std::fs::read_to_string(FILE).unwrap();
    let (before, now): (BTreeSet<_>, BTreeSet<_>) = (before.lines().collect(), now.lines().collect());
    let removed: Vec<_> = before.difference(&now).collect();
    let added: Vec<_> = now.difference(&before).collect();
    assert!(
        removed.is_empty() && added.is_empty(),
        "names of the API changed. If that is intended, run this test with TEST_WRITE_NAMES=1.\nremoved: {removed:#?}\nadded: {added:#?}"
    );
}

/// Returns all names of a document, one operation and part per line.
fn names(document: &Value) -> String {
    let mut lines = String::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in METHODS {
            let Some(operation) = item.get(method) else { continue };
            let id = operation["operationId"].as_str().unwrap();
            writeln!(lines, "{id}: {} {path}", method.to_uppercase()).unwrap();
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let parameter = resolved(document, parameter);
                let mut fields = Fields::default();
                fields.add(document, "", &parameter["schema"]);
                let values = fields.0.remove("").unwrap_or_default();
                let (place, name) = (parameter["in"].as_str().unwrap(), parameter["name"].as_str().unwrap());
                writeln!(lines, "{id}: {place} {name}{}", listed(&values)).unwrap();
            }
            for (kind, content) in contents(document, &operation["requestBody"]) {
                writeln!(lines, "{id}: request {kind}{}", fields(document, content)).unwrap();
            }
            for (status, response) in operation["responses"].as_object().unwrap() {
                writeln!(lines, "{id}: {status}").unwrap();
                let is_error = status.parse::<u16>().is_ok_and(|it| it >= 400);
                // All errors have the schema of `Problem`.
                for (kind, content) in contents(document, response).into_iter().filter(|_| !is_error) {
                    writeln!(lines, "{id}: {status} {kind}{}", fields(document, content)).unwrap();
                }
            }
        }
    }
    let problem = fields(document, &document["components"]["schemas"]["Problem"]);
    writeln!(lines, "problem:{problem}").unwrap();
    for code in Code::ALL {
        writeln!(lines, "problem {} {}", code.status().as_u16(), code.as_str()).unwrap();
    }
    for kind in EventKind::ALL {
        let post = &document["webhooks"][kind.as_str()]["post"];
        for (media, content) in contents(document, &post["requestBody"]) {
            writeln!(lines, "event {} {media}{}", kind.as_str(), fields(document, content)).unwrap();
        }
    }
    lines
}

fn resolved<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    match value["$ref"].as_str() {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap(),
        None => value,
    }
}

/// Returns the media types of a body or response, each with its schema.
fn contents<'d>(document: &'d Value, body: &'d Value) -> Vec<(&'d str, &'d Value)> {
    let content = resolved(document, body)["content"].as_object();
    content.into_iter().flatten().map(|(kind, content)| (kind.as_str(), &content["schema"])).collect()
}

/// Returns the names of all fields of a schema at any depth, with enum values.
fn fields(document: &Value, schema: &Value) -> String {
    let mut fields = Fields::default();
    fields.add(document, "", schema);
    fields.0.iter().fold(String::new(), |line, (name, values)| format!("{line} {name}{}", listed(values)))
}

fn listed(values: &BTreeSet<String>) -> String {
    let values: Vec<_> = values.iter().map(String::as_str).collect();
    if values.is_empty() { String::new() } else { format!("={}", values.join("|")) }
}

/// Names of fields with their enum values.
#[derive(Default)]
struct Fields(BTreeMap<String, BTreeSet<String>>, BTreeSet<String>);

impl Fields {
    fn add(&mut self, document: &Value, name: &str, schema: &Value) {
        if let Some(reference) = schema["$ref"].as_str() {
            // A schema may contain itself.
            if self.1.insert(format!("{name} {reference}")) {
                self.add(document, name, resolved(document, schema));
            }
            return;
        }
        let constant = schema.get("const").into_iter();
        for value in schema["enum"].as_array().into_iter().flatten().chain(constant).filter_map(Value::as_str) {
            self.0.entry(name.to_owned()).or_default().insert(value.to_owned());
        }
        for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
            self.0.entry(name.clone()).or_default();
            self.add(document, name, schema);
        }
        let lists = ["oneOf", "anyOf", "allOf", "prefixItems"].map(|list| &schema[list]);
        let parts = lists.into_iter().filter_map(Value::as_array).flatten();
        for part in parts.chain(["items", "additionalProperties"].into_iter().filter_map(|part| schema.get(part))) {
            self.add(document, name, part);
        }
    }
}
