//! What a step finds when it begins.

use std::collections::{BTreeMap, BTreeSet};

use chrono_tz::Tz;

use super::RunExecutor;
use crate::access::Access;
use crate::channels::Channel;
use crate::contacts::Contact;
use crate::conversations::Conversation;
use crate::fields::{BotField, CustomField};
use crate::flows::definition::Attribute;
use crate::flows::known::WorkspaceConditions;
use crate::flows::{Action, Definition, Run, World};
use crate::ids::TagId;
use crate::ports::StoreError;
use crate::sequences::zone_of;
use crate::settle::Setback;
use crate::tags::Tag;
use crate::time::Timestamp;

/// What a step finds when it begins.
pub(super) struct Scene {
    pub(super) run: Run,
    pub(super) definition: Definition,
    pub(super) tags: BTreeMap<String, Tag>,
    pub(super) contact: Contact,
    pub(super) fields: Vec<CustomField>,
    pub(super) bot_fields: Vec<BotField>,
    pub(super) channel: Option<Channel>,
    pub(super) conversation: Option<Conversation>,
    conditions: WorkspaceConditions,
    zone: Tz,
}

impl Scene {
    pub(super) fn world<'a>(&'a self, taken: &'a BTreeSet<(Attribute, String)>, now: Timestamp) -> World<'a> {
        World {
            contact: &self.contact,
            fields: &self.fields,
            bot_fields: &self.bot_fields,
            tags: &self.tags,
            has_channel: self.channel.is_some(),
            conversation: self.conversation.as_ref(),
            taken,
            conditions: &self.conditions,
            zone: self.zone,
            now,
        }
    }
}

impl RunExecutor {
    pub(super) async fn load(&self, access: &Access, run: Run) -> Result<Scene, Setback> {
        let corrupt = |what: &str| Setback::from(StoreError::Corrupt(format!("{what} of {}", run.id)));
        let version = self.ports.flows.version(access, run.flow, run.flow_version).await?;
        let version = version.ok_or_else(|| corrupt("the flow version"))?;
        let definition = Definition::parse(&version.definition).map_err(|_| corrupt("the definition"))?;
        let contact = self.ports.contacts.find_even_deleted(access, run.contact).await?;
        let contact = contact.ok_or_else(|| corrupt("the contact"))?;
        let ids: Vec<TagId> = version.tags.values().copied().collect();
        let known = if ids.is_empty() { Vec::new() } else { self.ports.tags.by_ids(access, &ids).await? };
        let fields = self.ports.fields.all(access).await?;
        let bot_fields = self.ports.fields.bot_all(access).await?;
        let conditions = WorkspaceConditions::new(&fields, &bot_fields, &known, &version.tags);
        let tags = version.tags.into_iter();
        let tags = tags.filter_map(|(word, id)| Some((word, known.iter().find(|tag| tag.id == id)?.clone()))).collect();
        let last_used = match run.channel {
            Some(channel) => Some(channel),
            None => {
                self.ports.conversations.last_used(access, contact.id).await?.map(|conversation| conversation.channel)
            }
        };
        let found = match last_used {
            Some(channel) => self.ports.channels.get(access, channel).await?,
            None => None,
        };
        let channel = match found {
            Some(channel) => Some(channel),
            None => self.ports.channels.default_channel(access).await?,
        };
        let conversation = match &channel {
            Some(channel) => self.ports.conversations.between(access, contact.id, channel.id).await?,
            None => None,
        };
        // Only waits go by a clock on the wall.
        let zone = match definition.nodes.values().any(|node| matches!(node.action, Action::Delay(_))) {
            true => zone_of(&*self.ports.access, access).await?,
            false => Tz::UTC,
        };
        Ok(Scene { run, definition, tags, contact, fields, bot_fields, channel, conversation, conditions, zone })
    }
}
