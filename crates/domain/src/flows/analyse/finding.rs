//! Findings of the analyser.

use serde::Serialize;

use crate::error::Violation;
use crate::flows::template::Lookups;
use crate::read::{MOST_PARAM, MOST_VIOLATIONS, Params};
use crate::text::{Hints, cut};

/// Severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The draft cannot be published.
    Error,
    /// The draft can be published but is likely a mistake.
    Warning,
}

/// A finding in a draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Finding {
    /// Severity of the finding.
    pub severity: Severity,
    /// Code of the finding, stable.
    pub code: &'static str,
    /// Location: an RFC 6901 pointer into the definition.
    pub pointer: String,
    /// IDs of the nodes from the start to the finding; for a loop, the nodes of the loop. At most the last 50.
    pub node_path: Vec<String>,
    /// Description of the finding.
    pub message: String,
    /// The values that the message names, such as `name`, to translate it by `code`. Left out if there are none.
    #[serde(skip_serializing_if = "Params::is_empty")]
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::BTreeMap<String, String>))]
    pub params: Params,
    /// Suggested fix.
    pub hint: Option<String>,
    /// Similar existing names.
    pub did_you_mean: Vec<String>,
}

/// Maximum size in bytes of a pointer and of a message, as in error responses.
const MOST_PLACE: usize = 256;
const MOST_MESSAGE: usize = 512;

/// Prefix of suggestions at the end of a message.
const OFFER: &str = "did you mean: ";

impl Finding {
    pub(super) fn error(pointer: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code,
            pointer: pointer.into(),
            node_path: Vec::new(),
            message: message.into(),
            params: Params::new(),
            hint: None,
            did_you_mean: Vec::new(),
        }
    }

    pub(super) fn warning(pointer: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(pointer, code, message) }
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds a value that the message names.
    pub(super) fn with(mut self, param: &'static str, value: impl Into<String>) -> Self {
        self.params.insert(param, cut(value.into(), MOST_PARAM));
        self
    }

    pub(super) fn near(mut self, names: Vec<&str>) -> Self {
        self.did_you_mean = names.into_iter().map(ToOwned::to_owned).collect();
        self
    }

    pub(super) fn along(mut self, path: Vec<String>) -> Self {
        self.node_path = path;
        self
    }

    /// Converts a violation of the parser; suggestions in its message become a list.
    pub(super) fn of_violation(violation: &Violation) -> Self {
        let found = |message: &str| Self {
            params: violation.params.clone(),
            ..Self::error(violation.pointer.clone(), violation.code, message)
        };
        match violation.message.split_once(OFFER) {
            Some((message, names)) => {
                let near = names.split(", ").collect();
                found(message.trim_end_matches([';', ' '])).near(near)
            }
            None => found(&violation.message),
        }
    }

    /// Converts it to a violation of a request, with the hint and suggestions in the message.
    pub(super) fn violation(&self) -> Violation {
        let mut message = self.message.clone();
        if let Some(hint) = &self.hint {
            message = format!("{message}; {hint}");
        }
        if !self.did_you_mean.is_empty() {
            message = format!("{message}; {OFFER}{}", self.did_you_mean.join(", "));
        }
        let mut violation = Violation::new(self.pointer.clone(), self.code, message);
        violation.params = self.params.clone();
        violation
    }
}

/// The findings so far. At the maximum number the analyser stops.
#[derive(Default)]
pub(super) struct Findings {
    found: Vec<Finding>,
    hints: Hints,
}

impl Findings {
    pub(super) fn is_full(&self) -> bool {
        self.found.len() >= MOST_VIOLATIONS
    }

    pub(super) fn push(&mut self, mut finding: Finding) {
        if !self.is_full() {
            finding.pointer = cut(finding.pointer, MOST_PLACE);
            finding.message = cut(finding.message, MOST_MESSAGE);
            self.found.push(finding);
        }
    }

    pub(super) fn extend(&mut self, found: impl IntoIterator<Item = Finding>) {
        found.into_iter().for_each(|finding| self.push(finding));
    }

    /// Returns the known names nearest to `name`, within a limit on the total work.
    pub(super) fn nearest<'a>(&mut self, name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
        self.hints.nearest(name, known)
    }

    /// Calls [`Lookups::unknown`], within a limit on the total work.
    pub(super) fn unknown(&mut self, lookups: &Lookups<'_>, name: &str) -> Option<Vec<String>> {
        lookups.unknown(name, &mut self.hints)
    }

    pub(super) fn into_vec(self) -> Vec<Finding> {
        self.found
    }
}
