use crate::ids::MediaId;

/// Returns the path at which the API returns the bytes of a file.
pub fn media_path(media: MediaId) -> String {
    format!("/api/v1/media/{media}")
}
