//! The effects of a run before its first wait.

use std::collections::BTreeSet;

use super::nodes::Action;
use super::{Definition, ImmediateEffect, Node};
use crate::events::EventKind;
use crate::ids::FlowId;

impl Definition {
    /// Returns the runs and events that its runs cause before they wait, each with its node; `own` is the ID of its
    /// flow.
    pub(super) fn immediate_effects(&self, own: Option<FlowId>) -> Vec<(&str, ImmediateEffect)> {
        let mut found: Vec<(&str, ImmediateEffect)> = Vec::new();
        let of_run =
            |kind| own.map(|flow| ImmediateEffect::Event(kind, vec![("event.object.flow_id", flow.to_string())]));
        if let Some((start, _)) = self.nodes.get_key_value(&self.start) {
            found.extend(of_run(EventKind::FlowStarted).map(|what| (start.as_str(), what)));
        }
        for (id, node) in self.before_any_wait() {
            found.extend(node.action.immediate_effects().into_iter().map(|what| (id, what)));
            if node.exits.is_empty() {
                found.extend(of_run(EventKind::FlowCompleted).map(|what| (id, what)));
            }
        }
        found
    }

    /// Returns the nodes that a run may visit up to its first wait, including the nodes where it waits.
    fn before_any_wait(&self) -> Vec<(&str, &Node)> {
        let mut found: Vec<(&str, &Node)> = self.nodes.get_key_value(&self.start).map(named).into_iter().collect();
        let mut seen: BTreeSet<&str> = found.iter().map(|(id, _)| *id).collect();
        let mut place = 0;
        while let Some((_, node)) = found.get(place).copied() {
            place += 1;
            if node.action.node_type().waits {
                continue;
            }
            for next in node.exits.iter().filter_map(|exit| self.nodes.get_key_value(&exit.to)).map(named) {
                if seen.insert(next.0) {
                    found.push(next);
                }
            }
        }
        found
    }

    /// Whether it has a node of this type.
    pub(super) fn has(&self, word: &str) -> bool {
        self.nodes.values().map(|node| &node.action).map(Action::kind).any(|kind| kind == word)
    }
}

fn named<'d>((id, node): (&'d String, &'d Node)) -> (&'d str, &'d Node) {
    (id, node)
}
