//! The start of a flow as a sequence's step: what there is to know, and the decision.

use std::time::Duration;

use serde_json::Map;
use uuid::Uuid;

use crate::access::Access;
use crate::contacts::Contact;
use crate::events::{EventDraft, EventKind};
use crate::flows::{Flow, FlowStatus, Run, RunStatus, RunView};
use crate::ids::{ContactId, FlowId, JobId, RunId, TypedId};
use crate::ports::{Change, ChangeSet, Clock, Counted, FlowQueries, Guard, Ids, NewJob, Object, StoreError};
use crate::time::Timestamp;

/// How often a contact is started in one flow within [`WINDOW`].
const MAX_STARTS: usize = 10;
/// The window of [`MAX_STARTS`].
const WINDOW: Duration = Duration::from_secs(3_600);

/// What a start depends on.
pub(super) struct FlowStart {
    flow: Option<Flow>,
    live: Option<Run>,
    recent: usize,
}

impl FlowStart {
    /// Looks it up.
    pub(super) async fn load(
        flows: &dyn FlowQueries,
        access: &Access,
        flow: FlowId,
        contact: ContactId,
        now: Timestamp,
    ) -> Result<Self, StoreError> {
        let since = now.minus(WINDOW);
        let recent = flows.recent_starts(access, flow, contact, MAX_STARTS as u32).await?;
        Ok(Self {
            flow: flows.get(access, flow).await?,
            live: flows.live_run(access, flow, contact).await?,
            recent: recent.into_iter().filter(|at| *at >= since).count(),
        })
    }
}

/// Adds a run at its start, where the flow may be started. A sequence does not end because a flow of
/// it rests: what was not started is noted, and the next step comes in its time.
pub(super) fn add_start(
    set: &mut ChangeSet,
    start: &FlowStart,
    contact: &Contact,
    access: &Access,
    clock: &dyn Clock,
    ids: &dyn Ids,
) -> (&'static str, Option<RunId>) {
    let Some(flow) = &start.flow else { return ("skipped: flow_missing", None) };
    let published = flow.version_published.filter(|_| flow.status == FlowStatus::Active);
    let Some(flow_version) = published else { return ("skipped: flow_not_active", None) };
    if let Some(live) = &start.live {
        return ("already running", Some(live.id));
    }
    if start.recent >= MAX_STARTS {
        return ("skipped: start_limit", None);
    }
    let now = clock.now();
    let run = Run {
        id: RunId::from_uuid(ids.next()),
        flow: flow.id,
        flow_version,
        contact: contact.id,
        slot: Uuid::nil(),
        status: RunStatus::Active,
        node: None,
        vars: Map::new(),
        trace: Vec::new(),
        wait: None,
        visit: 0,
        nodes_visited: 0,
        started_by: access.actor().clone(),
        started_at: now,
        ended_at: None,
        error: None,
        updated_at: now,
        version: 1,
    };
    let what = Counted::Starts { flow: flow.id, contact: contact.id, since: now.minus(WINDOW) };
    set.guard(Guard::Live(Object::Contact(contact.id)));
    set.guard(Guard::Version(Object::Flow(flow.id), flow.version));
    set.guard(Guard::Room { what, adding: 1, most: MAX_STARTS as i64 });
    set.change(Change::InsertRun(Box::new(run.clone())));
    set.jobs.push(NewJob::step_run(JobId::from_uuid(ids.next()), run.id, run.visit, now));
    let event = EventDraft::new(EventKind::FlowStarted, &RunView::from(&run)).about(contact.id);
    set.tell(event, access, clock, ids);
    ("started", Some(run.id))
}
