//! Rows of flows, versions and runs.

use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tidings_domain::access::Actor;
use tidings_domain::flows::{
    AwaitedEvent, AwaitedKind, Call, Caller, Flow, FlowStats, FlowStatus, FlowVersion, Run, RunStatus, Wait, WaitKind,
};
use tidings_domain::ids::MessageId;
use uuid::Uuid;

use crate::connection::faults::Fault;
use crate::queries::rows::{bindings, json, to_json, word};
use crate::queries::types::{DbId, DbTime};
use crate::schema::{flow_runs, flow_versions, flows};

crate::write::write_texts! {
    FlowRow: crate::write::Shape { deleted_at: Some("IS NULL"), ..crate::write::Shape::of("flows") },
    VersionRow: crate::write::Shape::of("flow_versions"),
    RunRow: crate::write::Shape::of("flow_runs"),
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = flows)]
    pub(crate) struct FlowRow in flows {
        workspace_id: DbId,
        id: DbId,
        name: String,
        status: String,
        version_published: Option<i64>,
        has_unpublished_changes: bool,
        definition: String,
        bindings: Option<String>,
        created_at: DbTime,
        updated_at: DbTime,
        version: i64,
    }
}

impl FlowRow {
    pub(crate) fn write(workspace_id: DbId, it: &Flow) -> Result<Self, Fault> {
        Ok(Self {
            workspace_id,
            id: it.id.into(),
            name: it.name.clone(),
            status: it.status.as_str().to_owned(),
            version_published: it.version_published,
            has_unpublished_changes: it.has_unpublished_changes,
            definition: to_json(&it.definition)?,
            bindings: it.bindings.as_ref().map(to_json).transpose()?,
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
        })
    }

    pub(super) fn read(self) -> Result<Flow, Fault> {
        Ok(Flow {
            id: self.id.to_typed_id(),
            name: self.name,
            status: word(&self.status, "flow status", FlowStatus::parse)?,
            version_published: self.version_published,
            has_unpublished_changes: self.has_unpublished_changes,
            definition: json(&self.definition, "a flow's draft")?,
            bindings: bindings(self.bindings.as_deref())?,
            stats: FlowStats::default(),
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = flow_versions)]
    pub(crate) struct VersionRow in flow_versions {
        workspace_id: DbId,
        flow_id: DbId,
        number: i64,
        definition: String,
        tags: String,
        bindings: Option<String>,
        created_at: DbTime,
    }
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = flow_runs)]
    pub(crate) struct RunRow in flow_runs {
        pub(super) workspace_id: DbId,
        id: DbId,
        pub(super) flow_id: DbId,
        flow_version: i64,
        pub(super) contact_id: DbId,
        slot: DbId,
        status: String,
        node: Option<String>,
        vars: String,
        trace: String,
        wait_until: Option<DbTime>,
        visit: i64,
        nodes_visited: i64,
        started_by_kind: String,
        started_by_id: Option<String>,
        started_at: DbTime,
        ended_at: Option<DbTime>,
        error: Option<String>,
        updated_at: DbTime,
        version: i64,
        channel_id: Option<DbId>,
        wait_kind: Option<String>,
        wait_attempt: i64,
        cause_id: Option<DbId>,
        depth: i64,
        event: Option<String>,
        wait_event: Option<String>,
        wait_details: Option<String>,
        caller_id: Option<DbId>,
        call_depth: i64,
    }
}

#[derive(Serialize, Deserialize)]
struct WaitDetails {
    event: String,
    passed: Option<Vec<String>>,
    came: Option<Value>,
}

impl WaitDetails {
    fn write(it: &AwaitedEvent) -> Result<String, Fault> {
        let passed = it.passed.as_ref().map(|events| events.iter().map(Uuid::to_string).collect());
        to_json(&Self { event: it.awaited.to_string(), passed, came: it.came.clone() })
    }

    fn read(text: &str) -> Result<Box<AwaitedEvent>, Fault> {
        let it: Self = json(text, "a run's wait")?;
        let awaited = word(&it.event, "awaited event", AwaitedKind::parse)?;
        let id = |text: &String| word(text, "passed event", |id| Uuid::try_parse(id).ok());
        let passed = it.passed.map(|events| events.iter().map(id).collect::<Result<Vec<_>, Fault>>()).transpose()?;
        Ok(Box::new(AwaitedEvent { awaited, passed, came: it.came }))
    }
}

#[derive(Serialize, Deserialize)]
struct CallDetails {
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<String>,
    /// The reason why no run was started.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
}

impl CallDetails {
    fn write(it: &Call) -> Result<String, Fault> {
        let (run, refused) = match it {
            Call::Asked => (None, None),
            Call::Began(run) => (Some(run.to_string()), None),
            Call::Refused(why) => (None, Some(why.clone())),
        };
        to_json(&Self { run, refused })
    }

    fn read(text: &str) -> Result<Call, Fault> {
        let it: Self = json(text, "a run's wait")?;
        Ok(match (it.run, it.refused) {
            (Some(run), _) => Call::Began(word(&run, "called run", |run| run.parse().ok())?),
            (None, Some(why)) => Call::Refused(why),
            (None, None) => Call::Asked,
        })
    }
}

/// The stored details of a wait with a reply that arrived while the run accepted none.
#[derive(Serialize, Deserialize)]
struct ReplyDetails {
    message: String,
}

