//! The envelope of an event after its contact was erased.

use serde_json::{Map, Value, json};

/// Returns the envelope without its data: only the metadata and the ID of the object, marked as `erased`. A text that
/// is not an envelope becomes an empty one.
pub fn erased(envelope: &str) -> String {
    const KEPT: [&str; 7] = ["id", "type", "api_version", "timestamp", "workspace_id", "test", "actor"];
    let read: Map<String, Value> = serde_json::from_str(envelope).unwrap_or_default();
    let object = read.get("data").and_then(|data| data.get("object"));
    let id = object.and_then(|object| object.get("id")).filter(|id| id.is_string()).cloned();
    let mut left: Map<String, Value> = read.into_iter().filter(|(name, _)| KEPT.contains(&name.as_str())).collect();
    left.insert("data".to_owned(), json!({"object": {"id": id, "erased": true}}));
    Value::Object(left).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn erases_the_data_but_keeps_type_time_and_id() {
        let envelope = json!({
            "id": "evt_1", "type": "message.received", "api_version": "v1", "timestamp": "2026-01-01T00:00:00.000Z",
            "workspace_id": "ws_1", "test": false, "actor": {"type": "contact", "id": "contact_1"},
            "data": {
                "object": {"id": "msg_1", "text": "secret", "provider_message_id": "351900000000:7"},
                "contact": {"id": "contact_1", "external_id": "jane"},
            },
        });
        let left: Value = serde_json::from_str(&erased(&envelope.to_string())).unwrap();
        assert_eq!(left["data"], json!({"object": {"id": "msg_1", "erased": true}}));
        assert_eq!((&left["type"], &left["id"]), (&json!("message.received"), &json!("evt_1")));
        assert_eq!(left.as_object().unwrap().len(), 8);
        let left: Value = serde_json::from_str(&erased("no JSON, secret")).unwrap();
        assert_eq!(left, json!({"data": {"object": {"id": null, "erased": true}}}));
    }
}
