//! The check of the store of files.

use tidings_domain::ports::StoreError;

use super::report::Report;
use crate::failure::Failure;
use crate::settings::Settings;
use crate::wiring::media_store;

/// The advice for a folder.
const FOLDER: &str = "Let the user of the server write to this folder, or set media.folder (TIDINGS__MEDIA__FOLDER) to \
                      another one. In a container, mount a volume there.";

/// Writes, reads and deletes a small file.
pub(super) async fn look_at_media(report: &mut Report, settings: &Settings) -> Result<(), Failure> {
    let store = media_store(settings);
    match store.probe().await {
        Ok(()) => report.fine("media", &format!("{} accepts files", store.name())),
        Err(StoreError::Unavailable(why)) => report.wrong("media", why, FOLDER),
        Err(error) => report.wrong("media", error.to_string(), FOLDER),
    }
    Ok(())
}
