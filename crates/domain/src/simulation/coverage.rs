//! The visited and unvisited parts of a flow or sequence.

use std::collections::BTreeSet;

use super::moments::Moment;
use super::subject::SimulationSubject;
use super::view::{NotVisited, UnusedExit};

#[derive(Debug, Clone, Default)]
pub(super) struct Coverage {
    nodes: BTreeSet<String>,
    exits: BTreeSet<(String, String)>,
    steps: BTreeSet<String>,
}

impl Coverage {
    /// Collects the visited parts from a trace.
    pub(super) fn of(tried: &SimulationSubject, moments: &[Moment]) -> Self {
        let mut visited = Self::default();
        for moment in moments {
            match (moment, tried) {
                (Moment::Node(node), SimulationSubject::Flow { flow, .. }) if node.flow_id == *flow => {
                    visited.nodes.insert(node.node_id.clone());
                    visited.exits.extend(node.exit.clone().map(|exit| (node.node_id.clone(), exit)));
                }
                (Moment::Step(step), SimulationSubject::Sequence(sequence)) if step.sequence_id == sequence.id => {
                    visited.steps.extend(step.step_id.clone());
                }
                (
                    Moment::Entry(_) | Moment::Node(_) | Moment::Step(_) | Moment::Call(_) | Moment::End(_),
                    SimulationSubject::Flow { .. } | SimulationSubject::Sequence(_),
                ) => {}
            }
        }
        visited
    }

    pub(super) fn extend(&mut self, other: Self) {
        self.nodes.extend(other.nodes);
        self.exits.extend(other.exits);
        self.steps.extend(other.steps);
    }

    /// Returns the unvisited parts.
    pub(super) fn rest(&self, tried: &SimulationSubject) -> NotVisited {
        match tried {
            SimulationSubject::Flow { version, .. } => {
                let mut nodes: Vec<_> = version.definition.nodes.iter().collect();
                nodes.sort_by_key(|(_, node)| node.index);
                let mut rest = NotVisited::default();
                for (id, node) in nodes {
                    if !self.nodes.contains(id) {
                        rest.nodes.push(id.clone());
                        continue;
                    }
                    let unused = node.exits.iter().map(|exit| (id.clone(), exit.name.clone()));
                    let unused = unused.filter(|exit| !self.exits.contains(exit));
                    rest.exits.extend(unused.map(|(node_id, exit)| UnusedExit { node_id, exit }));
                }
                rest
            }
            SimulationSubject::Sequence(sequence) => {
                let steps = sequence.steps.iter().map(|step| step.id.clone());
                NotVisited { steps: steps.filter(|step| !self.steps.contains(step)).collect(), ..NotVisited::default() }
            }
        }
    }
}
