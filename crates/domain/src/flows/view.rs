//! Flows and runs in the form of API responses and event envelopes.

use serde::Serialize;
use serde_json::{Map, Value};

use super::{Flow, FlowStats, FlowStatus, FlowVersion, Run, RunStatus, WaitKind};
use crate::access::Actor;
use crate::ids::{ContactId, FlowId, MessageId, RunId};
use crate::step_outcome::{OutcomePart, StepOutcome};
use crate::time::Timestamp;

/// An automation graph.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Flow))]
#[non_exhaustive]
pub struct FlowView {
    /// The ID.
    pub id: FlowId,
    /// Display name.
    pub name: String,
    /// Status of the flow.
    pub status: FlowStatus,
    /// Number of the version that new runs use.
    pub version_published: Option<i64>,
    /// Whether the draft differs from the published version.
    pub has_unpublished_changes: bool,
    /// The draft, as saved.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub definition: Value,
    /// Number of runs by status. Does not change the version.
    pub stats: FlowStatsView,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
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

/// Number of runs of a flow, by status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = FlowStats))]
#[allow(missing_docs, reason = "each is the count of that status")]
#[non_exhaustive]
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

/// A flow in a list: without its draft and counts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = FlowSummary))]
#[non_exhaustive]
pub struct FlowSummaryView {
    /// The ID.
    pub id: FlowId,
    /// Display name.
    pub name: String,
    /// Status of the flow.
    pub status: FlowStatus,
    /// Number of the version that new runs use.
    pub version_published: Option<i64>,
    /// Whether the draft differs from the published version.
    pub has_unpublished_changes: bool,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
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
#[non_exhaustive]
pub struct FlowVersionView {
    /// ID of the flow.
    pub flow_id: FlowId,
    /// Number of the version, from 1.
    pub number: i64,
    /// Whether new runs use this version.
    pub is_current: bool,
    /// The published definition.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub definition: Value,
    /// When it was published.
    pub created_at: Timestamp,
}

impl FlowVersionView {
    /// Creates the view of a version of this flow.
    pub fn of(flow: &Flow, it: FlowVersion) -> Self {
        Self {
            flow_id: it.flow,
            number: it.number,
            is_current: flow.version_published == Some(it.number),
            definition: it.definition,
            created_at: it.created_at,
        }
    }
}

/// The event or time that a run waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Wait))]
#[non_exhaustive]
pub struct WaitView {
    /// Type of the wait.
    pub kind: WaitKind,
    /// When the run continues automatically.
    pub until: Option<Timestamp>,
    /// For `flow`: ID of the called run.
    pub run_id: Option<RunId>,
}

/// A visit of a node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = TraceEntry))]
#[non_exhaustive]
pub struct TraceEntryView {
    /// ID of the node.
    pub node_id: String,
    /// Type of the node.
    #[serde(rename = "type")]
    pub kind: String,
    /// When it happened.
    pub at: Timestamp,
    /// Outcome of the visit.
    pub outcome: String,
    /// The parts of `outcome` by code; empty for an outcome without codes.
    pub outcome_parts: Vec<OutcomePart>,
    /// Exit that the run used, such as `next` or `on_timeout`; `null` while the run waits at the node.
    pub exit: Option<String>,
    /// ID of the sent message.
    pub message_id: Option<MessageId>,
    /// ID of the run that it called, or that replaced it.
    pub run_id: Option<RunId>,
}

/// Why a run failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RunError))]
#[non_exhaustive]
pub struct RunErrorView {
    /// `loop_guard`, `template_error`, `condition_error`, `tag_missing`, `no_channel`, `call_failed` or another code.
    pub code: String,
    /// Description of the error.
    pub message: String,
    /// ID of the node that failed.
    pub node_id: Option<String>,
    /// For `loop_guard`: the last visited nodes, in order.
    pub path: Vec<String>,
}

/// A run of a flow for one contact.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = FlowRun))]
#[non_exhaustive]
pub struct RunView {
    /// The ID.
    pub id: RunId,
    /// ID of the flow.
    pub flow_id: FlowId,
    /// Number of the version of the flow.
    pub flow_version: i64,
    /// ID of the contact.
    pub contact_id: ContactId,
    /// The status.
    pub status: RunStatus,
    /// The node where the run waits or ended; `null` before the first node.
    pub node_id: Option<String>,
    /// Variables for templates, under `vars`.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub vars: Map<String, Value>,
    /// Visited nodes with times and outcomes; at most the last 1 000.
    pub trace: Vec<TraceEntryView>,
    /// The event or time that the run waits for.
    pub wait: Option<WaitView>,
    /// The actor that started the run.
    pub started_by: Actor,
    /// ID of the run that called this run and waits for its end.
    pub called_by: Option<RunId>,
    /// When the run started.
    pub started_at: Timestamp,
    /// When the run ended.
    pub ended_at: Option<Timestamp>,
    /// The error, if it failed.
    pub error: Option<RunErrorView>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl From<&Run> for RunView {
    fn from(it: &Run) -> Self {
        let trace = it.trace.iter().map(|entry| TraceEntryView {
            node_id: entry.node.clone(),
            kind: entry.kind.clone(),
            at: entry.at,
            outcome: entry.outcome.clone(),
            outcome_parts: StepOutcome::parts(&entry.outcome),
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
            // When the awaited event has arrived, the run no longer waits, although its step is still queued.
            wait: it.wait.as_ref().filter(|_| it.status == RunStatus::Waiting).map(|wait| WaitView {
                kind: wait.kind,
                until: wait.until,
                run_id: it.called_run_id(),
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
