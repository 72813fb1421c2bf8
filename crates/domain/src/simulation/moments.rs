//! The events of a simulation, for its trace.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::channels::Degradation;
use crate::conversations::{Attachment, Content, MessageTemplate, MessageType, QuickReply};
use crate::flows::{Decision, RunErrorView, RunStatus, WaitKind, WaitView};
use crate::ids::{EnrollmentId, FlowId, RunId, SequenceId};
use crate::sequences::{EnrollmentErrorView, EnrollmentStatus, ExitReason};
use crate::step_outcome::OutcomePart;
use crate::time::Timestamp;
use crate::words::words;

/// An event of a simulation.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SimulationMoment))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Moment {
    /// An entry of the script.
    Entry(EntryMoment),
    /// A visit of a node, or the end of its wait.
    Node(Box<NodeMoment>),
    /// A step of a sequence.
    Step(StepMoment),
    /// An HTTP call of a node.
    Call(CallMoment),
    /// The end of a run or an enrollment.
    End(EndMoment),
}

words! {
    /// What an entry of a script did.
    EntryCode {
        /// Time passed.
        Advanced = "advanced",
        /// A custom event was recorded.
        Event = "event",
        /// A message was received.
        Received = "received",
        /// No message was received, because the contact has no address on a channel.
        NotReceived = "not_received",
    }
}

/// An entry of the script.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SimulationEntryMoment))]
pub struct EntryMoment {
    /// When it happened.
    pub at: Timestamp,
    /// Index in the script.
    pub entry: usize,
    /// What the entry did.
    pub code: EntryCode,
    /// Description of the entry.
    pub said: String,
}

/// A rendered message.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SimulatedMessage))]
pub struct SaidMessage {
    /// Type of the content.
    #[serde(rename = "type")]
    pub kind: MessageType,
    /// The subject, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub subject: Option<String>,
    /// The text.
    pub text: Option<String>,
    /// The attachments.
    pub attachments: Vec<Attachment>,
    /// Quick replies to choose from.
    pub quick_replies: Vec<QuickReply>,
    /// For a template: its name and parameters.
    pub template: Option<MessageTemplate>,
    /// The features of the message that its channel would replace.
    pub degraded: Vec<Degradation>,
    /// Whether the message would be sent; otherwise `outcome` has the reason. A note is not sent.
    pub sent: bool,
}

impl SaidMessage {
    pub(super) fn new(content: &Content, sent: bool, degraded: Vec<Degradation>) -> Self {
        let Content { kind, subject, text, attachments, quick_replies, template, .. } = content.clone();
        Self { kind, subject, text, attachments, quick_replies, template, degraded, sent }
    }
}

/// A visit of a node.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SimulationNodeMoment))]
pub struct NodeMoment {
    /// When it happened.
    pub at: Timestamp,
    /// ID of the run.
    pub run_id: RunId,
    /// ID of the flow.
    pub flow_id: FlowId,
    /// ID of the node.
    pub node_id: String,
    /// Type of the node.
    pub node_type: String,
    /// Outcome of the visit.
    pub outcome: String,
    /// The parts of `outcome` by code.
    pub outcome_parts: Vec<OutcomePart>,
    /// Exit that the run used; `null` if the run waits at the node or ended.
    pub exit: Option<String>,
    /// Whether the run was already at this node, and continued.
    pub resumed: bool,
    /// The rendered message.
    pub message: Option<SaidMessage>,
    /// For `branch` and `split`: the reason for the exit.
    pub decision: Option<Decision>,
    /// The event or time that the run waits for at the node.
    pub wait: Option<WaitView>,
    /// ID of the run that it called, or that replaced it.
    pub called_run_id: Option<RunId>,
}

/// A step of a sequence that ran, or the next step.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SimulationStepMoment))]
pub struct StepMoment {
    /// When it happened.
    pub at: Timestamp,
    /// ID of the enrollment.
    pub enrollment_id: EnrollmentId,
    /// ID of the sequence.
    pub sequence_id: SequenceId,
    /// ID of the step that ran; `null` if the contact was enrolled, or if its next step was scheduled again.
    pub step_id: Option<String>,
    /// Type of the action.
    pub action: Option<String>,
    /// Outcome of the step.
    pub outcome: String,
    /// The parts of `outcome` by code.
    pub outcome_parts: Vec<OutcomePart>,
    /// The rendered message.
    pub message: Option<SaidMessage>,
    /// ID of the run that it started.
    pub started_run_id: Option<RunId>,
    /// ID of the next step.
    pub next_step_id: Option<String>,
    /// When the next step is due.
    pub next_at: Option<Timestamp>,
}

/// An HTTP call of a node, which is not made. Secrets appear by name.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SimulationCallMoment))]
pub struct CallMoment {
    /// When it happened.
    pub at: Timestamp,
    /// ID of the node.
    pub node_id: String,
    /// HTTP method.
    pub method: &'static str,
    /// URL, rendered.
    pub url: String,
    /// Headers by name, rendered.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub headers: Map<String, Value>,
    /// The body, rendered.
    pub body: Option<String>,
    /// Index of the response in the script; `null` if no response was left.
    pub answer: Option<usize>,
    /// HTTP status of that response.
    pub status: Option<u16>,
}

/// The end of a run or an enrollment.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SimulationEndMoment))]
pub struct EndMoment {
    /// When it happened.
    pub at: Timestamp,
    /// ID of the run that ended.
    pub run_id: Option<RunId>,
    /// Status of the run.
    pub run_status: Option<RunStatus>,
    /// The error of the run, if it failed.
    pub run_error: Option<RunErrorView>,
    /// ID of the enrollment that ended.
    pub enrollment_id: Option<EnrollmentId>,
    /// Status of the enrollment.
    pub enrollment_status: Option<EnrollmentStatus>,
    /// Why the enrollment ended early.
    pub exit_reason: Option<ExitReason>,
    /// The error of the enrollment, if it failed.
    pub enrollment_error: Option<EnrollmentErrorView>,
}

impl NodeMoment {
    /// Whether the run waits for a reply at the node.
    pub fn awaits_reply(&self) -> bool {
        self.wait.as_ref().is_some_and(|wait| wait.kind == WaitKind::Reply)
    }
}
