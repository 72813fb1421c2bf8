//! The parts of a message other than its text. Each limit is one constant for the readers, which also document it in
//! the OpenAPI description, and for the checks of generated content such as rendered templates.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use url::Url;

use super::MAX_TEXT;
use crate::body;
use crate::conversations::MessageType;
use crate::read::{Violation, entries, map, text};

/// Maximum number of characters of an attachment's URL.
const MAX_URL: usize = 2_048;
/// The start of the URL of a file that the provider of a channel stores. The provider's reference follows.
const PROVIDER: &str = "provider:";
/// Maximum number of characters of the name of an attachment or a template.
const MAX_NAME: usize = 200;
/// Maximum number of characters of a media type.
const MAX_MIME_TYPE: usize = 100;
/// Maximum number of characters of a quick reply's title.
const MAX_TITLE: usize = 80;
/// Maximum number of characters of a quick reply's payload.
const MAX_PAYLOAD: usize = 200;
/// Maximum number of characters of a language.
const MAX_LANGUAGE: usize = 35;
/// Maximum number of parameters of a template.
const MAX_PARAMETERS: usize = 50;
/// Maximum number of characters of a parameter's name.
const MAX_PARAMETER_NAME: usize = 100;

body! {
    /// An attachment.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Attachment {
        /// URL, `https:` or `http:`; for a location `geo:52.5163,13.3777` (RFC 5870). In a message of a contact also
        /// `provider:…`, a file that only the provider of the channel stores.
        required url: String = text(1..=MAX_URL);
        /// Display name.
        nullable name: String = text(1..=MAX_NAME);
        /// Its media type, such as `image/png`.
        nullable mime_type: String = text(1..=MAX_MIME_TYPE);
    }
}

body! {
    /// A quick reply.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct QuickReply {
        /// Text that the contact sees, and sends by choosing it.
        required title: String = text(1..=MAX_TITLE);
        /// Value that is returned with the choice, if the provider supports it.
        nullable payload: String = text(1..=MAX_PAYLOAD);
    }
}

body! {
    /// A template that the provider stores.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct MessageTemplate {
        /// Name of the template at the provider.
        required name: String = text(1..=MAX_NAME);
        /// Language of the template.
        nullable language: String = text(1..=MAX_LANGUAGE);
        /// Values for the placeholders.
        #[serde(default)]
        or_default parameters: BTreeMap<String, String> = map(entries(MAX_PARAMETERS, text(0..=MAX_TEXT)), BTreeMap::from_iter);
    }
}

/// The files that a message may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Files {
    /// Files with a URL that anyone can open.
    Public,
    /// Also files that the provider of the channel stores.
    AtProvider,
}

impl Attachment {
    /// Creates the attachment for a file that the provider of a channel stores. Only connectors create it, for messages
    /// of contacts; a request with such a URL is rejected. `None` if the reference is empty, too long, or contains
    /// other characters than visible ASCII.
    pub fn at_provider(reference: &str, name: Option<String>, mime_type: Option<String>) -> Option<Self> {
        let url = format!("{PROVIDER}{reference}");
        let is_reference = !reference.is_empty() && reference.bytes().all(|byte| byte.is_ascii_graphic());
        (is_reference && url.len() <= MAX_URL).then_some(Self { url, name, mime_type })
    }

    /// Returns the provider's reference to the file, if only the provider of the channel stores it. It is the argument
    /// of [`Connector::fetch_media`](crate::channels::Connector::fetch_media).
    pub fn provider_reference(&self) -> Option<&str> {
        self.url.strip_prefix(PROVIDER).filter(|reference| !reference.is_empty())
    }

    pub(super) fn check(&self, (kind, files): (MessageType, Files), at: &str, wrong: &mut Vec<Violation>) {
        let pointer = format!("{at}/url");
        length(&self.url, &pointer, MAX_URL, wrong);
        let parsed = Url::parse(&self.url).ok();
        let is_stored = files == Files::AtProvider && self.provider_reference().is_some();
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

impl QuickReply {
    pub(super) fn check(&self, at: &str, wrong: &mut Vec<Violation>) {
        length(&self.title, &format!("{at}/title"), MAX_TITLE, wrong);
        optional(&self.payload, &format!("{at}/payload"), MAX_PAYLOAD, wrong);
    }
}

impl MessageTemplate {
    pub(super) fn check(&self, wrong: &mut Vec<Violation>) {
        length(&self.name, "/template/name", MAX_NAME, wrong);
        optional(&self.language, "/template/language", MAX_LANGUAGE, wrong);
        if self.parameters.len() > MAX_PARAMETERS {
            wrong.push(Violation::new(
                "/template/parameters",
                "too_many",
                format!("at most {MAX_PARAMETERS} parameters"),
            ));
        }
        for (name, value) in &self.parameters {
            if name.chars().count() > MAX_PARAMETER_NAME || value.chars().count() > MAX_TEXT {
                let pointer = format!("/template/parameters/{}", name.replace('~', "~0").replace('/', "~1"));
                let most = format!("at most {MAX_PARAMETER_NAME} characters in the name and {MAX_TEXT} in the value");
                wrong.push(Violation::new(pointer, "too_long", most));
            }
        }
    }
}

/// Whether the text is `geo:` with a latitude and a longitude in degrees.
fn is_place(text: &str) -> bool {
    let degrees = |text: &str, most: f64| text.parse::<f64>().is_ok_and(|it| it.is_finite() && it.abs() <= most);
    let numbers = text.strip_prefix("geo:").map(|rest| rest.split(';').next().unwrap_or_default());
    let (latitude, longitude) = numbers.and_then(|numbers| numbers.split_once(',')).unwrap_or_default();
    degrees(latitude, 90.0) && degrees(longitude.split(',').next().unwrap_or_default(), 180.0)
}

/// Reports a text that is blank, too long, or contains U+0000.
pub(super) fn length(text: &str, pointer: &str, most: usize, wrong: &mut Vec<Violation>) {
    if text.trim().is_empty() {
        wrong.push(Violation::new(pointer, "blank", "must not be blank"));
    } else if text.chars().count() > most {
        wrong.push(Violation::new(pointer, "too_long", format!("at most {most} characters")));
    } else if text.contains('\0') {
        wrong.push(Violation::new(pointer, "invalid_character", "must not contain U+0000"));
    }
}

fn optional(text: &Option<String>, pointer: &str, most: usize, wrong: &mut Vec<Violation>) {
    if let Some(text) = text {
        length(text, pointer, most, wrong);
    }
}
