//! The source of an attachment's content, stored as its URL.

use std::fmt;

use crate::ids::MediaId;

/// The scheme of a file of the server, before its ID.
const MEDIA: &str = "media";
/// The scheme of a file of a provider, before the provider's reference.
const PROVIDER: &str = "provider";
/// The scheme of a file that is being fetched, before its future ID and the provider's reference.
const PENDING: &str = "pending";
/// The scheme of a file that could not be fetched, before its ID and the error code.
const FAILED: &str = "failed";

/// The source of an attachment's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source<'a> {
    /// A file of the server.
    File(MediaId),
    /// A file that only the provider of the channel stores, by its reference.
    Provider(&'a str),
    /// A file that is being fetched: its future ID, and the provider's reference.
    Pending(MediaId, &'a str),
    /// A file that could not be fetched or stored: its ID, and the error code.
    Failed(MediaId, &'a str),
    /// A location, or content at this URL.
    Url(&'a str),
}

impl<'a> Source<'a> {
    /// Reads the URL of an attachment.
    pub(super) fn of(url: &'a str) -> Self {
        let Some((scheme, rest)) = url.split_once(':') else { return Self::Url(url) };
        let source = match scheme {
            MEDIA => rest.parse().ok().map(Self::File),
            PROVIDER => Some(rest).filter(|reference| !reference.is_empty()).map(Self::Provider),
            PENDING => id_and_text(rest).map(|(media, reference)| Self::Pending(media, reference)),
            FAILED => id_and_text(rest).map(|(media, code)| Self::Failed(media, code)),
            _ => None,
        };
        source.unwrap_or(Self::Url(url))
    }

    /// Whether a client may not use the scheme of a URL.
    pub(super) fn is_reserved(url: &str) -> bool {
        url.split_once(':').is_some_and(|(scheme, _)| [MEDIA, PROVIDER, PENDING, FAILED].contains(&scheme))
    }
}

impl fmt::Display for Source<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(media) => write!(out, "{MEDIA}:{media}"),
            Self::Provider(reference) => write!(out, "{PROVIDER}:{reference}"),
            Self::Pending(media, reference) => write!(out, "{PENDING}:{media}:{reference}"),
            Self::Failed(media, code) => write!(out, "{FAILED}:{media}:{code}"),
            Self::Url(url) => out.write_str(url),
        }
    }
}

/// Reads an ID and the text after it.
fn id_and_text(text: &str) -> Option<(MediaId, &str)> {
    let (media, rest) = text.split_once(':')?;
    Some((media.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::ids::TypedId;

    #[test]
    fn reads_each_source_as_it_is_written() {
        let media = MediaId::from_uuid(Uuid::from_u128(7));
        for (source, url, is_reserved) in [
            (Source::File(media), format!("media:{media}"), true),
            (Source::Provider("a:b"), "provider:a:b".to_owned(), true),
            (Source::Pending(media, "a:b"), format!("pending:{media}:a:b"), true),
            (Source::Failed(media, "gone"), format!("failed:{media}:gone"), true),
            (Source::Url("https://a.example/media:1"), "https://a.example/media:1".to_owned(), false),
            (Source::Url("geo:1,2"), "geo:1,2".to_owned(), false),
        ] {
            assert_eq!((source.to_string(), Source::of(&url)), (url.clone(), source));
            assert_eq!(Source::is_reserved(&url), is_reserved, "{url}");
        }
    }

    #[test]
    fn an_incomplete_source_is_only_a_url() {
        for url in ["media:", "media:1", "provider:", "pending:1:2", "failed:", "Bill.pdf", ""] {
            assert_eq!(Source::of(url), Source::Url(url));
        }
    }
}
