//! Ways through the graph: what is never reached, and what goes round without a rest.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::Finding;
use crate::flows::Node;
use crate::flows::definition::Reading;

type Nodes = BTreeMap<String, Node>;

/// The shortest way from the start to each node that can be reached, both included.
pub(super) fn paths(nodes: &Nodes, start: Option<&str>) -> BTreeMap<String, Vec<String>> {
    let mut paths: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut waiting = VecDeque::new();
    if let Some(start) = start.filter(|start| nodes.contains_key(*start)) {
        paths.insert(start.to_owned(), vec![start.to_owned()]);
        waiting.push_back(start.to_owned());
    }
    while let Some(at) = waiting.pop_front() {
        let way = paths.get(&at).cloned().unwrap_or_default();
        for exit in nodes.get(&at).into_iter().flat_map(|node| &node.exits) {
            if nodes.contains_key(&exit.to) && !paths.contains_key(&exit.to) {
                let mut further = way.clone();
                further.push(exit.to.clone());
                paths.insert(exit.to.clone(), further);
                waiting.push_back(exit.to.clone());
            }
        }
    }
    paths
}

pub(super) fn check(reading: &Reading, start: Option<&str>, findings: &mut Vec<Finding>) {
    let nodes = &reading.nodes;
    let reached = paths(nodes, start);
    // Where the start leads nowhere, that is what is wrong.
    if !reached.is_empty() {
        for (id, node) in nodes.iter().filter(|(id, _)| !reached.contains_key(*id)) {
            let message = format!("no way leads to the node {id}");
            let finding = Finding::error(format!("/nodes/{}", node.index), "unreachable_node", message);
            findings.push(finding.along(vec![id.clone()]).hint("lead to it, or take it out"));
        }
    }
    circles(nodes, findings);
}

/// Finds circles in which no node waits: each ends in a visit that the engine's guards refuse.
fn circles(nodes: &Nodes, findings: &mut Vec<Finding>) {
    let mut done: BTreeSet<&str> = BTreeSet::new();
    for root in nodes.keys() {
        // Depth first, with the way from the root, and at each node the exit that is tried next.
        let mut way: Vec<(&str, usize)> = vec![(root, 0)];
        while let Some((at, tried)) = way.last_mut() {
            let node = nodes.get(*at).filter(|node| !rests(node) && !done.contains(*at));
            let exit = node.and_then(|node| node.exits.get(*tried));
            *tried += 1;
            let Some(exit) = exit else {
                done.insert(*at);
                way.pop();
                continue;
            };
            let Some((to, _)) = nodes.get_key_value(&exit.to) else { continue };
            match way.iter().position(|(passed, _)| passed == to) {
                Some(place) => {
                    let mut circle: Vec<String> =
                        way.iter().skip(place).map(|(passed, _)| (*passed).to_owned()).collect();
                    circle.push(to.clone());
                    let message = format!("goes round without a wait: {}", circle.join(" → "));
                    let finding = Finding::error(exit.pointer.clone(), "cycle_without_wait", message);
                    findings.push(finding.along(circle).hint("put a delay or an ask into the circle"));
                }
                None if !done.contains(to.as_str()) => way.push((to, 0)),
                None => {}
            }
        }
    }
}

/// Whether time may pass in the node.
fn rests(node: &Node) -> bool {
    node.action.node_type().is_some_and(|kind| kind.waits)
}
