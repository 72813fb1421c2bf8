//! Events with their positions in the feed.

use serde_json::{Map, Value};
use tidings_domain::events::{EventKind, NumberedEvent, Shape};

/// Returns the envelope, with its position first.
pub(crate) fn feed_event(event: &NumberedEvent) -> Map<String, Value> {
    let envelope: Map<String, Value> = serde_json::from_str(&event.envelope).unwrap_or_default();
    std::iter::once(("position".to_owned(), Value::from(event.position))).chain(envelope).collect()
}

/// Returns the event for credentials with read access only, if it differs: the configuration of a channel contains
/// addresses.
pub(crate) fn without_addresses(event: &Map<String, Value>) -> Option<Map<String, Value>> {
    let kind = event.get("type").and_then(Value::as_str).and_then(EventKind::parse);
    kind.filter(|kind| kind.data().object == Shape::Channel)?;
    let mut event = event.clone();
    let config = event.get_mut("data").and_then(|data| data.pointer_mut("/object/config"));
    if let Some(Value::Object(config)) = config {
        config.retain(|name, _| name == "url");
        config.values_mut().for_each(|url| *url = Value::Null);
    }
    Some(event)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn hides_channel_urls_from_readers() {
        let event = |kind: &str| {
            let event = json!({"type": kind, "data": {"object": {"config": {"url": "https://example.com/token"}}}});
            event.as_object().and_then(without_addresses)
        };
        let hidden = json!({"type": "channel.connected", "data": {"object": {"config": {"url": null}}}});
        assert_eq!(event("channel.connected").map(Value::Object), Some(hidden));
        assert_eq!(event("contact.created"), None, "attributes of a contact are not hidden");
    }
}
