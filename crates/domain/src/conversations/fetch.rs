//! Files of contacts' messages: the provider keeps them for a short time, so the server fetches them.

use std::sync::Arc;

use futures::FutureExt;

use super::promised_id::{promised_id, promised_to};
use super::{Attachment, Content, Dispatch, Message};
use crate::access::Access;
use crate::channels::{Channel, FetchFailure, FetchedMedia};
use crate::error::Error;
use crate::ids::{ChannelId, JobId, MediaId, MessageId, TypedId};
use crate::media::{Media, MediaLimits, MediaUse, room_for_contacts, store_bytes};
use crate::ports::{Change, ChangeSet, ClaimedJob, FilePlace, Ids, Job, NewJob, Ports, Row, StoreError};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::time::Timestamp;
use crate::turns::Turn;
use crate::work::{MAX_ATTEMPTS, backoff, ignore_lost_claim};

/// Maximum number of files of a workspace that a process fetches at the same time. Each is in memory until it is
/// stored, and strangers decide how many files they send.
const AT_ONCE: usize = 8;
/// The error codes of files that could not be fetched.
const GONE: &str = "gone";
const TOO_LARGE: &str = "too_large";
const UNAVAILABLE: &str = "unavailable";
/// The error code of files that exceed the room of the plan.
pub(super) const NO_ROOM: &str = "media_quota";

/// Gives the files of a new message that the provider keeps the IDs that they will have. Returns the job that fetches
/// them, if there are any.
pub(super) fn promise_files(
    content: &mut Content,
    (message, channel): (MessageId, ChannelId),
    now: Timestamp,
    ids: &dyn Ids,
) -> Option<NewJob> {
    let mut is_promised = false;
    for (index, attachment) in content.attachments.iter_mut().enumerate() {
        if attachment.provider_reference().is_some() {
            attachment.promise(promised_id(message, index));
            is_promised = true;
        }
    }
    let fetch = Job::FetchMedia { message, channel: Some(channel) };
    is_promised.then(|| NewJob::new(JobId::from_uuid(ids.next()), fetch, now))
}

/// Whether a message waits for this file.
///
/// # Errors
/// [`StoreError`].
pub(super) async fn is_pending(ports: &Ports, access: &Access, media: MediaId) -> Result<bool, StoreError> {
    let Some(message) = promised_to(media) else { return Ok(false) };
    let found = ports.conversations.message(access, message).await?;
    Ok(found.is_some_and(|it| it.content.attachments.iter().any(|it| is_of(it, media))))
}

/// The result of a fetch.
enum Fetched {
    /// The file is stored.
    Stored(Media),
    /// It cannot be fetched, with this error code.
    Lost(&'static str),
}

/// Fetches files of contacts' messages from their providers.
#[derive(Clone)]
pub struct MediaFetcher {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl MediaFetcher {
    /// Fetches the next file of a message, and queues the fetch of the one after it. A file that the provider does not
    /// return in any attempt is marked as failed.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn fetch(&self, access: &Access, job: &ClaimedJob, message: MessageId) -> Result<(), Error> {
        let found = self.ports.conversations.dispatch(access, message).await?;
        let next = found.as_ref().and_then(|it| next_pending(&it.message.content));
        let Some(PendingFile { media, reference, name }) = next else { return self.finish(access, job).await };
        let channel = found.and_then(|Dispatch { channel, .. }| channel);
        // It ends after the file is stored. A job does not wait for it in a slot, which messages need as well.
        let Some(turn) = self.turn(access) else {
            let due_at = self.ports.clock.now().plus(backoff(0, self.ports.random.unit()));
            return self.end(access, job.reschedule(due_at, None)).await;
        };
        let room = room_for_contacts(&self.ports, access).await?;
        let asked = if room > 0 { Some(self.ask(access, channel.as_ref(), &reference).await) } else { None };
        let fetched = match asked {
            Some(Ok(fetched)) if fits(&fetched.bytes, room) => {
                let fetched = FetchedMedia { name: name.or(fetched.name), ..fetched };
                Fetched::Stored(self.store(access, media, fetched).await?)
            }
            Some(Ok(_)) | None => Fetched::Lost(NO_ROOM),
            Some(Err(FetchFailure::Retry(why))) if job.attempts + 1 < MAX_ATTEMPTS => {
                return self.put_off(access, job, why).await;
            }
            Some(Err(FetchFailure::Retry(_))) => Fetched::Lost(UNAVAILABLE),
            Some(Err(FetchFailure::Gone(_))) => Fetched::Lost(GONE),
            Some(Err(FetchFailure::TooLarge)) => Fetched::Lost(TOO_LARGE),
        };
        drop(turn);
        let is_named = retry_on_conflict(|| self.record(access, job, message, (media, &fetched))).await?;
        if let (false, Fetched::Stored(file)) = (is_named, &fetched) {
            // If that fails, the search for files without a row deletes it.
            let place = FilePlace { workspace: access.workspace(), media: file.id };
            let _ = self.ports.media_files.delete(place).await;
        }
        Ok(())
    }

    /// Takes a turn of this process to fetch files of the workspace; `None` if it fetches enough.
    fn turn(&self, access: &Access) -> Option<Turn> {
        let take = |number| self.ports.turns.take(access.workspace(), format!("files {number}")).now_or_never();
        (0..AT_ONCE).find_map(take)
    }

