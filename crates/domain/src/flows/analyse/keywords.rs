//! Warnings about keywords and referrals that already start another flow.

use super::Finding;
use super::finding::Findings;
use crate::flows::KnownObjects;
use crate::flows::definition::{Reading, Trigger};

/// Warns about keywords and referrals of an older active flow that has the same match method and covers the same
/// channels.
pub(super) fn check(reading: &Reading, known: &KnownObjects, findings: &mut Findings) {
    let triggers = reading.definition.iter().flat_map(|definition| &definition.triggers).enumerate();
    for (place, trigger) in triggers.filter(|_| !known.rivals.is_empty()) {
        for (index, keyword) in trigger.words().iter().enumerate() {
            let Some(rival) = known.rivals.iter().find(|rival| rival.trigger.takes(keyword, trigger)) else {
                continue;
            };
            let message = format!("\"{keyword}\" already starts the flow {}, which is active and older", rival.name);
            let (field, code, what) = match trigger {
                Trigger::Referral { .. } => ("ref".to_owned(), "referral_taken", "referral"),
                Trigger::Keyword { .. }
                | Trigger::Event { .. }
                | Trigger::CustomEvent { .. }
                | Trigger::Schedule { .. } => (format!("keywords/{index}"), "keyword_taken", "keyword"),
            };
            let finding = Finding::warning(format!("/triggers/{place}/{field}"), code, message);
            let finding = finding.with("name", keyword.to_string()).with("flow", rival.name.clone());
            findings.push(finding.hint(format!(
                "remove the {what} from one of the two flows: if active flows share a {what}, only the oldest one \
                 starts",
            )));
        }
    }
}
