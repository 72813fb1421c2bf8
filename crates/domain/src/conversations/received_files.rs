//! Files that arrive with a contact's message. Their bytes are stored before the message, and their rows in its commit.
//! The bytes of a message that is not stored afterwards have no row, so the search for such files deletes them.

use super::received::InboundFile;
use super::{Attachment, Content, MAX_ATTACHMENTS, Message, MessageType};
use crate::access::Access;
use crate::error::Error;
use crate::ids::{ContactId, MediaId, TypedId};
use crate::media::{Media, MediaUse, store_bytes};
use crate::outcome::Done;
use crate::ports::{Change, ChangeSet, FilePlace, Ports, Row};

/// Stores the bytes of the files of a new message. Returns their rows, which are not stored yet.
///
/// # Errors
/// [`Error::Store`].
pub(super) async fn store_files(ports: &Ports, access: &Access, files: &[InboundFile]) -> Result<Vec<Media>, Error> {
    let mut stored = Vec::new();
    for file in files.iter().take(MAX_ATTACHMENTS) {
        let place = FilePlace { workspace: access.workspace(), media: MediaId::from_uuid(ports.ids.next()) };
        stored.push(store_bytes(ports, place, file.name.as_deref().unwrap_or_default(), &file.bytes).await?);
    }
    Ok(stored)
}

/// Adds files to the content of a contact's message, and their rows to the change set that stores the message.
pub(super) fn attach_files(set: &mut ChangeSet, content: &mut Content, files: &[Media], contact: ContactId) {
    if files.is_empty() {
        return;
    }
    if content.kind == MessageType::Text {
        content.kind = MessageType::File;
    }
    for file in files {
        let file = Media { used_by: MediaUse::Contact(contact), ..file.clone() };
        content.attachments.push(Attachment::of_file(&file));
        set.change(Change::Insert(Row::Stored(file.into())));
    }
}

/// Deletes the bytes of the files that the stored message does not name: another request stored the message first, or
/// it was rejected. After an error of the store, the message may have been stored.
pub(super) async fn discard_unused(
    ports: &Ports,
    access: &Access,
    files: &[Media],
    received: &Result<Done<Message>, Error>,
) {
    let is_used = |media: MediaId| match received {
        Ok(done) => done.value.content.attachments.iter().any(|it| it.media() == Some(media)),
        Err(error) => matches!(error, Error::Store(_)),
    };
    for file in files.iter().filter(|file| !is_used(file.id)) {
        let _ = ports.media_files.delete(FilePlace { workspace: access.workspace(), media: file.id }).await;
    }
}

#[cfg(test)]
#[path = "received_files_tests.rs"]
mod tests;