impl ReplyDetails {
    fn read(text: &str) -> Result<MessageId, Fault> {
        let it: Self = json(text, "a run's wait")?;
        word(&it.message, "reply", |id| id.parse().ok())
    }
}

/// Encodes the details of a wait that have no separate columns.
fn write_details(wait: &Wait) -> Result<Option<String>, Fault> {
    match (&wait.event, &wait.call, wait.reply) {
        (Some(event), ..) => WaitDetails::write(event).map(Some),
        (None, Some(call), _) => CallDetails::write(call).map(Some),
        (None, None, Some(message)) => to_json(&ReplyDetails { message: message.to_string() }).map(Some),
        (None, None, None) => Ok(None),
    }
}

impl RunRow {
    pub(crate) fn write(workspace_id: DbId, it: &Run) -> Result<Self, Fault> {
        let awaited = it.wait.as_ref().and_then(|wait| wait.event.as_deref());
        Ok(Self {
            workspace_id,
            id: it.id.into(),
            flow_id: it.flow.into(),
            flow_version: it.flow_version,
            contact_id: it.contact.into(),
            slot: DbId(it.slot),
            status: it.status.as_str().to_owned(),
            node: it.node.clone(),
            vars: to_json(&it.vars)?,
            trace: to_json(&it.trace)?,
            wait_until: it.wait.as_ref().and_then(|wait| wait.until).map(Into::into),
            visit: it.visit,
            nodes_visited: it.nodes_visited,
            started_by_kind: it.started_by.kind_str().to_owned(),
            started_by_id: it.started_by.id.clone(),
            started_at: it.started_at.into(),
            ended_at: it.ended_at.map(Into::into),
            error: it.error.as_ref().map(to_json).transpose()?,
            updated_at: it.updated_at.into(),
            version: it.version,
            channel_id: it.channel.map(Into::into),
            wait_kind: it.wait.as_ref().map(|wait| wait.kind.as_str().to_owned()),
            wait_attempt: it.wait.as_ref().map_or(0, |wait| wait.attempt),
            cause_id: it.cause.map(DbId),
            depth: it.depth,
            event: it.event.as_ref().map(to_json).transpose()?,
            wait_event: awaited.filter(|event| event.came.is_none()).map(|event| event.awaited.to_string()),
            wait_details: it.wait.as_ref().map(write_details).transpose()?.flatten(),
            caller_id: it.caller.map(|caller| caller.run.into()),
            call_depth: it.caller.map_or(0, |caller| caller.depth),
        })
    }

    pub(crate) fn read(self) -> Result<Run, Fault> {
        let wait = match &self.wait_kind {
            None => None,
            Some(kind) => {
                let kind = word(kind, "wait", WaitKind::parse)?;
                let until = self.wait_until.map(|until| until.0);
                let mut wait = Wait { kind, until, attempt: self.wait_attempt, event: None, call: None, reply: None };
                match (kind, self.wait_details.as_deref()) {
                    (WaitKind::Event, Some(details)) => wait.event = Some(WaitDetails::read(details)?),
                    (WaitKind::Flow, Some(details)) => wait.call = Some(CallDetails::read(details)?),
                    (WaitKind::Reply, Some(details)) => wait.reply = Some(ReplyDetails::read(details)?),
                    (WaitKind::Until | WaitKind::Http, _)
                    | (WaitKind::Event | WaitKind::Flow | WaitKind::Reply, None) => {}
                }
                Some(wait)
            }
        };
        Ok(Run {
            id: self.id.to_typed_id(),
            flow: self.flow_id.to_typed_id(),
            flow_version: self.flow_version,
            contact: self.contact_id.to_typed_id(),
            slot: self.slot.0,
            status: word(&self.status, "run status", RunStatus::parse)?,
            node: self.node,
            channel: self.channel_id.map(DbId::to_typed_id),
            vars: json(&self.vars, "a run's vars")?,
            trace: json(&self.trace, "a run's trace")?,
            wait,
            visit: self.visit,
            nodes_visited: self.nodes_visited,
            started_by: Actor::from_parts(&self.started_by_kind, self.started_by_id),
            cause: self.cause_id.map(|cause| cause.0),
            caller: self.caller_id.map(|run| Caller { run: run.to_typed_id(), depth: self.call_depth }),
            depth: self.depth,
            event: self.event.map(|event| json(&event, "a run's event")).transpose()?,
            started_at: self.started_at.0,
            ended_at: self.ended_at.map(|time| time.0),
            error: self.error.map(|error| json(&error, "a run's error")).transpose()?,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

impl VersionRow {
    pub(crate) fn write(workspace_id: DbId, it: &FlowVersion) -> Result<Self, Fault> {
        Ok(Self {
            workspace_id,
            flow_id: it.flow.into(),
            number: it.number,
            definition: to_json(&it.definition)?,
            tags: to_json(&it.tags)?,
            bindings: it.bindings.as_ref().map(to_json).transpose()?,
            created_at: it.created_at.into(),
        })
    }

    pub(super) fn read(self) -> Result<FlowVersion, Fault> {
        Ok(FlowVersion {
            flow: self.flow_id.to_typed_id(),
            number: self.number,
            definition: json(&self.definition, "a flow version")?,
            tags: json(&self.tags, "a flow version's tags")?,
            bindings: bindings(self.bindings.as_deref())?,
            created_at: self.created_at.0,
        })
    }
}
