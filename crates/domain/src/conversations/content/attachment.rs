//! Attachments: content at a URL, a location, or a file of the server.

use serde::Serialize;
use url::Url;

use super::parts::{MAX_NAME, length, optional};
use super::source::Source;
use crate::body;
use crate::conversations::MessageType;
use crate::ids::MediaId;
use crate::media::{Media, media_path};
#[cfg(feature = "openapi")]
use crate::read::schema::{Declare, Declared, Name, RefOrSchema};
use crate::read::{Body, Fields, Violation, id, text};

/// Maximum number of characters of an attachment's URL.
const MAX_URL: usize = 2_048;
/// Maximum number of characters of a media type.
const MAX_MIME_TYPE: usize = 100;

/// The files that a message may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Files {
    /// Files with a URL that anyone can open, and files of the server.
    Public,
    /// Also files that the provider of the channel stores.
    AtProvider,
}

/// An attachment of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(into = "AttachmentView")]
pub struct Attachment {
    /// URL, `https:` or `http:`; for a location `geo:52.5163,13.3777` (RFC 5870); for a file of the server `media:` and
    /// its ID; in a message that a connector parsed, `provider:` and the reference of a file at the provider.
    pub url: String,
    /// Display name.
    pub name: Option<String>,
    /// Its media type, such as `image/png`.
    pub mime_type: Option<String>,
}

body! {
    /// An attachment.
    struct AttachmentForm as "Attachment" {
        /// ID of an uploaded file, instead of `url`.
        optional media_id: MediaId = id();
        /// URL, `https:` or `http:`; for a location `geo:52.5163,13.3777` (RFC 5870). Required without `media_id`. In
        /// responses with `media_id`, it is the path of the file.
        optional url: String = text(1..=MAX_URL);
        /// Display name. By default, it is the name of the file.
        nullable name: String = text(1..=MAX_NAME);
        /// Its media type, such as `image/png`. By default, it is the type of the file.
        nullable mime_type: String = text(1..=MAX_MIME_TYPE);
    }
}

impl AttachmentForm {
    fn check(&self) -> Option<Violation> {
        match (self.media_id, &self.url) {
            (None, None) => Some(Violation::new("/url", "required", "is required, or `media_id`")),
            (Some(media), Some(url)) if *url != media_path(media) => {
                Some(Violation::new("/url", "not_allowed", "is not allowed together with `media_id`"))
            }
            (None, Some(url)) if Source::is_reserved(url) => {
                Some(Violation::new("/url", "invalid_format", "expected a URL that starts with https:// or http://"))
            }
            (Some(_), _) | (None, Some(_)) => None,
        }
    }
}

impl From<AttachmentForm> for Attachment {
    fn from(form: AttachmentForm) -> Self {
        let AttachmentForm { media_id, url, name, mime_type } = form;
        let url = media_id.map(|media| Source::File(media).to_string()).or(url).unwrap_or_default();
        Self { url, name, mime_type }
    }
}

impl Body for Attachment {
    const READ_ONLY: &'static [&'static str] = AttachmentForm::READ_ONLY;

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let form = AttachmentForm::read(fields);
        if fields.is_wrong() {
            return None;
        }
        let form = form?;
        fields.adopt(form.check());
        Some(form.into())
    }
}

