//! The declarations.

/// Passes two lists in brackets to a macro: tokens of the caller, and the declarations of all simple objects.
///
/// The keys of a declaration, in this order:
/// - `id`: the type of its ID and the prefix of the IDs;
/// - `table`: its table, which also names its port and its use cases;
/// - `hint`: its word in hints and the audience of the hints;
/// - `limit`: the maximum for a workspace, and the words for the count;
/// - `unique`: the unique key, the constraint, its column, and the method that returns the value of the column;
/// - `audit`: the actions for create, update and delete;
/// - `text`: the fields with text, and further fields without text;
/// - `bytes`: the type of data in the storage usage, and the fields that count;
/// - `reads`: its view, if [`StoredQueries`](crate::ports::StoredQueries) reads it.
#[macro_export]
macro_rules! for_each_stored {
    ($($receiver:ident)::+ { $($own:tt)* }) => {
        $($receiver)::+! {
            [$($own)*]
            [
                /// A label on contacts.
                Tag in tags {
                    id: TagId = "tag",
                    table: tags,
                    hint: "tag" Read,
                    limit: 10_000 "tags in a workspace",
                    unique: [TagName = "tags_name_key" on name_key by name_key],
                    audit: [TagCreated, TagUpdated, TagDeleted],
                    text: [name, color, description] beside [contact_count],
                    bytes: [],
                    reads: [],
                }
                /// An attribute that a workspace defines for its contacts.
                CustomField in fields {
                    id: FieldId = "field",
                    table: custom_fields,
                    hint: "custom_field" Read,
                    limit: 200 "custom fields in a workspace",
                    unique: [FieldKey = "custom_fields_key_key" on key by unique_key],
                    audit: [FieldCreated, FieldUpdated, FieldDeleted],
                    text: [key, name, options, rules, retired] beside [kind],
                    bytes: [],
                    reads: [],
                }
                /// A value of the workspace itself.
                BotField in fields {
                    id: BotFieldId = "botfield",
                    table: bot_fields,
                    hint: "bot_field" Read,
                    limit: 200 "bot fields in a workspace",
                    unique: [BotFieldKey = "bot_fields_key_key" on key by unique_key],
                    audit: [BotFieldCreated, BotFieldUpdated, BotFieldDeleted],
                    text: [key, name, value] beside [kind],
                    bytes: [],
                    reads: [],
                }
                /// A value that flows use by its name; the API identifies it by its name.
                Secret in secrets {
                    id: SecretId = "secret",
                    table: secrets,
                    hint: "secret" Read,
                    limit: 50 "secrets in a workspace",
                    unique: [SecretName = "secrets_name_key" on name by unique_name],
                    audit: [SecretCreated, SecretReplaced, SecretDeleted],
                    text: [name, sealed, hosts] beside [],
                    bytes: [],
                    reads: [],
                }
                /// A condition with a name, which selects contacts.
                Segment in segments {
                    id: SegmentId = "seg",
                    table: segments,
                    hint: "segment" Read,
                    limit: 200 "segments in a workspace",
                    unique: [],
                    audit: [SegmentCreated, SegmentUpdated, SegmentDeleted],
                    text: [name, condition] beside [],
                    bytes: [contacts: name, condition],
                    reads: [],
                }
                /// A text with a name, which agents insert into messages.
                SavedReply in saved_replies {
                    id: SavedReplyId = "reply",
                    table: saved_replies,
                    hint: "saved_reply" Read,
                    limit: 500 "saved replies in a workspace",
                    unique: [SavedReplyName = "saved_replies_name_key" on name_key by name_key],
                    audit: [SavedReplyCreated, SavedReplyUpdated, SavedReplyDeleted],
                    text: [name, text, attachments] beside [],
                    bytes: [messages: name, text],
                    reads: [SavedReply as SavedReplyView],
                }
                /// A file of messages. Its bytes are in the file store.
                Media in media {
                    id: MediaId = "media",
                    table: media,
                    hint: "media" Read,
                    limit: 100_000 "files in a workspace",
                    unique: [],
                    audit: [MediaCreated, MediaUpdated, MediaDeleted],
                    text: [name, sha256] beside [media_type, size, used_by],
                    bytes: [],
                    reads: [],
                }
            ]
        }
    };
}
