//! Previews of texts for a contact; nothing is sent.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::{EvalContext, Template, TemplateError, TextNames};
use crate::access::Access;
use crate::contacts::{Contact, ContactRef};
use crate::error::Error;
use crate::ids::{ContactId, TypedId};
use crate::ports::Ports;
use crate::sequences::zone_of;

/// A text to render.
#[derive(Debug, Clone, PartialEq)]
pub struct RenderTemplate {
    /// The text.
    pub template: String,
    /// The recipient; an empty, unknown contact if absent.
    pub contact: Option<ContactRef>,
    /// Variables under `vars`.
    pub vars: Map<String, Value>,
    /// The event under `event`.
    pub event: Option<Value>,
}

/// A rendered text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedTemplate {
    /// The text.
    pub text: String,
    /// The names in the text that do not exist for any contact; they render as empty text.
    pub unknown_names: Vec<String>,
}

/// Use cases of templates.
#[derive(Clone)]
pub struct TemplateService {
    /// Access to storage and other services.
    pub ports: Arc<Ports>,
}

impl TemplateService {
    /// Renders a text as it would be sent to the contact now. Changes and counts nothing.
    ///
    /// # Errors
    /// [`Error::Invalid`] at `/template` if the text is wrong, or at `/contact_id` if no contact has this identifier;
    /// [`Error::Store`].
    pub async fn render(&self, access: &Access, request: &RenderTemplate) -> Result<RenderedTemplate, Error> {
        let wrong = |TemplateError(why): TemplateError| Error::invalid("/template", "template_error", why);
        let template = Template::parse(&request.template).map_err(wrong)?;
        let now = self.ports.clock.now();
        let contact = match &request.contact {
            None => Contact::new(ContactId::from_uuid(self.ports.ids.next()), now),
            Some(named) => {
                let unknown = || Error::invalid("/contact_id", "unknown_contact", "no contact has this identifier");
                self.ports.contacts.find(access, named).await?.ok_or_else(unknown)?
            }
        };
        let (names, catalog, bot_fields, conversations, zone) = futures::try_join!(
            TextNames::load(&self.ports, access),
            self.ports.catalog.catalog(access.workspace()),
            self.ports.fields.bot_all(access),
            self.ports.conversations.with(access, contact.id),
            zone_of(&*self.ports.access, access),
        )?;
        let channel = catalog.channel_to(&conversations, None).map(|channel| channel.id);
        let values = EvalContext {
            contact: &contact,
            bot_fields: &bot_fields.into_iter().filter_map(|field| Some((field.key, field.value?))).collect(),
            conversation: conversations.iter().find(|conversation| Some(conversation.channel) == channel),
            vars: &request.vars,
            event: request.event.as_ref(),
            now,
            zone,
        };
        let text = template.render(&values.template_values()).map_err(wrong)?;
        Ok(RenderedTemplate { text, unknown_names: names.unknown_in_flow(&template) })
    }
}
