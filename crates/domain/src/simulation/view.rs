//! What came of a simulation, as it is told.

use serde::Serialize;
use serde_json::{Map, Value};

use super::moments::Moment;
use crate::contacts::ContactView;
use crate::conversations::ConversationView;
use crate::flows::{Run, RunErrorView, RunStatus, RunView, WaitView};
use crate::ids::{FlowId, RunId};
use crate::sequences::EnrollmentView;
use crate::time::Timestamp;
use crate::words::words;

/// What came of the scripts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SimulationAnswer))]
pub struct Simulated {
    /// The number of the published version that was played; `null` for a draft, an unsaved definition and a sequence.
    pub version: Option<i64>,
    /// What came of each script, in their order.
    pub simulations: Vec<Simulation>,
    /// What none of them visited.
    pub not_visited: NotVisited,
    /// Active flows that were not there, as there are too many; they could have been triggered.
    pub left_out: Vec<FlowId>,
}

/// What came of one script.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Simulation {
    /// What people call the script.
    pub name: Option<String>,
    /// When it began.
    pub started_at: Timestamp,
    /// Why it ended, and when.
    pub end: Ended,
    /// What happened, in order.
    pub trace: Vec<Moment>,
    /// The runs that there were, as they are at the end.
    pub runs: Vec<SimulatedRun>,
    /// The enrollments that there were, as they are at the end.
    pub enrollments: Vec<EnrollmentView>,
    /// The contact at the end.
    pub contact: ContactView,
    /// The contact's conversations at the end.
    pub conversations: Vec<ConversationView>,
    /// What was expected and did not come; empty where nothing was expected.
    pub failed_expectations: Vec<FailedExpectation>,
    /// What it did not visit.
    pub not_visited: NotVisited,
}

/// Why a simulation ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SimulationEnd))]
pub struct Ended {
    /// When, in the time of the simulation.
    pub at: Timestamp,
    /// Why, for machines.
    pub reason: EndReason,
    /// Why, for people.
    pub message: String,
}

words! {
    /// Why a simulation ended.
    EndReason {
        /// Its script is over; runs may still wait.
        ScriptOver = "script_over",
        /// Nothing more is to come.
        NothingMore = "nothing_more",
        /// No entry of the script began a run.
        NotStarted = "not_started",
        /// It did as much as a simulation may.
        JobLimit = "job_limit",
        /// As much time went by as may in a simulation.
        TimeLimit = "time_limit",
        /// As much happened as is told.
        TraceLimit = "trace_limit",
        /// As much was written as a simulation may.
        StoreLimit = "store_limit",
        /// It took longer than a simulation may.
        DurationLimit = "duration_limit",
    }
}

impl EndReason {
    /// The sentence for people.
    pub(super) fn message(self) -> &'static str {
        match self {
            Self::ScriptOver => "the script is over",
            Self::NothingMore => "nothing more is to come",
            Self::NotStarted => {
                "no entry of the script started the flow: none fits one of its triggers, or a trigger's filter does not hold"
            }
            Self::JobLimit => "stopped: a simulation does at most 5000 pieces of work",
            Self::TimeLimit => "stopped: at most ten years go by in a simulation",
            Self::TraceLimit => "stopped: as much happened as is told of simulations at once",
            Self::StoreLimit => "stopped: more was written than fits into a simulation",
            Self::DurationLimit => "stopped: the simulation took too long; play fewer or shorter scripts at once",
        }
    }
}

/// A run of a simulation, as it is at its end. Its nodes stand in the trace.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SimulatedRun {
    /// The id.
    pub id: RunId,
    /// Through which flow.
    pub flow_id: FlowId,
    /// Through which version of it.
    pub flow_version: i64,
    /// How far it is.
    pub status: RunStatus,
    /// The node at which it waits or ended.
    pub node_id: Option<String>,
    /// Its variables.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub vars: Map<String, Value>,
    /// For what it waits.
    pub wait: Option<WaitView>,
    /// Why it failed.
    pub error: Option<RunErrorView>,
    /// The run that called it.
    pub called_by: Option<RunId>,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
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

/// Something that was expected and did not come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FailedExpectation {
    /// Where it stands: a pointer into the script.
    pub pointer: String,
    /// What is missing, and what was there.
    pub message: String,
}

/// What was not visited.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NotVisited {
    /// Nodes of the flow.
    pub nodes: Vec<String>,
    /// Exits of nodes that were visited.
    pub exits: Vec<UnusedExit>,
    /// Steps of the sequence.
    pub steps: Vec<String>,
}

/// An exit by which no run left its node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UnusedExit {
    /// The node.
    pub node_id: String,
    /// The exit, such as `next`, `on_timeout` or `branches/0`.
    pub exit: String,
}
