//! Waits that cannot end: the run is over before they are.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::time::Duration;

use super::Finding;
use super::finding::Findings;
use crate::flows::definition::{Action, Definition, Exit, Moment, Node, Reading};

pub(super) fn check(reading: &Reading, findings: &mut Findings) {
    let Some(definition) = &reading.definition else { return };
    let (life, soonest) = (definition.settings.expires_after, soonest(definition));
    for (id, node) in &definition.nodes {
        // A node that is only reached when the run is over, is behind one that is told.
        let Some(reached) = soonest.get(id.as_str()) else { continue };
        let at = |field: &str| format!("/nodes/{}/{field}", node.index);
        if let Action::Delay(delay) = &node.action
            && let Moment::For(time) = &delay.moment
            && reached.saturating_add(time.get()) >= life
        {
            let (life, over) = (words(life), words(reached.saturating_add(time.get())));
            let message = format!("never ends: a run lives {life}, and this wait is over after {over} at the soonest");
            findings.push(Finding::error(at("for"), "wait_never_ends", message).hint(LIVE_LONGER));
        }
        if timeout(&node.action).is_some_and(|time| reached.saturating_add(time) >= life) {
            let message = format!("the time-out never comes: a run lives {}, and is over before", words(life));
            findings.push(Finding::warning(at("timeout"), "timeout_never_comes", message).hint(LIVE_LONGER));
        }
        if let Action::Ask(ask) = &node.action
            && ask.timeout.is_none()
            && let Some(exit) = node.exits.iter().find(|exit| exit.name == "on_timeout")
        {
            let message = "nobody goes this way: the question has no timeout, and waits as long as the run lives";
            let finding = Finding::warning(exit.pointer.clone(), "timeout_never_comes", message.to_owned());
            findings.push(finding.hint("give the question a timeout, or take on_timeout out"));
        }
    }
}

const LIVE_LONGER: &str = "wait for less, or raise settings.expires_after";

/// A time, for people: in the greatest unit that it is a whole number of.
fn words(time: Duration) -> String {
    let seconds = time.as_secs();
    let units = [(86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")];
    let (length, unit) = units.into_iter().find(|(length, _)| seconds.is_multiple_of(*length)).unwrap_or((1, "second"));
    let count = seconds / length;
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

/// How long after its start a run is at each node at the soonest; nodes at which it is only when it is over are absent.
fn soonest(definition: &Definition) -> BTreeMap<&str, Duration> {
    let (mut found, mut done) = (BTreeMap::new(), BTreeSet::new());
    let mut open = BinaryHeap::from([(Reverse(Duration::ZERO), definition.start.as_str())]);
    while let Some((Reverse(reached), id)) = open.pop() {
        let Some(node) = definition.nodes.get(id).filter(|_| done.insert(id)) else { continue };
        found.insert(id, reached);
        for exit in &node.exits {
            let then = reached.saturating_add(takes(node, exit));
            if then < definition.settings.expires_after {
                open.push((Reverse(then), exit.to.as_str()));
            }
        }
    }
    found
}

/// How long a run is at the least in a node that it leaves by this exit.
fn takes(node: &Node, exit: &Exit) -> Duration {
    if let Action::Delay(delay) = &node.action
        && let Moment::For(time) = &delay.moment
    {
        return time.get();
    }
    timeout(&node.action).filter(|_| exit.name == "on_timeout").unwrap_or_default()
}

/// How long a node waits for somebody or something at the most.
fn timeout(action: &Action) -> Option<Duration> {
    if let Action::Ask(ask) = action {
        return ask.timeout;
    }
    if let Action::WaitForEvent(wait) = action { Some(wait.timeout) } else { None }
}
