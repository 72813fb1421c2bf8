//! The table of actions in the audit log, by type of object.

macro_rules! actions {
    ($($(#[$kind_doc:meta])* $kind:ident = $word:literal { $($(#[$doc:meta])* $action:ident = $verb:literal;)* })*) => {
        /// A type of object in the audit log.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum AuditedKind { $($(#[$kind_doc])* $kind,)* }

        impl AuditedKind {
            /// All types.
            pub const ALL: &[Self] = &[$(Self::$kind),*];
            /// Their words.
            pub const WORDS: &[&str] = &[$($word),*];

            /// Returns the word in the API and in the store.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$kind => $word,)* }
            }

            /// Returns the type with this word.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$kind),)* _ => None }
            }
        }

        /// An action, with its type of object.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum AuditAction { $($($(#[$doc])* $action,)*)* }

        impl AuditAction {
            /// All actions.
            pub const ALL: &[Self] = &[$($(Self::$action),*),*];
            /// Their words.
            pub const WORDS: &[&str] = &[$($(concat!($word, ".", $verb)),*),*];

            /// Returns the word in the API and in the store.
            pub fn as_str(self) -> &'static str {
                match self { $($(Self::$action => concat!($word, ".", $verb),)*)* }
            }

            /// Returns the action with this word.
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|it| it.as_str() == word)
            }

            /// Returns the type of the object.
            pub fn kind(self) -> AuditedKind {
                match self { $($(Self::$action => AuditedKind::$kind,)*)* }
            }
        }
    };
}

