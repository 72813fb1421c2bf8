//! Queries of flows and runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use uuid::Uuid;

use crate::access::Access;
use crate::custom_events::CustomEventName;
use crate::events::EventKind;
use crate::flows::{
    ActiveTrigger, AwaitedKind, CompiledFlow, Flow, FlowSchedule, FlowStats, FlowStatus, FlowVersion, NodeTally, Run,
    RunFilter, RunWithContact, StatisticsRequest, Trigger, WaitKind,
};
use crate::ids::{ContactId, FlowId, RunId, TypedId};
use crate::list_filter::ListFilter;
use crate::memory::tables::filter_fields::Filtered;
use crate::memory::tables::pages::{Answer, at, of, page};
use crate::memory::{JobRecord, MemoryStore};
use crate::pagination::{Page, PageRequest};
use crate::ports::{ContactQueries, ConversationQueries, FlowQueries, Job, StoreError};
use crate::time::Timestamp;

#[async_trait]
impl FlowQueries for MemoryStore {
    async fn get(&self, access: &Access, flow: FlowId) -> Answer<Option<Flow>> {
        let found = self.lock().flows.get(&(access.workspace(), flow)).cloned();
        Ok(found.map(|flow| Flow { stats: FlowStats::default(), ..flow }))
    }

    async fn stats(&self, access: &Access, flow: FlowId) -> Answer<FlowStats> {
        let mut stats = FlowStats::default();
        for run in of(&self.lock().runs, access.workspace(), |run| run.flow == flow) {
            *stats.of(run.status) += 1;
        }
        Ok(stats)
    }

    async fn node_counts(&self, access: &Access, flow: FlowId, request: StatisticsRequest) -> Answer<Vec<NodeTally>> {
        let state = self.lock();
        let is_asked = |hour: &Timestamp, version: &i64| {
            request.span.is_none_or(|(from, to)| (from..to).contains(hour))
                && request.version.is_none_or(|wanted| wanted == *version)
        };
        let mut sums = BTreeMap::new();
        for ((ws, (of, hour, version, node, count)), amount) in &state.node_counts {
            if *ws == access.workspace() && *of == flow && is_asked(hour, version) {
                *sums.entry((node.clone(), count.clone())).or_default() += amount;
            }
        }
        Ok(sums.into_iter().map(|((node, count), amount)| NodeTally { node, count, amount }).collect())
    }

    async fn waiting_at(&self, access: &Access, flow: FlowId, version: Option<i64>) -> Answer<Vec<(String, i64)>> {
        let is_asked = |run: &Run| run.flow == flow && version.is_none_or(|wanted| wanted == run.flow_version);
        let live = of(&self.lock().runs, access.workspace(), |run| run.ended_at.is_none() && is_asked(run));
        let mut counts = BTreeMap::new();
        for node in live.into_iter().filter_map(|run| run.node) {
            *counts.entry(node).or_default() += 1;
        }
        Ok(counts.into_iter().collect())
    }

    async fn list(&self, access: &Access, filter: &ListFilter<FlowStatus>, request: PageRequest) -> Answer<Page<Flow>> {
        let flows = of(&self.lock().flows, access.workspace(), |it: &Flow| filter.admits(&it.filter_fields()));
        let flows = flows.into_iter().map(|flow| Flow { stats: FlowStats::default(), ..flow }).collect();
        Ok(page(flows, request, |it: &Flow| at(it.created_at, it.id)))
    }

    async fn present(&self, access: &Access, flows: &[FlowId]) -> Answer<Vec<FlowId>> {
        let state = self.lock();
        Ok(flows.iter().filter(|flow| state.flows.contains_key(&(access.workspace(), **flow))).copied().collect())
    }

    async fn versions(&self, access: &Access, flow: FlowId, request: PageRequest) -> Answer<Page<FlowVersion>> {
        let versions = of(&self.lock().versions, access.workspace(), |it| it.flow == flow);
        Ok(page(versions, request, FlowVersion::position))
    }

