//! One thing that was found in a draft.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::error::Violation;
use crate::flows::Node;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// It cannot be published so.
    Error,
    /// It can be published, and is probably not what was meant.
    Warning,
}

/// One thing that was found in a draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// What it is, for machines; stable.
    pub code: &'static str,
    /// Where: an RFC 6901 pointer into the definition.
    pub pointer: String,
    /// The ids of the nodes that lead from the start to it; of a circle those that make it.
    pub node_path: Vec<String>,
    /// What is wrong, for people.
    pub message: String,
    /// What would be right.
    pub hint: Option<String>,
    /// Names that may have been meant.
    pub did_you_mean: Vec<String>,
}

/// How a message ends that offers names.
const OFFER: &str = "did you mean: ";

impl Finding {
    pub(super) fn error(pointer: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code,
            pointer: pointer.into(),
            node_path: Vec::new(),
            message: message.into(),
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

    pub(super) fn near(mut self, names: Vec<&str>) -> Self {
        self.did_you_mean = names.into_iter().map(ToOwned::to_owned).collect();
        self
    }

    pub(super) fn along(mut self, path: Vec<String>) -> Self {
        self.node_path = path;
        self
    }

    /// What the readers told, with the names that they offer apart.
    pub(super) fn of_violation(violation: &Violation) -> Self {
        let found = |message: &str| Self::error(violation.pointer.clone(), violation.code, message);
        match violation.message.split_once(OFFER) {
            Some((message, names)) => {
                let near = names.split(", ").collect();
                found(message.trim_end_matches([';', ' '])).near(near)
            }
            None => found(&violation.message),
        }
    }

    /// The same as a request's violation, with what would be right in the message.
    pub(super) fn violation(&self) -> Violation {
        let mut message = self.message.clone();
        if let Some(hint) = &self.hint {
            message = format!("{message}; {hint}");
        }
        if !self.did_you_mean.is_empty() {
            message = format!("{message}; {OFFER}{}", self.did_you_mean.join(", "));
        }
        Violation::new(self.pointer.clone(), self.code, message)
    }

    /// Fills in how the run gets to the node that it is about.
    pub(super) fn find_path(&mut self, nodes: &BTreeMap<String, Node>, paths: &BTreeMap<String, Vec<String>>) {
        if !self.node_path.is_empty() {
            return;
        }
        let index = self.pointer.strip_prefix("/nodes/").and_then(|rest| rest.split('/').next()?.parse::<usize>().ok());
        let Some((id, _)) = nodes.iter().find(|(_, node)| Some(node.index) == index) else { return };
        self.node_path = paths.get(id).cloned().unwrap_or_else(|| vec![id.clone()]);
    }
}
