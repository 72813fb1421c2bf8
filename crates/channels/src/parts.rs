//! Messages in parts. Each part is one call.

use tidings_domain::channels::SendOutcome;
use tidings_domain::conversations::{Attachment, Content, MessageType};

/// A message for a provider that carries some types of files.
pub(crate) struct Divided {
    /// The carried attachments, each as a message without a text.
    pub(crate) media: Vec<Content>,
    /// The text, with links to the other attachments.
    pub(crate) text: Option<String>,
}

/// Divides a message. `carried` returns the type that the provider uses for an attachment of a message of this type;
/// `None` makes it a link in the text. Returns `None` for a template and a note.
pub(crate) fn divide(
    content: &Content,
    carried: impl Fn(MessageType, &Attachment) -> Option<MessageType>,
) -> Option<Divided> {
    match content.kind {
        MessageType::Template | MessageType::Note => return None,
        MessageType::Text
        | MessageType::Image
        | MessageType::Video
        | MessageType::Audio
        | MessageType::File
        | MessageType::Location
        | MessageType::Card => {}
    }
    let mut divided = Divided { media: Vec::new(), text: None };
    let mut lines: Vec<String> = content.text.iter().cloned().collect();
    for attachment in &content.attachments {
        match carried(content.kind, attachment) {
            Some(kind) => {
                divided.media.push(Content { attachments: vec![attachment.clone()], ..Content::of(kind) });
            }
            None => lines.push(link(content.kind, attachment)),
        }
    }
    divided.text = Some(lines.join("\n")).filter(|_| !lines.is_empty());
    Some(divided)
}

/// Returns a message as one text: attachments and locations become links. `None` for a template and a note.
pub(crate) fn text_of(content: &Content) -> Option<String> {
    divide(content, |_, _| None).map(|divided| divided.text.unwrap_or_default())
}

/// Returns the link to an attachment, after its name.
fn link(kind: MessageType, attachment: &Attachment) -> String {
    match (kind, &attachment.name) {
        (MessageType::Location, name) => place(&attachment.url, name.as_deref()),
        (_, Some(name)) => format!("{name}: {}", attachment.url),
        (_, None) => attachment.url.clone(),
    }
}

/// Returns the latitude and the longitude of a `geo:` URL (RFC 5870), in degrees.
pub(crate) fn coordinates(geo: &str) -> Option<(f64, f64)> {
    let mut numbers = geo.strip_prefix("geo:")?.split([';', '?']).next()?.split(',').map(str::parse::<f64>);
    let (latitude, longitude) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    (latitude.abs() <= 90.0 && longitude.abs() <= 180.0).then_some((latitude, longitude))
}

/// Returns the link to a place on a map.
fn place(geo: &str, name: Option<&str>) -> String {
    let coordinates = geo.trim_start_matches("geo:").split([';', '?']).next().unwrap_or_default();
    let mut coordinates = coordinates.split(',');
    let (latitude, longitude) = (coordinates.next().unwrap_or_default(), coordinates.next().unwrap_or_default());
    let link = format!("https://www.openstreetmap.org/?mlat={latitude}&mlon={longitude}#map=17/{latitude}/{longitude}");
    name.map_or_else(|| link.clone(), |name| format!("{name}: {link}"))
}

/// Returns the outcome of a message after the provider answered with a redirect, which is not followed.
pub(crate) fn redirected(sentence: &str) -> SendOutcome {
    let message = format!("{sentence} Redirects are not followed.").into();
    SendOutcome::ChannelFailed { code: "unexpected_redirect", after: None, message }
}

/// Returns the outcome of a call for a part that the message does not have.
pub(crate) fn missing_part() -> SendOutcome {
    SendOutcome::Rejected { code: "stopped".to_owned(), message: "The message has no such part.".into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attachment(url: &str) -> Attachment {
        Attachment { url: url.to_owned(), name: None, mime_type: None }
    }

    #[test]
    fn divides_a_message_into_carried_files_and_a_text_with_links() {
        let attachments = ["https://a.io/1", "http://a.io/2", "https://a.io/3"].map(attachment).to_vec();
        let content = Content { text: Some("Look".to_owned()), attachments, ..Content::of(MessageType::Card) };
        let carried = |kind: MessageType, it: &Attachment| {
            assert_eq!(kind, MessageType::Card);
            it.url.starts_with("https:").then_some(MessageType::Image)
        };
        let divided = divide(&content, carried).unwrap();
        let image = |url: &str| Content { attachments: vec![attachment(url)], ..Content::of(MessageType::Image) };
        assert_eq!(divided.media, [image("https://a.io/1"), image("https://a.io/3")]);
        assert_eq!(divided.text.as_deref(), Some("Look\nhttp://a.io/2"));
        let only = divide(&image("https://a.io/1"), |kind, _| Some(kind)).unwrap();
        assert_eq!((only.media, only.text), (vec![image("https://a.io/1")], None));
        assert!(divide(&Content::of(MessageType::Template), |kind, _| Some(kind)).is_none());
    }

    #[test]
    fn reads_coordinates() {
        for (geo, expected) in [
            ("geo:52.5,13.25", Some((52.5, 13.25))),
            ("geo:-1,2,300;u=35", Some((-1.0, 2.0))),
            ("geo:1,2?z=3", Some((1.0, 2.0))),
            ("geo:91,2", None),
            ("geo:1", None),
            ("geo:1,NaN", None),
            ("https://a.io/1,2", None),
        ] {
            assert_eq!(coordinates(geo), expected, "{geo}");
        }
    }
}
