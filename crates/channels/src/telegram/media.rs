//! Files of contacts, <https://core.telegram.org/bots/api#getfile>.

use serde_json::{Value, json};
use tidings_domain::channels::{FetchFailure, FetchedMedia};

use super::api::{Bot, Reply};
use crate::contents::file_name;
use crate::media::{download, failed_call};

/// Fetches a file of at most `limit` bytes by its ID. Telegram itself limits files to 20 MB.
///
/// # Errors
/// [`FetchFailure`], without the token.
pub(super) async fn fetch(bot: &Bot<'_>, file_id: &str, limit: u64) -> Result<FetchedMedia, FetchFailure> {
    let reply = bot.call("getFile", &json!({"file_id": file_id})).await.map_err(failed_call)?;
    let Some(file) = &reply.result else { return Err(refusal(&reply)) };
    if file.get("file_size").and_then(Value::as_u64).is_some_and(|size| size > limit) {
        return Err(FetchFailure::TooLarge);
    }
    let path = file.get("file_path").and_then(Value::as_str).filter(|path| is_path(path));
    let no_path = || FetchFailure::Gone("Telegram answered without a path of the file.".to_owned());
    let path = path.ok_or_else(no_path)?;
    let fetched = download(bot.egress, bot.file_call(path), limit).await?;
    Ok(FetchedMedia { name: path.rsplit('/').next().and_then(file_name), ..fetched })
}

/// Converts a response without a file into a failure.
fn refusal(reply: &Reply) -> FetchFailure {
    let (sentence, description) = (reply.sentence(), reply.description.to_lowercase());
    match reply.status {
        400 if description.contains("too big") => FetchFailure::TooLarge,
        400 if description.contains("temporarily unavailable") => FetchFailure::Retry(sentence),
        // An admin can replace a token that is not valid.
        401 | 404 | 429 => FetchFailure::Retry(sentence),
        300..=499 => FetchFailure::Gone(sentence),
        _ => FetchFailure::Retry(sentence),
    }
}

/// Whether a path stays below the path of the bot's files. A Bot API server of your own may return paths of its
/// machine.
fn is_path(path: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    let is_segment = |segment: &str| !matches!(segment, "" | "." | "..") && segment.bytes().all(is_allowed);
    path.split('/').all(is_segment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_below_the_files_of_the_bot() {
        for right in ["photos/file_1.jpg", "file-2", "a/b/c.tar.gz"] {
            assert!(is_path(right), "{right}");
        }
        for wrong in ["", "/var/lib/file", "../x", "a/../b", "a//b", "a/", "a?b", "a#b", "a b", "%2e%2e", "ä"] {
            assert!(!is_path(wrong), "{wrong}");
        }
    }
}
