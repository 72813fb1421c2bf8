//! The text format of hint messages between processes.

use serde::{Deserialize, Serialize};

use super::{ChangedKind, Hint};
use crate::ids::WorkspaceId;

/// The version of the message format. Increment it with each change of the format.
const VERSION: u32 = 1;
/// Maximum length of a message in bytes. PostgreSQL carries less than 8 000.
const MOST_BYTES: usize = 7_900;
/// Bytes that are reserved for the envelope of a message.
const AROUND: usize = 150;

/// A message in the format of another release, or an invalid one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the message does not have the format of this release")]
pub struct UnreadableMessage;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Message {
    v: u32,
    /// The process that sent it.
    pub(super) from: String,
    pub(super) news: News,
}

/// The content of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum News {
    /// The sender now receives messages, and asks the others for the workspaces that they watch. After a gap, hints to
    /// and from it may have been lost.
    Joined { after_gap: bool },
    /// The sender watches these workspaces.
    Watching(Vec<WorkspaceId>),
    /// The sender changed these objects.
    Changed(Vec<Changed>),
}

/// A hint: the workspace, the name of the type, the ID and the version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Changed(WorkspaceId, String, Option<String>, Option<i64>);

impl Changed {
    pub(super) fn new(workspace: WorkspaceId, hint: Hint) -> Self {
        Self(workspace, hint.kind.as_str().to_owned(), hint.id, hint.version)
    }

    /// The workspace and the hint; `None` if this release does not know the type.
    pub(super) fn into_hint(self) -> Option<(WorkspaceId, Hint)> {
        let Self(workspace, kind, id, version) = self;
        Some((workspace, Hint { kind: ChangedKind::parse(&kind)?, id, version }))
    }
}

impl Message {
    /// Parses a message of [`encode`].
    ///
    /// # Errors
    /// [`UnreadableMessage`].
    pub(super) fn read(text: &str) -> Result<Self, UnreadableMessage> {
        serde_json::from_str(text).ok().filter(|it: &Self| it.v == VERSION).ok_or(UnreadableMessage)
    }
}

/// Builds a message of this process.
pub(super) fn encode(from: &str, news: News) -> String {
    serde_json::to_string(&Message { v: VERSION, from: from.to_owned(), news }).unwrap_or_default()
}

/// Distributes the parts over messages that do not exceed the maximum length.
pub(super) fn split<Part: Serialize>(
    from: &str,
    parts: impl IntoIterator<Item = Part>,
    news: impl Fn(Vec<Part>) -> News,
) -> Vec<String> {
    let (mut messages, mut together, mut bytes) = (Vec::new(), Vec::new(), 0);
    for part in parts {
        // Includes a comma.
        let length = serde_json::to_string(&part).map_or(0, |it| it.len() + 1);
        if bytes + length > MOST_BYTES - AROUND && !together.is_empty() {
            messages.push(encode(from, news(std::mem::take(&mut together))));
            bytes = 0;
        }
        bytes += length;
        together.push(part);
    }
    if !together.is_empty() {
        messages.push(encode(from, news(together)));
    }
    messages
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::ids::{ConversationId, TypedId};

    const FROM: &str = "0190000000007000800000000000abcd";

    fn workspace(number: u128) -> WorkspaceId {
        WorkspaceId::from_uuid(Uuid::from_u128(number))
    }

    #[test]
    fn reads_what_it_writes_and_skips_unknown_types() {
        let id = ConversationId::from_uuid(Uuid::from_u128(7)).to_string();
        let named = Hint { kind: ChangedKind::Conversation, id: Some(id.clone()), version: Some(3) };
        let hints = [named, Hint::several(ChangedKind::Run)];
        let changed: Vec<_> = hints.iter().cloned().map(|hint| Changed::new(workspace(1), hint)).collect();
        let text = encode(FROM, News::Changed(changed));
        let expected = format!(
            r#"{{"v":1,"from":"{FROM}","news":{{"changed":[["{0}","conversation","{id}",3],["{0}","flow_run",null,null]]}}}}"#,
            workspace(1)
        );
        assert_eq!(text, expected);
        let News::Changed(read) = Message::read(&text).unwrap().news else { panic!("{text}") };
        let read: Vec<_> = read.into_iter().filter_map(Changed::into_hint).collect();
        assert_eq!(read, hints.map(|hint| (workspace(1), hint)));
        let newer = Changed(workspace(1), "hologram".to_owned(), None, None);
        assert_eq!(newer.into_hint(), None);
    }

    #[test]
    fn rejects_messages_of_another_format() {
        let text = encode(FROM, News::Joined { after_gap: true });
        assert_eq!(text, format!(r#"{{"v":1,"from":"{FROM}","news":{{"joined":{{"after_gap":true}}}}}}"#));
        assert!(Message::read(&text).is_ok());
        for other in ["", "hello", "{}", &text.replace("\"v\":1", "\"v\":2"), &text.replace("joined", "left")] {
            assert_eq!(Message::read(other), Err(UnreadableMessage), "{other}");
        }
    }

    #[test]
    fn splits_many_parts_into_messages_of_limited_size() {
        let workspaces: Vec<_> = (0..1_000).map(workspace).collect();
        let messages = split(FROM, workspaces.clone(), News::Watching);
        assert!(messages.len() > 3 && messages.iter().all(|it| it.len() <= MOST_BYTES));
        let read = messages.iter().flat_map(|text| match Message::read(text).unwrap().news {
            News::Watching(read) => read,
            other => panic!("{other:?}"),
        });
        assert_eq!(read.collect::<Vec<_>>(), workspaces);
        let long = |number| Hint {
            kind: ChangedKind::BulkOperation,
            id: Some(format!("{number:0>60}")),
            version: Some(i64::MAX),
        };
        let changed = (0..500).map(|number| Changed::new(workspace(u128::MAX), long(number)));
        let messages = split(FROM, changed, News::Changed);
        assert!(messages.iter().all(|it| it.len() <= MOST_BYTES), "{:?}", messages.iter().map(String::len).max());
        assert_eq!(split(FROM, Vec::new(), News::Watching), Vec::<String>::new());
    }
}
