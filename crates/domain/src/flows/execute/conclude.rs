//! Updates a run after a step and adds the follow-up job and event.

use serde_json::{Map, Value};
use uuid::Uuid;

use super::RunExecutor;
use crate::access::Access;
use crate::events::{EventDraft, EventKind};
use crate::flows::{FlowChange, Passage, Run, RunStatus, RunView, StepEnd, TraceEntry, WaitKind};
use crate::ids::{JobId, TypedId};
use crate::ports::{Change, ChangeSet, NewJob};
use crate::time::Timestamp;

const MAX_TRACE: usize = 1_000;

impl RunExecutor {
    /// Updates the run after a step. The caller stores the run.
    #[expect(clippy::too_many_arguments, reason = "the parts of a step, which the caller owns")]
    pub(super) fn conclude(
        &self,
        access: &Access,
        run: &mut Run,
        trace: Vec<TraceEntry>,
        vars: Map<String, Value>,
        ending: StepEnd,
        expires: Timestamp,
        set: &mut ChangeSet,
    ) {
        let now = self.ports.clock.now().max(run.updated_at);
        if let Some(passage) = Passage::of(run, &trace, &ending) {
            set.change(Change::Flow(FlowChange::Count { id: self.ports.ids.next(), passage, at: now }));
        }
        run.visit += 1;
        run.nodes_visited += i64::try_from(trace.iter().filter(|entry| !entry.resumed).count()).unwrap_or(i64::MAX);
        run.version += 1;
        run.updated_at = now;
        run.wait = None;
        run.vars = vars;
        run.node = trace.last().map(|entry| entry.node.clone()).or_else(|| run.node.take());
        run.trace.extend(trace);
        let excess = run.trace.len().saturating_sub(MAX_TRACE);
        run.trace.drain(..excess);
        let told = match ending {
            StepEnd::Wait { node, wait } => {
                let due_at = wait.until.map_or(expires, |until| until.min(expires));
                let job = match wait.kind {
                    WaitKind::Http => run.next_call(),
                    WaitKind::Reply | WaitKind::Until | WaitKind::Event | WaitKind::Flow => run.next_step(),
                };
                run.status = RunStatus::Waiting;
                run.node = Some(node);
                run.wait = Some(*wait);
                set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), job, due_at));
                None
            }
            StepEnd::Completed => {
                run.status = RunStatus::Completed;
                Some(EventKind::FlowCompleted)
            }
            StepEnd::Expired => {
                run.status = RunStatus::Expired;
                None
            }
            StepEnd::Failed(error) => {
                run.status = RunStatus::Failed;
                run.node = error.node.clone().or_else(|| run.node.take());
                run.error = Some(error);
                Some(EventKind::FlowFailed)
            }
        };
        if !run.status.is_live() {
            run.ended_at = Some(now);
        }
        if let Some(kind) = told {
            let view = RunView::from(&*run);
            let mut event = EventDraft::new(kind, &view).about(run.contact);
            if let Some(error) = &view.error {
                event = event.with("error", error);
            }
            self.ports.add_event(event, access, set);
        }
    }
}

impl StepEnd {
    /// Records the events that a new wait ignores: undelivered events, and events of this commit.
    pub(super) fn without_earlier_events(mut self, under_way: Vec<Uuid>, set: &ChangeSet) -> Self {
        if let Self::Wait { wait, .. } = &mut self
            && let Some(event) = &mut wait.event
            && event.came.is_none()
            && event.passed.is_none()
        {
            let told = set.events.iter().map(|event| event.id.uuid());
            event.passed = Some(under_way.into_iter().chain(told).collect());
        }
        self
    }
}
