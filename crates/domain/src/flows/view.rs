//! Flows and runs as the API and envelopes show them.

use serde::Serialize;
use serde_json::{Map, Value};

use super::{Flow, FlowStats, FlowStatus, Run, RunStatus, WaitKind};
use crate::access::Actor;
use crate::ids::{ContactId, FlowId, MessageId, RunId};
use crate::time::Timestamp;

/// An automation graph.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Flow))]
pub struct FlowView {
    /// The id.
    pub id: FlowId,
    /// What people call it.
    pub name: String,
    /// Whether it may be started.
    pub status: FlowStatus,
    /// The number of the version that new runs take.
    pub version_published: Option<i64>,
    /// Whether the draft differs from the published version.
    pub has_unpublished_changes: bool,
    /// The draft, as it was written.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub definition: Value,
    /// How far its runs are. Does not change the version.
    pub stats: FlowStatsView,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
    pub version: i64,
}

impl From<&Flow> for FlowView {
    fn from(it: &Flow) -> Self {
        Self {
            id: it.id,
            name: it.name.clone(),
            status: it.status,
            version_published: it.version_published,
            has_unpublished_changes: it.has_unpublished_changes,
            definition: it.definition.clone(),
            stats: it.stats.into(),
            created_at: it.created_at,
            updated_at: it.updated_at,
            version: it.version,
        }
    }
}

/// How many runs of a flow are how far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = FlowStats))]
#[allow(missing_docs, reason = "each is the count of that status")]
pub struct FlowStatsView {
    pub active: i64,
    pub waiting: i64,
    pub completed: i64,
    pub interrupted: i64,
    pub expired: i64,
    pub failed: i64,
}

impl From<FlowStats> for FlowStatsView {
    fn from(it: FlowStats) -> Self {
        let FlowStats { active, waiting, completed, interrupted, expired, failed } = it;
        Self { active, waiting, completed, interrupted, expired, failed }
    }
}

/// An automation graph, as lists show it: without its draft and its counts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = FlowSummary))]
pub struct FlowSummaryView {
    /// The id.
    pub id: FlowId,
    /// What people call it.
    pub name: String,
    /// Whether it may be started.
    pub status: FlowStatus,
    /// The number of the version that new runs take.
    pub version_published: Option<i64>,
    /// Whether the draft differs from the published version.
    pub has_unpublished_changes: bool,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
    pub version: i64,
}

impl From<&Flow> for FlowSummaryView {
    fn from(it: &Flow) -> Self {
        Self {
            id: it.id,
            name: it.name.clone(),
            status: it.status,
            version_published: it.version_published,
            has_unpublished_changes: it.has_unpublished_changes,
            created_at: it.created_at,
            updated_at: it.updated_at,
            version: it.version,
        }
    }
}

/// A published version of a flow.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = FlowVersion))]
pub struct FlowVersionView {
    /// Of which flow.
    pub flow_id: FlowId,
    /// 1 for the first.
    pub number: i64,
    /// Whether new runs take it.
    pub is_current: bool,
    /// The definition as it was published.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub definition: Value,
    /// When it was published.
    pub created_at: Timestamp,
}

/// For what a run waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Wait))]
pub struct WaitView {
    /// For what kind of thing.
    pub kind: WaitKind,
    /// When it goes on by itself.
    pub until: Option<Timestamp>,
    /// Of `flow`: the run that it called and waits for.
    pub run_id: Option<RunId>,
}

/// One node that a run went through.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = TraceEntry))]
pub struct TraceEntryView {
    /// The node's id.
    pub node_id: String,
    /// The node's type.
    #[serde(rename = "type")]
    pub kind: String,
    /// When.
    pub at: Timestamp,
    /// What came of it.
    pub outcome: String,
    /// By which exit the run left it, such as `next` or `on_timeout`; `null` while it waits there.
    pub exit: Option<String>,
    /// The message that it sent.
    pub message_id: Option<MessageId>,
    /// The run that it called or went over to.
    pub run_id: Option<RunId>,
}

/// Why a run failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RunError))]
pub struct RunErrorView {
    /// `loop_guard`, `template_error`, `condition_error`, `tag_missing`, `no_channel`, `call_failed` or the like.
    pub code: String,
    /// For people.
    pub message: String,
    /// The node at which it happened.
    pub node_id: Option<String>,
    /// Of `loop_guard`, the last nodes that were visited, in order.
    pub path: Vec<String>,
}

/// One contact's way through a flow.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = FlowRun))]
pub struct RunView {
    /// The id.
    pub id: RunId,
    /// Through which flow.
    pub flow_id: FlowId,
    /// Through which version of it.
    pub flow_version: i64,
    /// Who goes.
    pub contact_id: ContactId,
    /// How far it is.
    pub status: RunStatus,
    /// The node at which it waits or ended; `null` before the first.
    pub node_id: Option<String>,
    /// What templates find under `vars`.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub vars: Map<String, Value>,
    /// Where it was, with times and outcomes; at most the last 1 000 nodes.
    pub trace: Vec<TraceEntryView>,
    /// For what it waits.
    pub wait: Option<WaitView>,
    /// Who started it.
    pub started_by: Actor,
    /// The run that called it and waits for its end.
    pub called_by: Option<RunId>,
    /// When it was started.
    pub started_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// Why it failed.
    pub error: Option<RunErrorView>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
    pub version: i64,
}

impl From<&Run> for RunView {
    fn from(it: &Run) -> Self {
        let trace = it.trace.iter().map(|entry| TraceEntryView {
            node_id: entry.node.clone(),
            kind: entry.kind.clone(),
            at: entry.at,
            outcome: entry.outcome.clone(),
            exit: entry.exit.clone(),
            message_id: entry.message,
            run_id: entry.run,
        });
        let error = it.error.as_ref().map(|error| RunErrorView {
            code: error.code.clone(),
            message: error.message.clone(),
            node_id: error.node.clone(),
            path: error.path.clone(),
        });
        Self {
            id: it.id,
            flow_id: it.flow,
            flow_version: it.flow_version,
            contact_id: it.contact,
            status: it.status,
            node_id: it.node.clone(),
            vars: it.vars.clone(),
            trace: trace.collect(),
            // What came ends the wait, though the step is still to be taken.
            wait: it.wait.as_ref().filter(|_| it.status == RunStatus::Waiting).map(|wait| WaitView {
                kind: wait.kind,
                until: wait.until,
                run_id: it.called(),
            }),
            started_by: it.started_by.clone(),
            called_by: it.caller.map(|caller| caller.run),
            started_at: it.started_at,
            ended_at: it.ended_at,
            error,
            created_at: it.started_at,
            updated_at: it.updated_at,
            version: it.version,
        }
    }
}
