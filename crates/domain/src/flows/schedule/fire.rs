//! Firings: one commit stores the recipients and plans the next firing.

use std::sync::Arc;

use super::active::{Active, active};
use super::plan::{follow, last_firing, plan_workspace, put, replan};
use super::{Cron, FlowSchedule, audience};
use crate::access::Access;
use crate::error::Error;
use crate::flows::status::change_status;
use crate::flows::{CompiledFlow, FlowStatus};
use crate::ids::{FlowId, JobId, TypedId};
use crate::ports::{Change, ChangeSet, ClaimedJob, FlowChange, Job, NewJob, Ports, Row, StoreError};
use crate::retry::{AttemptError, commit_unless_lost, retry_on_conflict};
use crate::sequences::zone_of;
use crate::work::{follow_up_job, ignore_lost_claim};

/// Fires flows by their schedule, in the workspace's time zone.
#[derive(Clone)]
pub struct ScheduleExecutor {
    /// Access to storage and other services.
    pub ports: Arc<Ports>,
}

impl ScheduleExecutor {
    /// Fires once for the latest instant that has passed; earlier missed instants are skipped. The job only finishes
    /// if the flow was planned again since, or is not active; an inactive flow is planned when it becomes active.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn fire(&self, access: &Access, job: &ClaimedJob, flow: FlowId, visit: i64) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let mut set = ChangeSet::new(job.workspace);
            set.change(job.finish());
            let schedule = self.ports.flows.schedule(access, flow).await?;
            if let Some(schedule) = schedule.filter(|it| it.visit == visit) {
                self.decide(access, schedule, &mut set).await?;
            }
            ignore_lost_claim(self.ports.ledger.commit(set).await)
        })
        .await
    }

    async fn decide(&self, access: &Access, schedule: FlowSchedule, set: &mut ChangeSet) -> Result<(), AttemptError> {
        let (Some(due), zone) = (schedule.next_at, zone_of(&*self.ports.access, access).await?) else { return Ok(()) };
        if zone != schedule.zone {
            // The workspace's time zone changed, so this instant no longer counts.
            replan(&self.ports, access, schedule, zone, set).await?;
            return Ok(());
        }
        let flow = schedule.flow;
        let Some(Active { version, guard }) = active(&self.ports, access, flow).await? else { return Ok(()) };
        set.guard(guard);
        // The job is due, so by the store's clock the instant has passed.
        let now = self.ports.clock.now().max(due);
        let crons: Vec<&Cron> = version.definition.crons().collect();
        let fired_at = last_firing(&crons, due, now, zone);
        if let Some(at) = fired_at {
            let Some(audience) = audience::of(&self.ports, access, &version, at, zone).await? else {
                return self.pause(access, flow, &version, set).await;
            };
            set.change(Change::Flow(FlowChange::FreezeAudience { flow, at, audience }));
            let job = Job::StartFrozen { flow };
            set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), job, self.ports.clock.now()));
        }
        let fired = FlowSchedule { fired_at: fired_at.or(schedule.fired_at), ..schedule };
        put(fired.planned(crons, now, zone), set, &*self.ports.ids);
        Ok(())
    }

    /// Pauses a flow with an audience that names a deleted object, because it could select the wrong contacts. The
    /// next firing is planned when the flow is active again.
    async fn pause(
        &self,
        access: &Access,
        flow: FlowId,
        version: &CompiledFlow,
        set: &mut ChangeSet,
    ) -> Result<(), AttemptError> {
        let Some(mut flow) = self.ports.flows.get(access, flow).await? else { return Ok(()) };
        let was_active = flow.status == FlowStatus::Active;
        let now = self.ports.clock.now().max(flow.updated_at);
        change_status(&mut flow, FlowStatus::Paused, now, set)?;
        flow.version += 1;
        flow.updated_at = now;
        set.change(Change::Update(Row::Flow(flow.clone())));
        follow(&self.ports, access, &flow, (was_active, Some(&version.definition)), set).await?;
        Ok(())
    }

    /// Plans the next firing of a flow after its firing job failed permanently; adds this to the set that dead-letters
    /// the job. The missed firing is not repeated: the job belongs to a past plan, so retrying it fires nothing.
    pub(crate) async fn abandon(
        &self,
        access: &Access,
        flow: FlowId,
        visit: i64,
        set: &mut ChangeSet,
    ) -> Result<(), StoreError> {
        match self.plan_next(access, flow, visit, set).await {
            // The schedule cannot be read: check the same plan again later.
            Err(StoreError::Corrupt(_)) => set.jobs.push(follow_up_job(Job::FireSchedule { flow, visit }, &self.ports)),
            planned => planned?,
        }
        Ok(())
    }

    /// Adds the plan after this one, from the current time on, if this one is still current.
    async fn plan_next(
        &self,
        access: &Access,
        flow: FlowId,
        visit: i64,
        set: &mut ChangeSet,
    ) -> Result<(), StoreError> {
        let schedule = self.ports.flows.schedule(access, flow).await?.filter(|it| it.visit == visit);
        let Some((schedule, due)) = schedule.and_then(|it| Some((it, it.next_at?))) else { return Ok(()) };
        let Some(Active { version, guard }) = active(&self.ports, access, flow).await? else { return Ok(()) };
        let zone = zone_of(&*self.ports.access, access).await?;
        set.guard(guard);
        let now = self.ports.clock.now().max(due);
        put(schedule.planned(version.definition.crons(), now, zone), set, &*self.ports.ids);
        Ok(())
    }

    /// Plans the flows of a workspace again after its time zone changed.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn plan(&self, access: &Access, job: &ClaimedJob) -> Result<(), Error> {
        plan_workspace(&self.ports, access).await?;
        let mut set = ChangeSet::new(job.workspace);
        set.change(job.finish());
        commit_unless_lost(&*self.ports.ledger, set).await
    }
}
