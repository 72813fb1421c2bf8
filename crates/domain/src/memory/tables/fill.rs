//! Initial contents of an in-memory store from another store.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use crate::access::{Member, Workspace};
use crate::channels::Channel;
use crate::contacts::Contact;
use crate::conversations::Conversation;
use crate::fields::{BotField, CustomField, FieldValue};
use crate::flows::{AwaitedKind, CompiledFlow, Flow, FlowVersion};
use crate::ids::WorkspaceId;
use crate::media::Media;
use crate::memory::{MemoryStore, State};
use crate::ports::StoreError;
use crate::secrets::Secret;
use crate::sequences::Sequence;
use crate::tags::Tag;

/// A flow with its published version.
#[derive(Debug, Clone)]
pub(crate) struct StoredFlow {
    pub(crate) flow: Flow,
    /// The number of the version.
    pub(crate) number: i64,
    /// The compiled version.
    pub(crate) version: Arc<CompiledFlow>,
    /// Its triggers, as written.
    pub(crate) triggers: Vec<Value>,
}

/// A part of a workspace from another store, including all objects that it refers to.
#[derive(Debug, Clone, Default)]
pub(crate) struct Contents {
    pub(crate) workspace: Option<Workspace>,
    /// Members of the workspace, without their accounts.
    pub(crate) members: Vec<Member>,
    pub(crate) channels: Vec<Channel>,
    pub(crate) tags: Vec<Tag>,
    pub(crate) fields: Vec<CustomField>,
    pub(crate) bot_fields: Vec<BotField>,
    pub(crate) secrets: Vec<Secret>,
    /// The files of messages, without their bytes.
    pub(crate) media: Vec<Media>,
    /// With addresses, tags and values.
    pub(crate) contacts: Vec<Contact>,
    pub(crate) conversations: Vec<Conversation>,
    pub(crate) flows: Vec<StoredFlow>,
    pub(crate) sequences: Vec<Sequence>,
}

impl MemoryStore {
    /// Adds a part of a workspace. It was validated in the other store, so only the size is checked. No events follow.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] if it exceeds the limits. Nothing is added then.
    pub(crate) fn fill(&self, ws: WorkspaceId, contents: Contents) -> Result<(), StoreError> {
        let mut state = self.lock();
        let mut next = state.clone();
        next.take(ws, contents);
        next.written = next.text();
        self.bounds.admit(&state, &mut next, 0)?;
        *state = next;
        Ok(())
    }

    pub(crate) fn conversations_of(&self, ws: WorkspaceId) -> Vec<Conversation> {
        let state = self.lock();
        state.conversations.iter().filter(|((of, _), _)| *of == ws).map(|(_, it)| it.clone()).collect()
    }
}

impl State {
    fn take(&mut self, ws: WorkspaceId, contents: Contents) {
        let Contents {
            workspace,
            members,
            channels,
            tags,
            fields,
            bot_fields,
            secrets,
            media,
            contacts,
            conversations,
            flows,
            sequences,
        } = contents;
        self.workspaces.extend(workspace.map(|it| (ws, it)));
        let home = self.home(ws);
        self.members.extend(members.into_iter().map(|it| ((home, it.user), it)));
        self.channels.extend(channels.into_iter().map(|it| ((ws, it.id), it)));
        self.tables.tags.extend(tags.into_iter().map(|it| ((ws, it.id), it)));
        self.tables.custom_fields.extend(fields.iter().map(|it| ((ws, it.id), it.clone())));
        self.tables.bot_fields.extend(bot_fields.into_iter().map(|it| ((ws, it.id), it)));
        self.tables.secrets.extend(secrets.into_iter().map(|it| ((ws, it.id), it)));
        self.tables.media.extend(media.into_iter().map(|it| ((ws, it.id), it)));
        for contact in contacts {
            let id = contact.id;
            let identities = contact.identities.iter().map(|identity| (identity.clone(), true)).collect();
            self.identities.insert((ws, id), identities);
            self.links.extend(contact.tags.iter().map(|tag| ((ws, (id, tag.id)), tag.applied_at)));
            for (key, json) in &contact.custom_fields {
                let Some(field) = fields.iter().find(|field| field.key == *key) else { continue };
                self.values.insert((ws, (id, field.id)), FieldValue::from_store(json.clone()));
            }
            self.contacts.insert((ws, id), contact);
        }
        self.conversations.extend(conversations.into_iter().map(|it| ((ws, it.id), it)));
        for StoredFlow { flow, number, version, triggers } in flows {
            let id = flow.id;
            let awaited: BTreeSet<AwaitedKind> = version.definition.awaited();
            let row = FlowVersion {
                flow: id,
                number,
                definition: Value::Null,
                tags: version.tags.clone(),
                bindings: None,
                created_at: flow.updated_at,
            };
            self.filled.insert((ws, (id, number)), version);
            self.versions.insert((ws, (id, number)), row);
            self.triggers.insert((ws, id), triggers);
            self.awaited.insert((ws, id), awaited);
            self.flows.insert((ws, id), flow);
        }
        self.sequences.extend(sequences.into_iter().map(|it| ((ws, it.id), it)));
    }
}
