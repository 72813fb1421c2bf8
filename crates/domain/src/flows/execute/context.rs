//! The data that a step loads.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono_tz::Tz;
use serde_json::{Map, Value};
use tidings_tables::Country;
use uuid::Uuid;

use super::RunExecutor;
use crate::access::Access;
use crate::catalog::Catalog;
use crate::channels::{Channel, Connectors};
use crate::conditions::Vocabulary;
use crate::contacts::{Attribute, Contact};
use crate::conversations::Conversation;
use crate::fields::{BotField, CustomField};
use crate::flows::known_objects::WorkspaceConditions;
use crate::flows::{Action, CompiledFlow, Conditions, EvalContext, Run, StepEnvironment};
use crate::ports::StoreError;
use crate::retry::AttemptError;
use crate::tags::Tag;
use crate::time::Timestamp;

pub(super) struct StepContext {
    pub(super) run: Run,
    pub(super) flow: Arc<CompiledFlow>,
    pub(super) catalog: Arc<Catalog>,
    pub(super) tags: BTreeMap<String, Tag>,
    pub(super) contact: Contact,
    /// The custom fields that the flow may mean; `None` if it may mean all fields of the catalog.
    own_fields: Option<Vec<CustomField>>,
    /// Empty if the flow names none.
    pub(super) bot_fields: Vec<BotField>,
    pub(super) channel: Option<Channel>,
    pub(super) conversation: Option<Conversation>,
    /// Committed events of the contact that are not yet delivered to waiting runs. Empty if the flow waits for no
    /// events.
    pub(super) under_way: Vec<Uuid>,
    /// The run that it called and waits for, in its current state.
    pub(super) called: Option<Run>,
    conditions: WorkspaceConditions,
    zone: Tz,
    country: Option<Country>,
}

/// Data that was already loaded with the run.
#[derive(Default)]
pub(super) struct Prefetched {
    pub(super) contact: Option<Contact>,
    pub(super) conversations: Option<Vec<Conversation>>,
}

impl StepContext {
    /// Whether the run's flow is active according to the catalog.
    pub(super) fn is_of_active_flow(&self) -> bool {
        self.catalog.active_flows.contains_key(&self.run.flow)
    }

    /// Whether a node's condition holds for an event that arrived while the run waits.
    pub(super) fn holds(&self, filter: &Value, event: &Value, now: Timestamp) -> bool {
        let bot_fields = self.bot_fields.iter().filter_map(|field| Some((field.key.clone(), field.value.clone()?)));
        let eval = EvalContext {
            contact: &self.contact,
            bot_fields: &bot_fields.collect(),
            conversation: self.conversation.as_ref(),
            vars: &self.run.vars,
            event: Some(event),
            now,
            zone: self.zone,
        };
        self.conditions.holds(filter, &eval).unwrap_or(false)
    }

    /// Whether the current question of the run offers exactly this text.
    pub(super) fn offers(&self, text: &str, now: Timestamp) -> bool {
        let node = self.run.node.as_ref().and_then(|node| self.flow.definition.nodes.get(node));
        match node.map(|node| &node.action) {
            Some(Action::Ask(question)) => question.offers(&self.template_values(now), text),
            Some(_) | None => false,
        }
    }

    /// Returns the template values for a node visited at an instant.
    pub(super) fn template_values(&self, now: Timestamp) -> Map<String, Value> {
        let bot_fields = self.bot_fields.iter().filter_map(|field| Some((field.key.clone(), field.value.clone()?)));
        let eval = EvalContext {
            contact: &self.contact,
            bot_fields: &bot_fields.collect(),
            conversation: self.conversation.as_ref(),
            vars: &self.run.vars,
            event: self.run.event.as_ref(),
            now,
            zone: self.zone,
        };
        eval.template_values()
    }

