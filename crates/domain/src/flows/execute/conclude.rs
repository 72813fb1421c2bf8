//! Notes how far a run is after a step, and adds what follows.

use serde_json::{Map, Value};

use super::RunExecutor;
use crate::access::Access;
use crate::events::{EventDraft, EventKind};
use crate::flows::{Ending, Run, RunStatus, RunView, TraceEntry};
use crate::ids::{JobId, TypedId};
use crate::ports::{ChangeSet, NewJob};
use crate::time::Timestamp;

/// The most entries that a run's trace keeps.
const MAX_TRACE: usize = 1_000;

impl RunExecutor {
    /// Notes how far the run is. The run itself is the caller's to write.
    #[allow(clippy::too_many_arguments, reason = "what a step was, taken apart")]
    pub(super) fn conclude(
        &self,
        access: &Access,
        run: &mut Run,
        trace: Vec<TraceEntry>,
        vars: Map<String, Value>,
        ending: Ending,
        expires: Timestamp,
        set: &mut ChangeSet,
    ) {
        let now = self.ports.clock.now().max(run.updated_at);
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
            Ending::Wait { node, wait } => {
                let due_at = wait.until.map_or(expires, |until| until.min(expires));
                run.status = RunStatus::Waiting;
                run.node = Some(node);
                run.wait = Some(wait);
                set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), run.next_step(), due_at));
                None
            }
            Ending::Completed => {
                run.status = RunStatus::Completed;
                Some(EventKind::FlowCompleted)
            }
            Ending::Expired => {
                run.status = RunStatus::Expired;
                None
            }
            Ending::Failed(error) => {
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
            set.tell(event, access, &*self.ports.clock, &*self.ports.ids);
        }
    }
}
