//! Tests of the document against the table of routes.

use std::collections::{BTreeSet, HashSet};

use serde_json::{Value, json};
use tidings_domain::channels::ChannelType;
use tidings_domain::events::EventKind;

use crate::routes::{BodyKind, ROUTES, resources};

mod channel_types;
mod handlers;

fn document() -> Value {
    described(&[])
}

fn described(channel_types: &[&'static ChannelType]) -> Value {
    serde_json::to_value(super::openapi(channel_types)).unwrap()
}

fn resolve<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value.get("$ref").and_then(Value::as_str) {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap_or_else(|| panic!("{reference}")),
        None => value,
    }
}

#[test]
fn documents_exactly_the_routes() {
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
fn paths_are_unique_in_the_table() {
    let paths: HashSet<_> = resources().map(|resource| resource.path()).collect();
    assert_eq!(paths.len(), resources().count());
}

#[test]
fn operations_match_the_table_of_routes() {
    let document = document();
    let mut names = HashSet::new();
    for route in ROUTES {
        let operation = &document["paths"][route.path][route.method.as_str().to_lowercase()];
        assert_eq!(operation["operationId"], route.operation_id);
        assert!(names.insert(route.operation_id), "{}", route.operation_id);
        assert_eq!(operation["x-required-scope"], route.scope.as_str(), "{}", route.path);
        let schemes = operation["security"].as_array().unwrap();
        let takes = |scheme: &str| schemes.iter().any(|it| it.get(scheme).is_some());
        assert_eq!(takes("api_key"), route.scope.required().is_some(), "{}", route.path);
        assert_eq!(takes("access_token"), !route.scope.is_open() || route.traits.invites, "{}", route.path);
        assert_eq!(operation.get("requestBody").is_some(), route.traits.body != BodyKind::None, "{}", route.path);
        let body = operation.pointer("/requestBody/required").and_then(Value::as_bool).unwrap_or(false);
        assert_eq!(
            body,
            matches!(route.traits.body, BodyKind::Required | BodyKind::Table | BodyKind::File),
            "{}",
            route.path
        );
        let merge = operation.pointer("/requestBody/content/application~1merge-patch+json");
        assert_eq!(merge.is_some(), route.traits.merge_patch, "{}", route.path);
    }
}

#[test]
fn titles_of_operations_are_unique_and_have_no_full_stop() {
    let document = document();
    let mut titles = HashSet::new();
    let paths = ["paths", "webhooks"].into_iter().flat_map(|part| document[part].as_object().unwrap());
    for (path, item) in paths {
        for (method, operation) in item.as_object().unwrap() {
            let title = operation["summary"].as_str().unwrap_or_else(|| panic!("{method} {path}"));
            assert!(!title.is_empty() && !title.ends_with('.'), "{method} {path}: {title}");
            assert!(titles.insert(title), "{method} {path}: {title}");
        }
    }
    let of = |method: &str| &document["paths"]["/api/v1/contacts/{id}"][method]["summary"];
    assert_eq!((of("put"), of("patch")), (&json!("Update a contact with PUT"), &json!("Update a contact")));
}

#[test]
fn describes_every_response_and_the_form_of_problems() {
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
fn describes_every_path_parameter() {
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
        let queried = parameters.iter().any(|parameter| resolve(&document, parameter)["name"] == "cursor");
        assert_eq!(queried, route.traits.query, "{}", route.path);
        let counted = parameters.iter().any(|parameter| resolve(&document, parameter)["name"] == "include");
        assert_eq!(counted, route.traits.is_counted(), "{}", route.path);
    }
}

/// A new list is counted, or is one of these, which only grow.
#[test]
fn every_other_list_has_a_total() {
    let uncounted = ROUTES.iter().filter(|route| route.traits.query && !route.traits.is_counted());
    let names: Vec<_> = uncounted.map(|route| route.operation_id).collect();
    let expected = [
        "list_contact_timeline",
        "list_broadcast_recipients",
        "list_deliveries",
        "list_platform_audit_log",
        "list_audit_log",
        "list_usage",
        "summarise_usage",
    ];
    assert_eq!(names, expected);
}

#[test]
fn documents_a_webhook_for_every_event_type() {
    let document = document();
    assert_eq!(document["webhooks"].as_object().unwrap().len(), EventKind::ALL.len());
    for kind in EventKind::ALL {
        let operation = &document["webhooks"][kind.as_str()]["post"];
        assert!(operation["operationId"].as_str().is_some_and(|it| it.starts_with("on_")), "{}", kind.as_str());
        assert!(operation["responses"]["2XX"]["description"].is_string());
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        let envelope = resolve(&document, schema);
        assert_eq!(envelope["properties"]["type"]["enum"], json!([kind.as_str()]));
        for (part, _) in kind.data().parts() {
            assert!(envelope["properties"]["data"]["properties"][part].is_object(), "{} {part}", kind.as_str());
        }
    }
    let tagged = &document["components"]["schemas"]["ContactTagAddedEvent"]["properties"]["data"]["properties"];
    assert_eq!(tagged["object"]["$ref"], "#/components/schemas/ContactSnapshot");
    assert_eq!(tagged["tag"]["$ref"], "#/components/schemas/TagLinkView");
    let updated = &document["components"]["schemas"]["ContactUpdatedEvent"]["properties"]["data"];
    assert_eq!(updated["properties"]["merged"]["properties"]["id"]["type"], "string");
    assert_eq!(updated["required"], json!(["object", "previous"]), "not every change is a merge");
}

#[test]
fn forbids_unknown_fields_in_bodies() {
    let document = document();
    for route in ROUTES.iter().filter(|route| route.traits.body.is_json()) {
        let operation = &document["paths"][route.path][route.method.as_str().to_lowercase()];
        let schema = resolve(&document, &operation["requestBody"]["content"]["application/json"]["schema"]);
        let objects = schema["oneOf"].as_array().cloned().unwrap_or_else(|| vec![schema.clone()]);
        for object in objects {
            assert_eq!(resolve(&document, &object)["additionalProperties"], false, "{}", route.path);
        }
    }
}

#[test]
fn resolves_every_reference() {
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

const LEFT_OUT: [(&str, &str); 47] = [
    ("Actor", "id"),
    ("ApiRequestError", "parameter"),
    ("ApiRequestError", "pointer"),
    ("BulkAction", "value"),
    ("Channel", "health"),
    ("Channel", "inbound_path"),
    ("Channel", "inbound_url"),
    ("Channel", "secret"),
    ("Channel", "secrets"),
    ("Message", "answers_to"),
    ("Message", "html"),
    ("Message", "subject"),
    ("Message", "text_full"),
    ("MessageAttachment", "error"),
    ("MessageAttachment", "media_id"),
    ("MessageAttachment", "status"),
    ("MessageError", "http_status"),
    ("MessageError", "part"),
    ("MessageError", "provider_code"),
    ("SimulatedMessage", "subject"),
    ("CheckView", "detail"),
    ("ContactDeletedEvent", "merged_into"),
    ("ContactUpdatedEvent", "merged"),
    ("CreatedContact", "still_opted_out"),
    ("FailedExpectation", "params"),
    ("FieldError", "parameter"),
    ("FieldError", "params"),
    ("FieldError", "pointer"),
    ("Finding", "params"),
    ("List", "total"),
    ("List", "total_is_capped"),
    ("OutcomePart", "params"),
    ("Problem", "errors"),
    ("Problem", "existing_id"),
    ("Problem", "hint"),
    ("Problem", "merged_into"),
    ("Problem", "missing"),
    ("Problem", "instance"),
    ("Problem", "provider_code"),
    ("Problem", "required_role"),
    ("Problem", "required_scope"),
    ("Problem", "step"),
    ("ShownBroadcast", "lost_references"),
    ("ShownFlow", "lost_references"),
    ("ShownSegment", "lost_references"),
    ("ShownSequence", "lost_references"),
    ("Tokens", "refresh_token"),
];

/// Attributes of request bodies that are also in responses. Requests may omit them, so the shared schema does not
/// require them.
const OF_BODIES: [(&str, &str); 27] = [
    ("Attachment", "media_id"),
    ("Attachment", "mime_type"),
    ("Attachment", "name"),
    ("Attachment", "url"),
    ("ConditionComparison", "value"),
    ("FieldValidation", "max"),
    ("FieldValidation", "max_length"),
    ("FieldValidation", "min"),
    ("FieldValidation", "pattern"),
    ("MessageContent", "attachments"),
    ("MessageContent", "fallback"),
    ("MessageContent", "quick_replies"),
    ("MessageContent", "subject"),
    ("MessageContent", "template"),
    ("MessageContent", "text"),
    ("MessageTemplate", "language"),
    ("MessageTemplate", "parameters"),
    ("QuickReply", "payload"),
    ("Referral", "ad_id"),
    ("Referral", "headline"),
    ("Referral", "ref"),
    ("Referral", "url"),
    ("SendWindow", "days"),
    ("SendWindow", "from"),
    ("SendWindow", "time_zone"),
    ("SendWindow", "to"),
    ("SequenceStep", "window"),
];

/// Visits the members of all objects below a part of the document. Follows references, each schema once; `at` is the
/// name of the schema that contains the part.
fn members<'a>(
    document: &'a Value,
    part: &'a Value,
    at: &str,
    seen: &mut BTreeSet<String>,
    visit: &mut impl FnMut(&str, &str, &'a Value, bool),
) {
    if let Some(name) = part["$ref"].as_str().and_then(|it| it.strip_prefix("#/components/schemas/")) {
        if seen.insert(name.to_owned()) {
            members(document, resolve(document, part), name, seen, visit);
        }
        return;
    }
    let required = part["required"].as_array().cloned().unwrap_or_default();
    for (name, member) in part["properties"].as_object().into_iter().flatten() {
        visit(at, name, member, required.contains(&json!(name)));
    }
    match part {
        Value::Object(fields) => fields.values().for_each(|it| members(document, it, at, seen, visit)),
        Value::Array(items) => items.iter().for_each(|it| members(document, it, at, seen, visit)),
        _ => {}
    }
}

#[test]
fn attributes_of_answers_are_required_or_listed_as_optional() {
    let document = document();
    // A published definition has the optional fields of the request.
    let (mut optional, mut seen) = (BTreeSet::new(), BTreeSet::from(["FlowDefinition".to_owned()]));
    let mut note = |schema: &str, name: &str, member: &Value, required: bool| {
        let of_body = OF_BODIES.contains(&(schema, name));
        let takes_null = member.to_string().contains(r#""null""#);
        assert!(required || of_body || !takes_null, "{schema}.{name} is optional, so it must not accept null");
        if !required && !of_body {
            optional.insert((schema.split('_').next().unwrap().to_owned(), name.to_owned()));
        }
    };
    for route in ROUTES {
        let operation = &document["paths"][route.path][route.method.as_str().to_lowercase()];
        for response in operation["responses"].as_object().unwrap().values() {
            let content = &resolve(&document, response)["content"];
            members(&document, content, route.path, &mut seen, &mut note);
        }
    }
    for kind in EventKind::ALL {
        let body = &document["webhooks"][kind.as_str()]["post"]["requestBody"];
        members(&document, body, kind.as_str(), &mut seen, &mut note);
    }
    assert!(["Contact", "FlowRun", "ApiKey", "MessageReceivedEvent"].iter().all(|name| seen.contains(*name)));
    let left_out = LEFT_OUT.map(|(schema, name)| (schema.to_owned(), name.to_owned()));
    assert_eq!(optional, BTreeSet::from(left_out));
}

#[test]
fn requires_no_unchanged_attributes_in_bodies() {
    let document = document();
    for (body, attribute) in [("UpdateContact", "email"), ("CreateContact", "locale"), ("UpdateTag", "color")] {
        let schema = &document["components"]["schemas"][body];
        assert!(schema["properties"][attribute].is_object(), "{body}");
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        assert!(!required.contains(&json!(attribute)), "{body}.{attribute}");
    }
}

#[test]
fn rows_of_lists_have_a_named_schema() {
    let document = document();
    let lists = document["components"]["schemas"].as_object().unwrap().iter();
    let lists: Vec<_> = lists.filter_map(|(name, schema)| Some((name.strip_prefix("List_")?, schema))).collect();
    assert!(lists.len() > 15);
    for (row, list) in lists {
        let items = json!({"$ref": format!("#/components/schemas/{row}")});
        assert_eq!(list["properties"]["data"]["items"], items, "{row}");
    }
}
