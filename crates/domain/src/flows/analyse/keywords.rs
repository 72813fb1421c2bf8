//! Warnings about keywords that already start another flow.

use super::Finding;
use super::finding::Findings;
use crate::flows::KnownObjects;
use crate::flows::definition::Reading;

/// Warns about keywords of an older active flow that has the same match method and covers the same channels.
pub(super) fn check(reading: &Reading, known: &KnownObjects, findings: &mut Findings) {
    let triggers = reading.definition.iter().flat_map(|definition| &definition.triggers).enumerate();
    for (place, trigger) in triggers.filter(|_| !known.rivals.is_empty()) {
        for (index, keyword) in trigger.keywords().iter().enumerate() {
            let Some(rival) = known.rivals.iter().find(|rival| rival.trigger.takes(keyword, trigger)) else {
                continue;
            };
            let message = format!("\"{keyword}\" already starts the flow {}, which is active and older", rival.name);
            let finding = Finding::warning(format!("/triggers/{place}/keywords/{index}"), "keyword_taken", message);
            let finding = finding.with("name", keyword.to_string()).with("flow", rival.name.clone());
            findings.push(finding.hint(
                "remove the keyword from one of the two flows: if active flows share a keyword, only the oldest one \
                 starts",
            ));
        }
    }
}
