//! Digests of events of providers. The store recognizes repeated events by them.

use ring::digest::{SHA256, digest};
use tidings_domain::conversations::EventDigest;

/// Returns the digest of the provider's ID of an event.
pub(crate) fn event_digest(id: &str) -> EventDigest {
    let mut all = EventDigest::default();
    all.copy_from_slice(digest(&SHA256, id.as_bytes()).as_ref());
    all
}
