//! The files of the server that a mail to a contact contains. Few mails with large files are in memory at once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tidings_domain::channels::{LinkedFile, RetryScope, SendOutcome};
use tidings_domain::ids::WorkspaceId;
use tidings_domain::ports::MediaFiles;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Maximum size of all files in a mail in bytes. Mail servers usually accept 25 MB, and the encoding adds a third.
const MAX_CONTAINED: u64 = 20_000_000;
/// Size of all files in bytes above which a mail is large.
const LARGE: u64 = 1024 * 1024;
/// Maximum number of large mails of a workspace that are sent at the same time by a process.
const OF_WORKSPACE: usize = 2;
/// Maximum number of large mails that are sent at the same time by a process.
const OF_PROCESS: usize = 8;
/// The longest wait for a place. A message that waits occupies a place among the messages of its workspace.
const WAIT: Duration = Duration::from_secs(10);
/// The time until the next attempt of a mail that got no place.
const AFTER: Duration = Duration::from_secs(30);

/// A file in a mail.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ContainedFile {
    /// Index of its attachment.
    pub(super) attachment: usize,
    /// The whole file.
    pub(super) bytes: Vec<u8>,
}

/// The files of a mail.
#[derive(Debug, Default)]
pub(super) struct LoadedFiles {
    pub(super) files: Vec<ContainedFile>,
    /// The place of a large mail, for the time until it is sent.
    pub(super) place: Option<Place>,
}

/// Loads the files of mails.
pub(super) struct FileLoader {
    files: Arc<dyn MediaFiles>,
    large: LargeMails,
}

impl FileLoader {
    /// Creates a loader for the files of this store.
    pub(super) fn new(files: Arc<dyn MediaFiles>) -> Self {
        Self { files, large: LargeMails::default() }
    }

    /// Loads the first files that fit in a mail.
    ///
    /// # Errors
    /// The outcome of a message that is not sent, because a file is missing or cannot be loaded now.
    pub(super) async fn load(&self, files: &[LinkedFile]) -> Result<LoadedFiles, SendOutcome> {
        let fitting = fitting(files);
        let size: u64 = fitting.iter().map(|file| file.size).sum();
        let place = match fitting.first().filter(|_| size > LARGE) {
            Some(file) => Some(self.large.begin(file.place.workspace).await.ok_or_else(busy)?),
            None => None,
        };
        let mut loaded = Vec::new();
        for file in fitting {
            let most = usize::try_from(file.size).unwrap_or(usize::MAX);
            let bytes = self.files.read(file.place, 0, most).await.map_err(|_| unavailable())?;
            let bytes = bytes.ok_or_else(deleted)?;
            loaded.push(ContainedFile { attachment: file.attachment, bytes });
        }
        Ok(LoadedFiles { files: loaded, place })
    }
}

/// Returns the first files with a total size within the limit of a mail. A file that is too large is skipped.
pub(super) fn fitting(files: &[LinkedFile]) -> Vec<LinkedFile> {
    let mut room = MAX_CONTAINED;
    let mut fitting = Vec::new();
    for file in files.iter().filter(|file| file.size <= MAX_CONTAINED) {
        if let Some(rest) = room.checked_sub(file.size) {
            room = rest;
            fitting.push(*file);
        }
    }
    fitting
}

fn busy() -> SendOutcome {
    let message = "Too many mails with large files are being sent.".into();
    SendOutcome::TryLater { after: Some(AFTER), scope: RetryScope::Recipient, message }
}

fn unavailable() -> SendOutcome {
    SendOutcome::TryLater {
        after: None,
        scope: RetryScope::Recipient,
        message: "The files of the message cannot be read now.".into(),
    }
}

fn deleted() -> SendOutcome {
    SendOutcome::Rejected { code: "media_deleted".to_owned(), message: "A file of the message was deleted.".into() }
}

/// The places of large mails.
struct LargeMails {
    all: Arc<Semaphore>,
    by_workspace: Mutex<HashMap<WorkspaceId, Arc<Semaphore>>>,
}

/// The place of one large mail. Dropping it frees the place.
#[derive(Debug)]
pub(super) struct Place {
    _of_workspace: OwnedSemaphorePermit,
    _of_process: OwnedSemaphorePermit,
}

impl Default for LargeMails {
    fn default() -> Self {
        Self { all: Arc::new(Semaphore::new(OF_PROCESS)), by_workspace: Mutex::default() }
    }
}

impl LargeMails {
    /// Waits for a place, first come, first served. `None` if there is none in time.
    async fn begin(&self, workspace: WorkspaceId) -> Option<Place> {
        let own = self.places(workspace);
        let place = async {
            // A workspace waits for its own place first. It then occupies no other place.
            let of_workspace = own.acquire_owned().await.ok()?;
            let of_process = Arc::clone(&self.all).acquire_owned().await.ok()?;
            Some(Place { _of_workspace: of_workspace, _of_process: of_process })
        };
        timeout(WAIT, place).await.ok().flatten()
    }

    /// Returns the places of a workspace. Workspaces without large mails are removed.
    fn places(&self, workspace: WorkspaceId) -> Arc<Semaphore> {
        let mut by_workspace = self.by_workspace.lock().unwrap_or_else(PoisonError::into_inner);
        by_workspace.retain(|_, places| Arc::strong_count(places) > 1);
        Arc::clone(by_workspace.entry(workspace).or_insert_with(|| Arc::new(Semaphore::new(OF_WORKSPACE))))
    }
}

#[cfg(test)]
#[path = "outbound_files_tests.rs"]
mod tests;
