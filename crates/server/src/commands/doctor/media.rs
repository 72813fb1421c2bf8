//! The check of the store of files.

use tidings_domain::ports::StoreError;

use super::report::Report;
use crate::failure::Failure;
use crate::settings::Settings;
use crate::wiring::media_store;

/// The advice for a folder.
const FOLDER: &str = "Let the user of the server write to this folder, or set media.folder (TIDINGS__MEDIA__FOLDER) to \
                      another one. In a container, mount a volume there.";
/// The advice for certificate authorities that cannot be read.
const AUTHORITIES: &str = "Set TIDINGS__EGRESS__EXTRA_CA_FILE to a PEM file with certificates, or to nothing.";
/// The advice for a bucket that cannot be reached.
const BUCKET: &str = "Start the store, or correct media.s3.endpoint (TIDINGS__MEDIA__S3__ENDPOINT) and \
                      media.s3.path_style (TIDINGS__MEDIA__S3__PATH_STYLE).";
/// The advice for errors of a bucket, by their code.
const REFUSALS: [(&str, &str); 8] = [
    ("NoSuchBucket", "Create the bucket, or correct media.s3.bucket (TIDINGS__MEDIA__S3__BUCKET)."),
    ("InvalidAccessKeyId", "Correct media.s3.access_key_id (TIDINGS__MEDIA__S3__ACCESS_KEY_ID)."),
    ("SignatureDoesNotMatch", "Correct media.s3.secret_access_key (TIDINGS__MEDIA__S3__SECRET_ACCESS_KEY)."),
    ("AccessDenied", PERMISSIONS),
    ("PermanentRedirect", REGION),
    ("AuthorizationHeaderMalformed", REGION),
    ("AuthorizationQueryParametersError", REGION),
    ("RequestTimeTooSkewed", "Synchronise the clock of this machine (NTP)."),
];
const PERMISSIONS: &str = "Allow the key of media.s3.access_key_id to use s3:ListBucket, s3:GetObject, s3:PutObject, \
                           s3:DeleteObject and s3:AbortMultipartUpload in the bucket.";
const REGION: &str = "Set media.s3.region (TIDINGS__MEDIA__S3__REGION) to the region of the bucket.";

/// Writes, reads and deletes a small file.
pub(super) async fn look_at_media(report: &mut Report, settings: &Settings) -> Result<(), Failure> {
    let store = match media_store(settings) {
        Ok(store) => store,
        Err(error) => {
            report.wrong("media", error.to_string(), AUTHORITIES);
            return Ok(());
        }
    };
    let advice = |why: &str| if settings.s3.is_some() { bucket_advice(why) } else { FOLDER };
    match store.probe().await {
        Ok(()) => report.fine("media", &format!("{} accepts files", store.name())),
        Err(StoreError::Unavailable(why)) => report.wrong("media", why.as_str(), advice(&why)),
        Err(error) => report.wrong("media", error.to_string(), advice("")),
    }
    Ok(())
}

/// Returns the advice for an error of a bucket.
fn bucket_advice(why: &str) -> &'static str {
    let refusal = REFUSALS.iter().find(|(code, _)| why.ends_with(*code));
    refusal.map_or(BUCKET, |(_, advice)| *advice)
}
