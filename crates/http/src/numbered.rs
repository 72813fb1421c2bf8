//! Events with their positions in the feed.

use serde_json::{Map, Value};
use tidings_domain::events::NumberedEvent;

/// Returns the envelope, with its position first.
pub(crate) fn shown(event: &NumberedEvent) -> Map<String, Value> {
    let envelope: Map<String, Value> = serde_json::from_str(&event.envelope).unwrap_or_default();
    std::iter::once(("position".to_owned(), Value::from(event.position))).chain(envelope).collect()
}