actions! {
    /// The workspace itself.
    Workspace = "workspace" {
        /// It was created.
        WorkspaceCreated = "created";
        /// Its name, time zone or plan was updated.
        WorkspaceUpdated = "updated";
        /// Outbound sending was paused or resumed.
        WorkspaceOutboundChanged = "outbound_changed";
        /// It was deleted.
        WorkspaceDeleted = "deleted";
        /// It was restored.
        WorkspaceRestored = "restored";
        /// All its data was exported.
        WorkspaceExported = "exported";
    }
    /// Its sandbox.
    Sandbox = "sandbox" {
        /// It was created.
        SandboxCreated = "created";
        /// It was reset.
        SandboxReset = "reset";
    }
    /// A member.
    Member = "member" {
        /// A user became a member.
        MemberJoined = "joined";
        /// The role was changed.
        MemberRoleChanged = "role_changed";
        /// The member was removed.
        MemberRemoved = "removed";
        /// A password reset link was created.
        MemberResetLinkCreated = "reset_link_created";
    }
    /// An invitation.
    Invitation = "invitation" {
        /// A user was invited.
        InvitationCreated = "created";
        /// It was withdrawn or replaced.
        InvitationWithdrawn = "withdrawn";
    }
    /// An API key.
    Key = "api_key" {
        /// It was created.
        KeyCreated = "created";
        /// It was replaced by a new key.
        KeyRotated = "rotated";
        /// It was revoked.
        KeyRevoked = "revoked";
    }
    /// A webhook.
    Webhook = "webhook" {
        /// It was created.
        WebhookCreated = "created";
        /// It was updated.
        WebhookUpdated = "updated";
        /// Its signing secret was rotated.
        WebhookSecretRotated = "secret_rotated";
        /// It was paused.
        WebhookPaused = "paused";
        /// It was enabled.
        WebhookEnabled = "enabled";
        /// The service disabled it.
        WebhookDisabled = "disabled";
        /// It was deleted.
        WebhookDeleted = "deleted";
    }
    /// A channel.
    Channel = "channel" {
        /// It was created.
        ChannelCreated = "created";
        /// It was updated.
        ChannelUpdated = "updated";
        /// It was connected.
        ChannelConnected = "connected";
        /// It was disconnected.
        ChannelDisconnected = "disconnected";
        /// It was deleted.
        ChannelDeleted = "deleted";
    }
    /// A secret.
    Secret = "secret" {
        /// It was created.
        SecretCreated = "created";
        /// Its value or hosts were replaced.
        SecretReplaced = "replaced";
        /// It was deleted.
        SecretDeleted = "deleted";
    }
    /// A tag.
    Tag = "tag" {
        /// It was created.
        TagCreated = "created";
        /// It was updated.
        TagUpdated = "updated";
        /// It was deleted.
        TagDeleted = "deleted";
    }
    /// A custom field.
    Field = "custom_field" {
        /// It was created.
        FieldCreated = "created";
        /// It was updated.
        FieldUpdated = "updated";
        /// It was deleted.
        FieldDeleted = "deleted";
    }
    /// A bot field.
    BotField = "bot_field" {
        /// It was created.
        BotFieldCreated = "created";
        /// It was renamed.
        BotFieldUpdated = "updated";
        /// A user or an API key set its value.
        BotFieldValueSet = "value_set";
        /// It was deleted.
        BotFieldDeleted = "deleted";
    }
    /// A segment.
    Segment = "segment" {
        /// It was created.
        SegmentCreated = "created";
        /// It was updated.
        SegmentUpdated = "updated";
        /// It was deleted.
        SegmentDeleted = "deleted";
    }
    /// A saved reply.
    SavedReply = "saved_reply" {
        /// It was created.
        SavedReplyCreated = "created";
        /// It was updated.
        SavedReplyUpdated = "updated";
        /// It was deleted.
        SavedReplyDeleted = "deleted";
    }
    /// A file.
    Media = "media" {
        /// It was uploaded.
        MediaCreated = "created";
        /// Its name was updated.
        MediaUpdated = "updated";
        /// It was deleted.
        MediaDeleted = "deleted";
    }
    /// A flow.
    Flow = "flow" {
        /// It was created.
        FlowCreated = "created";
        /// Its name or draft was updated.
        FlowUpdated = "updated";
        /// Its draft was published as a version.
        FlowPublished = "published";
        /// It was paused, resumed or archived.
        FlowStatusChanged = "status_changed";
        /// An earlier version was restored as the draft.
        FlowRestored = "restored";
        /// It was deleted.
        FlowDeleted = "deleted";
    }
    /// A sequence.
    Sequence = "sequence" {
        /// It was created.
        SequenceCreated = "created";
        /// It was updated.
        SequenceUpdated = "updated";
        /// It was deleted.
        SequenceDeleted = "deleted";
    }
    /// A contact, by its ID only.
    Contact = "contact" {
        /// A user created it.
        ContactCreated = "created";
        /// A user updated attributes, addresses or values.
        ContactUpdated = "updated";
        /// A user added or removed tags.
        ContactTagsChanged = "tags_changed";
        /// A user deleted it.
        ContactDeleted = "deleted";
        /// A user restored it.
        ContactRestored = "restored";
        /// It was erased.
        ContactErased = "erased";
        /// It was merged into another contact.
        ContactMerged = "merged";
        /// All its data was exported.
        ContactDisclosed = "disclosed";
        /// Contacts were exported as a table.
        ContactsExported = "exported";
    }
    /// An import of contacts.
    Import = "import" {
        /// A table was imported.
        ImportCreated = "created";
        /// It was cancelled.
        ImportCancelled = "cancelled";
    }
    /// A bulk operation on contacts.
    BulkOperation = "bulk_operation" {
        /// It was created.
        BulkOperationCreated = "created";
        /// It was cancelled.
        BulkOperationCancelled = "cancelled";
    }
    /// A dead-lettered job.
    Job = "job" {
        /// It was retried.
        JobRetried = "retried";
        /// It was discarded.
        JobDropped = "dropped";
    }
    /// A broadcast.
    Broadcast = "broadcast" {
        /// A draft was created.
        BroadcastCreated = "created";
        /// The draft was updated.
        BroadcastUpdated = "updated";
        /// It was sent, immediately or at its scheduled time.
        BroadcastSent = "sent";
        /// It was paused.
        BroadcastPaused = "paused";
        /// It was resumed.
        BroadcastResumed = "resumed";
        /// It was cancelled.
        BroadcastCancelled = "cancelled";
        /// It was deleted.
        BroadcastDeleted = "deleted";
    }
}
