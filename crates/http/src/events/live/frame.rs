//! The format of a stream: server-sent events (HTML standard, section 9.2).

use std::time::Duration;

use bytes::Bytes;
use serde_json::{Map, Value, json};
use tidings_domain::access::{Access, Scope};
use tidings_domain::events::NumberedEvent;
use tidings_domain::hints::{Audience, Hint};

use crate::events::feed_event::{feed_event, without_addresses};

/// An example of a stream for the OpenAPI document.
pub(crate) const EXAMPLE: &str = "retry: 2871\n\nid: 41\nevent: ready\ndata: {\"position\":41}\n\nid: 42\nevent: \
    contact.created\ndata: {\"position\":42,\"id\":\"evt_01h455vb4pex5vsknk084sn02q\",\"type\":\"contact.created\",…}\n\n\
    event: changed\ndata: {\"changed\":{\"type\":\"conversation\",\"id\":\"conv_01h455vb4pex5vsknk084sn02q\",\
    \"version\":3}}\n\n:\n\n";

/// A comment that keeps the connection alive.
pub(super) const HEARTBEAT: Bytes = Bytes::from_static(b":\n\n");

/// An event or hint, serialized once for all streams.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    /// The position of the event in the feed; `None` for a hint.
    pub(super) position: Option<i64>,
    pub(super) audience: Audience,
    pub(super) bytes: Bytes,
    /// The form for credentials with read access only, if it differs.
    pub(super) for_readers: Option<Bytes>,
}

impl Frame {
    pub(super) fn event(event: &NumberedEvent) -> Self {
        let data = feed_event(event);
        let kind = data.get("type").and_then(Value::as_str).unwrap_or("event").to_owned();
        let write = |data: Map<String, Value>| {
            let data = Value::from(data);
            Bytes::from(format!("id: {}\nevent: {kind}\ndata: {data}\n\n", event.position))
        };
        let for_readers = without_addresses(&data).map(write);
        Self { position: Some(event.position), audience: Audience::Read, bytes: write(data), for_readers }
    }

    pub(super) fn hint(hint: &Hint) -> Self {
        Self {
            position: None,
            audience: hint.kind.audience(),
            bytes: format!("event: changed\ndata: {}\n\n", json!(hint)).into(),
            for_readers: None,
        }
    }

    /// Returns the form that this credential may see.
    pub(super) fn shown_to(&self, access: &Access) -> &Bytes {
        let for_readers = self.for_readers.as_ref().filter(|_| !access.allows(Scope::Write));
        for_readers.unwrap_or(&self.bytes)
    }
}

/// Returns the first frame of a stream: the retry time.
pub(super) fn opening(retry: Duration) -> Bytes {
    format!("retry: {}\n\n", retry.as_millis()).into()
}

/// Returns the frame that reports that the client has all events up to this position; live events follow.
pub(super) fn ready(position: i64) -> Bytes {
    format!("id: {position}\nevent: ready\ndata: {}\n\n", json!({"position": position})).into()
}

/// The reason why a stream ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Shutdown,
    Unauthorized,
    /// Its permissions changed since the stream was opened.
    AccessChanged,
    Slow,
    /// The feed is behind its reader, as after a restore of the store.
    Reset,
    Unavailable,
    /// The client closed its side. It gets no frame.
    Gone,
}

impl End {
    fn as_str(self) -> &'static str {
        match self {
            Self::Shutdown => "shutdown",
            Self::Unauthorized => "unauthorized",
            Self::AccessChanged => "access_changed",
            Self::Slow => "slow",
            Self::Reset => "reset",
            Self::Unavailable => "unavailable",
            Self::Gone => "gone",
        }
    }

    fn detail(self) -> &'static str {
        match self {
            Self::Shutdown => {
                "The server is stopping. Open the stream again; another server or the restarted one continues it."
            }
            Self::Unauthorized => "The credential is no longer valid.",
            Self::AccessChanged => "The access of the credential changed. Open the stream again.",
            Self::Slow => "The client is too slow. Open the stream again with `Last-Event-ID`, and read faster.",
            Self::Reset => "The feed was reset. Open the stream without `Last-Event-ID`, and reload your data.",
            Self::Unavailable => "The database cannot be reached. Open the stream again with `Last-Event-ID`.",
            Self::Gone => "The client closed the connection.",
        }
    }

    /// Returns the last frame of a stream.
    pub(super) fn into_last_frame(self, retry: Duration) -> Bytes {
        let data = json!({"reason": self.as_str(), "detail": self.detail()});
        format!("retry: {}\nevent: end\ndata: {data}\n\n", retry.as_millis()).into()
    }
}

#[cfg(test)]
mod tests {
    use tidings_domain::hints::ChangedKind;
    use tidings_domain::ids::{KeyId, TypedId, WorkspaceId};
    use uuid::Uuid;

    use super::*;

    #[test]
    fn writes_an_event_as_one_block() {
        let envelope =
            json!({"id": "evt_1", "type": "contact.created", "data": {"object": {"first_name": "a\nb\r\n\nid: 9"}}});
        let frame = Frame::event(&NumberedEvent { position: 7, envelope: envelope.to_string() });
        let text = String::from_utf8(frame.bytes.to_vec()).unwrap();
        let lines: Vec<&str> = text.split('\n').collect();
        assert_eq!(lines.len(), 5, "{text}");
        assert_eq!((lines[0], lines[1], lines[3]), ("id: 7", "event: contact.created", ""));
        let data: Value = serde_json::from_str(lines[2].strip_prefix("data: ").unwrap()).unwrap();
        assert_eq!((&data["position"], &data["data"]), (&json!(7), &envelope["data"]));
        assert!(!text.contains('\r'));
    }

    #[test]
    fn hides_channel_urls_from_readers() {
        let envelope =
            json!({"type": "channel.connected", "data": {"object": {"config": {"url": "https://a.example/t"}}}});
        let frame = Frame::event(&NumberedEvent { position: 7, envelope: envelope.to_string() });
        let workspace = WorkspaceId::from_uuid(Uuid::from_u128(1));
        let shown = |scope| {
            let access = Access::of_key(workspace, KeyId::from_uuid(Uuid::from_u128(2)), scope);
            String::from_utf8(frame.shown_to(&access).to_vec()).unwrap()
        };
        assert!(shown(Scope::Read).contains(r#""config":{"url":null}"#));
        assert!(shown(Scope::Read).starts_with("id: 7\nevent: channel.connected\ndata: "));
        for scope in [Scope::Write, Scope::Full] {
            assert!(shown(scope).contains("https://a.example/t"));
        }
    }

    #[test]
    fn sends_hints_without_id_to_the_audience_of_the_object() {
        let hint = Hint { kind: ChangedKind::Webhook, id: Some("hook_1".to_owned()), version: Some(2) };
        let frame = Frame::hint(&hint);
        assert_eq!((frame.position, frame.audience), (None, Audience::Full));
        let expected = "event: changed\ndata: {\"changed\":{\"type\":\"webhook\",\"id\":\"hook_1\",\"version\":2}}\n\n";
        assert_eq!(frame.bytes, expected);
        let frame = Frame::hint(&Hint::several(ChangedKind::Request));
        let expected = "event: changed\ndata: {\"changed\":{\"type\":\"request\",\"id\":null,\"version\":null}}\n\n";
        assert_eq!((frame.audience, &*frame.bytes), (Audience::Admins, expected.as_bytes()));
    }
}
