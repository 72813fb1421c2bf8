//! Files: their media types, and downloads from providers.

use std::time::Duration;

use tidings_domain::channels::{FetchFailure, FetchedMedia};
use tidings_domain::conversations::Attachment;
use tidings_egress::{
    AnswerBodyError, Bounds, CallError, Egress, EgressError, HeaderMap, HeaderName, HeaderValue, StreamedCall,
};
use url::Url;

use crate::api::USER_AGENT;

/// The longest time of a download.
const DOWNLOAD_TIME: Duration = Duration::from_secs(120);
/// The media type of files of an unknown type.
const UNKNOWN: &str = "application/octet-stream";
/// Maximum number of characters of a media type.
const LONGEST_TYPE: usize = 100;
/// Endings of file names with their media types.
const ENDINGS: [(&str, &str); 17] = [
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("png", "image/png"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
    ("svg", "image/svg+xml"),
    ("heic", "image/heic"),
    ("mp4", "video/mp4"),
    ("3gp", "video/3gpp"),
    ("mov", "video/quicktime"),
    ("webm", "video/webm"),
    ("mp3", "audio/mpeg"),
    ("m4a", "audio/mp4"),
    ("ogg", "audio/ogg"),
    ("wav", "audio/wav"),
    ("pdf", "application/pdf"),
    ("zip", "application/zip"),
];

/// Whether a provider can load an attachment itself: its URL is public and encrypted.
pub(crate) fn is_public(attachment: &Attachment) -> bool {
    Url::parse(&attachment.url).is_ok_and(|url| url.scheme() == "https")
}

/// Returns the media type of an attachment: the stated one, otherwise the one of the ending of its URL. `None` if it is
/// unknown.
pub(crate) fn media_type(attachment: &Attachment) -> Option<String> {
    attachment.mime_type.as_deref().and_then(essence).or_else(|| {
        let name = url_name(attachment)?;
        let (_, ending) = name.rsplit_once('.')?;
        let known = ENDINGS.iter().find(|(known, _)| ending.eq_ignore_ascii_case(known));
        known.map(|(_, media_type)| (*media_type).to_owned())
    })
}

/// Returns the name of an attachment, otherwise the end of its URL.
pub(crate) fn name_of(attachment: &Attachment) -> Option<String> {
    attachment.name.clone().or_else(|| url_name(attachment))
}

/// Returns the last segment of the path of an attachment's URL.
fn url_name(attachment: &Attachment) -> Option<String> {
    let url = Url::parse(&attachment.url).ok()?;
    url.path_segments()?.next_back().filter(|name| !name.is_empty()).map(str::to_owned)
}

/// Returns a media type in lower case without parameters. `None` if the text is no media type, or says that the type is
/// unknown.
pub(crate) fn essence(media_type: &str) -> Option<String> {
    let essence = media_type.split(';').next().unwrap_or_default().trim().to_lowercase();
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'/');
    let is_type = essence.split_once('/').is_some_and(|(kind, subtype)| is_word(kind) && is_word(subtype));
    (is_type && essence != UNKNOWN && essence.len() <= LONGEST_TYPE).then_some(essence)
}

/// Downloads a file of at most `limit` bytes. One redirect is followed, without the headers of the call. No error
/// contains the URL or a header.
///
/// # Errors
/// [`FetchFailure`].
pub(crate) async fn download(
    egress: &Egress,
    mut call: StreamedCall,
    limit: u64,
) -> Result<FetchedMedia, FetchFailure> {
    // Meta sends no files to clients without a name.
    call.headers.insert(HeaderName::from_static("user-agent"), HeaderValue::from_static(USER_AGENT));
    call.bounds = Bounds { total: DOWNLOAD_TIME, max_body: limit, ..call.bounds };
    call.follow_one_redirect = true;
    let answer = egress.call_streamed(call).await.map_err(failed_call)?;
    if let Some(refused) = refusal(answer.status) {
        return Err(refused);
    }
    let mime_type = stated_type(&answer.headers);
    let bytes = answer.body.read_rest().await.map_err(|error| match error {
        AnswerBodyError::TooLarge { .. } => FetchFailure::TooLarge,
        AnswerBodyError::TimedOut | AnswerBodyError::Failed(_) => FetchFailure::Retry(error.to_string()),
    })?;
    Ok(FetchedMedia { bytes: bytes.into(), mime_type, name: None })
}

