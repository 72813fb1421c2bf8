//! Files in text messages (MMS): the numbers that send and receive them, and their formats.

use tidings_domain::channels::Channel;
use tidings_domain::conversations::{Attachment, MessageType};

use super::channel_type::MMS;
use crate::media::{is_public, media_type};

/// Media types of pictures, <https://www.twilio.com/docs/messaging/guides/accepted-mime-types>.
const IMAGES: [&str; 3] = ["image/jpeg", "image/png", "image/gif"];
/// Media types of other files.
const FILES: [&str; 9] = [
    "video/mp4",
    "video/3gpp",
    "audio/mpeg",
    "audio/mp4",
    "audio/ogg",
    "audio/amr",
    "application/pdf",
    "text/vcard",
    "text/x-vcard",
];
/// Area codes of the country code 1 outside of the United States and Canada.
const OTHER_AREAS: [&str; 27] = [
    "242", "246", "264", "268", "284", "340", "345", "441", "473", "649", "658", "664", "670", "671", "684", "721",
    "758", "767", "784", "787", "809", "829", "849", "868", "869", "876", "939",
];

/// Whether the number of a channel can send files. Twilio reports it when the channel is connected.
pub(super) fn sends_files(channel: &Channel) -> bool {
    let reported = channel.endpoint.as_ref().and_then(|endpoint| endpoint.config.get(MMS)?.as_bool());
    reported == Some(true)
}

/// Whether a number in E.164 is one of the United States or Canada, where Twilio delivers files.
pub(super) fn receives_files(number: &str) -> bool {
    let area = number.strip_prefix("+1").filter(|rest| rest.len() == 10).and_then(|rest| rest.get(..3));
    area.is_some_and(|area| !OTHER_AREAS.contains(&area))
}

/// Returns the type of an attachment that Twilio sends from its URL; `None` for others. A picture of an unknown format is
/// sent.
pub(super) fn carried(kind: MessageType, attachment: &Attachment) -> Option<MessageType> {
    let known = media_type(attachment);
    let is_one_of = |types: &[&str]| known.as_deref().is_some_and(|known| types.contains(&known));
    let carried = match kind {
        MessageType::Image | MessageType::Card if known.is_none() || is_one_of(&IMAGES) => Some(MessageType::Image),
        MessageType::Image | MessageType::Card | MessageType::Video | MessageType::Audio | MessageType::File => {
            Some(MessageType::File).filter(|_| is_one_of(&IMAGES) || is_one_of(&FILES))
        }
        MessageType::Location | MessageType::Text | MessageType::Template | MessageType::Note => None,
    };
    carried.filter(|_| is_public(attachment))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twilio_delivers_files_in_two_countries() {
        for number in ["+15005550006", "+14165550123", "+18885550123"] {
            assert!(receives_files(number), "{number}");
        }
        for number in ["+491711234567", "+18765550123", "+1500555000", "+150055500067", "15005550006", ""] {
            assert!(!receives_files(number), "{number}");
        }
    }

    #[test]
    fn sends_files_of_known_formats() {
        use MessageType::{Audio, Card, File, Image, Location, Video};
        for (kind, url, expected) in [
            (Image, "https://a.io/1", Some(Image)),
            (Card, "https://a.io/1.png", Some(Image)),
            (Image, "https://a.io/1.webp", None),
            (Image, "http://a.io/1.png", None),
            (Video, "https://a.io/1.mp4", Some(File)),
            (Video, "https://a.io/1", None),
            (Audio, "https://a.io/1.mp3", Some(File)),
            (File, "https://a.io/1.pdf", Some(File)),
            (File, "https://a.io/1.jpg", Some(File)),
            (File, "https://a.io/1.zip", None),
            (Location, "geo:1,2", None),
        ] {
            let attachment = Attachment { url: url.to_owned(), name: None, mime_type: None };
            assert_eq!(carried(kind, &attachment), expected, "{kind:?} {url}");
        }
    }
}
