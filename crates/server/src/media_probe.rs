//! A background probe that checks whether files can be stored, for `/readyz`.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tidings_domain::ports::StoreError;
use tidings_http::{Check, Finding};
use tokio::time::{sleep, timeout};

use crate::media_store::MediaStore;

/// The interval while the store responds.
const EVERY: Duration = Duration::from_secs(30);
/// The interval while it does not.
const AGAIN: Duration = Duration::from_secs(5);
/// The time limit of a check.
const PATIENCE: Duration = Duration::from_secs(10);

/// The latest result.
#[derive(Clone)]
pub(crate) struct MediaProbe {
    store: Arc<dyn MediaStore>,
    /// The reason why files cannot be stored; `None` if they can, and before the first result.
    failure: Arc<Mutex<Option<String>>>,
}

impl MediaProbe {
    /// Probes in the background.
    pub(crate) fn begin(store: Arc<dyn MediaStore>) -> Self {
        let probe = Self { store, failure: Arc::default() };
        tokio::spawn(probe.clone().keep_asking());
        probe
    }

    async fn keep_asking(self) {
        loop {
            self.ask().await;
            let is_well = self.failure().is_none();
            sleep(if is_well { EVERY } else { AGAIN }).await;
        }
    }

    async fn ask(&self) {
        let failure = match timeout(PATIENCE, self.store.reach()).await {
            Ok(Ok(())) => None,
            Ok(Err(StoreError::Unavailable(why))) => Some(why),
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some(format!("{}: no response in time", self.store.name())),
        };
        let before = std::mem::replace(&mut *self.failure(), failure.clone());
        match (failure, before) {
            (Some(why), None) => tracing::warn!(why, "files cannot be stored"),
            (None, Some(_)) => tracing::info!("files can be stored again"),
            (Some(_), Some(_)) | (None, None) => {}
        }
    }

    fn failure(&self) -> MutexGuard<'_, Option<String>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Check for MediaProbe {
    fn name(&self) -> &'static str {
        "media"
    }

    /// Other requests work without files, so the process stays ready.
    async fn look(&self) -> Finding {
        match self.failure().clone() {
            None => Finding::Fine,
            Some(why) => Finding::Warning(format!("files cannot be stored: {why}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::media_folder::MediaFolder;

    #[tokio::test]
    async fn warns_while_files_cannot_be_stored() {
        let folder = std::env::temp_dir().join(format!("tidings-media-probe-{}", std::process::id()));
        std::fs::write(&folder, "not a folder").unwrap();
        let probe = MediaProbe { store: Arc::new(MediaFolder::new(folder.join("media"))), failure: Arc::default() };
        assert_eq!(probe.look().await, Finding::Fine);
        probe.ask().await;
        let Finding::Warning(detail) = probe.look().await else { panic!("no warning") };
        let name = format!("files cannot be stored: the folder of files {}/media (media.folder): ", folder.display());
        assert!(detail.starts_with(&name), "{detail}");
        std::fs::remove_file(&folder).unwrap();
        probe.ask().await;
        assert_eq!(probe.look().await, Finding::Fine);
    }
}