fn stated_type(headers: &HeaderMap) -> Option<String> {
    headers.get("content-type")?.to_str().ok().and_then(essence)
}

/// Converts a call without a response into the failure of a download.
pub(crate) fn failed_call(error: CallError) -> FetchFailure {
    match error.error {
        EgressError::Forbidden(why) => FetchFailure::Gone(why),
        other @ (EgressError::TimedOut | EgressError::Failed(_)) => FetchFailure::Retry(other.to_string()),
    }
}

/// Returns the failure for a status that is no success.
fn refusal(status: u16) -> Option<FetchFailure> {
    let sentence = format!("The provider answered {status} to the request for the file.");
    match status {
        200..=299 => None,
        // Log-ins and limits can change.
        401 | 403 | 408 | 425 | 429 | 500..=599 => Some(FetchFailure::Retry(sentence)),
        _ => Some(FetchFailure::Gone(sentence)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attachment(url: &str, mime_type: Option<&str>) -> Attachment {
        Attachment { url: url.to_owned(), name: None, mime_type: mime_type.map(str::to_owned) }
    }

    #[test]
    fn a_media_type_is_stated_or_follows_from_the_ending() {
        for (url, stated, expected) in [
            ("https://a.io/x.png", Some("Image/JPEG; q=1"), Some("image/jpeg")),
            ("https://a.io/x.PNG?y=z.gif#a.pdf", None, Some("image/png")),
            ("https://a.io/x.png", Some("application/octet-stream"), Some("image/png")),
            ("https://a.io/x.png", Some("picture"), Some("image/png")),
            ("https://a.io/x.exe", None, None),
            ("https://a.io/png", None, None),
            ("https://a.io", None, None),
            ("geo:1,2", None, None),
        ] {
            assert_eq!(media_type(&attachment(url, stated)).as_deref(), expected, "{url} {stated:?}");
        }
        for wrong in ["", "/", "image/", "/png", "image", "a/b/c", "a b/c", "bild/ä"] {
            assert_eq!(essence(wrong), None, "{wrong}");
        }
        assert_eq!(essence(&format!("image/{}", "x".repeat(95))), None);
    }

    #[test]
    fn names_a_file_by_its_name_or_its_url() {
        let named = Attachment { name: Some("Bill".to_owned()), ..attachment("https://a.io/1.pdf", None) };
        assert_eq!(name_of(&named).as_deref(), Some("Bill"));
        assert_eq!(name_of(&attachment("https://a.io/x/1.pdf?y", None)).as_deref(), Some("1.pdf"));
        assert_eq!(name_of(&attachment("https://a.io/", None)), None);
    }

    #[test]
    fn providers_load_only_encrypted_urls() {
        for (url, expected) in [("https://a.io/1", true), ("HTTPS://a.io/1", true), ("http://a.io/1", false)] {
            assert_eq!(is_public(&attachment(url, None)), expected, "{url}");
        }
        assert!(!is_public(&attachment("geo:1,2", None)));
    }

    #[test]
    fn a_file_is_gone_or_fetched_again() {
        assert_eq!(refusal(200), None);
        for status in [401, 403, 429, 500, 503] {
            assert!(matches!(refusal(status), Some(FetchFailure::Retry(_))), "{status}");
        }
        for status in [302, 400, 404, 410] {
            assert!(matches!(refusal(status), Some(FetchFailure::Gone(_))), "{status}");
        }
    }
}
