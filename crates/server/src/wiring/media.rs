//! The store of files.

use std::sync::Arc;

use crate::media_folder::MediaFolder;
use crate::media_store::MediaStore;
use crate::settings::Settings;

/// Returns the store of files that the settings select.
pub(crate) fn media_store(settings: &Settings) -> Arc<dyn MediaStore> {
    Arc::new(MediaFolder::new(settings.media_folder()))
}
