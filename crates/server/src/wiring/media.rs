//! The store of files.

use std::sync::Arc;

use tidings_egress::{Egress, EgressSettings};

use crate::failure::Failure;
use crate::media_bucket::MediaBucket;
use crate::media_folder::MediaFolder;
use crate::media_store::MediaStore;
use crate::settings::Settings;
use crate::wiring::authorities::extra_authorities;

/// Returns the store of files that the settings select.
///
/// # Errors
/// [`Failure::Refused`] if the store is a bucket, and TLS cannot be set up or `egress.extra_ca_file` is invalid.
pub(crate) fn media_store(settings: &Settings) -> Result<Arc<dyn MediaStore>, Failure> {
    let Some(s3) = &settings.s3 else { return Ok(Arc::new(MediaFolder::new(settings.media_folder()))) };
    // The address comes from the operator, so it may be private.
    let egress =
        EgressSettings { any_address: true, authorities: extra_authorities(settings)?, ..EgressSettings::default() };
    let egress = Egress::new(egress).map_err(|error| Failure::with_advice(error.to_string()))?;
    Ok(Arc::new(MediaBucket::new(s3.clone(), egress)))
}