    async fn published_with_secrets(&self, access: &Access) -> Answer<Vec<FlowVersion>> {
        let state = self.lock();
        let flows = of(&state.flows, access.workspace(), |_: &Flow| true);
        let current = flows.into_iter().filter_map(|flow| {
            let number = flow.version_published?;
            state.versions.get(&(access.workspace(), (flow.id, number))).cloned()
        });
        Ok(current.filter(|version| version.definition.to_string().contains("secrets")).collect())
    }

    async fn keyword_triggers(&self, access: &Access) -> Answer<Vec<ActiveTrigger>> {
        let all = self.lock().active_triggers(access.workspace());
        Ok(all.into_iter().filter(|it| matches!(it.trigger, Trigger::Keyword { .. })).collect())
    }

    async fn referral_triggers(&self, access: &Access) -> Answer<Vec<ActiveTrigger>> {
        let all = self.lock().active_triggers(access.workspace());
        Ok(all.into_iter().filter(|it| matches!(it.trigger, Trigger::Referral { .. })).collect())
    }

    async fn event_triggers(&self, access: &Access, wanted: EventKind) -> Answer<Vec<ActiveTrigger>> {
        let all = self.lock().active_triggers(access.workspace());
        let fits = |it: &ActiveTrigger| matches!(&it.trigger, Trigger::Event { kind, .. } if *kind == wanted);
        Ok(all.into_iter().filter(fits).collect())
    }

    async fn custom_event_triggers(&self, access: &Access, wanted: &CustomEventName) -> Answer<Vec<ActiveTrigger>> {
        let all = self.lock().active_triggers(access.workspace());
        let fits = |it: &ActiveTrigger| matches!(&it.trigger, Trigger::CustomEvent { name, .. } if name == wanted);
        Ok(all.into_iter().filter(fits).collect())
    }

    async fn schedule(&self, access: &Access, flow: FlowId) -> Answer<Option<FlowSchedule>> {
        Ok(self.lock().schedules.get(&(access.workspace(), flow)).copied())
    }

    async fn schedules(&self, access: &Access) -> Answer<Vec<FlowSchedule>> {
        Ok(of(&self.lock().schedules, access.workspace(), |it| it.next_at.is_some()))
    }

    async fn recipients(&self, access: &Access, flow: FlowId, limit: u32) -> Answer<Vec<(Timestamp, ContactId)>> {
        Ok(self.lock().recipients_of(access.workspace(), flow, limit))
    }

    async fn awaiting_reply(&self, access: &Access, contact: ContactId) -> Answer<Vec<Run>> {
        let waits = |run: &Run| run.wait.as_ref().is_some_and(|wait| wait.kind == WaitKind::Reply);
        let mut runs = of(&self.lock().runs, access.workspace(), |run| run.contact == contact && waits(run));
        runs.sort_by_key(|run| std::cmp::Reverse((run.updated_at, run.id)));
        Ok(runs)
    }

    async fn awaiting_event(&self, access: &Access, contact: ContactId, wanted: &AwaitedKind) -> Answer<Vec<Run>> {
        let waits = |run: &Run| {
            let event = run.wait.as_ref().and_then(|wait| wait.event.as_ref());
            event.is_some_and(|event| event.awaited == *wanted && event.came.is_none())
        };
        let mut runs = of(&self.lock().runs, access.workspace(), |run| run.contact == contact && waits(run));
        runs.sort_by_key(|run| (run.updated_at, run.id));
        runs.truncate(100);
        Ok(runs)
    }

