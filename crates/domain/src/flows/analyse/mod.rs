//! The analyser: checks whether a draft can be published, and warns about likely mistakes. Validation, publishing and
//! the editor use the same findings.

mod advice;
mod branches;
#[cfg(test)]
mod branches_tests;
mod conditions;
#[cfg(test)]
mod cycles_tests;
mod events;
#[cfg(test)]
mod events_tests;
#[cfg(test)]
mod examples_tests;
mod finding;
mod graph;
mod ids;
#[cfg(test)]
mod ids_tests;
mod keywords;
#[cfg(test)]
mod keywords_tests;
mod names;
mod operations;
#[cfg(test)]
pub(crate) mod promise_tests;
mod recursion;
#[cfg(test)]
mod recursion_tests;
mod requests;
mod templates;
#[cfg(test)]
mod tests;
mod texts;
#[cfg(test)]
mod texts_tests;
mod values;
#[cfg(test)]
mod values_tests;
mod visible;
mod waits;
#[cfg(test)]
mod waits_tests;
mod warnings;
#[cfg(test)]
mod workspace_tests;
#[cfg(test)]
mod worst_tests;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::definition::{Mentioned, Reading};
use super::{Definition, KnownObjects};
use crate::conditions::Mentions;
use crate::error::Violation;
use crate::ids::{MediaId, TagId};
use crate::references::Referent;
use conditions::Conditions;
use finding::Findings;
use graph::Ways;
use visible::VisibleEvents;

pub use finding::{Finding, Severity};
pub use templates::{has_refused_texts, misuses_secrets};

/// The result of the analysis of a draft.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Analysis {
    /// The findings: errors first, then by position in the definition; at most 100.
    pub findings: Vec<Finding>,
    /// The graph, if there are no errors.
    pub definition: Option<Definition>,
    /// The tags that its names mean.
    pub tags: BTreeMap<String, TagId>,
    /// The objects that it names in nodes, triggers, conditions and texts. They are in use once it is published.
    pub uses: BTreeSet<Referent>,
}

impl Analysis {
    /// Whether it can be published.
    pub fn is_valid(&self) -> bool {
        self.findings.iter().all(|finding| finding.severity != Severity::Error)
    }

    /// Returns the errors as violations of a request, under `parent`.
    pub fn violations(&self, parent: &str) -> Vec<Violation> {
        let errors = self.findings.iter().filter(|finding| finding.severity == Severity::Error);
        errors.map(|finding| finding.violation().under(parent)).collect()
    }
}

/// The names in a draft, to load their objects.
#[derive(Debug, Clone, Default)]
pub(super) struct DraftNames {
    /// Tags, by name or ID.
    pub tags: Vec<String>,
    /// Flows, by ID.
    pub flows: Vec<String>,
    /// Sequences, by ID.
    pub sequences: Vec<String>,
    /// Members, by ID.
    pub members: Vec<String>,
    /// Files, by ID.
    pub media: Vec<String>,
    /// Secrets, by name.
    pub secrets: BTreeSet<String>,
    /// Literal URLs of HTTP requests.
    pub urls: BTreeSet<String>,
}

/// Returns the names in a draft, to load their objects.
pub(super) fn named(definition: &Value) -> DraftNames {
    let reading = Reading::of(definition);
    let of = |what: Mentioned| {
        let mut words: Vec<String> = reading.found.names_of(what).map(ToOwned::to_owned).collect();
        words.sort();
        words.dedup();
        words
    };
    let mut tags = of(Mentioned::Tag);
    tags.extend(Mentions::of(reading.found.conditions.iter().map(|(_, condition)| condition)).tags);
    tags.sort();
    tags.dedup();
    let members = ids::members(&reading).into_iter().collect();
    let calls = reading.nodes.values().filter_map(requests::of);
    DraftNames {
        tags,
        flows: of(Mentioned::Flow),
        sequences: of(Mentioned::Sequence),
        members,
        media: of(Mentioned::Media),
        secrets: requests::secrets(&reading),
        urls: calls.filter_map(|request| request.literal_url().map(ToOwned::to_owned)).collect(),
    }
}

/// Returns the names of the secrets in the HTTP requests of a draft, even if the draft has errors.
pub(super) fn named_secrets(definition: &Value) -> BTreeSet<String> {
    // Most drafts do not contain this word, so they need no parsing.
    match definition.to_string().contains("secrets") {
        true => requests::secrets(&Reading::of(definition)),
        false => BTreeSet::new(),
    }
}

/// Returns the files that a draft names, even if the draft has errors.
pub(super) fn named_files(definition: &Value) -> BTreeSet<MediaId> {
    // Most drafts contain no such ID, so they need no parsing.
    if !definition.to_string().contains("media_id") {
        return BTreeSet::new();
    }
    Reading::of(definition).found.names_of(Mentioned::Media).filter_map(|word| word.parse().ok()).collect()
}

/// Whether a draft names objects that must not be deleted.
pub(super) fn needs_note(definition: &Value) -> bool {
    !named_secrets(definition).is_empty() || !named_files(definition).is_empty()
}

/// Returns the IDs of the members that a draft names, even if the draft has errors.
pub(super) fn named_members(definition: &Value) -> BTreeSet<String> {
    // Most drafts contain no such ID, so they need no parsing.
    match definition.to_string().contains("user_") {
        true => ids::members(&Reading::of(definition)),
        false => BTreeSet::new(),
    }
}

/// Analyses a draft and returns all errors and warnings. Pointers are relative to the definition.
pub fn analyse(definition: &Value, known: &KnownObjects) -> Analysis {
    let reading = Reading::of(definition);
    let mut findings = Findings::default();
    reading.violations.iter().for_each(|violation| findings.push(Finding::of_violation(violation)));
    let ways = Ways::of(&reading.nodes, definition.get("start").and_then(Value::as_str));
    // A definition that was not read completely lacks nodes that other nodes lead to.
    let mut tags = BTreeMap::new();
    if !reading.is_full() {
        let visible_events = reading.definition.as_ref().map(VisibleEvents::of).unwrap_or_default();
        tags = names::check(&reading, known, &mut findings);
        ids::check(&reading, known, &mut findings);
        let conditions = Conditions::check(&reading, known, &mut findings);
        events::check(&reading, &conditions, &visible_events, &mut findings);
        operations::check(&reading, known, &mut findings);
        values::check(&reading, known, &mut findings);
        templates::check(&reading, known, &mut findings);
        requests::check(&reading, known, &mut findings);
        texts::check(&reading, known, &mut findings);
        graph::check(&reading, &ways, &mut findings);
        recursion::check(&reading, known, &ways, &mut findings);
        waits::check(&reading, &mut findings);
        branches::check(&reading, &conditions, &visible_events, &mut findings);
        keywords::check(&reading, known, &mut findings);
        warnings::check(&reading, &mut findings);
    }
    let mut findings = findings.into_vec();
    findings.iter_mut().for_each(|finding| {
        ways.lead_to(finding);
        advice::give(finding);
    });
    findings.sort_by_cached_key(|finding| (finding.severity, place(&finding.pointer)));
    let uses = names::uses(&reading, known, &tags);
    let mut analysis = Analysis { findings, definition: None, tags, uses };
    if analysis.is_valid() {
        analysis.definition = reading.definition;
    }
    analysis
}

/// Returns a sort key for pointers: by position in the definition, list indexes as numbers.
fn place(pointer: &str) -> Vec<(usize, String)> {
    pointer.split('/').map(|part| (part.parse().unwrap_or(usize::MAX), part.to_owned())).collect()
}
