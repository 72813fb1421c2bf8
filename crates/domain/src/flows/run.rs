//! Runs of flows.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{AwaitedKind, Call, Caller, Decision};
use crate::access::Actor;
use crate::contacts::Contact;
use crate::conversations::Conversation;
use crate::ids::{ChannelId, ContactId, FlowId, MessageId, RunId};
use crate::time::Timestamp;

/// A filter for runs; all criteria must match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunFilter {
    /// Only runs of this flow.
    pub flow: Option<FlowId>,
    /// Only runs of this contact.
    pub contact: Option<ContactId>,
    /// Only runs with this status.
    pub status: Option<RunStatus>,
    /// Only live runs at the node with this ID; requires `flow`.
    pub node: Option<String>,
}

/// Status of a run.
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
    /// It was ended from outside, for example by the deletion of its contact.
    Interrupted,
    /// It reached the maximum duration of its flow.
    Expired,
    /// It ended with an error or was stopped by a guard.
    Failed,
}

impl RunStatus {
    /// All words.
    pub const WORDS: [&str; 6] = ["active", "waiting", "completed", "interrupted", "expired", "failed"];

    /// Returns the word in the API and the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Waiting => "waiting",
            Self::Completed => "completed",
            Self::Interrupted => "interrupted",
            Self::Expired => "expired",
            Self::Failed => "failed",
        }
    }

    /// Returns the status with this word.
    pub fn parse(word: &str) -> Option<Self> {
        let all = [Self::Active, Self::Waiting, Self::Completed, Self::Interrupted, Self::Expired, Self::Failed];
        all.into_iter().find(|status| status.as_str() == word)
    }

    /// Whether the run has not ended.
    pub fn is_live(self) -> bool {
        matches!(self, Self::Active | Self::Waiting)
    }
}

/// The event or time that a run waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum WaitKind {
    /// For a reply of the contact.
    Reply,
    /// For an instant.
    Until,
    /// For an event of the contact.
    Event,
    /// For the end of a run that it called.
    Flow,
    /// For the answer to a call.
    Http,
}

impl WaitKind {
    /// Returns the word in the API and the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reply => "reply",
            Self::Until => "until",
            Self::Event => "event",
            Self::Flow => "flow",
            Self::Http => "http",
        }
    }

    /// Returns the kind with this word.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Reply, Self::Until, Self::Event, Self::Flow, Self::Http].into_iter().find(|kind| kind.as_str() == word)
    }
}

/// The event or time that a run waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wait {
    /// Type of the wait.
    pub kind: WaitKind,
    /// The time at which it continues automatically.
    pub until: Option<Timestamp>,
    /// For a reply: how often the question was sent. For an HTTP request: the number of the next attempt.
    pub attempt: i64,
    /// For an event: the awaited event, and whether it arrived.
    pub event: Option<Box<AwaitedEvent>>,
    /// For a called flow: the state of the call.
    pub call: Option<Call>,
    /// For a reply: the last reply that arrived while the flow was paused or members handled the conversation.
    pub reply: Option<MessageId>,
}

/// An event that a run waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AwaitedEvent {
    /// The event.
    pub awaited: AwaitedKind,
    /// Events of the contact that were committed before the wait began but are delivered to runs only afterwards; they
    /// do not end the wait. `None` until the wait is stored, and again once the event arrived.
    pub passed: Option<Vec<Uuid>>,
    /// The event as templates and conditions see it, once it arrived; a step is due then.
    pub came: Option<Value>,
}

impl Wait {
    /// Creates a wait until an instant.
    pub fn until(instant: Timestamp) -> Self {
        Self { kind: WaitKind::Until, until: Some(instant), attempt: 0, event: None, call: None, reply: None }
    }

    /// Creates a wait for the reply to a question that was sent `attempt` times.
    pub fn for_reply(until: Option<Timestamp>, attempt: i64) -> Self {
        Self { kind: WaitKind::Reply, until, attempt, event: None, call: None, reply: None }
    }

    /// Creates a wait for an event, until an instant.
    pub fn for_event(event: AwaitedEvent, until: Timestamp) -> Self {
        Self {
            kind: WaitKind::Event,
            until: Some(until),
            attempt: 0,
            event: Some(Box::new(event)),
            call: None,
            reply: None,
        }
    }

