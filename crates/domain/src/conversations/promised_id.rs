//! IDs of files before they are stored. Such an ID names the message that waits for the file: one look-up finds it.

use uuid::Uuid;

use crate::ids::{MediaId, MessageId, TypedId};

/// The first of the 4 bits with the number of the attachment. IDs begin with their time in 48 bits, as milliseconds
/// (RFC 9562). The highest 4 of them are zero until the year 2527, so they are zero in the ID of another file.
const SHIFT: u32 = 124;

/// Returns the ID of the file of the attachment with this index, which is less than
/// [`MAX_ATTACHMENTS`](super::MAX_ATTACHMENTS).
pub(super) fn promised_id(message: MessageId, index: usize) -> MediaId {
    let number = u128::try_from(index).unwrap_or_default() + 1;
    MediaId::from_uuid(Uuid::from_u128(message.uuid().as_u128() | (number << SHIFT)))
}

/// Returns the message that waits for a file, or waited for it. `None` if the file was not promised.
pub(super) fn promised_to(media: MediaId) -> Option<MessageId> {
    let bits = media.uuid().as_u128();
    let message = bits & !(u128::MAX << SHIFT);
    (message != bits).then(|| MessageId::from_uuid(Uuid::from_u128(message)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::conversations::MAX_ATTACHMENTS;

    #[test]
    fn a_promised_id_names_its_message() {
        let messages: [MessageId; 2] =
            ["msg_01kbdv7y4pex5vsknk084sn02q".parse().unwrap(), MessageId::from_uuid(Uuid::from_u128(1))];
        let mut promised = BTreeSet::new();
        for message in messages {
            for index in 0..MAX_ATTACHMENTS {
                let media = promised_id(message, index);
                assert_eq!(promised_to(media), Some(message), "{media}");
                assert_eq!(media.to_string().parse(), Ok(media));
                promised.insert(media);
            }
        }
        assert_eq!(promised.len(), 2 * MAX_ATTACHMENTS);
    }

    #[test]
    fn another_id_names_no_message() {
        for text in ["media_01kbdv7y4pex5vsknk084sn02q", "media_01h455vb4pex5vsknk084sn02q"] {
            assert_eq!(promised_to(text.parse().unwrap()), None, "{text}");
        }
    }
}