    async fn ask(
        &self,
        access: &Access,
        channel: Option<&Channel>,
        reference: &str,
    ) -> Result<FetchedMedia, FetchFailure> {
        let gone = || FetchFailure::Gone("the channel was deleted".to_owned());
        let channel = channel.ok_or_else(gone)?;
        let connector = self.ports.connectors.for_workspace(channel.kind, access.workspace()).ok_or_else(gone)?;
        // A fetched file is in memory as a whole, so a larger limit of uploads does not apply.
        let most = self.ports.media_limits.max_bytes.min(MediaLimits::default().max_bytes);
        connector.fetch_media(channel, reference, most).await
    }

    /// Stores the bytes of a fetched file. Returns its row, which is not stored yet.
    async fn store(&self, access: &Access, media: MediaId, fetched: FetchedMedia) -> Result<Media, Error> {
        let place = FilePlace { workspace: access.workspace(), media };
        store_bytes(&self.ports, place, fetched.name.as_deref().unwrap_or_default(), &fetched.bytes).await
    }

    /// Records the result in the message, and finishes the job. Returns whether the message names the file.
    async fn record(
        &self,
        access: &Access,
        job: &ClaimedJob,
        message: MessageId,
        (media, fetched): (MediaId, &Fetched),
    ) -> Result<bool, AttemptError> {
        let mut set = ChangeSet::new(access.workspace());
        set.change(job.finish());
        let found = self.ports.conversations.message(access, message).await?;
        let is_pending = |it: &Message| it.content.attachments.iter().any(|it| is_of(it, media));
        // Another process may have stored the file. A message that was erased in the meantime needs none.
        let is_stored = |it: &Message| it.content.attachments.iter().any(|it| it.media() == Some(media));
        let is_named = found.as_ref().is_some_and(|it| is_pending(it) || is_stored(it));
        if let Some(mut message) = found.filter(is_pending) {
            for attachment in message.content.attachments.iter_mut().filter(|it| is_of(it, media)) {
                match fetched {
                    Fetched::Stored(it) => complete(attachment, it),
                    Fetched::Lost(code) => attachment.lose(media, code),
                }
            }
            if let Fetched::Stored(it) = fetched {
                let it = Media { used_by: MediaUse::Contact(message.contact), ..it.clone() };
                set.change(Change::Insert(Row::Stored(it.into())));
            }
            if next_pending(&message.content).is_some() {
                let fetch = Job::FetchMedia { message: message.id, channel: Some(message.channel) };
                set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), fetch, self.ports.clock.now()));
            }
            message.touch(self.ports.clock.now());
            set.change(Change::Update(Row::Message(Box::new(message))));
        }
        ignore_lost_claim(self.ports.ledger.commit(set).await)?;
        Ok(is_named)
    }

    /// Adds to the change set that dead-letters its job that the files of a message could not be fetched.
    pub(crate) async fn abandon(
        &self,
        access: &Access,
        message: MessageId,
        set: &mut ChangeSet,
    ) -> Result<(), StoreError> {
        let Some(mut message) = self.ports.conversations.message(access, message).await? else { return Ok(()) };
        if next_pending(&message.content).is_none() {
            return Ok(());
        }
        for attachment in &mut message.content.attachments {
            if let Some((media, _)) = attachment.pending() {
                attachment.lose(media, UNAVAILABLE);
            }
        }
        message.touch(self.ports.clock.now());
        set.change(Change::Update(Row::Message(Box::new(message))));
        Ok(())
    }

    async fn put_off(&self, access: &Access, job: &ClaimedJob, why: String) -> Result<(), Error> {
        let due_at = self.ports.clock.now().plus(backoff(job.attempts, self.ports.random.unit()));
        self.end(access, job.reschedule(due_at, Some(why))).await
    }

    async fn finish(&self, access: &Access, job: &ClaimedJob) -> Result<(), Error> {
        self.end(access, job.finish()).await
    }

    async fn end(&self, access: &Access, change: Change) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let mut set = ChangeSet::new(access.workspace());
            set.change(change.clone());
            ignore_lost_claim(self.ports.ledger.commit(set).await)
        })
        .await
    }
}

/// Whether the bytes of a file fit in this room, in bytes.
pub(super) fn fits(bytes: &[u8], room: i64) -> bool {
    i64::try_from(bytes.len()).is_ok_and(|size| size <= room)
}

/// A file of a message that is not fetched yet.
struct PendingFile {
    /// The ID that it will have.
    media: MediaId,
    /// The provider's reference.
    reference: String,
    /// Its name in the message.
    name: Option<String>,
}

/// Returns the next file to fetch.
fn next_pending(content: &Content) -> Option<PendingFile> {
    content.attachments.iter().find_map(|it| {
        let (media, reference) = it.pending()?;
        Some(PendingFile { media, reference: reference.to_owned(), name: it.name.clone() })
    })
}

/// Whether an attachment waits for this file.
fn is_of(attachment: &Attachment, media: MediaId) -> bool {
    attachment.pending().is_some_and(|(pending, _)| pending == media)
}

/// Replaces a pending attachment by its file.
fn complete(attachment: &mut Attachment, media: &Media) {
    attachment.deliver(media.id);
    attachment.name.get_or_insert_with(|| media.name.clone());
    attachment.mime_type = Some(media.media_type.as_str().to_owned());
}

#[cfg(test)]
#[path = "fetch_tests.rs"]
mod tests;
