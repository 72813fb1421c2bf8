//! Conditions: read once, and held for whoever looks at them.

use std::collections::BTreeMap;

use super::Finding;
use super::finding::Findings;
use super::visible::VisibleEvents;
use crate::conditions::{Condition, Effort, Judged, Judging, Vocabulary};
use crate::flows::Known;
use crate::flows::definition::Reading;

/// The conditions of a draft that could be read, by their places.
pub(super) struct Conditions {
    read: BTreeMap<String, Condition>,
    of_nodes: Vocabulary,
    of_triggers: Vocabulary,
    of_audiences: Vocabulary,
}

impl Conditions {
    /// Reads conditions: of nodes, which see variables, of triggers, which do not, and of audiences, which see no event either.
    /// Tells what is wrong with the others.
    pub(super) fn check(reading: &Reading, known: &Known, findings: &mut Findings) -> Self {
        let mut conditions = Self {
            read: BTreeMap::new(),
            of_nodes: known.vocabulary(true),
            of_triggers: known.vocabulary(false),
            of_audiences: known.vocabulary_of_contacts(),
        };
        for (pointer, written) in &reading.found.conditions {
            if findings.is_full() {
                break;
            }
            match Condition::parse(written, conditions.vocabulary(pointer)) {
                Ok(condition) => _ = conditions.read.insert(pointer.clone(), condition),
                Err(wrong) => {
                    wrong.into_iter().for_each(|it| findings.push(Finding::of_violation(&it.under(pointer))));
                }
            }
        }
        conditions
    }

    fn vocabulary(&self, pointer: &str) -> &Vocabulary {
        match pointer {
            pointer if pointer.starts_with("/nodes") => &self.of_nodes,
            pointer if pointer.ends_with("/audience") => &self.of_audiences,
            _ => &self.of_triggers,
        }
    }

    /// The condition at a place, if it is one.
    pub(super) fn at(&self, pointer: &str) -> Option<&Condition> {
        self.read.get(pointer)
    }

    /// All of them, with their places.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Condition)> {
        self.read.iter().map(|(pointer, condition)| (pointer.as_str(), condition))
    }

    /// Whether the condition at a place may hold where none of the others does.
    pub(super) fn judge(
        &self,
        pointer: &str,
        others: &[&Condition],
        visible_events: &VisibleEvents,
        effort: &mut Effort,
    ) -> Judged {
        let visible = visible_events.at(pointer);
        let is_single = |path: &[String]| visible.is_single(path);
        let judging = Judging { vocabulary: self.vocabulary(pointer), is_single: &is_single, only_event: false };
        self.at(pointer).map_or(Judged::Possible, |condition| judging.judge(condition, others, effort))
    }
}
