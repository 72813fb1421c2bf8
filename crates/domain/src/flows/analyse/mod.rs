//! Whether a draft may be published, and what its author should know: form, names, ways, texts.
//! The same findings serve validation, publishing and whoever draws the graph.

mod finding;
mod graph;
mod names;
mod templates;
#[cfg(test)]
mod tests;
mod warnings;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::definition::{Mentioned, Reading};
use super::{Definition, Known};
use crate::conditions::Mentions;
use crate::error::Violation;
use crate::ids::TagId;
use crate::references::Referent;

pub use finding::{Finding, Severity};

/// How many findings are told at once.
const MOST_FINDINGS: usize = 100;

/// What was found in a draft.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// Errors first, each kind in the order of the definition.
    pub findings: Vec<Finding>,
    /// The graph, where there is no error.
    pub definition: Option<Definition>,
    /// Which tags its words mean.
    pub tags: BTreeMap<String, TagId>,
    /// What it names in nodes, triggers, conditions and texts: in use, once it is published.
    pub uses: BTreeSet<Referent>,
}

impl Analysis {
    /// Whether it may be published.
    pub fn is_valid(&self) -> bool {
        self.findings.iter().all(|finding| finding.severity != Severity::Error)
    }

    /// The errors as a request's violations, at `parent`.
    pub fn violations(&self, parent: &str) -> Vec<Violation> {
        let errors = self.findings.iter().filter(|finding| finding.severity == Severity::Error);
        errors.map(|finding| finding.violation().under(parent)).collect()
    }
}

/// The names in a draft, to load what they mean.
#[derive(Debug, Clone, Default)]
pub(super) struct Named {
    /// Tags, by name or id.
    pub tags: Vec<String>,
    /// Flows, by id.
    pub flows: Vec<String>,
    /// Sequences, by id.
    pub sequences: Vec<String>,
    /// Channels, by id.
    pub channels: Vec<String>,
}

/// The names in a draft, to load what they mean.
pub(super) fn named(definition: &Value) -> Named {
    let reading = Reading::of(definition);
    let of = |what: Mentioned| {
        let mut words: Vec<String> =
            reading.mentions.iter().filter(|it| it.what == what).map(|it| it.word.clone()).collect();
        words.sort();
        words.dedup();
        words
    };
    let mut tags = of(Mentioned::Tag);
    tags.extend(Mentions::of(reading.conditions.iter().map(|(_, condition)| condition)).tags);
    tags.sort();
    tags.dedup();
    Named { tags, flows: of(Mentioned::Flow), sequences: of(Mentioned::Sequence), channels: of(Mentioned::Channel) }
}

/// Reads a draft and finds everything that is wrong with it, or looks wrong. Pointers are relative
/// to the definition.
pub fn analyse(definition: &Value, known: &Known) -> Analysis {
    let reading = Reading::of(definition);
    let mut findings: Vec<Finding> = reading.violations.iter().map(Finding::of_violation).collect();
    let tags = names::check(&reading, known, &mut findings);
    names::check_conditions(&reading, known, &mut findings);
    templates::check(&reading, known, &mut findings);
    let start = definition.get("start").and_then(Value::as_str);
    graph::check(&reading, start, &mut findings);
    warnings::check(&reading, &mut findings);

    let paths = graph::paths(&reading.nodes, start);
    for finding in &mut findings {
        finding.find_path(&reading.nodes, &paths);
    }
    findings.sort_by(|a, b| (a.severity, place(&a.pointer)).cmp(&(b.severity, place(&b.pointer))));
    findings.truncate(MOST_FINDINGS);
    let uses = names::uses(&reading, known, &tags);
    let mut analysis = Analysis { findings, definition: None, tags, uses };
    if analysis.is_valid() {
        analysis.definition = reading.definition;
    }
    analysis
}

/// Sorts pointers as the definition is written: places in lists by their numbers.
fn place(pointer: &str) -> Vec<(usize, &str)> {
    pointer.split('/').map(|part| (part.parse().unwrap_or(usize::MAX), part)).collect()
}
