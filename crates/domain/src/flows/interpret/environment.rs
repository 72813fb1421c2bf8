//! What a run can see of the world around it.

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

/// What a run can see.
#[derive(Clone, Copy)]
pub struct StepEnvironment<'a> {
    /// The contact, as it was when the step began.
    pub contact: &'a Contact,
    /// The custom fields of the workspace.
    pub fields: &'a [CustomField],
    /// The bot fields of the workspace, as they were when the step began.
    pub bot_fields: &'a [BotField],
    /// Which tags the definition's words mean.
    pub tags: &'a BTreeMap<String, Tag>,
    /// Whether there is a channel on which the run can talk.
    pub has_channel: bool,
    /// How many quick replies a message may carry there.
    pub quick_replies: usize,
    /// The conversation in which the run talks, once there is one.
    pub conversation: Option<&'a Conversation>,
    /// Which identifiers other contacts have: where the run would write one, it may not.
    pub taken: &'a BTreeSet<(Attribute, String)>,
    /// The run that it called and waits for, as it is now.
    pub called: Option<&'a Run>,
    /// Tells whether conditions hold.
    pub conditions: &'a dyn Conditions,
    /// The workspace's zone.
    pub zone: Tz,
    /// The default country of the workspace: the region of contacts without one.
    pub country: Option<Country>,
    /// The present instant.
    pub now: Timestamp,
    /// Whether nodes tell by what they chose their ways.
    pub explains: bool,
}

/// Tells whether conditions hold.
pub trait Conditions: Send + Sync {
    /// Whether the condition, as it was written, holds for what the run sees.
    ///
    /// # Errors
    /// Why it cannot be told, such as a field that is gone.
    fn holds(&self, condition: &Value, eval: &EvalContext<'_>) -> Result<bool, String>;

    /// The comparisons of the condition with what is found; nothing where that cannot be told.
    fn explain(&self, _condition: &Value, _eval: &EvalContext<'_>) -> Vec<Comparison> {
        Vec::new()
    }
}
