//! What templates and conditions see.

use serde_json::{Map, Value, json};

use super::Interpreter;
use crate::contacts::Contact;
use crate::conversations::{Conversation, ConversationView};
use crate::time::Timestamp;

/// What a run sees at a node, with what it wrote on its way there.
#[derive(Debug, Clone, Copy)]
pub struct EvalContext<'a> {
    /// The contact.
    pub contact: &'a Contact,
    /// Values of bot fields, by key.
    pub bot_fields: &'a Map<String, Value>,
    /// The conversation, once there is one.
    pub conversation: Option<&'a Conversation>,
    /// The variables of the run.
    pub vars: &'a Map<String, Value>,
    /// The event that started it.
    pub event: Option<&'a Value>,
    /// The present instant.
    pub now: Timestamp,
}

impl EvalContext<'_> {
    /// What templates see. Attributes without a value are absent, so that `default` applies to them.
    pub fn template_values(&self) -> Map<String, Value> {
        let contact = self.contact;
        let mut person = Map::new();
        let mut put = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                person.insert(name.to_owned(), json!(value));
            }
        };
        put("id", Some(contact.id.to_string()));
        put("first_name", contact.first_name.clone());
        put("last_name", contact.last_name.clone());
        put("name", contact.name());
        put("email", contact.email.as_ref().map(ToString::to_string));
        put("phone", contact.phone.as_ref().map(ToString::to_string));
        put("external_id", contact.external_id.as_ref().map(ToString::to_string));
        put("locale", contact.locale.as_ref().map(ToString::to_string));
        put("time_zone", contact.time_zone.as_ref().map(ToString::to_string));
        let mut context = Map::new();
        context.insert("contact".to_owned(), Value::Object(person));
        context.insert("custom_fields".to_owned(), json!(contact.custom_fields));
        context.insert("bot_fields".to_owned(), Value::Object(self.bot_fields.clone()));
        context.insert("vars".to_owned(), Value::Object(self.vars.clone()));
        context.insert("now".to_owned(), json!(self.now));
        if let Some(conversation) = self.conversation {
            context.insert("conversation".to_owned(), json!(ConversationView::from(conversation)));
        }
        if let Some(event) = self.event {
            context.insert("event".to_owned(), event.clone());
        }
        context
    }
}

impl Interpreter<'_> {
    /// Shows what the run sees now.
    pub(super) fn with_eval_context<T>(&self, look: impl FnOnce(&EvalContext<'_>) -> T) -> T {
        let known = self.bot_fields.iter().filter_map(|field| Some((field.key.clone(), field.value.clone()?)));
        look(&EvalContext {
            contact: &self.contact,
            bot_fields: &known.collect(),
            conversation: self.environment.conversation,
            vars: &self.vars,
            event: self.run.event.as_ref(),
            now: self.environment.now,
        })
    }
}
