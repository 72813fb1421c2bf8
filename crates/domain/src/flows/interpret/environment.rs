//! The data that a step may read.

use std::collections::{BTreeMap, BTreeSet};

use chrono_tz::Tz;
use serde_json::Value;
use tidings_tables::Country;

use super::EvalContext;
use crate::conditions::Comparison;
use crate::contacts::{Attribute, Contact};
use crate::conversations::Conversation;
use crate::fields::{BotField, CustomField};
use crate::flows::Run;
use crate::tags::Tag;
use crate::time::Timestamp;

/// The data that a step may read.
#[derive(Clone, Copy)]
pub struct StepEnvironment<'a> {
    /// The contact, at the start of the step.
    pub contact: &'a Contact,
    /// Custom fields of the workspace.
    pub fields: &'a [CustomField],
    /// Bot fields of the workspace, at the start of the step.
    pub bot_fields: &'a [BotField],
    /// The tags that the names in the definition mean.
    pub tags: &'a BTreeMap<String, Tag>,
    /// Whether the run has a channel to send on.
    pub has_channel: bool,
    /// Maximum number of quick replies of a message on that channel.
    pub quick_replies: usize,
    /// The conversation of the run, if any.
    pub conversation: Option<&'a Conversation>,
    /// Identifiers of other contacts; the run may not write them.
    pub taken: &'a BTreeSet<(Attribute, String)>,
    /// The run that it called and waits for, in its current state.
    pub called: Option<&'a Run>,
    /// Evaluates conditions.
    pub conditions: &'a dyn Conditions,
    /// Time zone of the workspace.
    pub zone: Tz,
    /// Default country of the workspace, for contacts without a region.
    pub country: Option<Country>,
    /// The current time.
    pub now: Timestamp,
    /// Whether nodes record the reasons for their exits.
    pub explains: bool,
}

/// Evaluates conditions.
pub trait Conditions: Send + Sync {
    /// Whether a condition, in the form of the definition, holds.
    ///
    /// # Errors
    /// The reason why it cannot be evaluated, such as a deleted field.
    fn holds(&self, condition: &Value, eval: &EvalContext<'_>) -> Result<bool, String>;

    /// Returns the comparisons of a condition with the actual values; empty if it cannot be evaluated.
    fn explain(&self, _condition: &Value, _eval: &EvalContext<'_>) -> Vec<Comparison> {
        Vec::new()
    }
}
