//! Rendering of the message of a broadcast for one contact.

use std::sync::Arc;

use chrono_tz::Tz;
use serde_json::{Map, Value};

use crate::access::Access;
use crate::contacts::Contact;
use crate::conversations::{Content, Conversation};
use crate::flows::{EvalContext, rendered};
use crate::ports::{Ports, StoreError};
use crate::sequences::zone_of;
use crate::time::Timestamp;

/// The values that all texts of a portion use, except the contact.
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

    /// Renders the message for a contact, or returns why it cannot be rendered.
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
            zone: self.zone,
        };
        rendered(content, &context.template_values()).map_err(|error| error.to_string())
    }
}
