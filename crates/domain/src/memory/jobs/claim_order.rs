//! The order of claims: workspaces, and the kinds of deliveries, take turns.

use std::collections::BTreeMap;

use crate::ids::{JobId, WorkspaceId};
use crate::memory::State;
use crate::ports::{ClaimRequest, JobKind};
use crate::time::Timestamp;

impl State {
    /// Takes half of the limit in order of due time, and the rest in turn from each workspace. Workspaces with enough
    /// jobs come last.
    pub(super) fn taken_around_workspaces(
        &self,
        mut due: Vec<(Timestamp, JobId)>,
        request: &ClaimRequest,
    ) -> Vec<(Timestamp, JobId)> {
        let rest = due.split_off(due.len().min(request.limit.div_ceil(2) as usize));
        let workspace = |id: &JobId| self.jobs.get(id).map(|job| job.workspace);
        let mut taken = BTreeMap::<_, usize>::new();
        due.iter().for_each(|(_, id)| *taken.entry(workspace(id)).or_default() += 1);
        let has_enough = |of: &Option<WorkspaceId>| {
            of.is_some_and(|it| request.full_workspaces.contains(&it))
                || taken.get(of).is_some_and(|jobs| jobs * 2 >= request.limit as usize)
        };
        let mut turns = BTreeMap::<_, usize>::new();
        let ranked = rest.into_iter().map(|(at, id)| {
            let of = workspace(&id);
            let turn = turns.entry(of).or_default();
            *turn += 1;
            (has_enough(&of), *turn, at, id)
        });
        let mut ranked: Vec<_> = ranked.collect();
        ranked.sort_unstable();
        due.extend(ranked.into_iter().map(|(_, _, at, id)| (at, id)));
        due
    }

    /// Takes a quarter of the limit from HTTP calls, then retries up to their limit, first attempts, and the other
    /// calls; each group in turn from each workspace.
    pub(super) fn taken_in_turn(
        &self,
        due: Vec<(Timestamp, JobId)>,
        request: &ClaimRequest,
    ) -> Vec<(Timestamp, JobId)> {
        let mut turns = BTreeMap::<_, usize>::new();
        let mut ranked: Vec<_> = due
            .into_iter()
            .filter_map(|(at, id)| {
                let job = self.jobs.get(&id)?;
                let kind = job.queued.job.kind();
                let group = (kind == JobKind::CallHttp, kind != JobKind::RetryDelivery);
                let turn = turns.entry((group, job.workspace)).or_default();
                *turn += 1;
                Some((group, *turn, at, id))
            })
            .collect();
        ranked.sort_unstable();
        let (mut calls, mut retries) = (request.limit / 4, request.retries);
        let (first_calls, rest): (Vec<_>, Vec<_>) =
            ranked.into_iter().partition(|((is_call, _), ..)| *is_call && use_one(&mut calls));
        let rest = rest.into_iter().filter(|((_, is_no_retry), ..)| *is_no_retry || use_one(&mut retries));
        first_calls.into_iter().chain(rest).map(|(_, _, at, id)| (at, id)).collect()
    }
}

/// Whether one of these is left. It is used up.
fn use_one(left: &mut u32) -> bool {
    let is_left = *left > 0;
    *left = left.saturating_sub(1);
    is_left
}
