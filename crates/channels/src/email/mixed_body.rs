//! The body of a mail: the text and the same text as HTML (RFC 2046, section 5.1.4), then each file (section 5.1.3).

use lettre::message::header::{ContentTransferEncoding, ContentType};
use lettre::message::{Attachment as AttachedPart, Body, MultiPart, SinglePart};
use tidings_domain::conversations::{Attachment, Content};
use tidings_domain::media::safe_file_name;

use super::outbound_files::ContainedFile;
use crate::media::essence;

/// The type of a file with an unknown type.
const BINARY: &str = "application/octet-stream";
/// Types of parts that contain other parts, which are not encoded like files.
const NESTING: [&str; 2] = ["multipart/", "message/"];

/// Returns a body with a text, the same text as HTML, and files. `None` if a file or its type cannot be written.
pub(super) fn mixed_body(text: Body, html: Body, content: &Content, files: Vec<ContainedFile>) -> Option<MultiPart> {
    let text = SinglePart::builder().header(ContentType::TEXT_PLAIN).body(text);
    let html = SinglePart::builder().header(ContentType::TEXT_HTML).body(html);
    let both = MultiPart::alternative().singlepart(text).singlepart(html);
    if files.is_empty() {
        return Some(both);
    }
    let mut body = MultiPart::mixed().multipart(both);
    for ContainedFile { attachment, bytes } in files {
        let attachment = content.attachments.get(attachment)?;
        let name = safe_file_name(attachment.name.as_deref().unwrap_or_default());
        // Otherwise, a text would be written as it is, and its line ends could change.
        let encoded = Body::new_with_encoding(bytes, ContentTransferEncoding::Base64).ok()?;
        body = body.singlepart(AttachedPart::new(name).body(encoded, content_type(attachment)?));
    }
    Some(body)
}

/// Returns a content without the attachments that the mail contains.
pub(super) fn without_files(content: &Content, files: &[ContainedFile]) -> Content {
    let is_contained = |index: usize| files.iter().any(|file| file.attachment == index);
    let others = content.attachments.iter().enumerate().filter(|(index, _)| !is_contained(*index));
    let attachments = others.map(|(_, attachment)| attachment.clone()).collect();
    Content { attachments, ..content.clone() }
}

fn content_type(attachment: &Attachment) -> Option<ContentType> {
    let stated = attachment.mime_type.as_deref().and_then(essence);
    let stated = stated.filter(|stated| !NESTING.iter().any(|nesting| stated.starts_with(nesting)));
    let stated = stated.and_then(|stated| ContentType::parse(&stated).ok());
    stated.or_else(|| ContentType::parse(BINARY).ok())
}
