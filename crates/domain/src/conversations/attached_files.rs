//! Files of the server in messages: checked when a message is created, and linked when it is sent.

use std::collections::BTreeSet;

use super::{Attachment, Content};
use crate::access::Access;
use crate::channels::{Channel, LinkedFile};
use crate::error::{Error, Violation};
use crate::ids::{ContactId, MediaId};
use crate::media::{LINK_LIFE, Media, MediaLink};
use crate::ports::{Change, ChangeSet, ConversationChange, FilePlace, Ports, StoreError};

/// Why the files of a message cannot be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnsentFile {
    /// A file was deleted.
    Deleted,
    /// The provider loads files from the server, and the server has no public URL.
    NoPublicUrl,
}

impl UnsentFile {
    /// Returns the error code of the message.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::Deleted => "media_deleted",
            Self::NoPublicUrl => "no_public_url",
        }
    }

    /// Returns the description of the error.
    pub(crate) fn message(self) -> &'static str {
        match self {
            Self::Deleted => "a file of the message was deleted",
            Self::NoPublicUrl => "the provider must load the files of the message, and the server has no public URL",
        }
    }
}

/// Returns a new message with the names and types of its files, if these exist and the channel can send them.
///
/// # Errors
/// [`Error::Invalid`] for unknown files, [`Error::NoPublicUrl`], [`Error::Store`].
pub(super) async fn complete_files(
    ports: &Ports,
    access: &Access,
    channel: &Channel,
    mut content: Content,
) -> Result<Content, Error> {
    if content.files().next().is_none() {
        return Ok(content);
    }
    let unknown = describe_files(ports, access, &mut content).await?;
    if !unknown.is_empty() {
        return Err(Error::Invalid(unknown));
    }
    let connector = ports.connectors.for_workspace(channel.kind, access.workspace());
    let is_local = connector.is_some_and(|connector| connector.is_local());
    if is_local || !ports.public_url.is_empty() { Ok(content) } else { Err(Error::NoPublicUrl) }
}

/// Sets the missing names and types of the files in a content. Returns a violation for each unknown file, with pointers
/// relative to the content. An unknown file stays in the content, and the message fails when it is sent.
///
/// # Errors
/// [`StoreError`].
pub(crate) async fn describe_files(
    ports: &Ports,
    access: &Access,
    content: &mut Content,
) -> Result<Vec<Violation>, StoreError> {
    let named: Vec<(String, MediaId)> = content.files().collect();
    let ids: BTreeSet<MediaId> = named.iter().map(|(_, media)| *media).collect();
    let found = existing_files(ports, access, ids).await?;
    for media in &found {
        content.attachments.iter_mut().for_each(|it| complete(it, media));
    }
    let unknown = named.into_iter().filter(|(_, media)| found.iter().all(|it| it.id != *media));
    Ok(unknown.map(|(pointer, media)| unknown_file(pointer, media)).collect())
}

/// Returns the existing files among these.
///
/// # Errors
/// [`StoreError`].
pub(crate) async fn existing_files(
    ports: &Ports,
    access: &Access,
    media: BTreeSet<MediaId>,
) -> Result<Vec<Media>, StoreError> {
    if media.is_empty() {
        return Ok(Vec::new());
    }
    ports.media.by_ids(access, &media.into_iter().collect::<Vec<_>>()).await
}

/// Returns the violation for a file that does not exist.
fn unknown_file(pointer: String, media: MediaId) -> Violation {
    Violation::new(pointer, "unknown_media", format!("no file in this workspace has the ID {media}"))
}

/// Sets the missing name and type of an attachment, if it names this file.
fn complete(attachment: &mut Attachment, media: &Media) {
    if attachment.media() == Some(media.id) {
        attachment.name.get_or_insert_with(|| media.name.clone());
        attachment.mime_type.get_or_insert_with(|| media.media_type.as_str().to_owned());
    }
}

/// Adds to a change set that a message with a contact uses the files of its content.
pub(crate) fn use_files(set: &mut ChangeSet, content: &Content, contact: ContactId) {
    for (_, media) in content.files() {
        set.change(Change::Conversation(ConversationChange::UseMedia { media, contact }));
    }
}

/// Replaces the files of a message by links for its provider. Returns the files.
///
/// # Errors
/// [`StoreError`].
pub(crate) async fn link_files(
    ports: &Ports,
    access: &Access,
    content: &mut Content,
    is_local: bool,
) -> Result<Result<Vec<LinkedFile>, UnsentFile>, StoreError> {
    let mut linked = Vec::new();
    for (index, attachment) in content.attachments.iter_mut().enumerate() {
        let Some(media) = attachment.media() else { continue };
        let Some(media) = ports.media.get(access, media).await? else { return Ok(Err(UnsentFile::Deleted)) };
        if ports.public_url.is_empty() && !is_local {
            return Ok(Err(UnsentFile::NoPublicUrl));
        }
        complete(attachment, &media);
        let place = FilePlace { workspace: access.workspace(), media: media.id };
        let link = MediaLink { place, expires_at: ports.clock.now().plus(LINK_LIFE) };
        attachment.url = link.url(&*ports.sealer, &ports.public_url);
        linked.push(LinkedFile { attachment: index, place, size: u64::try_from(media.size).unwrap_or_default() });
    }
    Ok(Ok(linked))
}

#[cfg(test)]
#[path = "attached_files_tests.rs"]
mod tests;
