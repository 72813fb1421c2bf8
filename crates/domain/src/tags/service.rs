//! Use cases of tags.

use std::sync::Arc;

use super::{NewTagCommand, Tag, TagPatch};
use crate::access::Access;
use crate::error::Error;
use crate::ids::{JobId, TagId, TypedId};
use crate::list_filter::NameFilter;
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook};
use crate::pagination::{SortBy, SortedPage, SortedRequest};
use crate::ports::{ChangeSet, Job, NewJob, Ports, StoreError};
use crate::references::{Deletion, Referent};
use crate::stored::NamedObject;

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
        self.ports
            .edit(access)
            .create_named(idempotency, |id, now| {
                let mut tag = Tag::new(TagId::from_uuid(id), &command.name, now);
                tag.color.clone_from(&command.color);
                tag.description.clone_from(&command.description);
                tag
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
        let change = |mut after: Tag| {
            after.name = patch.name.as_deref().map_or(after.name, |name| name.trim().to_owned());
            after.color = patch.color.clone().apply(after.color);
            after.description = patch.description.clone().apply(after.description);
            after
        };
        self.ports.edit(access).update_named(|| self.get(access, tag), expected, change).await
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
        let prepare = |found: &Tag, set: &mut ChangeSet| {
            let now = self.ports.clock.now();
            deletion.prepare(set, Referent::Tag(tag), &found.name, now);
            set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), Job::SweepTag { tag }, now));
        };
        self.ports.edit(access).delete(|| self.get(access, tag), expected, prepare).await
    }
}

impl NamedObject for Tag {
    const WORDS: [&'static str; 2] = ["tag", "name"];

    async fn holder(&self, ports: &Ports, access: &Access) -> Result<Option<Self>, StoreError> {
        Ok(ports.tags.by_name_keys(access, &[self.name_key()]).await?.pop())
    }
}