    pub(super) fn environment<'a>(
        &'a self,
        taken: &'a BTreeSet<(Attribute, String)>,
        now: Timestamp,
        connectors: &Connectors,
    ) -> StepEnvironment<'a> {
        let capabilities = self.channel.as_ref().map(|channel| connectors.capabilities(channel.kind));
        StepEnvironment {
            contact: &self.contact,
            fields: self.own_fields.as_ref().unwrap_or(&self.catalog.fields),
            bot_fields: &self.bot_fields,
            tags: &self.tags,
            has_channel: self.channel.is_some(),
            quick_replies: capabilities.map_or(0, |it| it.quick_replies),
            conversation: self.conversation.as_ref(),
            taken,
            called: self.called.as_ref(),
            conditions: &self.conditions,
            zone: self.zone,
            country: self.country,
            now,
            explains: false,
        }
    }
}

impl RunExecutor {
    /// Loads the data of a step in one concurrent batch, except the data that is passed in.
    pub(super) async fn load(
        &self,
        access: &Access,
        run: Run,
        Prefetched { contact, conversations }: Prefetched,
    ) -> Result<StepContext, AttemptError> {
        let corrupt = |what: &str| StoreError::Corrupt(format!("{what} of {} is missing", run.id));
        let flow = self.ports.flows.compiled(access, run.flow, run.flow_version).await?;
        let flow = flow.ok_or_else(|| corrupt("the flow version"))?;
        let contact = async {
            match contact {
                Some(contact) => Ok(contact),
                None => {
                    let found = self.ports.contacts.find_even_deleted(access, run.contact).await?;
                    found.ok_or_else(|| corrupt("the contact"))
                }
            }
        };
        let conversations = async {
            match conversations {
                Some(conversations) => Ok(conversations),
                None => self.ports.conversations.with(access, run.contact).await,
            }
        };
        let bot_fields = async {
            match flow.names_bot_fields {
                true => self.ports.fields.bot_all(access).await,
                false => Ok(Vec::new()),
            }
        };
        let workspace = async {
            match flow.asks_settings {
                true => self.ports.access.workspace(access.workspace()).await,
                false => Ok(None),
            }
        };
        let under_way = async {
            match flow.awaits_events {
                true => self.ports.flows.events_under_way(access, run.contact).await,
                false => Ok(Vec::new()),
            }
        };
        let (catalog, contact, conversations, bot_fields, workspace, under_way, called) = futures::try_join!(
            self.ports.catalog.catalog(access.workspace()),
            contact,
            conversations,
            bot_fields,
            workspace,
            under_way,
            self.load_called_run(access, &run)
        )?;
        let zone = workspace.as_ref().and_then(|it| it.time_zone.as_str().parse().ok()).unwrap_or(Tz::UTC);
        let country = workspace.and_then(|it| it.default_country);
        let tags: BTreeMap<_, _> =
            flow.tags.iter().filter_map(|(word, id)| Some((word.clone(), catalog.tags.get(id)?.clone()))).collect();
        let own_fields = flow.without_foreign(&catalog.fields);
        let bot_fields: Vec<BotField> = bot_fields.into_iter().filter(|field| flow.is_own(field)).collect();
        let conditions = match flow.has_conditions {
            true => {
                let known: Vec<Tag> = tags.values().cloned().collect();
                let fields = own_fields.as_ref().unwrap_or(&catalog.fields);
                WorkspaceConditions::new(fields, &bot_fields, &known, &flow.tags)
            }
            false => WorkspaceConditions::of(Vocabulary::default()),
        };
        let channel = catalog.channel_to(&conversations, run.channel).cloned();
        let conversation = channel.as_ref().and_then(|it| conversations.into_iter().find(|of| of.channel == it.id));
        Ok(StepContext {
            run,
            flow,
            catalog,
            tags,
            contact,
            own_fields,
            bot_fields,
            channel,
            conversation,
            under_way,
            called,
            conditions,
            zone,
            country,
        })
    }
}
