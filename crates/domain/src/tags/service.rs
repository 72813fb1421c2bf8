//! Use cases of tags.

use std::sync::Arc;

use super::{NewTagCommand, Tag, TagPatch};
use crate::access::Access;
use crate::error::Error;
use crate::ids::{JobId, TagId, TypedId};
use crate::list_filter::NameFilter;
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook, record_of};
use crate::pagination::{SortBy, SortedPage, SortedRequest};
use crate::ports::{ChangeSet, CommitError, Job, NewJob, Ports};
use crate::references::{Deletion, Referent, in_use};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::stored::{Edit, name_taken};
use crate::text::fold;

/// Use cases of tags.
#[derive(Clone)]
pub struct TagService {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl TagService {
    /// Returns a tag.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn get(&self, access: &Access, tag: TagId) -> Result<Tag, Error> {
        self.ports.tags.get(access, tag).await?.ok_or(Error::NotFound)
    }

    /// Lists the tags of the workspace.
    ///
    /// # Errors
    /// [`Error::InvalidCursor`], [`Error::Store`].
    pub async fn list(
        &self,
        access: &Access,
        filter: &NameFilter,
        page: SortedRequest,
    ) -> Result<SortedPage<Tag>, Error> {
        let page = match page.order.by {
            SortBy::Name => page.in_served_order(self.ports.tags.names_have_sort_keys().await?),
            SortBy::CreatedAt
            | SortBy::UpdatedAt
            | SortBy::LastMessageAt
            | SortBy::WaitingSince
            | SortBy::FoldedName => Some(page),
        };
        Ok(self.ports.tags.list(access, filter, page.ok_or(Error::InvalidCursor)?).await?)
    }

    /// Creates a tag.
    ///
    /// # Errors
    /// [`Error::Taken`] if another tag has the name, [`Error::Full`], [`Error::Store`].
    pub async fn create(
        &self,
        access: &Access,
        command: NewTagCommand,
        idempotency: IdempotencyHook<'_, Tag>,
    ) -> Result<Done<Tag>, Error> {
        retry_on_conflict(|| async {
            let now = self.ports.clock.now();
            let mut tag = Tag::new(TagId::from_uuid(self.ports.ids.next()), &command.name, now);
            tag.color.clone_from(&command.color);
            tag.description.clone_from(&command.description);
            let mut set = self.edit(access).create(&tag);
            let done = Done::created(tag);
            set.idempotency = record_of(idempotency, &done);
            match self.ports.ledger.commit(set).await {
                Ok(()) => Ok(done),
                Err(error) => Err(self.name_existing(access, &command.name, error).await),
            }
        })
        .await
    }

    /// Merges an update into a tag.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Taken`], [`Error::Store`].
    pub async fn update(
        &self,
        access: &Access,
        tag: TagId,
        patch: TagPatch,
        expected: &ExpectedVersion,
    ) -> Result<Tag, Error> {
        retry_on_conflict(|| async {
            let before = self.get(access, tag).await?;
            expected.check(before.version)?;
            let mut after = before.clone();
            after.name = patch.name.as_deref().map_or(after.name, |name| name.trim().to_owned());
            after.color = patch.color.clone().apply(after.color);
            after.description = patch.description.clone().apply(after.description);
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

    /// Deletes a tag. It disappears from all contacts at once; a job removes the links.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::InUse`], [`Error::Store`].
    pub async fn delete(
        &self,
        access: &Access,
        tag: TagId,
        deletion: Deletion,
        expected: &ExpectedVersion,
    ) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let found = self.get(access, tag).await?;
            expected.check(found.version)?;
            let now = self.ports.clock.now();
            let mut set = ChangeSet::new(access.workspace());
            deletion.prepare(&mut set, Referent::Tag(tag), &found.name, now);
            self.edit(access).delete(&mut set, &found);
            set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), Job::SweepTag { tag }, now));
            match self.ports.ledger.commit(set).await {
                Ok(()) => Ok(()),
                Err(error) => Err(in_use(&*self.ports.references, access, error).await),
            }
        })
        .await
    }

    /// Maps a name conflict to the tag that has the name. Retries if that tag was deleted in the meantime.
    async fn name_existing(&self, access: &Access, name: &str, error: CommitError) -> AttemptError {
        let keys = [fold(name)];
        name_taken(error, "tag", async { Ok(self.ports.tags.by_name_keys(access, &keys).await?.pop()) }).await
    }

    fn edit<'a>(&'a self, access: &'a Access) -> Edit<'a> {
        Edit { ports: &self.ports, access }
    }
}
