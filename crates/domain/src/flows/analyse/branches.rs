//! Conditions that never match: contradictory ones, or those that earlier branches already cover.

use super::Finding;
use super::conditions::Conditions;
use super::finding::Findings;
use super::visible::VisibleEvents;
use crate::conditions::{Condition, Satisfiability, SearchBudget};
use crate::events::EventKind;
use crate::flows::AwaitedKind;
use crate::flows::definition::{Action, Reading, Trigger};

pub(super) fn check(
    reading: &Reading,
    conditions: &Conditions,
    visible_events: &VisibleEvents,
    findings: &mut Findings,
) {
    let mut effort = SearchBudget::default();
    let mut nodes: Vec<_> = reading.nodes.values().collect();
    nodes.sort_unstable_by_key(|node| node.index);
    for node in nodes {
        let at = format!("/nodes/{}", node.index);
        if let Action::Branch(branch) = &node.action {
            let places = (0..branch.branches.len()).map(|index| format!("{at}/branches/{index}/when")).collect();
            of_branch(places, conditions, visible_events, (&mut effort, &mut *findings));
        }
        if let Action::WaitForEvent(wait) = &node.action {
            let never = of_event(&wait.awaited, &at, conditions, visible_events, &mut effort);
            findings.extend(never.map(|it| it.hint(format!("each run waits here until the timeout; {EVENT_HINT}"))));
        }
    }
    for (index, trigger) in reading.definition.iter().flat_map(|it| &it.triggers).enumerate() {
        let event = match trigger {
            Trigger::Event { kind, .. } => AwaitedKind::Event(*kind),
            Trigger::CustomEvent { name, .. } => AwaitedKind::Custom(name.clone()),
            Trigger::Keyword { .. } | Trigger::Referral { .. } => continue,
            Trigger::Schedule { .. } => {
                let place = format!("/triggers/{index}/audience");
                if let Satisfiability::Never(why) = conditions.judge(&place, &[], visible_events, &mut effort) {
                    let finding = Finding::warning(
                        place,
                        "audience_never_matches",
                        format!("this condition never matches: {why}"),
                    );
                    findings.push(
                        finding
                            .hint("the audience matches no contact; combine mutually exclusive conditions with `any`"),
                    );
                }
                continue;
            }
        };
        let never = of_event(&event, &format!("/triggers/{index}"), conditions, visible_events, &mut effort);
        findings.extend(never.map(|it| it.hint(format!("the trigger never starts the flow; {EVENT_HINT}"))));
    }
}

const EVENT_HINT: &str = "choose another event, or change the filter";

/// Checks the conditions of one branch node, in order.
fn of_branch(
    places: Vec<String>,
    conditions: &Conditions,
    visible_events: &VisibleEvents,
    (effort, findings): (&mut SearchBudget, &mut Findings),
) {
    let mut earlier: Vec<&Condition> = Vec::new();
    for place in places {
        if findings.is_full() {
            return;
        }
        let Some(condition) = conditions.at(&place) else { continue };
        let repeated = earlier.iter().any(|it| it.source_json() == condition.source_json());
        if let Satisfiability::Never(why) = conditions.judge(&place, &[], visible_events, effort) {
            let finding = Finding::warning(place, NEVER_MATCHES, format!("this condition never matches: {why}"));
            findings.push(finding.hint("combine mutually exclusive conditions with `any`, or remove the branch"));
            continue;
        }
        if repeated || conditions.judge(&place, &earlier, visible_events, effort) != Satisfiability::Possible {
            let finding = Finding::warning(
                place,
                NEVER_MATCHES,
                "earlier branches already match everything that this branch matches",
            );
            findings.push(finding.hint("move this branch before those branches, or remove it"));
            continue;
        }
        earlier.push(condition);
    }
}

const NEVER_MATCHES: &str = "branch_never_matches";

/// Returns a finding if the event that a trigger or wait expects can never arrive.
fn of_event(
    event: &AwaitedKind,
    at: &str,
    conditions: &Conditions,
    visible_events: &VisibleEvents,
    effort: &mut SearchBudget,
) -> Option<Finding> {
    let unheard = |kind: &EventKind| {
        let message =
            format!("events of the type {} have no existing contact, so flows never receive them", kind.as_str());
        Finding::warning(format!("{at}/event"), NEVER_COMES, message)
    };
    match event {
        AwaitedKind::Event(kind) if !kind.reaches_flows() => return Some(unheard(kind)),
        AwaitedKind::Event(_) | AwaitedKind::Custom(_) => {}
    }
    let filter = format!("{at}/filter");
    match conditions.judge(&filter, &[], visible_events, effort) {
        Satisfiability::Never(why) => {
            Some(Finding::warning(filter, NEVER_COMES, format!("this condition never matches: {why}")))
        }
        Satisfiability::Possible => None,
    }
}

const NEVER_COMES: &str = "event_never_comes";
