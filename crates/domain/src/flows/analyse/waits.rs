//! Checks of waits that end only after the maximum duration of a run.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::time::Duration;

use super::Finding;
use super::finding::Findings;
use crate::flows::definition::{Action, Definition, Exit, Moment, Node, Reading};
use crate::send_window::shortest;

pub(super) fn check(reading: &Reading, findings: &mut Findings) {
    let Some(definition) = &reading.definition else { return };
    let (life, soonest) = (definition.settings.expires_after, soonest(definition));
    for (id, node) in &definition.nodes {
        // A node that is only reached after the end of the run comes after a node that is reported.
        let Some(reached) = soonest.get(id.as_str()) else { continue };
        let at = |field: &str| format!("/nodes/{}/{field}", node.index);
        if let Action::Delay(delay) = &node.action
            && let Moment::For(time) = &delay.moment
        {
            let (least, usual) =
                (reached.least.saturating_add(shortest(*time)), reached.usual.saturating_add(time.get()));
            let lives = words(life);
            if least >= life {
                let over = words(least);
                let message = format!(
                    "this wait never ends: a run lasts at most {lives}, but the wait ends after {over} at the earliest"
                );
                findings.push(Finding::error(at("for"), "wait_never_ends", message).hint(LIVE_LONGER));
            } else if usual >= life {
                let over = words(usual);
                let message = format!(
                    "this wait ends only if summer time begins during it: a run lasts at most {lives}, but the wait \
                     usually ends after {over}"
                );
                findings.push(Finding::warning(at("for"), "wait_never_ends", message).hint(LIVE_LONGER));
            }
        }
        if timeout(&node.action).is_some_and(|time| reached.least.saturating_add(time) >= life) {
            let message = format!(
                "the timeout is never reached: a run lasts at most {}, and ends before the timeout",
                words(life)
            );
            findings.push(Finding::warning(at("timeout"), "timeout_never_comes", message).hint(LIVE_LONGER));
        }
        if let Action::Ask(ask) = &node.action
            && ask.timeout.is_none()
            && let Some(exit) = node.exits.iter().find(|exit| exit.name == "on_timeout")
        {
            let message = "this path is never taken: the question has no timeout, and waits until the run ends";
            let finding = Finding::warning(exit.pointer.clone(), "timeout_never_comes", message.to_owned());
            findings.push(finding.hint("set a timeout on the question, or remove on_timeout"));
        }
    }
}

const LIVE_LONGER: &str = "shorten the wait, or increase settings.expires_after";

/// Formats a duration in the largest unit that divides it.
fn words(time: Duration) -> String {
    let seconds = time.as_secs();
    let units = [(86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")];
    let (length, unit) = units.into_iter().find(|(length, _)| seconds.is_multiple_of(*length)).unwrap_or((1, "second"));
    let count = seconds / length;
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

/// The shortest time from the start of a run until it reaches a node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Reached {
    /// If clocks are set forward during each delay in days.
    least: Duration,
    /// If a day has 24 hours.
    usual: Duration,
}

impl Reached {
    fn after(self, takes: Self) -> Self {
        Self { least: self.least.saturating_add(takes.least), usual: self.usual.saturating_add(takes.usual) }
    }
}

/// Returns the shortest time until each node, without nodes that are only reached after the maximum duration.
fn soonest(definition: &Definition) -> BTreeMap<&str, Reached> {
    let (mut found, mut done) = (BTreeMap::new(), BTreeSet::new());
    let mut open = BinaryHeap::from([(Reverse(Reached::default()), definition.start.as_str())]);
    while let Some((Reverse(reached), id)) = open.pop() {
        let Some(node) = definition.nodes.get(id).filter(|_| done.insert(id)) else { continue };
        found.insert(id, reached);
        for exit in &node.exits {
            let then = reached.after(takes(node, exit));
            if then.usual < definition.settings.expires_after {
                open.push((Reverse(then), exit.to.as_str()));
            }
        }
    }
    found
}

/// Returns the shortest time that a run spends at a node before it uses this exit.
fn takes(node: &Node, exit: &Exit) -> Reached {
    if let Action::Delay(delay) = &node.action
        && let Moment::For(time) = &delay.moment
    {
        return Reached { least: shortest(*time), usual: time.get() };
    }
    let time = timeout(&node.action).filter(|_| exit.name == "on_timeout").unwrap_or_default();
    Reached { least: time, usual: time }
}

/// Returns the maximum duration of a wait for a reply or an event.
fn timeout(action: &Action) -> Option<Duration> {
    if let Action::Ask(ask) = action {
        return ask.timeout;
    }
    if let Action::WaitForEvent(wait) = action { Some(wait.timeout) } else { None }
}