#[cfg(feature = "openapi")]
impl Declare for Attachment {
    fn declared() -> Declared {
        AttachmentForm::declared()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Attachment {
    fn schema() -> RefOrSchema {
        Self::declared().schema()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Attachment {
    fn name() -> Name {
        "Attachment".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOrSchema)>) {
        schemas.extend(Self::declared().components());
    }
}

impl Attachment {
    /// Returns the file of the server that it names.
    pub fn media(&self) -> Option<MediaId> {
        match Source::of(&self.url) {
            Source::File(media) => Some(media),
            Source::Provider(_) | Source::Pending(..) | Source::Failed(..) | Source::Url(_) => None,
        }
    }

    /// Creates the attachment for a file of the server.
    pub(crate) fn of_file(media: &Media) -> Self {
        let (name, mime_type) = (media.name.clone(), media.media_type.as_str().to_owned());
        Self { url: Source::File(media.id).to_string(), name: Some(name), mime_type: Some(mime_type) }
    }

    /// Creates the attachment for a file that the provider of a channel stores. Only connectors create it, for messages
    /// of contacts; a request with such a URL is rejected. `None` if the reference is empty, too long, or contains
    /// other characters than visible ASCII.
    pub fn at_provider(reference: &str, name: Option<String>, mime_type: Option<String>) -> Option<Self> {
        let url = Source::Provider(reference).to_string();
        let is_reference = !reference.is_empty() && reference.bytes().all(|byte| byte.is_ascii_graphic());
        (is_reference && url.len() <= MAX_URL).then_some(Self { url, name, mime_type })
    }

    /// Returns the provider's reference to the file, if only the provider of the channel stores it. It is the argument
    /// of [`Connector::fetch_media`](crate::channels::Connector::fetch_media).
    pub fn provider_reference(&self) -> Option<&str> {
        match Source::of(&self.url) {
            Source::Provider(reference) => Some(reference),
            Source::File(_) | Source::Pending(..) | Source::Failed(..) | Source::Url(_) => None,
        }
    }

    /// Gives a file of the provider the ID that it will have.
    pub(crate) fn promise(&mut self, media: MediaId) {
        if let Some(reference) = self.provider_reference() {
            self.url = Source::Pending(media, reference).to_string();
        }
    }

    /// Returns the future ID of a file that is being fetched, and the provider's reference.
    pub(crate) fn pending(&self) -> Option<(MediaId, &str)> {
        match Source::of(&self.url) {
            Source::Pending(media, reference) => Some((media, reference)),
            Source::File(_) | Source::Provider(_) | Source::Failed(..) | Source::Url(_) => None,
        }
    }

    /// Replaces a file that is being fetched by the stored one.
    pub(crate) fn deliver(&mut self, media: MediaId) {
        self.url = Source::File(media).to_string();
    }

    /// Creates the attachment for a file that was not stored, with this error code.
    pub(crate) fn lost(media: MediaId, code: &str, name: String) -> Self {
        Self { url: Source::Failed(media, code).to_string(), name: Some(name), mime_type: None }
    }

    /// Marks a file as not available, with this error code.
    pub(crate) fn lose(&mut self, media: MediaId, code: &str) {
        self.url = Source::Failed(media, code).to_string();
    }

    pub(super) fn check(&self, (kind, files): (MessageType, Files), at: &str, wrong: &mut Vec<Violation>) {
        let pointer = format!("{at}/url");
        length(&self.url, &pointer, MAX_URL, wrong);
        let parsed = Url::parse(&self.url).ok();
        let is_stored = self.media().is_some() || files == Files::AtProvider && self.provider_reference().is_some();
        if kind == MessageType::Location {
            if !is_place(&self.url) {
                wrong.push(Violation::new(
                    pointer,
                    "invalid_format",
                    "expected a location such as geo:52.5163,13.3777",
                ));
            }
        } else if !is_stored && !parsed.is_some_and(|url| matches!(url.scheme(), "https" | "http") && url.has_host()) {
            wrong.push(Violation::new(
                pointer,
                "invalid_format",
                "expected a URL that starts with https:// or http://",
            ));
        }
        optional(&self.name, &format!("{at}/name"), MAX_NAME, wrong);
        optional(&self.mime_type, &format!("{at}/mime_type"), MAX_MIME_TYPE, wrong);
    }
}

/// Whether the content of an attachment is available.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AttachmentStatus {
    /// The server is fetching it from the provider.
    Pending,
    /// The server could not fetch or store it.
    Failed,
}

/// An attachment of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = MessageAttachment))]
#[non_exhaustive]
pub struct AttachmentView {
    /// ID of the file, if the server stores the content.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub media_id: Option<MediaId>,
    /// URL, `https:` or `http:`; for a location `geo:52.5163,13.3777` (RFC 5870). With `media_id`, it is the path of
    /// the file.
    pub url: String,
    /// Display name.
    pub name: Option<String>,
    /// Its media type, such as `image/png`.
    pub mime_type: Option<String>,
    /// The status, as long as the content is not available.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub status: Option<AttachmentStatus>,
    /// Why the content is not available: `gone`, `too_large`, `media_quota` or `unavailable`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub error: Option<String>,
}

impl From<Attachment> for AttachmentView {
    fn from(it: Attachment) -> Self {
        let (media_id, status, error) = match Source::of(&it.url) {
            Source::File(media) => (Some(media), None, None),
            Source::Pending(media, _) => (Some(media), Some(AttachmentStatus::Pending), None),
            Source::Failed(media, code) => (Some(media), Some(AttachmentStatus::Failed), Some(code.to_owned())),
            Source::Provider(_) | Source::Url(_) => (None, None, None),
        };
        let url = media_id.map_or(it.url, media_path);
        Self { media_id, url, name: it.name, mime_type: it.mime_type, status, error }
    }
}

/// Whether the text is `geo:` with a latitude and a longitude in degrees.
fn is_place(text: &str) -> bool {
    let degrees = |text: &str, most: f64| text.parse::<f64>().is_ok_and(|it| it.is_finite() && it.abs() <= most);
    let numbers = text.strip_prefix("geo:").map(|rest| rest.split(';').next().unwrap_or_default());
    let (latitude, longitude) = numbers.and_then(|numbers| numbers.split_once(',')).unwrap_or_default();
    degrees(latitude, 90.0) && degrees(longitude.split(',').next().unwrap_or_default(), 180.0)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::read::{Input, Read, nested};

    const ID: &str = "media_01h455vb4pex5vsknk084sn02q";

    fn read(value: &Value) -> Result<Attachment, Vec<(String, &'static str)>> {
        let read: Result<Attachment, _> = nested().read(Input::from(value));
        read.map_err(|wrong| wrong.into_iter().map(|it| (it.pointer, it.code)).collect())
    }

    #[test]
    fn names_a_file_or_a_url() {
        let file = read(&json!({"media_id": ID, "name": "Cat"})).unwrap();
        assert_eq!(file.media(), Some(ID.parse().unwrap()));
        let shown = json!({"media_id": ID, "url": format!("/api/v1/media/{ID}"), "name": "Cat", "mime_type": null});
        assert_eq!(serde_json::to_value(&file).unwrap(), shown);
        assert_eq!(read(&shown), Ok(file));

        let elsewhere = json!({"url": "https://a.example/1", "name": null, "mime_type": "image/png"});
        let read_back = read(&elsewhere).unwrap();
        assert_eq!((read_back.media(), serde_json::to_value(&read_back).unwrap()), (None, elsewhere));
    }

    #[test]
    fn a_file_of_the_provider_is_pending_until_it_is_fetched() {
        let mut it = Attachment { url: "provider:a:b".to_owned(), name: None, mime_type: None };
        let media: MediaId = ID.parse().unwrap();
        let shown = |it: &Attachment| {
            let view = serde_json::to_value(it).unwrap();
            (view["media_id"].clone(), view["url"].clone(), view["status"].clone(), view["error"].clone())
        };
        let path = json!(format!("/api/v1/media/{ID}"));
        assert!(it.provider_reference().is_some() && it.pending().is_none());
        it.promise(media);
        assert_eq!((it.pending(), it.provider_reference()), (Some((media, "a:b")), None));
        assert_eq!(shown(&it), (json!(ID), path.clone(), json!("pending"), Value::Null));
        let mut lost = it.clone();
        lost.lose(media, "gone");
        assert_eq!(shown(&lost), (json!(ID), path.clone(), json!("failed"), json!("gone")));
        it.deliver(media);
        assert_eq!((it.media(), shown(&it)), (Some(media), (json!(ID), path, Value::Null, Value::Null)));
    }

    #[test]
    fn a_client_cannot_name_a_file_by_a_url() {
        for url in [format!("media:{ID}"), "provider:1".to_owned(), format!("pending:{ID}:1")] {
            assert_eq!(read(&json!({"url": url})), Err(vec![("/url".to_owned(), "invalid_format")]), "{url}");
        }
    }

    #[test]
    fn rejects_both_and_neither() {
        let at = |code| Err(vec![("/url".to_owned(), code)]);
        assert_eq!(read(&json!({"name": "Cat"})), at("required"));
        assert_eq!(read(&json!({"media_id": ID, "url": "https://a.example/1"})), at("not_allowed"));
        let wrong = Err(vec![("/media_id".to_owned(), "invalid_id")]);
        assert_eq!(read(&json!({"media_id": "msg_01h455vb4pex5vsknk084sn02q"})), wrong);
    }
}
