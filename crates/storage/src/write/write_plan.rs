//! The steps of one or several sets, grouped by kind.

use std::collections::VecDeque;

use tidings_domain::ports::ChangeSet;
use uuid::Uuid;

use super::grouping::Grouped;
use super::step::Write;
use super::steps;

/// The steps of sets. The steps of each set stay in their order.
pub(super) struct WritePlan<'s> {
    pub(super) steps: Vec<Write<'s>>,
}

/// The steps of a set that are not in the plan yet.
type Waiting<'s> = VecDeque<Write<'s>>;

impl<'s> WritePlan<'s> {
    pub(super) fn of(sets: impl IntoIterator<Item = &'s ChangeSet>) -> Self {
        let mut waiting: Vec<Waiting<'s>> = sets.into_iter().map(|set| steps::of_set(set).collect()).collect();
        let mut steps = Vec::new();
        while let Some(mut step) = next(&waiting).and_then(|place| waiting.get_mut(place)?.pop_front()) {
            let mut targets = Vec::from_iter(step.target());
            for queue in &mut waiting {
                join_first(&mut step, &mut targets, queue);
            }
            steps.push(step);
            waiting.retain(|queue| !queue.is_empty());
        }
        Self { steps }
    }
}

/// Joins the first steps of a set until one is of a different kind, or changes a row that the step already contains.
fn join_first<'s>(step: &mut Write<'s>, targets: &mut Vec<(Uuid, Uuid)>, queue: &mut Waiting<'s>) {
    while let Some(first) = queue.pop_front() {
        let target = first.target();
        let is_repeated = target.is_some_and(|it| targets.contains(&it));
        let rest = if is_repeated { Some(first) } else { step.join(first) };
        if let Some(rest) = rest {
            queue.push_front(rest);
            return;
        }
        targets.extend(target);
    }
}

/// Returns the set with the next step of the plan. Of all first steps, it chooses the kind that the fewest other
/// sets still have behind their own first step.
fn next<'s>(waiting: &[Waiting<'s>]) -> Option<usize> {
    let mut best: Option<(usize, usize, &Write<'s>)> = None;
    for (place, queue) in waiting.iter().enumerate() {
        let Some(step) = queue.front() else { continue };
        if best.is_some_and(|(_, _, it)| it.is_like(step)) {
            continue;
        }
        let is_to_come = |queue: &&Waiting<'s>| {
            queue.front().is_some_and(|first| !first.is_like(step)) && queue.iter().any(|it| it.is_like(step))
        };
        let to_come = waiting.iter().filter(is_to_come).count();
        if best.is_none_or(|(fewest, _, _)| to_come < fewest) {
            best = Some((to_come, place, step));
        }
    }
    best.map(|(_, place, _)| place)
}

/// Returns true if stored rows can conflict with a set.
pub(crate) fn may_contradict(set: &ChangeSet) -> bool {
    !set.guards.is_empty() || steps::of_set(set).any(|step| step.may_contradict())
}
