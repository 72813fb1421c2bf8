//! The state that the streams of a workspace share.

use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::{Bytes, BytesMut};
use tidings_domain::access::Access;
use tokio::sync::watch;

use super::frame::{End, Frame};
use super::ring::Ring;

/// The approximate number of bytes that a stream reads at once.
const AT_ONCE: usize = 64 * 1_024;

#[derive(Debug)]
pub(super) struct Topic {
    shared: Mutex<Shared>,
    /// Notifies the streams of new frames.
    news: watch::Sender<()>,
}

#[derive(Debug, Default)]
struct Shared {
    ring: Ring,
    end: Option<End>,
}

/// The position of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StreamPosition {
    /// The number of the next frame.
    pub(super) next: u64,
    /// The position of the last sent event.
    pub(super) position: i64,
}

/// The news for a stream.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum News {
    Some(Bytes),
    Nothing,
    /// Frames were removed before the stream read them.
    Missed,
    End(End),
}

impl Topic {
    pub(super) fn new() -> Self {
        Self { shared: Mutex::default(), news: watch::Sender::new(()) }
    }

    pub(super) fn push(&self, frames: impl IntoIterator<Item = Frame>) {
        let mut shared = self.lock();
        frames.into_iter().for_each(|frame| shared.ring.push(frame));
        drop(shared);
        self.news.send_replace(());
    }

    /// Ends all streams of the workspace.
    pub(super) fn end(&self, end: End) {
        self.lock().end.get_or_insert(end);
        self.news.send_replace(());
    }

    pub(super) fn has_ended(&self) -> bool {
        self.lock().end.is_some()
    }

    pub(super) fn next(&self) -> u64 {
        self.lock().ring.next()
    }

    pub(super) fn news(&self) -> watch::Receiver<()> {
        self.news.subscribe()
    }

    /// Returns the next frames for a stream with this access, each event once.
    pub(super) fn take(&self, cursor: &mut StreamPosition, access: &Access) -> News {
        let shared = self.lock();
        if let Some(end) = shared.end {
            return News::End(end);
        }
        let Some(frames) = shared.ring.since(cursor.next) else { return News::Missed };
        let mut taken: Vec<&Bytes> = Vec::new();
        let mut bytes = 0;
        for frame in frames {
            if bytes >= AT_ONCE {
                break;
            }
            cursor.next += 1;
            let is_had = frame.position.is_some_and(|position| position <= cursor.position);
            if is_had || !frame.audience.includes(access) {
                continue;
            }
            cursor.position = frame.position.unwrap_or(cursor.position);
            let shown = frame.shown_to(access);
            bytes += shown.len();
            taken.push(shown);
        }
        match taken.as_slice() {
            [] => News::Nothing,
            [one] => News::Some(Bytes::clone(one)),
            several => {
                let mut all = BytesMut::with_capacity(bytes);
                several.iter().for_each(|it| all.extend_from_slice(it));
                News::Some(all.freeze())
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use tidings_domain::access::{Role, Scope};
    use tidings_domain::hints::Audience;
    use tidings_domain::ids::{KeyId, TypedId, UserId, WorkspaceId};
    use uuid::Uuid;

    use super::*;

    fn frame(position: Option<i64>, audience: Audience, text: &'static str) -> Frame {
        Frame { position, audience, bytes: Bytes::from_static(text.as_bytes()), for_readers: None }
    }

    fn workspace() -> WorkspaceId {
        WorkspaceId::from_uuid(Uuid::from_u128(1))
    }

    fn key(scope: Scope) -> Access {
        Access::of_key(workspace(), KeyId::from_uuid(Uuid::from_u128(2)), scope)
    }

    #[test]
    fn returns_only_new_frames_that_the_reader_may_see() {
        let topic = Topic::new();
        let mut cursor = StreamPosition { next: topic.next(), position: 7 };
        assert_eq!(topic.take(&mut cursor, &key(Scope::Read)), News::Nothing);
        topic.push([
            frame(Some(7), Audience::Read, "seven "),
            frame(Some(8), Audience::Read, "eight "),
            frame(None, Audience::Full, "hook "),
            frame(None, Audience::Admins, "request "),
            frame(None, Audience::Read, "tag "),
        ]);
        let (mut other, mut third) = (cursor, cursor);
        assert_eq!(topic.take(&mut cursor, &key(Scope::Write)), News::Some(Bytes::from_static(b"eight tag ")));
        assert_eq!(cursor, StreamPosition { next: 5, position: 8 });
        assert_eq!(topic.take(&mut cursor, &key(Scope::Write)), News::Nothing);
        assert_eq!(topic.take(&mut other, &key(Scope::Full)), News::Some(Bytes::from_static(b"eight hook tag ")));
        let owner = Access::of_user(workspace(), UserId::from_uuid(Uuid::from_u128(3)), Role::Owner);
        assert_eq!(topic.take(&mut third, &owner), News::Some(Bytes::from_static(b"eight hook request tag ")));
    }

    #[test]
    fn reports_missed_frames_and_the_end() {
        let topic = Topic::new();
        let mut cursor = StreamPosition { next: 0, position: 0 };
        topic.push((1..=2_000).map(|it| frame(Some(it), Audience::Read, "x")));
        assert_eq!(topic.take(&mut cursor, &key(Scope::Read)), News::Missed);
        let mut late = StreamPosition { next: topic.next(), position: 2_000 };
        assert_eq!(topic.take(&mut late, &key(Scope::Read)), News::Nothing);
        topic.end(End::Reset);
        topic.end(End::Unavailable);
        assert_eq!(topic.take(&mut late, &key(Scope::Read)), News::End(End::Reset));
    }

    #[test]
    fn returns_a_limited_number_of_bytes_at_once() {
        let topic = Topic::new();
        let large = Bytes::from(vec![b'x'; AT_ONCE / 2]);
        let frame =
            |it| Frame { position: Some(it), audience: Audience::Read, bytes: large.clone(), for_readers: None };
        topic.push((1..=3).map(frame));
        let mut cursor = StreamPosition { next: 0, position: 0 };
        let News::Some(first) = topic.take(&mut cursor, &key(Scope::Read)) else { panic!() };
        assert_eq!((first.len(), cursor.position), (AT_ONCE, 2));
        assert_eq!(topic.take(&mut cursor, &key(Scope::Read)), News::Some(large));
    }
}
