use std::sync::Arc;

use super::{NewSavedReply, SavedReply, SavedReplyPatch};
use crate::access::Access;
use crate::error::Error;
use crate::flows::TextNames;
use crate::ids::{SavedReplyId, TypedId};
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook};
use crate::pagination::{Page, PageRequest};
use crate::ports::{ChangeSet, Guard, Object, Ports, StoreError};
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
    /// [`Error::Invalid`] if the text is not a template or uses an unknown name, [`Error::Taken`] if another one has
    /// the name, [`Error::Full`], [`Error::Store`].
    pub async fn create(
        &self,
        access: &Access,
        command: NewSavedReply,
        idempotency: IdempotencyHook<'_, SavedReply>,
    ) -> Result<Done<SavedReply>, Error> {
        self.check(access, &command.text).await?;
        self.ports
            .edit(access)
            .create_named(idempotency, |id, now| SavedReply {
                id: SavedReplyId::from_uuid(id),
                name: command.name.trim().to_owned(),
                text: command.text.clone(),
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
        if let Some(text) = &patch.text {
            self.check(access, text).await?;
        }
        let change = |mut after: SavedReply| {
            after.name = patch.name.as_deref().map_or(after.name, |name| name.trim().to_owned());
            after.text = patch.text.clone().unwrap_or(after.text);
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
        };
        self.ports.edit(access).delete(|| self.get(access, reply), expected, prepare).await
    }

    /// Checks that the text is a template and uses known names only.
    async fn check(&self, access: &Access, text: &str) -> Result<(), Error> {
        let wrong = TextNames::load(&self.ports, access).await?.check(text, "/text");
        if wrong.is_empty() { Ok(()) } else { Err(Error::Invalid(wrong)) }
    }
}

impl NamedObject for SavedReply {
    const WORDS: [&'static str; 2] = ["saved reply", "name"];

    async fn holder(&self, ports: &Ports, access: &Access) -> Result<Option<Self>, StoreError> {
        ports.saved_replies.by_unique(access, &self.name_key()).await
    }
}
