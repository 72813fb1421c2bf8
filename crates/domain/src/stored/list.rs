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
                /// A text with a name, which agents insert into messages.
                SavedReply in saved_replies {
                    id: SavedReplyId = "reply",
                    table: saved_replies,
                    hint: "saved_reply" Read,
                    limit: 500 "saved replies in a workspace",
                    unique: [SavedReplyName = "saved_replies_name_key" on name_key by name_key],
                    audit: [SavedReplyCreated, SavedReplyUpdated, SavedReplyDeleted],
                    text: [name, text] beside [],
                    bytes: [messages: name, text],
                    reads: [SavedReply as SavedReplyView],
                }
            ]
        }
    };
}
