use std::sync::Arc;
use std::time::Duration;

use super::link::MediaLink;
use super::upload::{ReceivedFile, Upload};
use super::{Media, safe_file_name};
use crate::access::Access;
use crate::error::Error;
use crate::ids::{MediaId, TypedId};
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook};
use crate::ports::{ChangeSet, FilePlace, Guard, Object, Ports};
use crate::references::Referent;
use crate::retry::{commit_outcome, retry_on_conflict};
use crate::time::Timestamp;

/// Maximum lifetime of a link.
pub const MAX_LINK_LIFE: Duration = Duration::from_secs(7 * 86_400);

/// A link to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreatedLink {
    /// The URL; a path if the server has no public URL.
    pub url: String,
    /// End of the lifetime.
    pub expires_at: Timestamp,
}

/// Use cases of files.
#[derive(Clone)]
pub struct MediaService {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl MediaService {
    /// Starts to receive a file. `declared` is its size, if the client declared it.
    ///
    /// # Errors
    /// [`Error::MediaTooLarge`], [`Error::MediaQuota`], [`Error::Store`].
    pub async fn begin(&self, access: &Access, declared: Option<u64>) -> Result<Upload, Error> {
        let most = self.ports.media_limits.max_bytes;
        if declared.is_some_and(|size| size > most) {
            return Err(Error::MediaTooLarge { most });
        }
        self.check_total(access, 1).await?;
        let place = FilePlace { workspace: access.workspace(), media: MediaId::from_uuid(self.ports.ids.next()) };
        let writer = self.ports.media_files.create(place).await?;
        Ok(Upload::new(place, writer, most))
    }

    /// Stores a received file under this name. If it cannot be stored, its bytes are deleted.
    ///
    /// # Errors
    /// [`Error::MediaQuota`], [`Error::Full`], [`Error::Store`].
    pub async fn create(
        &self,
        access: &Access,
        (name, file): (&str, &ReceivedFile),
        idempotency: IdempotencyHook<'_, Media>,
    ) -> Result<Done<Media>, Error> {
        let created = self.try_create(access, name, file, idempotency).await;
        // After an error of the store, the row may have been stored.
        if created.as_ref().is_err_and(|error| !matches!(error, Error::Store(_))) {
            self.discard(file).await;
        }
        created
    }

    async fn try_create(
        &self,
        access: &Access,
        name: &str,
        file: &ReceivedFile,
        idempotency: IdempotencyHook<'_, Media>,
    ) -> Result<Done<Media>, Error> {
        self.check_total(access, file.size()).await?;
        retry_on_conflict(|| async {
            let media = file.media(safe_file_name(name), self.ports.clock.now());
            let set = self.ports.edit(access).create(&media);
            let done = Done::created(media);
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }

    /// Deletes the bytes of a received file without a row. If that fails, the search for files without a row deletes
    /// them.
    pub async fn discard(&self, file: &ReceivedFile) {
        let _ = self.ports.media_files.delete(file.place).await;
    }

    /// Returns a file.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn get(&self, access: &Access, media: MediaId) -> Result<Media, Error> {
        self.ports.media.get(access, media).await?.ok_or(Error::NotFound)
    }

    /// Returns at most `most` bytes of a file from the byte with the index `from` on; empty at its end.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the file was deleted, [`Error::Store`].
    pub async fn read(&self, access: &Access, media: MediaId, from: u64, most: usize) -> Result<Vec<u8>, Error> {
        let place = FilePlace { workspace: access.workspace(), media };
        self.ports.media_files.read(place, from, most).await?.ok_or(Error::NotFound)
    }

    /// Deletes a file that no message and no other object uses.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::MediaInUse`] for messages, [`Error::MediaReferredTo`] for other objects, [`Error::Store`].
    pub async fn delete(&self, access: &Access, media: MediaId) -> Result<(), Error> {
        let find = || async {
            let found = self.get(access, media).await?;
            if found.used_by.is_used() { Err(Error::MediaInUse) } else { Ok(found) }
        };
        // A message that uses the file in the meantime changes its version.
        let unchanged = |found: &Media, set: &mut ChangeSet| {
            set.guard(Guard::Version(Object::Stored(media.into()), found.version));
            set.guard(Guard::Unused(Referent::Media(media)));
        };
        let deleted = self.ports.edit(access).delete(find, &ExpectedVersion::Any, unchanged).await;
        deleted.map_err(|error| match error {
            Error::InUse(dependents) => Error::MediaReferredTo(dependents),
            other => other,
        })?;
        // Bytes that cannot be deleted now are found later, because they have no row.
        let _ = self.ports.media_files.delete(FilePlace { workspace: access.workspace(), media }).await;
        Ok(())
    }

    /// Creates a link that works for `life`, at most [`MAX_LINK_LIFE`].
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn link(&self, access: &Access, media: MediaId, life: Duration) -> Result<CreatedLink, Error> {
        let found = self.get(access, media).await?;
        let place = FilePlace { workspace: access.workspace(), media: found.id };
        let link = MediaLink { place, expires_at: self.ports.clock.now().plus(life.min(MAX_LINK_LIFE)) };
        let url = link.url(&*self.ports.sealer, &self.ports.public_url);
        Ok(CreatedLink { url, expires_at: link.expires_at })
    }

    /// Returns the file of a link, with the access that reads it.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the token is invalid or has expired, or if the file or its workspace was deleted;
    /// [`Error::Store`].
    pub async fn open_link(&self, token: &str) -> Result<(Access, Media), Error> {
        let link = MediaLink::open(token, &*self.ports.sealer, self.ports.clock.now()).ok_or(Error::NotFound)?;
        if self.ports.outbound.deleted_until(link.place.workspace).await?.is_some() {
            return Err(Error::NotFound);
        }
        let access = Access::system(link.place.workspace);
        let media = self.get(&access, link.place.media).await?;
        Ok((access, media))
    }

    /// Checks that `adding` bytes fit in the limit of the plan. Concurrent uploads can exceed the limit together, each
    /// by at most the size of a file.
    async fn check_total(&self, access: &Access, adding: i64) -> Result<(), Error> {
        let workspace = self.ports.access.workspace(access.workspace()).await?.ok_or(Error::NotFound)?;
        let Some(limit) = self.ports.media_limits.total.of(workspace.plan) else { return Ok(()) };
        let total = self.ports.media.total_size(access).await?;
        if total.saturating_add(adding) > limit { Err(Error::MediaQuota { total, limit }) } else { Ok(()) }
    }
}
