//! The envelopes of deliveries: a schema for each type of event, and `webhooks` of the document.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use tidings_domain::events::{EventKind, LAST_SEEN, Shape};
use utoipa::openapi::path::PathItem;
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{Components, OpenApi, Paths, RefOr};

use super::sharing::component_name;

/// Returns the name of the envelope's schema: `contact.tag_added` becomes `ContactTagAddedEvent`.
pub(crate) fn envelope_name(kind: EventKind) -> String {
    component_name(kind.as_str()) + "Event"
}

pub(super) fn add(document: &mut OpenApi) {
    let components = document.components.get_or_insert_default();
    let snapshots = snapshots(components);
    components.schemas.extend(snapshots);
    let known: Vec<String> = components.schemas.keys().cloned().collect();
    let mut webhooks = Paths::new();
    for kind in EventKind::ALL {
        // Both are valid; a test checks that none is missing.
        if let Ok(schema) = serde_json::from_value::<RefOr<Schema>>(envelope(*kind, &known)) {
            components.schemas.insert(envelope_name(*kind), schema);
        }
        if let Ok(item) = serde_json::from_value::<PathItem>(operation(*kind)) {
            webhooks.paths.insert(kind.as_str().to_owned(), item);
        }
    }
    document.webhooks = Some(webhooks);
}

/// Returns the schemas of objects in events, if they lack an attribute of the object.
fn snapshots(components: &Components) -> Vec<(String, RefOr<Schema>)> {
    let names: BTreeSet<&str> =
        EventKind::ALL.iter().flat_map(|kind| kind.data().parts()).filter_map(|(_, shape)| shape.component()).collect();
    let snapshot = |name: &str| {
        let RefOr::T(Schema::Object(mut object)) = components.schemas.get(name)?.clone() else { return None };
        object.properties.remove(LAST_SEEN)?;
        object.required.retain(|name| name != LAST_SEEN);
        object.description = Some(format!("A `{name}` in an event: without `{LAST_SEEN}`."));
        Some((snapshot_name(name), RefOr::T(Schema::Object(object))))
    };
    names.into_iter().filter_map(snapshot).collect()
}

fn snapshot_name(name: &str) -> String {
    format!("{name}Snapshot")
}

fn envelope(kind: EventKind, known: &[String]) -> Value {
    let text = |description: &str| json!({"type": "string", "description": description});
    let parts: Map<String, Value> =
        kind.data().parts().map(|(name, shape)| (name.to_owned(), part(shape, known))).collect();
    let required: Vec<&str> = kind.data().always().map(|(name, _)| name).collect();
    json!({
        "type": "object",
        "description": format!("Sent after {}. In `thin` payloads, `data` contains only IDs.", kind.happens_when()),
        "required": ["id", "type", "api_version", "timestamp", "workspace_id", "test", "actor", "data"],
        "properties": {
            "id": text("ID of the event, the same on every attempt and replay."),
            "type": {"type": "string", "enum": [kind.as_str()], "description": "Type of the event."},
            "api_version": text("`v1`."),
            "timestamp": {"type": "string", "format": "date-time", "description": "When the event happened."},
            "workspace_id": text("The workspace of the event."),
            "test": {"type": "boolean", "description": "Whether this is a test, or happened in a sandbox."},
            "actor": {"$ref": "#/components/schemas/Actor"},
            "data": {"type": "object", "description": "The event data.", "required": required, "properties": parts},
        },
    })
}

/// Returns the schema of a part: a reference, or an inline schema if the document has none.
fn part(shape: Shape, known: &[String]) -> Value {
    let names = shape.component().map(|name| [snapshot_name(name), name.to_owned()]);
    match names.into_iter().flatten().find(|name| known.contains(name)) {
        Some(name) => json!({"$ref": format!("#/components/schemas/{name}")}),
        None => shape.schema(),
    }
}

fn operation(kind: EventKind) -> Value {
    let header = |name: &str, description: &str| {
        json!({"name": name, "in": "header", "required": true, "description": description,
               "schema": {"type": "string"}})
    };
    let schema = json!({"$ref": format!("#/components/schemas/{}", envelope_name(kind))});
    json!({"post": {
        "tags": ["Webhooks"],
        "operationId": format!("on_{}", kind.as_str().replace('.', "_")),
        "summary": format!("Sent after {}.", kind.happens_when()),
        "parameters": [
            header("webhook-id", "ID of the event. Store it to detect duplicates."),
            header("webhook-timestamp", "Time of the signature of this attempt, in Unix seconds."),
            header("webhook-signature", "`v1,<base64>` for each secret (Standard Webhooks)."),
            header("X-Service-Signature", "`t=<unix seconds>,v1=<hex>` for each secret."),
            header("X-Service-Event", "Type of the event."),
            header("X-Service-Delivery", "ID of the delivery."),
            header("X-Service-Attempt", "Number of the attempt, from 1."),
        ],
        "requestBody": {"required": true, "content": {"application/json": {"schema": schema}}},
        "responses": {"2XX": {"description": "Accepted. Every other response, and none within 15 s, is a failure."}},
    }})
}
