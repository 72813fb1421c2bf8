//! What flows and runs are.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::access::Actor;
use crate::ids::{ContactId, FlowId, MessageId, RunId, TagId};
use crate::time::Timestamp;

/// Whether a flow may be started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum FlowStatus {
    /// Never published.
    Draft,
    /// A version is published.
    Active,
}

impl FlowStatus {
    /// The word in the API and the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Active => "active",
        }
    }

    /// The status with this word.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Draft, Self::Active].into_iter().find(|status| status.as_str() == word)
    }
}

/// An automation graph: a draft that may be edited, and published versions that never change.
#[derive(Debug, Clone, PartialEq)]
pub struct Flow {
    /// Its id.
    pub id: FlowId,
    /// 1 to 100 characters.
    pub name: String,
    /// Whether it may be started.
    pub status: FlowStatus,
    /// The number of the version that new runs take.
    pub version_published: Option<i64>,
    /// Whether the draft differs from the published version.
    pub has_unpublished_changes: bool,
    /// The draft, as the client wrote it.
    pub definition: Value,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
    pub version: i64,
}

/// A published version; it never changes.
#[derive(Debug, Clone, PartialEq)]
pub struct FlowVersion {
    /// Of which flow.
    pub flow: FlowId,
    /// 1 for the first.
    pub number: i64,
    /// The definition as it was published.
    pub definition: Value,
    /// Which tags its words meant when it was published, so that renaming a tag changes nothing.
    pub tags: BTreeMap<String, TagId>,
    /// When it was published.
    pub created_at: Timestamp,
}

/// A flow to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct NewFlow {
    /// 1 to 100 characters.
    pub name: String,
    /// The draft; checked when it is published.
    pub definition: Value,
}

/// An update of a flow's draft.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FlowPatch {
    /// 1 to 100 characters.
    pub name: Option<String>,
    /// The whole new draft.
    pub definition: Option<Value>,
}

/// A start of a flow for a contact.
#[derive(Debug, Clone, PartialEq)]
pub struct StartFlow {
    /// Which flow.
    pub flow: FlowId,
    /// What templates find under `vars`.
    pub vars: Map<String, Value>,
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// A step is due.
    Active,
    /// It waits; `wait` says for what.
    Waiting,
    /// It reached its end.
    Completed,
    /// It was ended from outside, as by the deletion of its contact.
    Interrupted,
    /// It ended by an error or a guard.
    Failed,
}

impl RunStatus {
    /// The word in the API and the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Waiting => "waiting",
            Self::Completed => "completed",
            Self::Interrupted => "interrupted",
            Self::Failed => "failed",
        }
    }

    /// The status with this word.
    pub fn parse(word: &str) -> Option<Self> {
        let all = [Self::Active, Self::Waiting, Self::Completed, Self::Interrupted, Self::Failed];
        all.into_iter().find(|status| status.as_str() == word)
    }

    /// Whether something is still to come.
    pub fn is_live(self) -> bool {
        matches!(self, Self::Active | Self::Waiting)
    }
}

/// For what a run waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    /// The instant at which it goes on.
    pub until: Timestamp,
}

/// One node that a run went through.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceEntry {
    /// The node.
    pub node: String,
    /// Its type.
    pub kind: String,
    /// When.
    pub at: Timestamp,
    /// What came of it, such as `queued`, `suppressed: unsubscribed`, `already there`.
    pub outcome: String,
    /// The message that it sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<MessageId>,
}

/// Why a run failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunError {
    /// For machines: `loop_guard`, `template_error`, `tag_missing`, `no_channel`.
    pub code: String,
    /// For people.
    pub message: String,
    /// The node at which it happened.
    pub node: Option<String>,
    /// Of `loop_guard`, the last nodes that were visited, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<String>,
}

/// One contact's way through a version of a flow.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Its id.
    pub id: RunId,
    /// Through which flow.
    pub flow: FlowId,
    /// Through which version of it.
    pub flow_version: i64,
    /// Who goes.
    pub contact: ContactId,
    /// Live runs are unique by (flow, contact, slot): nil is the slot that `skip` shares.
    pub slot: Uuid,
    /// How far it is.
    pub status: RunStatus,
    /// The node that is next, or at which it ended.
    pub node: Option<String>,
    /// What templates find under `vars`.
    pub vars: Map<String, Value>,
    /// Where it was, at most the last 1 000 nodes.
    pub trace: Vec<TraceEntry>,
    /// For what it waits.
    pub wait: Option<Wait>,
    /// How many steps were taken; a job belongs to one of them.
    pub visit: i64,
    /// How many nodes were visited.
    pub nodes_visited: i64,
    /// Who started it.
    pub started_by: Actor,
    /// When it was started.
    pub started_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// Why it failed.
    pub error: Option<RunError>,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
    pub version: i64,
}