    async fn events_under_way(&self, access: &Access, contact: ContactId) -> Answer<Vec<Uuid>> {
        let (state, ws) = (self.lock(), access.workspace());
        let takes = |job: &&JobRecord| {
            let columns = job.queued.job.columns();
            let is_of_kind = matches!(job.queued.job, Job::TakeEvent { .. } | Job::TakeCustomEvent { .. });
            is_of_kind && columns.lane == Some(contact.uuid()) && job.workspace == ws && job.dead.is_none()
        };
        let jobs = state.jobs.values().rev().filter(takes);
        Ok(jobs.map(|job| job.queued.job.columns().subject).take(1_000).collect())
    }

    async fn started_by(&self, access: &Access, cause: Uuid) -> Answer<Vec<FlowId>> {
        let runs = of(&self.lock().runs, access.workspace(), |run| run.cause == Some(cause));
        Ok(runs.into_iter().map(|run| run.flow).collect())
    }

    async fn runs(&self, access: &Access, filter: &RunFilter, request: PageRequest) -> Answer<Page<Run>> {
        let found = of(&self.lock().runs, access.workspace(), |run| {
            filter.flow.is_none_or(|flow| run.flow == flow)
                && filter.contact.is_none_or(|contact| run.contact == contact)
                && filter.status.is_none_or(|status| run.status == status)
                && filter.node.as_ref().is_none_or(|node| run.status.is_live() && run.node.as_ref() == Some(node))
        });
        Ok(page(found, request, |it: &Run| at(it.started_at, it.id)))
    }

    async fn version(&self, access: &Access, flow: FlowId, number: i64) -> Answer<Option<FlowVersion>> {
        Ok(self.lock().versions.get(&(access.workspace(), (flow, number))).cloned())
    }

    async fn compiled(&self, access: &Access, flow: FlowId, number: i64) -> Answer<Option<Arc<CompiledFlow>>> {
        let (state, key) = (self.lock(), (access.workspace(), (flow, number)));
        if let Some(filled) = state.filled.get(&key) {
            return Ok(Some(Arc::clone(filled)));
        }
        let Some(version) = state.versions.get(&key) else { return Ok(None) };
        self.compiled().read(access.workspace(), version, self.bounds.compiled()).map(Some)
    }

    async fn run(&self, access: &Access, run: RunId) -> Answer<Option<Run>> {
        Ok(self.lock().runs.get(&(access.workspace(), run)).cloned())
    }

    async fn run_with_contact(&self, access: &Access, run: RunId) -> Answer<Option<RunWithContact>> {
        let Some(run) = self.run(access, run).await? else { return Ok(None) };
        let contact = self.find_even_deleted(access, run.contact).await?;
        let contact = contact.ok_or_else(|| StoreError::Corrupt(format!("the contact of {} is missing", run.id)))?;
        let conversations = self.with(access, run.contact).await?;
        Ok(Some(RunWithContact { run, contact, conversations }))
    }

    async fn live_run(&self, access: &Access, flow: FlowId, contact: ContactId) -> Answer<Option<Run>> {
        let live =
            |it: &Run| it.flow == flow && it.contact == contact && it.slot == Uuid::nil() && it.ended_at.is_none();
        Ok(of(&self.lock().runs, access.workspace(), live).pop())
    }

    async fn recent_starts(
        &self,
        access: &Access,
        flow: FlowId,
        contact: ContactId,
        limit: u32,
    ) -> Answer<Vec<Timestamp>> {
        let starts = of(&self.lock().runs, access.workspace(), |it| {
            it.flow == flow && it.contact == contact && !it.is_refused()
        });
        let mut starts: Vec<Timestamp> = starts.iter().map(|it| it.started_at).collect();
        starts.sort_unstable_by(|a, b| b.cmp(a));
        starts.truncate(limit as usize);
        Ok(starts)
    }

    async fn is_refused_since(
        &self,
        access: &Access,
        flow: FlowId,
        contact: ContactId,
        since: Timestamp,
    ) -> Answer<bool> {
        let refused = |it: &Run| it.flow == flow && it.contact == contact && it.started_at >= since && it.is_refused();
        Ok(!of(&self.lock().runs, access.workspace(), refused).is_empty())
    }
}
