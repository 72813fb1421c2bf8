//! Checks of templates: each must render and use existing names.

use serde_json::Value;

use super::finding::Findings;
use super::{Finding, requests};
use crate::error::Violation;
use crate::flows::KnownObjects;
use crate::flows::definition::Reading;
use crate::flows::nodes::SECRET_NOT_BARE;
use crate::flows::template::{Lookups, ROOTS_OF_FLOWS, SECRETS};

/// Hint for a secret in an expression.
const BARE: &str = "write {{ secrets.NAME }} alone; store a complete value such as `Basic …` as one secret";

/// Whether a published definition contains a template that is rejected now, so runs fail there.
pub fn has_refused_texts(definition: &Value) -> bool {
    Reading::of(definition).found.templates.iter().any(|(_, template)| template.render_error().is_some())
}

/// Whether an HTTP request of a published definition uses a secret in any other way than as an entire output. Such a
/// request fails with `secret_not_bare`.
pub fn misuses_secrets(definition: &Value) -> bool {
    // Most definitions do not contain this word, so they need no parsing.
    definition.to_string().contains(SECRETS)
        && Reading::of(definition).nodes.values().filter_map(requests::of).any(|it| it.secret_misuse().is_some())
}

pub(super) fn check(reading: &Reading, known: &KnownObjects, findings: &mut Findings) {
    let secrets: Vec<&str> = known.secrets.iter().map(|secret| secret.name.as_str()).collect();
    let lookups = Lookups {
        roots: ROOTS_OF_FLOWS,
        custom_fields: known.fields.iter().map(|field| field.key.as_str()).collect(),
        bot_fields: known.bot_fields.iter().map(|field| field.key.as_str()).collect(),
    };
    for (pointer, template) in &reading.found.templates {
        if let Some(error) = template.render_error() {
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
                // A loop over all secrets is already reported as a misuse.
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
