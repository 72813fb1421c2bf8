//! The data that templates and conditions use.

use chrono_tz::Tz;
use serde_json::{Map, Value, json};

use crate::contacts::Contact;
use crate::conversations::{Conversation, ConversationView};
use crate::flows::template::put_zones;
use crate::send_window::Zone;
use crate::time::Timestamp;

/// The data of a run at a node, including its earlier writes in the step.
#[derive(Debug, Clone, Copy)]
pub struct EvalContext<'a> {
    /// The contact.
    pub contact: &'a Contact,
    /// Values of bot fields, by key.
    pub bot_fields: &'a Map<String, Value>,
    /// The conversation, if any.
    pub conversation: Option<&'a Conversation>,
    /// The variables of the run.
    pub vars: &'a Map<String, Value>,
    /// The event that started it.
    pub event: Option<&'a Value>,
    /// The current time.
    pub now: Timestamp,
    /// Time zone of the workspace.
    pub zone: Tz,
}

impl EvalContext<'_> {
    /// Returns the values for templates, including the time zones for dates.
    pub fn template_values(&self) -> Map<String, Value> {
        let mut context = Map::new();
        context.insert("contact".to_owned(), Value::Object(self.contact.in_templates()));
        context.insert("custom_fields".to_owned(), json!(self.contact.custom_fields));
        context.insert("bot_fields".to_owned(), Value::Object(self.bot_fields.clone()));
        context.insert("vars".to_owned(), Value::Object(self.vars.clone()));
        context.insert("now".to_owned(), json!(self.now));
        put_zones(&mut context, Zone::Contact.of(self.contact.time_zone.as_ref(), self.zone), self.zone);
        if let Some(conversation) = self.conversation {
            context.insert("conversation".to_owned(), json!(ConversationView::from(conversation)));
        }
        if let Some(event) = self.event {
            context.insert("event".to_owned(), event.clone());
        }
        context
    }
}
