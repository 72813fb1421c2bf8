//! What a broadcast says to one contact.

use std::sync::Arc;

use chrono_tz::Tz;
use serde_json::{Map, Value};

use crate::access::Access;
use crate::contacts::Contact;
use crate::conversations::{Content, Conversation};
use crate::error::Violation;
use crate::flows::{EvalContext, Template};
use crate::ports::{Ports, StoreError};
use crate::sequences::zone_of;
use crate::time::Timestamp;

/// What every text of a portion sees beside its contact.
pub(super) struct Renderer {
    bot_fields: Map<String, Value>,
    vars: Map<String, Value>,
    pub(super) zone: Tz,
    now: Timestamp,
}

impl Renderer {
    pub(super) async fn load(ports: &Arc<Ports>, access: &Access) -> Result<Self, StoreError> {
        let (bot_fields, zone) = futures::try_join!(ports.fields.bot_all(access), zone_of(&*ports.access, access))?;
        let bot_fields = bot_fields.into_iter().filter_map(|field| Some((field.key, field.value?))).collect();
        Ok(Self { bot_fields, vars: Map::new(), zone, now: ports.clock.now() })
    }

    /// The message as this contact gets it, or why it cannot be rendered.
    pub(super) fn rendered(
        &self,
        content: &Content,
        contact: &Contact,
        conversation: Option<&Conversation>,
    ) -> Result<Content, String> {
        let context = EvalContext {
            contact,
            bot_fields: &self.bot_fields,
            conversation,
            vars: &self.vars,
            event: None,
            now: self.now,
        };
        let values = context.template_values(self.zone);
        let render = |text: &str| Template::read(text).render(&values);
        let content = content.clone().try_map_texts(render).map_err(|error| error.to_string())?;
        // What was short enough as a template may be too long now.
        match content.check().first() {
            Some(wrong) => Err(format!("{}: {}", wrong.pointer, wrong.message)),
            None => Ok(content),
        }
    }
}

/// What is wrong with the texts of a message, with pointers that begin with `/message`.
pub(super) fn wrong_texts(content: &Content) -> Vec<Violation> {
    let texts = content.texts();
    let wrong = texts.filter_map(|(place, text)| {
        let error = Template::parse(text).err()?;
        Some(Violation::new(format!("/message{place}"), "template_error", error.to_string()))
    });
    wrong.collect()
}