    /// Creates a wait for the end of the run that the node calls.
    pub fn for_flow() -> Self {
        Self { kind: WaitKind::Flow, until: None, attempt: 0, event: None, call: Some(Call::Asked), reply: None }
    }

    /// Creates a wait for the response to an HTTP request, with the first attempt at `at`.
    pub fn for_call(at: Timestamp) -> Self {
        Self { kind: WaitKind::Http, until: Some(at), attempt: 1, event: None, call: None, reply: None }
    }
}

/// A visit of a node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceEntry {
    /// The node.
    pub node: String,
    /// Its type.
    pub kind: String,
    /// When it happened.
    pub at: Timestamp,
    /// Outcome, such as `queued`, `suppressed: unsubscribed`, `already there`.
    pub outcome: String,
    /// The exit that the run used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<String>,
    /// Whether the run was already at this node, and continued.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub resumed: bool,
    /// The sent message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<MessageId>,
    /// The run that it called, or that replaced it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// The reason for the exit, if recorded; it is not stored.
    #[serde(skip)]
    pub decision: Option<Box<Decision>>,
}

/// Why a run failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunError {
    /// `loop_guard`, `template_error`, `condition_error`, `tag_missing`, `no_channel`, `call_failed` or another code.
    pub code: String,
    /// Description of the error.
    pub message: String,
    /// The node that failed.
    pub node: Option<String>,
    /// For `loop_guard`: the last visited nodes, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<String>,
}

/// A run of a version of a flow for one contact.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The ID.
    pub id: RunId,
    /// ID of the flow.
    pub flow: FlowId,
    /// Number of the version of the flow.
    pub flow_version: i64,
    /// ID of the contact.
    pub contact: ContactId,
    /// Live runs are unique by (flow, contact, slot); nil is the shared slot of `skip`.
    pub slot: Uuid,
    /// The status.
    pub status: RunStatus,
    /// The node where the run waits or ended.
    pub node: Option<String>,
    /// The channel of the run; the workspace's default channel if absent.
    pub channel: Option<ChannelId>,
    /// Variables for templates, under `vars`.
    pub vars: Map<String, Value>,
    /// The visited nodes, at most the last 1 000.
    pub trace: Vec<TraceEntry>,
    /// The event or time that the run waits for.
    pub wait: Option<Wait>,
    /// Number of steps taken; a job belongs to one of them.
    pub visit: i64,
    /// Number of visited nodes.
    pub nodes_visited: i64,
    /// The actor that started it.
    pub started_by: Actor,
    /// ID of the event or message that started it; each starts a flow once.
    pub cause: Option<Uuid>,
    /// The run that called it and waits for its end.
    pub caller: Option<Caller>,
    /// Length of the chain of runs that led here, including this run.
    pub depth: i64,
    /// The event that started it, as templates and conditions see it.
    pub event: Option<Value>,
    /// When it started.
    pub started_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// The error, if it failed.
    pub error: Option<RunError>,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl Run {
    /// Returns a run at its start: of the first version, in the shared slot.
    pub fn new(id: RunId, flow: FlowId, contact: ContactId, started_by: Actor, now: Timestamp) -> Self {
        Self {
            id,
            flow,
            flow_version: 1,
            contact,
            slot: Uuid::nil(),
            status: RunStatus::Active,
            node: None,
            channel: None,
            vars: Map::new(),
            trace: Vec::new(),
            wait: None,
            visit: 0,
            nodes_visited: 0,
            started_by,
            cause: None,
            caller: None,
            depth: 1,
            event: None,
            started_at: now,
            ended_at: None,
            error: None,
            updated_at: now,
            version: 1,
        }
    }
}

/// A run with the data that its steps need, except the version of its flow.
#[derive(Debug, Clone, PartialEq)]
pub struct RunWithContact {
    /// The run.
    pub run: Run,
    /// Its contact, even if deleted, with tags, field values and identities.
    pub contact: Contact,
    /// All conversations with the contact: the one with the newest message first, those without messages last.
    pub conversations: Vec<Conversation>,
}
