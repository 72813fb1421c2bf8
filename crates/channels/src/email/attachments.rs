//! The files of a mail: attachments, pictures in the text, and mails inside the mail.

use tidings_domain::conversations::{InboundFile, MAX_ATTACHMENTS};

use super::mime_parts::{LeafPart, leaf_parts};
use crate::contents::file_name;
use crate::media::essence;

/// Maximum size of all files of a mail in bytes.
const MAX_BYTES: usize = 25 * 1024 * 1024;
/// Maximum number of names of other files that are returned.
const MAX_OMITTED: usize = 10;
/// The name of a mail inside the mail.
const MAIL: &str = "message.eml";
/// The name of another file without a name and a type.
const UNNAMED: &str = "file";

/// The files of a mail.
#[derive(Debug, Default)]
pub(super) struct MailFiles {
    /// The first files, within the limits of a message.
    pub(super) files: Vec<InboundFile>,
    /// The names or types of files beyond the limits.
    pub(super) omitted: Vec<String>,
}

/// Returns the files of a mail.
pub(super) fn mail_files(mail: &[u8]) -> MailFiles {
    let mut found = MailFiles::default();
    let mut room = MAX_BYTES;
    for part in leaf_parts(mail).into_iter().filter(LeafPart::is_file) {
        let media_type = part.media_type().as_deref().and_then(essence);
        let is_mail = media_type.as_deref().is_some_and(|it| it == "message/rfc822" || it == "message/global");
        let name = part.name().and_then(file_name).or_else(|| is_mail.then(|| MAIL.to_owned()));
        let has_place = found.files.len() < MAX_ATTACHMENTS;
        let content = has_place.then(|| part.content()).filter(|bytes| bytes.len() <= room);
        if let Some(bytes) = content {
            room -= bytes.len();
            found.files.push(InboundFile { name, bytes });
        } else if found.omitted.len() < MAX_OMITTED {
            found.omitted.push(name.or(media_type).unwrap_or_else(|| UNNAMED.to_owned()));
        }
    }
    found
}

#[cfg(test)]
#[path = "attachments_tests.rs"]
mod tests;
