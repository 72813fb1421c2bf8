//! Checks of the graph: unreachable nodes, and loops without a wait.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::Finding;
use super::finding::Findings;
use crate::flows::Node;
use crate::flows::definition::{Action, Reading};

/// Maximum number of IDs in a path or loop, and maximum length of each in characters.
const MOST_IDS: usize = 50;
const MOST_CHARACTERS: usize = 64;

type Nodes = BTreeMap<String, Node>;

/// The shortest paths from the start: the previous node of each reachable node.
pub(super) struct Ways<'a> {
    before: BTreeMap<&'a str, Option<&'a str>>,
    by_index: BTreeMap<usize, &'a str>,
}

impl<'a> Ways<'a> {
    pub(super) fn of(nodes: &'a Nodes, start: Option<&str>) -> Self {
        let mut before: BTreeMap<&str, Option<&str>> = BTreeMap::new();
        let mut waiting = VecDeque::new();
        if let Some((start, _)) = start.and_then(|start| nodes.get_key_value(start)) {
            before.insert(start, None);
            waiting.push_back(start.as_str());
        }
        while let Some(at) = waiting.pop_front() {
            for exit in nodes.get(at).into_iter().flat_map(|node| &node.exits) {
                if nodes.contains_key(&exit.to) && !before.contains_key(exit.to.as_str()) {
                    before.insert(&exit.to, Some(at));
                    waiting.push_back(&exit.to);
                }
            }
        }
        Self { before, by_index: nodes.iter().map(|(id, node)| (node.index, id.as_str())).collect() }
    }

    /// Returns the shortest path from the start to a node, inclusive; only the node if it is unreachable.
    pub(super) fn to(&self, id: &str) -> Vec<String> {
        let back = std::iter::successors(Some(id), |at| self.before.get(at).copied().flatten());
        let mut way: Vec<String> = back.take(MOST_IDS).map(display_id).collect();
        way.reverse();
        way
    }

    /// Adds the path to the node that a finding is about.
    pub(super) fn lead_to(&self, finding: &mut Finding) {
        if finding.node_path.is_empty() {
            let place = finding.pointer.strip_prefix("/nodes/").and_then(|rest| rest.split('/').next()?.parse().ok());
            let id = place.and_then(|index: usize| self.by_index.get(&index));
            finding.node_path = id.map(|id| self.to(id)).unwrap_or_default();
        }
    }
}

/// Shortens an ID for messages; too long IDs are reported separately.
fn display_id(id: &str) -> String {
    id.chars().take(MOST_CHARACTERS).collect()
}

pub(super) fn check(reading: &Reading, ways: &Ways<'_>, findings: &mut Findings) {
    // Skip this if the start leads to no node, which is reported itself, or if the exits of an unread node are
    // unknown.
    if !ways.before.is_empty() && reading.unread.is_empty() {
        for id in unreachable_nodes(&reading.nodes, ways) {
            if findings.is_full() {
                return;
            }
            let Some(node) = reading.nodes.get(id) else { continue };
            let message = format!("no path leads to the node {}", display_id(id));
            let finding = Finding::error(format!("/nodes/{}", node.index), "unreachable_node", message);
            findings.push(
                finding
                    .with("name", display_id(id))
                    .along(vec![display_id(id)])
                    .hint("connect another node to it, or remove it"),
            );
        }
    }
    circles(&reading.nodes, &reading.unread, findings);
}

/// Returns the unreachable nodes, without those that another unreachable node leads to.
fn unreachable_nodes<'a>(nodes: &'a Nodes, ways: &Ways<'_>) -> Vec<&'a str> {
    let all: Vec<&str> = nodes.keys().map(String::as_str).filter(|id| !ways.before.contains_key(id)).collect();
    let leads = |id: &str| nodes.get(id).into_iter().flat_map(|node| &node.exits).map(|exit| exit.to.as_str());
    let behind: BTreeSet<&str> = all.iter().flat_map(|id| leads(id).filter(move |to| to != id)).collect();
    let (mut told, mut seen) = (Vec::new(), BTreeSet::new());
    // Of an unreachable loop, report the first node.
    for id in all.iter().filter(|id| !behind.contains(*id)).chain(&all) {
        if seen.insert(*id) {
            told.push(*id);
            let mut open = vec![*id];
            while let Some(at) = open.pop() {
                open.extend(leads(at).filter(|to| seen.insert(to)));
            }
        }
    }
    told
}

/// Reports loops without a wait: at run time a guard would stop each of them. Nodes in `unread` may wait. Returns the
/// number of exits that were followed; each is followed at most once.
pub(super) fn circles(nodes: &Nodes, unread: &BTreeSet<String>, findings: &mut Findings) -> usize {
    let mut steps = 0;
    let mut done: BTreeSet<&str> = BTreeSet::new();
    for root in nodes.keys() {
        // Depth-first search: the path from the root, with the next exit to try at each node.
        let mut way: Vec<(&str, usize)> = vec![(root, 0)];
        let mut places: BTreeMap<&str, usize> = [(root.as_str(), 0)].into();
        while let Some((at, tried)) = way.last_mut() {
            let node = nodes.get(*at).filter(|node| !rests(node) && !unread.contains(*at) && !done.contains(*at));
            let exit = node.and_then(|node| node.exits.get(*tried));
            *tried += 1;
            let Some(exit) = exit else {
                done.insert(*at);
                places.remove(*at);
                way.pop();
                continue;
            };
            steps += 1;
            let Some((to, _)) = nodes.get_key_value(&exit.to) else { continue };
            match places.get(to.as_str()) {
                Some(place) => {
                    let passed = way.get(*place..).unwrap_or_default();
                    let passed = passed.get(passed.len().saturating_sub(MOST_IDS - 1)..).unwrap_or_default();
                    let circle: Vec<String> =
                        passed.iter().map(|(id, _)| display_id(id)).chain([display_id(to)]).collect();
                    let path = circle.join(" → ");
                    let message = format!("the flow loops without a wait: {path}");
                    let finding = Finding::error(exit.pointer.clone(), "cycle_without_wait", message);
                    let finding = finding.with("path", path);
                    findings
                        .push(finding.along(circle).hint("add a node that waits to the loop, such as delay or ask"));
                    if findings.is_full() {
                        return steps;
                    }
                }
                None if !done.contains(to.as_str()) => {
                    places.insert(to, way.len());
                    way.push((to, 0));
                }
                None => {}
            }
        }
    }
    steps
}

/// Whether a run may wait at the node.
fn rests(node: &Node) -> bool {
    match &node.action {
        Action::Delay(delay) => delay.lasts(),
        action => action.node_type().waits,
    }
}
