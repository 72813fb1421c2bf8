//! Files that arrive with a contact's message. Their bytes are stored before the message, and their rows in its commit.
//! The bytes of a message that is not stored afterwards have no row, so the search for such files deletes them.

use super::fetch::{NO_ROOM, fits};
use super::received::InboundFile;
use super::{Attachment, Content, MAX_ATTACHMENTS, Message, MessageType};
use crate::access::Access;
use crate::error::Error;
use crate::ids::{ContactId, MediaId, TypedId};
use crate::media::{Media, MediaUse, room_for_contacts, safe_file_name, store_bytes};
use crate::outcome::Done;
use crate::ports::{Change, ChangeSet, FilePlace, Ports, Row};

/// A file of a new message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NewFile {
    /// Its bytes are stored. Its row is not stored yet.
    Stored(Media),
    /// The plan has no room for it.
    Refused {
        /// The ID that it would have.
        id: MediaId,
        /// The display name.
        name: String,
    },
}

/// Stores the bytes of the files of a new message, as long as the plan has room.
///
/// # Errors
/// [`Error::Store`].
pub(super) async fn store_files(ports: &Ports, access: &Access, files: &[InboundFile]) -> Result<Vec<NewFile>, Error> {
    let mut room = room_for_contacts(ports, access).await?;
    let mut stored = Vec::new();
    for InboundFile { name, bytes } in files.iter().take(MAX_ATTACHMENTS) {
        let name = name.as_deref().unwrap_or_default();
        let id = MediaId::from_uuid(ports.ids.next());
        // An empty file needs room as well. Otherwise, their number would have no limit.
        stored.push(if room > 0 && fits(bytes, room) {
            let place = FilePlace { workspace: access.workspace(), media: id };
            let file = store_bytes(ports, place, name, bytes).await?;
            room = room.saturating_sub(file.size);
            NewFile::Stored(file)
        } else {
            NewFile::Refused { id, name: safe_file_name(name) }
        });
    }
    Ok(stored)
}

/// Adds files to the content of a contact's message, and their rows to the change set that stores the message.
pub(super) fn attach_files(set: &mut ChangeSet, content: &mut Content, files: &[NewFile], contact: ContactId) {
    if files.is_empty() {
        return;
    }
    if content.kind == MessageType::Text {
        content.kind = MessageType::File;
    }
    for file in files {
        content.attachments.push(match file {
            NewFile::Stored(file) => {
                let file = Media { used_by: MediaUse::Contact(contact), ..file.clone() };
                set.change(Change::Insert(Row::Stored(file.clone().into())));
                Attachment::of_file(&file)
            }
            NewFile::Refused { id, name } => Attachment::lost(*id, NO_ROOM, name.clone()),
        });
    }
}

/// Deletes the bytes of the files that the stored message does not name: another request stored the message first, or
/// it was rejected. After an error of the store, the message may have been stored.
pub(super) async fn discard_unused(
    ports: &Ports,
    access: &Access,
    files: &[NewFile],
    received: &Result<Done<Message>, Error>,
) {
    let is_used = |media: MediaId| match received {
        Ok(done) => done.value.content.attachments.iter().any(|it| it.media() == Some(media)),
        Err(error) => matches!(error, Error::Store(_)),
    };
    for file in files {
        if let NewFile::Stored(file) = file
            && !is_used(file.id)
        {
            let _ = ports.media_files.delete(FilePlace { workspace: access.workspace(), media: file.id }).await;
        }
    }
}

#[cfg(test)]
#[path = "received_files_tests.rs"]
mod tests;
