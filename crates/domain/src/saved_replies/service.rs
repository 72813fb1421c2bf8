use std::sync::Arc;

use super::{NewSavedReply, SavedReply, SavedReplyPatch};
use crate::access::Access;
use crate::error::Error;
use crate::flows::TextNames;
use crate::ids::{SavedReplyId, TypedId};
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook, record_of};
use crate::pagination::{Page, PageRequest};
use crate::ports::{ChangeSet, CommitError, Guard, Object, Ports};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::stored::{Edit, name_taken};
use crate::text::fold;

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
        retry_on_conflict(|| async {
            let now = self.ports.clock.now();
            let reply = SavedReply {
                id: SavedReplyId::from_uuid(self.ports.ids.next()),
                name: command.name.trim().to_owned(),
                text: command.text.clone(),
                created_at: now,
                updated_at: now,
                version: 1,
            };
            let mut set = self.edit(access).create(&reply);
            let done = Done::created(reply);
            set.idempotency = record_of(idempotency, &done);
            match self.ports.ledger.commit(set).await {
                Ok(()) => Ok(done),
                Err(error) => Err(self.name_existing(access, &command.name, error).await),
            }
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
        retry_on_conflict(|| async {
            let before = self.get(access, reply).await?;
            expected.check(before.version)?;
            let mut after = before.clone();
            after.name = patch.name.as_deref().map_or(after.name, |name| name.trim().to_owned());
            after.text = patch.text.clone().unwrap_or(after.text);
            if after == before {
                return Ok(before);
            }
            let set = self.edit(access).update(&before, &mut after);
            match self.ports.ledger.commit(set).await {
                Ok(()) => Ok(after),
                Err(error) => Err(self.name_existing(access, &after.name, error).await),
            }
        })
        .await
    }

    /// Deletes a saved reply. Sent messages do not change.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Store`].
    pub async fn delete(&self, access: &Access, reply: SavedReplyId, expected: &ExpectedVersion) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let found = self.get(access, reply).await?;
            expected.check(found.version)?;
            let mut set = ChangeSet::new(access.workspace());
            set.guard(Guard::Version(Object::Stored(reply.into()), found.version));
            self.edit(access).delete(&mut set, &found);
            Ok::<_, AttemptError>(self.ports.ledger.commit(set).await?)
        })
        .await
    }

    /// Checks that the text is a template and uses known names only.
    async fn check(&self, access: &Access, text: &str) -> Result<(), Error> {
        let wrong = TextNames::load(&self.ports, access).await?.check(text, "/text");
        if wrong.is_empty() { Ok(()) } else { Err(Error::Invalid(wrong)) }
    }

    /// Returns the error for a taken name; retries if the other reply was deleted in the meantime.
    async fn name_existing(&self, access: &Access, name: &str, error: CommitError) -> AttemptError {
        let key = fold(name);
        name_taken(error, "saved reply", self.ports.saved_replies.by_unique(access, &key)).await
    }

    fn edit<'a>(&'a self, access: &'a Access) -> Edit<'a> {
        Edit { ports: &self.ports, access }
    }
}
