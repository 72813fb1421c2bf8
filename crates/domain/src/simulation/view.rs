//! Results of simulations, in the form of API responses.

use serde::Serialize;
use serde_json::{Map, Value};

use super::moments::Moment;
use crate::contacts::ContactView;
use crate::conversations::ConversationView;
use crate::flows::{Run, RunErrorView, RunStatus, RunView, WaitView};
use crate::ids::{FlowId, RunId};
use crate::read::Params;
use crate::sequences::EnrollmentView;
use crate::time::Timestamp;
use crate::words::words;

/// The results of the scripts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SimulationAnswer))]
#[non_exhaustive]
pub struct Simulated {
    /// Number of the simulated published version; `null` for a draft, an unsaved definition or a sequence.
    pub version: Option<i64>,
    /// The result of each script, in order.
    pub simulations: Vec<Simulation>,
    /// Parts that no script visited.
    pub not_visited: NotVisited,
    /// Active flows that were left out, because there are too many; they might have been triggered.
    pub left_out: Vec<FlowId>,
}

/// The result of one script.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Simulation {
    /// Display name of the script.
    pub name: Option<String>,
    /// When the simulation started.
    pub started_at: Timestamp,
    /// Why and when the simulation ended.
    pub end: Ended,
    /// The events, in order.
    pub trace: Vec<Moment>,
    /// The runs, as they are at the end.
    pub runs: Vec<SimulatedRun>,
    /// The enrollments, as they are at the end.
    pub enrollments: Vec<EnrollmentView>,
    /// The contact at the end.
    pub contact: ContactView,
    /// The contact's conversations at the end.
    pub conversations: Vec<ConversationView>,
    /// Expectations that were not met; empty if there were none.
    pub failed_expectations: Vec<FailedExpectation>,
    /// Parts that the script did not visit.
    pub not_visited: NotVisited,
}

/// Why a simulation ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SimulationEnd))]
pub struct Ended {
    /// When the simulation ended, in simulated time.
    pub at: Timestamp,
    /// Code of the reason.
    pub reason: EndReason,
    /// Description of the reason.
    pub message: String,
}

words! {
    /// Why a simulation ended.
    EndReason {
        /// The script ended; runs may still wait.
        ScriptOver = "script_over",
        /// No job is left.
        NothingMore = "nothing_more",
        /// No entry of the script started a run.
        NotStarted = "not_started",
        /// The maximum number of jobs was reached.
        JobLimit = "job_limit",
        /// The maximum simulated time was reached.
        TimeLimit = "time_limit",
        /// The maximum size of the trace was reached.
        TraceLimit = "trace_limit",
        /// The limit of the store was reached.
        StoreLimit = "store_limit",
        /// The maximum duration of the computation was reached.
        DurationLimit = "duration_limit",
    }
}

impl EndReason {
    /// Returns the description for users.
    pub(super) fn message(self) -> &'static str {
        match self {
            Self::ScriptOver => "the script ended",
            Self::NothingMore => "nothing is left to run",
            Self::NotStarted => {
                "no entry of the script started the flow: none matches a trigger, or the filter of the trigger does \
                 not match"
            }
            Self::JobLimit => "stopped: a simulation runs at most 5000 jobs",
            Self::TimeLimit => "stopped: a simulation covers at most ten years",
            Self::TraceLimit => "stopped: the simulations reached the limit of reported events",
            Self::StoreLimit => "stopped: the simulation reached its storage limit",
            Self::DurationLimit => "stopped: the simulation took too long; simulate fewer or shorter scripts at once",
        }
    }
}

/// A run of a simulation, as it is at the end. Its nodes are in the trace.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct SimulatedRun {
    /// The ID.
    pub id: RunId,
    /// ID of the flow.
    pub flow_id: FlowId,
    /// Number of the version of the flow.
    pub flow_version: i64,
    /// The status.
    pub status: RunStatus,
    /// The node where the run waits or ended.
    pub node_id: Option<String>,
    /// Variables of the run.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub vars: Map<String, Value>,
    /// The event or time that the run waits for.
    pub wait: Option<WaitView>,
    /// The error, if it failed.
    pub error: Option<RunErrorView>,
    /// ID of the run that called it.
    pub called_by: Option<RunId>,
    /// When the run started.
    pub started_at: Timestamp,
    /// When the run ended.
    pub ended_at: Option<Timestamp>,
}

impl From<&Run> for SimulatedRun {
    fn from(it: &Run) -> Self {
        let view = RunView::from(it);
        Self {
            id: view.id,
            flow_id: view.flow_id,
            flow_version: view.flow_version,
            status: view.status,
            node_id: view.node_id,
            vars: view.vars,
            wait: view.wait,
            error: view.error,
            called_by: view.called_by,
            started_at: view.started_at,
            ended_at: view.ended_at,
        }
    }
}

/// An expectation that was not met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FailedExpectation {
    /// Location: a pointer into the script.
    pub pointer: String,
    /// Code of the failure, stable: `node_not_visited`, `node_out_of_order`, `text_not_sent` or `tag_missing`.
    pub code: &'static str,
    /// The missing and the actual values.
    pub message: String,
    /// The values that the message names: `expected`, and `found` unless there are none.
    #[serde(skip_serializing_if = "Params::is_empty")]
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::BTreeMap<String, String>))]
    pub params: Params,
}

/// Parts that were not visited.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NotVisited {
    /// Nodes of the flow.
    pub nodes: Vec<String>,
    /// Unused exits of visited nodes.
    pub exits: Vec<UnusedExit>,
    /// Steps of the sequence.
    pub steps: Vec<String>,
}

/// An exit that no run used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UnusedExit {
    /// ID of the node.
    pub node_id: String,
    /// The exit, such as `next`, `on_timeout` or `branches/0`.
    pub exit: String,
}
