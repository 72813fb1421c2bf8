//! What may stand in the audit log: one table of the kinds of objects, and of what is done to them.

macro_rules! actions {
    ($($(#[$kind_doc:meta])* $kind:ident = $word:literal { $($(#[$doc:meta])* $action:ident = $verb:literal;)* })*) => {
        /// A kind of object that the audit log tells of.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum AuditedKind { $($(#[$kind_doc])* $kind,)* }

        impl AuditedKind {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$kind),*];
            /// Their words.
            pub const WORDS: &[&str] = &[$($word),*];

            /// The word in the API and in the store.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$kind => $word,)* }
            }

            /// The kind with this word.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$kind),)* _ => None }
            }
        }

        /// What was done, and to which kind of object.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum AuditAction { $($($(#[$doc])* $action,)*)* }

        impl AuditAction {
            /// All actions.
            pub const ALL: &[Self] = &[$($(Self::$action),*),*];
            /// Their words.
            pub const WORDS: &[&str] = &[$($(concat!($word, ".", $verb)),*),*];

            /// The word in the API and in the store.
            pub fn as_str(self) -> &'static str {
                match self { $($(Self::$action => concat!($word, ".", $verb),)*)* }
            }

            /// The action with this word.
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|it| it.as_str() == word)
            }

            /// The kind of object to which it is done.
            pub fn kind(self) -> AuditedKind {
                match self { $($(Self::$action => AuditedKind::$kind,)*)* }
            }
        }
    };
}

actions! {
    /// The workspace itself.
    Workspace = "workspace" {
        /// It was made.
        WorkspaceCreated = "created";
        /// Its name, its zone or its plan changed.
        WorkspaceUpdated = "updated";
        /// What it sends is held, or let go.
        WorkspaceOutboundChanged = "outbound_changed";
    }
    /// Its sandbox.
    Sandbox = "sandbox" {
        /// It was made.
        SandboxCreated = "created";
        /// It was emptied.
        SandboxReset = "reset";
    }
    /// A member.
    Member = "member" {
        /// A person has a place in the workspace.
        MemberJoined = "joined";
        /// They have another role.
        MemberRoleChanged = "role_changed";
        /// They have no place any more.
        MemberRemoved = "removed";
        /// A link was made that sets their password.
        MemberResetLinkCreated = "reset_link_created";
    }
    /// An invitation.
    Invitation = "invitation" {
        /// Somebody was asked in.
        InvitationCreated = "created";
        /// It was taken back, or another one took its place.
        InvitationWithdrawn = "withdrawn";
    }
    /// An API key.
    Key = "api_key" {
        /// It was made.
        KeyCreated = "created";
        /// Another one takes its place.
        KeyRotated = "rotated";
        /// It opens nothing any more.
        KeyRevoked = "revoked";
    }
    /// A webhook.
    Webhook = "webhook" {
        /// It was made.
        WebhookCreated = "created";
        /// It was changed.
        WebhookUpdated = "updated";
        /// It has a new signing secret.
        WebhookSecretRotated = "secret_rotated";
        /// Its deliveries wait.
        WebhookPaused = "paused";
        /// It gets deliveries again.
        WebhookEnabled = "enabled";
        /// The service switched it off.
        WebhookDisabled = "disabled";
        /// It was deleted.
        WebhookDeleted = "deleted";
    }
    /// A channel.
    Channel = "channel" {
        /// It was made.
        ChannelCreated = "created";
        /// It was changed.
        ChannelUpdated = "updated";
        /// It carries messages.
        ChannelConnected = "connected";
        /// It carries none.
        ChannelDisconnected = "disconnected";
        /// It was deleted.
        ChannelDeleted = "deleted";
    }
    /// A secret.
    Secret = "secret" {
        /// It was made.
        SecretCreated = "created";
        /// It has another value, or other hosts.
        SecretReplaced = "replaced";
        /// It was deleted.
        SecretDeleted = "deleted";
    }
    /// A tag.
    Tag = "tag" {
        /// It was made.
        TagCreated = "created";
        /// It was changed.
        TagUpdated = "updated";
        /// It was deleted.
        TagDeleted = "deleted";
    }
    /// A custom field.
    Field = "custom_field" {
        /// It was made.
        FieldCreated = "created";
        /// It was changed.
        FieldUpdated = "updated";
        /// It was deleted.
        FieldDeleted = "deleted";
    }
    /// A bot field.
    BotField = "bot_field" {
        /// It was made.
        BotFieldCreated = "created";
        /// It was called otherwise.
        BotFieldUpdated = "updated";
        /// A person or a key gave it another value.
        BotFieldValueSet = "value_set";
        /// It was deleted.
        BotFieldDeleted = "deleted";
    }
    /// A segment.
    Segment = "segment" {
        /// It was made.
        SegmentCreated = "created";
        /// It was changed.
        SegmentUpdated = "updated";
        /// It was deleted.
        SegmentDeleted = "deleted";
    }
    /// A saved reply.
    SavedReply = "saved_reply" {
        /// It was made.
        SavedReplyCreated = "created";
        /// It was changed.
        SavedReplyUpdated = "updated";
        /// It was deleted.
        SavedReplyDeleted = "deleted";
    }
    /// A flow.
    Flow = "flow" {
        /// It was made.
        FlowCreated = "created";
        /// Its name or its draft was changed.
        FlowUpdated = "updated";
        /// Its draft was published as a version.
        FlowPublished = "published";
        /// It was paused, resumed or archived.
        FlowStatusChanged = "status_changed";
        /// An earlier version became its draft.
        FlowRestored = "restored";
        /// It was deleted.
        FlowDeleted = "deleted";
    }
    /// A sequence.
    Sequence = "sequence" {
        /// It was made.
        SequenceCreated = "created";
        /// It was changed.
        SequenceUpdated = "updated";
        /// It was deleted.
        SequenceDeleted = "deleted";
    }
    /// A contact, by its id alone.
    Contact = "contact" {
        /// A person made it.
        ContactCreated = "created";
        /// A person changed attributes, addresses or values.
        ContactUpdated = "updated";
        /// A person put tags on it, or took some off.
        ContactTagsChanged = "tags_changed";
        /// A person deleted it.
        ContactDeleted = "deleted";
        /// A person took it back.
        ContactRestored = "restored";
        /// It is erased for good.
        ContactErased = "erased";
        /// It goes up in another one.
        ContactMerged = "merged";
        /// All that is kept of it was asked for.
        ContactDisclosed = "disclosed";
        /// Contacts were exported as a table.
        ContactsExported = "exported";
    }
    /// An import of contacts.
    Import = "import" {
        /// A table was taken in.
        ImportCreated = "created";
        /// It was ended before its end.
        ImportCancelled = "cancelled";
    }
    /// Work that was put aside.
    Job = "job" {
        /// It is done again.
        JobRetried = "retried";
        /// It is never done.
        JobDropped = "dropped";
    }
    /// A broadcast.
    Broadcast = "broadcast" {
        /// A draft was made.
        BroadcastCreated = "created";
        /// The draft was changed.
        BroadcastUpdated = "updated";
        /// It was sent, at its time or at once.
        BroadcastSent = "sent";
        /// It makes no more messages until it is resumed.
        BroadcastPaused = "paused";
        /// It goes on.
        BroadcastResumed = "resumed";
        /// It was ended.
        BroadcastCancelled = "cancelled";
        /// It was deleted.
        BroadcastDeleted = "deleted";
    }
}
