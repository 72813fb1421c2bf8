//! Files of contacts, <https://developers.facebook.com/docs/whatsapp/cloud-api/reference/media>.

use serde_json::Value;
use tidings_domain::channels::{FetchFailure, FetchedMedia};

use super::errors::fetch_failure;
use super::{Number, is_id};
use crate::media::{essence, failed_call};

/// Fetches a file of at most `limit` bytes by its ID, which WhatsApp keeps for seven days. The URL of a file is valid
/// for five minutes, so each attempt asks for it.
///
/// # Errors
/// [`FetchFailure`], without the token.
pub(super) async fn fetch(number: &Number<'_>, id: &str, limit: u64) -> Result<FetchedMedia, FetchFailure> {
    if !is_id(id) {
        return Err(FetchFailure::Gone("The reference of the file is no ID of WhatsApp.".to_owned()));
    }
    let reply = number.graph.get(id).await.map_err(failed_call)?;
    if !reply.is_success() {
        return Err(fetch_failure(&reply));
    }
    if size(&reply.body).is_some_and(|size| size > limit) {
        return Err(FetchFailure::TooLarge);
    }
    let text = |name: &str| reply.body.get(name).and_then(Value::as_str);
    let no_url = || FetchFailure::Gone("WhatsApp answered without the URL of the file.".to_owned());
    let fetched = number.graph.download(text("url").ok_or_else(no_url)?, limit).await?;
    Ok(FetchedMedia { mime_type: text("mime_type").and_then(essence).or(fetched.mime_type), ..fetched })
}

/// Returns the size of a file in bytes, which WhatsApp writes as a number or as a text.
fn size(file: &Value) -> Option<u64> {
    let size = file.get("file_size")?;
    size.as_u64().or_else(|| size.as_str()?.parse().ok())
}
