//! The parsed conditions of a draft.

use std::collections::BTreeMap;

use super::Finding;
use super::finding::Findings;
use super::visible::VisibleEvents;
use crate::conditions::{Condition, Judging, Satisfiability, SearchBudget, Vocabulary};
use crate::flows::KnownObjects;
use crate::flows::definition::Reading;

/// The valid conditions of a draft, by pointer.
pub(super) struct Conditions {
    read: BTreeMap<String, Condition>,
    of_nodes: Vocabulary,
    of_triggers: Vocabulary,
    of_audiences: Vocabulary,
}

impl Conditions {
    /// Parses all conditions and reports errors. Conditions of nodes may use variables and events, filters of triggers
    /// only events, audiences neither.
    pub(super) fn check(reading: &Reading, known: &KnownObjects, findings: &mut Findings) -> Self {
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

    /// Returns the condition at a pointer, if it is valid.
    pub(super) fn at(&self, pointer: &str) -> Option<&Condition> {
        self.read.get(pointer)
    }

    /// Returns all conditions with their pointers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Condition)> {
        self.read.iter().map(|(pointer, condition)| (pointer.as_str(), condition))
    }

    /// Judges whether the condition at a pointer may hold when none of the others does.
    pub(super) fn judge(
        &self,
        pointer: &str,
        others: &[&Condition],
        visible_events: &VisibleEvents,
        effort: &mut SearchBudget,
    ) -> Satisfiability {
        let visible = visible_events.at(pointer);
        let is_single = |path: &[String]| visible.is_single(path);
        let judging = Judging { vocabulary: self.vocabulary(pointer), is_single: &is_single, only_event: false };
        self.at(pointer).map_or(Satisfiability::Possible, |condition| judging.judge(condition, others, effort))
    }
}
