use std::sync::Arc;

use super::{NewSavedReply, SavedReply, SavedReplyPatch};
use crate::access::Access;
use crate::conversations::{Attachment, Content, MessageType, describe_files};
use crate::error::Error;
use crate::flows::TextNames;
use crate::ids::{SavedReplyId, TypedId};
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook};
use crate::pagination::{Page, PageRequest};
use crate::ports::{Change, ChangeSet, Guard, Object, Ports, ReferenceChange, StoreError};
use crate::references::{Referent, Referrer};
use crate::stored::NamedObject;

/// Use cases of saved replies.
#[derive(Clone)]
pub struct SavedReplyService {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl SavedReplyService {
    /// Returns a saved reply.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn get(&self, access: &Access, reply: SavedReplyId) -> Result<SavedReply, Error> {
        self.ports.saved_replies.get(access, reply).await?.ok_or(Error::NotFound)
    }

    /// Returns the saved replies of the workspace.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn list(&self, access: &Access, page: PageRequest) -> Result<Page<SavedReply>, Error> {
        Ok(self.ports.saved_replies.list(access, page).await?)
    }

    /// Creates a saved reply.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the text is not a template or uses an unknown name, or if a file is unknown;
    /// [`Error::Taken`] if another one has the name; [`Error::Full`], [`Error::Store`].
    pub async fn create(
        &self,
        access: &Access,
        command: NewSavedReply,
        idempotency: IdempotencyHook<'_, SavedReply>,
    ) -> Result<Done<SavedReply>, Error> {
        let attachments = self.checked(access, Some(&command.text), &command.attachments).await?;
        self.ports
            .edit(access)
            .create_named(idempotency, |id, now| SavedReply {
                id: SavedReplyId::from_uuid(id),
                name: command.name.trim().to_owned(),
                text: command.text.clone(),
                attachments: attachments.clone(),
                created_at: now,
                updated_at: now,
                version: 1,
            })
            .await
    }

    /// Updates a saved reply.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Invalid`], [`Error::Taken`], [`Error::Store`].
    pub async fn update(
        &self,
        access: &Access,
        reply: SavedReplyId,
        patch: SavedReplyPatch,
        expected: &ExpectedVersion,
    ) -> Result<SavedReply, Error> {
        let attached = patch.attachments.as_deref();
        let attachments = self.checked(access, patch.text.as_deref(), attached.unwrap_or_default()).await?;
        let change = |mut after: SavedReply| {
            after.name = patch.name.as_deref().map_or(after.name, |name| name.trim().to_owned());
            after.text = patch.text.clone().unwrap_or(after.text);
            if attached.is_some() {
                after.attachments = attachments.clone();
            }
            after
        };
        self.ports.edit(access).update_named(|| self.get(access, reply), expected, change).await
    }

    /// Deletes a saved reply. Sent messages do not change.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Store`].
    pub async fn delete(&self, access: &Access, reply: SavedReplyId, expected: &ExpectedVersion) -> Result<(), Error> {
        let prepare = |found: &SavedReply, set: &mut ChangeSet| {
            set.guard(Guard::Version(Object::Stored(reply.into()), found.version));
            set.change(Change::Reference(ReferenceChange::Put {
                owner: Referrer::Stored(reply.into()),
                targets: Vec::new(),
            }));
        };
        self.ports.edit(access).delete(|| self.get(access, reply), expected, prepare).await
    }

    /// Checks that the text is a template and uses known names only, and that the files exist. Returns the files with
    /// their names and types.
    async fn checked(
        &self,
        access: &Access,
        text: Option<&str>,
        attachments: &[Attachment],
    ) -> Result<Vec<Attachment>, Error> {
        let mut wrong = match text {
            Some(text) => TextNames::load(&self.ports, access).await?.check(text, "/text"),
            None => Vec::new(),
        };
        let mut content = Content { attachments: attachments.to_vec(), ..Content::of(MessageType::File) };
        if !attachments.is_empty() {
            wrong.extend(content.check());
            wrong.extend(describe_files(&self.ports, access, &mut content).await?);
        }
        if wrong.is_empty() { Ok(content.attachments) } else { Err(Error::Invalid(wrong)) }
    }
}

impl NamedObject for SavedReply {
    const WORDS: [&'static str; 2] = ["saved reply", "name"];

    async fn holder(&self, ports: &Ports, access: &Access) -> Result<Option<Self>, StoreError> {
        ports.saved_replies.by_unique(access, &self.name_key()).await
    }

    fn references(&self) -> Option<(Referrer, Vec<Referent>)> {
        let files = self.attachments.iter().filter_map(Attachment::media).map(Referent::Media);
        Some((Referrer::Stored(self.id.into()), files.collect()))
    }
}
