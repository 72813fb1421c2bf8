//! The objects that a change set changes.

use serde::Serialize;

use super::Audience;
use crate::channels::ChannelChange;
use crate::contacts::ContactChange;
use crate::erasures::ErasureChange;
use crate::flows::FlowChange;
use crate::ports::{Change, ChangeSet, Object, Row};
use crate::sandboxes::SandboxChange;
use crate::sequences::SequenceChange;
use crate::stored::{StoredId, StoredKind};
use crate::webhooks::WebhookChange;

macro_rules! kinds {
    (
        [$($(#[$doc:meta])* $name:ident = $word:literal, $audience:ident;)*]
        [$(
            $(#[$of:meta])*
            $object:ident in $module:ident {
                id: $id:ident = $prefix:literal, table: $table:ident, hint: $hint:literal $to:ident, $($rest:tt)*
            }
        )*]
    ) => {
        kinds! {
            $($(#[$doc])* $name = $word, $audience;)*
            $($(#[$of])* $object = $hint, $to;)*
        }

        impl From<StoredKind> for ChangedKind {
            fn from(kind: StoredKind) -> Self {
                match kind { $(StoredKind::$object => Self::$object,)* }
            }
        }
    };
    ($($(#[$doc:meta])* $name:ident = $word:literal, $audience:ident;)*) => {
        /// The type of a changed object.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ChangedKind { $($(#[$doc])* $name,)* }

        impl ChangedKind {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The name in the API.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }

            /// The type with this name.
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|kind| kind.as_str() == word)
            }

            /// The credentials that receive hints about such objects.
            pub fn audience(self) -> Audience {
                match self { $(Self::$name => Audience::$audience,)* }
            }
        }
    };
}

crate::for_each_stored!(kinds {
    /// The workspace itself.
    Workspace = "workspace", Read;
    /// A channel.
    Channel = "channel", Read;
    /// A contact.
    Contact = "contact", Read;
    /// A conversation.
    Conversation = "conversation", Read;
    /// A message.
    Message = "message", Read;
    /// A flow.
    Flow = "flow", Read;
    /// A run of a flow.
    Run = "flow_run", Read;
    /// A broadcast.
    Broadcast = "broadcast", Read;
    /// A sequence.
    Sequence = "sequence", Read;
    /// An enrollment.
    Enrollment = "enrollment", Read;
    /// A bulk operation on contacts.
    BulkOperation = "bulk_operation", Read;
    /// An import of contacts.
    Import = "import", Read;
    /// A webhook.
    Webhook = "webhook", Full;
    /// A delivery to a webhook.
    Delivery = "delivery", Full;
    /// A request in the usage log.
    Request = "request", Admins;
});

/// A notice that an object changed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hint {
    /// The type of the object.
    pub kind: ChangedKind,
    /// The ID; `None` if several objects of the type changed.
    pub id: Option<String>,
    /// The new version; `None` if it is unknown or the object was deleted.
    pub version: Option<i64>,
}

impl Hint {
    /// Creates a hint that several objects of a type changed.
    pub fn several(kind: ChangedKind) -> Self {
        Self { kind, id: None, version: None }
    }
}

#[derive(Serialize)]
struct Changed<'a> {
    r#type: &'static str,
    id: Option<&'a str>,
    version: Option<i64>,
}

impl Serialize for Hint {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let changed = Changed { r#type: self.kind.as_str(), id: self.id.as_deref(), version: self.version };
        to.collect_map([("changed", changed)])
    }
}

/// Returns a hint for each object that a set changes and that none of its events names.
pub fn hints_of(set: &ChangeSet) -> Vec<Hint> {
    let mut hints: Vec<Hint> = Vec::new();
    for hint in set.changes.iter().filter_map(changed) {
        let is_told =
            hint.id.as_ref().is_some_and(|id| set.events.iter().any(|event| event.thin.contains(id.as_str())));
        if is_told {
            continue;
        }
        match hints.iter_mut().find(|it| it.kind == hint.kind && it.id == hint.id) {
            Some(before) => before.version = hint.version.max(before.version),
            None => hints.push(hint),
        }
    }
    hints
}

fn changed(change: &Change) -> Option<Hint> {
    match change {
        Change::Insert(row) | Change::Update(row) => of_row(row),
        Change::Delete(object) => of(*object, None),
        Change::Channel(ChannelChange::Delete { channel, .. }) => of(Object::Channel(*channel), None),
        Change::Contact(ContactChange::Restore(it)) => of(Object::Contact(it.id), Some(it.version)),
        Change::Erasure(ErasureChange::Begin { contact, .. }) => of(Object::Contact(contact.id), None),
        Change::Flow(FlowChange::Delete { flow, .. }) => of(Object::Flow(*flow), None),
        Change::Flow(
            FlowChange::InterruptRuns { .. }
            | FlowChange::InterruptCalled { .. }
            | FlowChange::Interrupt { .. }
            | FlowChange::MigrateRuns { .. },
        ) => Some(Hint::several(ChangedKind::Run)),
        Change::Sequence(SequenceChange::ExitEnrollments { .. }) => Some(Hint::several(ChangedKind::Enrollment)),
        Change::Broadcast(it) => of(Object::Broadcast(it.broadcast()), None),
        Change::Webhook(WebhookChange::UpdateHealth { webhook, .. }) => of(Object::Webhook(*webhook), None),
        Change::Webhook(WebhookChange::RecordAttempt(it)) => {
            of(Object::Delivery(it.delivery.id), Some(it.delivery.version))
        }
        // Conversations move to the surviving contact, or are merged into its own.
        Change::Merge(_) => Some(Hint::several(ChangedKind::Conversation)),
        // The whole workspace is emptied.
        Change::Sandbox(SandboxChange::Empty { .. }) => Some(Hint::several(ChangedKind::Workspace)),
        Change::Channel(
            ChannelChange::KeepUnparsed(_) | ChannelChange::RecordEvent { .. } | ChannelChange::UpdateHealth { .. },
        )
        | Change::Contact(_)
        | Change::Erasure(_)
        | Change::Flow(_)
        | Change::Webhook(_)
        | Change::Sandbox(_)
        | Change::Access(_)
        | Change::Account(_)
        | Change::Tag(_)
        | Change::Field(_)
        | Change::Reference(_)
        | Change::Conversation(_)
        | Change::Import(_)
        | Change::OptOut(_)
        | Change::Analytics(_)
        | Change::Job(_)
        | Change::Audit(_) => None,
    }
}

fn of_row(row: &Row) -> Option<Hint> {
    of(row.object(), Some(row.version()))
}

/// Returns a hint about an object, if the API of a workspace shows it.
fn of(object: Object, version: Option<i64>) -> Option<Hint> {
    use ChangedKind as Kind;
    let (kind, id) = match object {
        Object::Workspace(id) => (Kind::Workspace, id.to_string()),
        Object::Channel(id) => (Kind::Channel, id.to_string()),
        Object::Contact(id) => (Kind::Contact, id.to_string()),
        // The API identifies secrets by name, which a deletion does not contain.
        Object::Stored(StoredId::Secret(_)) => return Some(Hint::several(Kind::Secret)),
        Object::Conversation(id) => (Kind::Conversation, id.to_string()),
        Object::Message(id) => (Kind::Message, id.to_string()),
        Object::Flow(id) => (Kind::Flow, id.to_string()),
        Object::Run(id) => (Kind::Run, id.to_string()),
        Object::Stored(id) => (id.kind().into(), id.to_string()),
        Object::Broadcast(id) => (Kind::Broadcast, id.to_string()),
        Object::Sequence(id) => (Kind::Sequence, id.to_string()),
        Object::Enrollment(id) => (Kind::Enrollment, id.to_string()),
        Object::BulkOperation(id) => (Kind::BulkOperation, id.to_string()),
        Object::Import(id) => (Kind::Import, id.to_string()),
        Object::Webhook(id) => (Kind::Webhook, id.to_string()),
        Object::Delivery(id) => (Kind::Delivery, id.to_string()),
        // These belong to the platform, not to a workspace.
        Object::Key(_) | Object::User(_) | Object::Member(_) | Object::Invitation(_) | Object::Session(_) => {
            return None;
        }
    };
    Some(Hint { kind, id: Some(id), version })
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::access::Access;
    use crate::events::{EventDraft, EventKind};
    use crate::ids::{ConversationId, SecretId, TagId, TypedId, WebhookId, WorkspaceId};
    use crate::memory::{CountingIds, FixedClock};
    use crate::ports::JobChange;

    fn a_set(changes: Vec<Change>) -> ChangeSet {
        ChangeSet { changes, ..ChangeSet::new(WorkspaceId::from_uuid(Uuid::from_u128(1))) }
    }

    fn tag() -> TagId {
        TagId::from_uuid(Uuid::from_u128(7))
    }

    #[test]
    fn reports_each_change_once_without_internal_objects() {
        let conversation = ConversationId::from_uuid(Uuid::from_u128(8));
        let set = a_set(vec![
            Change::Delete(Object::Stored(StoredId::Tag(tag()))),
            Change::Delete(Object::Conversation(conversation)),
            Change::Delete(Object::Stored(StoredId::Tag(tag()))),
            Change::Delete(Object::Stored(StoredId::Secret(SecretId::from_uuid(Uuid::nil())))),
            Change::Delete(Object::Session(TypedId::from_uuid(Uuid::nil()))),
            Change::Job(JobChange::DropDead { job: TypedId::from_uuid(Uuid::nil()) }),
        ]);
        let told: Vec<_> = hints_of(&set).iter().map(|hint| serde_json::to_value(hint).unwrap()).collect();
        let changed =
            |kind: &str, id: Option<String>| serde_json::json!({"changed": {"type": kind, "id": id, "version": null}});
        let expected = [
            changed("tag", Some(tag().to_string())),
            changed("conversation", Some(conversation.to_string())),
            changed("secret", None),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn omits_objects_that_an_event_of_the_set_names() {
        let (clock, ids) = (FixedClock::default(), CountingIds::default());
        let webhook = WebhookId::from_uuid(Uuid::from_u128(9));
        let mut set =
            a_set(vec![Change::Delete(Object::Stored(StoredId::Tag(tag()))), Change::Delete(Object::Webhook(webhook))]);
        let draft = EventDraft::new(EventKind::ContactTagRemoved, &serde_json::json!({"id": "contact_1"}));
        let draft = draft.with("tag", &serde_json::json!({"id": tag(), "name": "vip"}));
        set.tell(draft, &Access::system(set.workspace), &clock, &ids);
        let hints = hints_of(&set);
        assert_eq!(hints, [Hint { kind: ChangedKind::Webhook, id: Some(webhook.to_string()), version: None }]);
        assert_eq!(hints.first().map(|it| it.kind.audience()), Some(Audience::Full));
    }
}
