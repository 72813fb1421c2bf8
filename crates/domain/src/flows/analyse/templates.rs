//! Texts: each must be one that renders, and look up what a run sees.

use serde_json::Value;

use super::finding::Findings;
use super::{Finding, requests};
use crate::error::Violation;
use crate::flows::Known;
use crate::flows::definition::Reading;
use crate::flows::nodes::SECRET_NOT_BARE;
use crate::flows::template::{Lookups, ROOTS_OF_FLOWS, SECRETS};

/// What to do about a secret in an expression.
const BARE: &str = "write {{ secrets.NAME }} alone; store a complete value such as `Basic …` as one secret";

/// Whether a published definition holds a text that may not be rendered, so that a run fails there.
pub fn has_refused_texts(definition: &Value) -> bool {
    Reading::of(definition).found.templates.iter().any(|(_, template)| template.refused().is_some())
}

/// Whether a node of a published definition uses a secret in another way than as an output of its own: its calls fail with
/// `secret_not_bare`.
pub fn misuses_secrets(definition: &Value) -> bool {
    // A definition without the word is not read for this.
    definition.to_string().contains(SECRETS)
        && Reading::of(definition).nodes.values().filter_map(requests::of).any(|it| it.secret_misuse().is_some())
}

pub(super) fn check(reading: &Reading, known: &Known, findings: &mut Findings) {
    let secrets: Vec<&str> = known.secrets.iter().map(|secret| secret.name.as_str()).collect();
    let lookups = Lookups {
        roots: ROOTS_OF_FLOWS,
        custom_fields: known.fields.iter().map(|field| field.key.as_str()).collect(),
        bot_fields: known.bot_fields.iter().map(|field| field.key.as_str()).collect(),
    };
    for (pointer, template) in &reading.found.templates {
        if let Some(error) = template.refused() {
            let violation = Violation::new(pointer, "template_error", error.to_string());
            findings.push(Finding::of_violation(&violation));
        }
        let takes_secrets = reading.found.take_secrets.contains(pointer);
        let misuse = template.secret_misuse().filter(|_| takes_secrets);
        if let Some(error) = &misuse {
            let finding = Finding::error(pointer.clone(), SECRET_NOT_BARE, error.to_string());
            findings.push(finding.hint(BARE));
        }
        for name in template.names() {
            if findings.is_full() {
                return;
            }
            let mut parts = name.split('.');
            let (root, member) = (parts.next().unwrap_or_default(), parts.next());
            if root == SECRETS {
                // A loop over all of them is a misuse already.
                if misuse.is_some() && member.is_none() {
                    continue;
                }
                let wrong = requests::secret(pointer, member, takes_secrets, &secrets, findings);
                wrong.into_iter().for_each(|finding| findings.push(finding));
                continue;
            }
            let Some(near) = findings.unknown(&lookups, &name) else { continue };
            let message = format!("the text uses {name}, which does not exist");
            let finding = Finding::error(pointer.clone(), "unknown_name", message);
            findings.push(finding.with("name", name).near(near.iter().map(String::as_str).collect()));
        }
    }
}
