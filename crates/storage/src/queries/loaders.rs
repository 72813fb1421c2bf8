//! Batched lookups that many jobs use.

use tidings_domain::channels::Channel;
use tidings_domain::contacts::Contact;
use tidings_domain::conversations::{Conversation, Dispatch};
use tidings_domain::events::EventKind;
use tidings_domain::fields::CustomField;
use tidings_domain::flows::{ActiveTrigger, Run, RunWithContact};
use tidings_domain::ports::StoredEvent;
use tidings_domain::tags::Tag;
use tidings_domain::webhooks::{Delivery, Webhook};

use crate::events::EventKey;
use crate::queries::loader::Loader;
use crate::queries::types::DbId;
use crate::{contacts, conversations, events, flows, webhooks};

/// The loaders for lookups of single rows by concurrent jobs.
pub(crate) struct Loaders {
    pub(crate) contacts: Loader<(DbId, DbId), Contact>,
    pub(crate) named_contacts: Loader<(DbId, contacts::Name), Contact>,
    /// By workspace. These three are only used on SQLite.
    pub(crate) fields: Loader<DbId, Vec<CustomField>>,
    pub(crate) default_channels: Loader<DbId, Channel>,
    /// By workspace and folded name.
    pub(crate) named_tags: Loader<(DbId, String), Tag>,
    /// By contact.
    pub(crate) conversations: Loader<(DbId, DbId), Vec<Conversation>>,
    pub(crate) dispatches: Loader<(DbId, DbId), Dispatch>,
    pub(crate) live_runs: Loader<flows::LiveRun, Run>,
    pub(crate) runs: Loader<(DbId, DbId), RunWithContact>,
    pub(crate) events: Loader<EventKey, StoredEvent>,
    pub(crate) deliveries: Loader<(DbId, DbId), Delivery>,
    pub(crate) webhooks: Loader<(DbId, DbId), Webhook>,
    pub(crate) subscribers: Loader<(DbId, EventKind), Vec<Webhook>>,
    pub(crate) event_triggers: Loader<(DbId, EventKind), Vec<ActiveTrigger>>,
}

impl Default for Loaders {
    fn default() -> Self {
        Self {
            contacts: Loader::as_one(contacts::find_all),
            named_contacts: Loader::as_one(contacts::find_named),
            fields: Loader::in_turns(contacts::fields::of_workspaces, |ws| ws.0),
            default_channels: Loader::new(conversations::channels::find_defaults),
            named_tags: Loader::in_turns(contacts::tags::find_named, |(ws, _)| ws.0),
            conversations: Loader::new(conversations::find_all),
            dispatches: Loader::new(conversations::find_dispatches),
            live_runs: Loader::new(flows::live_runs),
            runs: Loader::as_one(flows::with_contacts),
            events: Loader::new(events::find),
            deliveries: Loader::new(webhooks::find_deliveries),
            webhooks: Loader::new(webhooks::find),
            subscribers: Loader::new(webhooks::subscribers),
            event_triggers: Loader::new(flows::event_triggers),
        }
    }
}
