//! Plans the next firing: after each firing, and after changes of the flow's status or version or of the workspace's
//! time zone.

use std::time::Duration;

use chrono_tz::Tz;

use super::active::active;
use super::{Cron, FlowSchedule};
use crate::access::Access;
use crate::flows::{Definition, Flow, FlowStatus};
use crate::ids::{JobId, TypedId};
use crate::ports::{Change, ChangeSet, FlowChange, Ids, Job, NewJob, Ports, StoreError};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::sequences::zone_of;
use crate::time::Timestamp;

/// The resolution of timestamps.
const INSTANT: Duration = Duration::from_millis(1);

/// Adds a plan to a set, with its job.
pub(super) fn put(plan: FlowSchedule, set: &mut ChangeSet, ids: &dyn Ids) {
    set.change(Change::Flow(FlowChange::PutSchedule(plan)));
    if let Some(due_at) = plan.next_at {
        let job = Job::FireSchedule { flow: plan.flow, visit: plan.visit };
        set.jobs.push(NewJob::new(JobId::from_uuid(ids.next()), job, due_at));
    }
}

/// Returns the last instant between `from` and `until`, inclusive, at which one of the expressions fires.
pub(super) fn last_firing(crons: &[&Cron], from: Timestamp, until: Timestamp, zone: Tz) -> Option<Timestamp> {
    let last_behind = |behind: Timestamp| {
        let last = |cron: &&Cron| {
            let next = |at: &Timestamp| cron.next_after(*at, zone).filter(|at| *at <= until);
            std::iter::successors(next(&behind), next).last()
        };
        crons.iter().filter_map(last).max()
    };
    // The missed span may be long: search the last hour first, then longer spans.
    let mut span = Duration::from_secs(3_600);
    loop {
        let behind = until.minus(span);
        if behind < from {
            return last_behind(from.minus(INSTANT));
        }
        if let Some(found) = last_behind(behind) {
            return Some(found);
        }
        span = span.saturating_mul(4);
    }
}

/// Adds the schedule change that follows from a change of a flow. `flow` is the flow after the change, `definition`
/// its published definition. If `was_active`, a firing that is already due is still made.
///
/// # Errors
/// [`StoreError`]
pub(crate) async fn follow(
    ports: &Ports,
    access: &Access,
    flow: &Flow,
    (was_active, definition): (bool, Option<&Definition>),
    set: &mut ChangeSet,
) -> Result<(), StoreError> {
    let is_active = flow.status == FlowStatus::Active;
    let crons: Vec<&Cron> = definition.filter(|_| is_active).into_iter().flat_map(Definition::crons).collect();
    let before = ports.flows.schedule(access, flow.id).await?;
    let now = ports.clock.now();
    if before.is_some() && flow.status != FlowStatus::Paused {
        // Stored recipients wait while the flow is paused; afterwards they are started or deleted.
        let job = Job::StartFrozen { flow: flow.id };
        set.jobs.push(NewJob::new(JobId::from_uuid(ports.ids.next()), job, now));
    }
    if crons.is_empty() && before.is_none_or(|before| before.next_at.is_none()) {
        return Ok(());
    }
    let zone = zone_of(&*ports.access, access).await?;
    let before = before.unwrap_or_else(|| FlowSchedule::unplanned(flow.id, zone));
    // A new version does not lose a firing that just became due.
    let late = before.next_at.filter(|due| was_active && before.zone == zone && *due <= now);
    let after = late.map_or(now, |due| due.minus(INSTANT));
    put(before.planned(crons, after, zone), set, &*ports.ids);
    Ok(())
}

/// Plans all flows of a workspace again that were planned in another time zone.
///
/// # Errors
/// [`crate::error::Error::Store`]
pub(crate) async fn plan_workspace(ports: &Ports, access: &Access) -> Result<(), crate::error::Error> {
    for FlowSchedule { flow, .. } in ports.flows.schedules(access).await? {
        retry_on_conflict(|| async {
            let zone = zone_of(&*ports.access, access).await?;
            let schedule = ports.flows.schedule(access, flow).await?;
            let Some(schedule) = schedule.filter(|it| it.next_at.is_some() && it.zone != zone) else { return Ok(()) };
            let mut set = ChangeSet::new(access.workspace());
            if replan(ports, access, schedule, zone, &mut set).await? {
                ports.ledger.commit(set).await?;
            }
            Ok::<_, AttemptError>(())
        })
        .await?;
    }
    Ok(())
}

/// Adds a new plan from the current time on. Returns false, and adds nothing, if the flow is not active.
pub(super) async fn replan(
    ports: &Ports,
    access: &Access,
    schedule: FlowSchedule,
    zone: Tz,
    set: &mut ChangeSet,
) -> Result<bool, StoreError> {
    let Some(active) = active(ports, access, schedule.flow).await? else { return Ok(false) };
    set.guard(active.guard);
    let planned = schedule.planned(active.version.definition.crons(), ports.clock.now(), zone);
    put(planned, set, &*ports.ids);
    Ok(true)
}
