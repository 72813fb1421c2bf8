//! What happened in a simulation, moment by moment, as it is told.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::conversations::{Attachment, Content, MessageTemplate, MessageType, QuickReply};
use crate::flows::{Decision, RunErrorView, RunStatus, WaitKind, WaitView};
use crate::ids::{EnrollmentId, FlowId, RunId, SequenceId};
use crate::sequences::{EnrollmentErrorView, EnrollmentStatus, ExitReason};
use crate::time::Timestamp;

/// Something that happened in a simulation.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SimulationMoment))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Moment {
    /// An entry of the script.
    Entry(EntryMoment),
    /// A node that a run visited, or in which what it waited for came.
    Node(Box<NodeMoment>),
    /// A step of a sequence that was taken.
    Step(StepMoment),
    /// A call that a node would have made.
    Call(CallMoment),
    /// The end of a run or an enrollment.
    End(EndMoment),
}

/// An entry of the script.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SimulationEntryMoment))]
pub struct EntryMoment {
    /// When.
    pub at: Timestamp,
    /// Its place in the script.
    pub entry: usize,
    /// What it was, in words.
    pub said: String,
}

/// A message as it was rendered.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SimulatedMessage))]
pub struct SaidMessage {
    /// What kind of content it has.
    #[serde(rename = "type")]
    pub kind: MessageType,
    /// The words.
    pub text: Option<String>,
    /// What is beside the words.
    pub attachments: Vec<Attachment>,
    /// Answers to choose from.
    pub quick_replies: Vec<QuickReply>,
    /// Of a template: which, and what stands in it.
    pub template: Option<MessageTemplate>,
    /// Whether it would be sent; else the outcome says why not. A note is not.
    pub sent: bool,
}

impl SaidMessage {
    pub(super) fn new(content: &Content, sent: bool) -> Self {
        let Content { kind, text, attachments, quick_replies, template } = content.clone();
        Self { kind, text, attachments, quick_replies, template, sent }
    }
}

/// A node that a run visited.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SimulationNodeMoment))]
pub struct NodeMoment {
    /// When.
    pub at: Timestamp,
    /// The run.
    pub run_id: RunId,
    /// Its flow.
    pub flow_id: FlowId,
    /// The node's id.
    pub node_id: String,
    /// The node's type.
    pub node_type: String,
    /// What came of it.
    pub outcome: String,
    /// By which exit the run left it; `null` where it waits there or ended.
    pub exit: Option<String>,
    /// Whether the run was in it already, and what it waited for came.
    pub resumed: bool,
    /// The message, as it was rendered.
    pub message: Option<SaidMessage>,
    /// By what it chose its way: of `branch` and `split`.
    pub decision: Option<Decision>,
    /// For what the run waits there.
    pub wait: Option<WaitView>,
    /// The run that it called or went over to.
    pub called_run_id: Option<RunId>,
}

/// A step of a sequence that was taken, or that comes next.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SimulationStepMoment))]
pub struct StepMoment {
    /// When.
    pub at: Timestamp,
    /// The enrollment.
    pub enrollment_id: EnrollmentId,
    /// Its sequence.
    pub sequence_id: SequenceId,
    /// The step that was taken; `null` where the contact was enrolled, or its next step was decided anew.
    pub step_id: Option<String>,
    /// The type of its action.
    pub action: Option<String>,
    /// What came of it.
    pub outcome: String,
    /// The message, as it was rendered.
    pub message: Option<SaidMessage>,
    /// The run that it started.
    pub started_run_id: Option<RunId>,
    /// The step that comes next.
    pub next_step_id: Option<String>,
    /// When it comes.
    pub next_at: Option<Timestamp>,
}

/// A call that a node would have made. Secrets stand in it by their names.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SimulationCallMoment))]
pub struct CallMoment {
    /// When.
    pub at: Timestamp,
    /// The node.
    pub node_id: String,
    /// The method.
    pub method: &'static str,
    /// The address, rendered.
    pub url: String,
    /// The headers by name, rendered.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub headers: Map<String, Value>,
    /// The body, rendered.
    pub body: Option<String>,
    /// The place of the answer that it got among those of the script; `null` where none was left for it.
    pub answer: Option<usize>,
    /// The status of that answer.
    pub status: Option<u16>,
}

/// The end of a run or an enrollment.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SimulationEndMoment))]
pub struct EndMoment {
    /// When.
    pub at: Timestamp,
    /// The run that ended.
    pub run_id: Option<RunId>,
    /// How.
    pub run_status: Option<RunStatus>,
    /// Why it failed.
    pub run_error: Option<RunErrorView>,
    /// The enrollment that ended.
    pub enrollment_id: Option<EnrollmentId>,
    /// How.
    pub enrollment_status: Option<EnrollmentStatus>,
    /// Why it ended early.
    pub exit_reason: Option<ExitReason>,
    /// Why it failed.
    pub enrollment_error: Option<EnrollmentErrorView>,
}

impl NodeMoment {
    /// Whether the run waits there for a reply.
    pub fn awaits_reply(&self) -> bool {
        self.wait.as_ref().is_some_and(|wait| wait.kind == WaitKind::Reply)
    }
}
