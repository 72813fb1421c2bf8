//! Messages in parts. Each part is one call.

use tidings_domain::channels::SendOutcome;
use tidings_domain::conversations::{Content, MessageType};

/// Returns a message as one text: attachments and locations become links. `None` for a template and a note.
pub(crate) fn text_of(content: &Content) -> Option<String> {
    let links = content.attachments.iter().map(|it| match (content.kind, &it.name) {
        (MessageType::Location, name) => place(&it.url, name.as_deref()),
        (_, Some(name)) => format!("{name}: {}", it.url),
        (_, None) => it.url.clone(),
    });
    match content.kind {
        MessageType::Template | MessageType::Note => None,
        MessageType::Text
        | MessageType::Image
        | MessageType::Video
        | MessageType::Audio
        | MessageType::File
        | MessageType::Location
        | MessageType::Card => Some(content.text.clone().into_iter().chain(links).collect::<Vec<_>>().join("\n")),
    }
}

/// Returns the link to a place on a map.
fn place(geo: &str, name: Option<&str>) -> String {
    let coordinates = geo.trim_start_matches("geo:").split([';', '?']).next().unwrap_or_default();
    let mut coordinates = coordinates.split(',');
    let (latitude, longitude) = (coordinates.next().unwrap_or_default(), coordinates.next().unwrap_or_default());
    let link = format!("https://www.openstreetmap.org/?mlat={latitude}&mlon={longitude}#map=17/{latitude}/{longitude}");
    name.map_or_else(|| link.clone(), |name| format!("{name}: {link}"))
}

/// Returns the outcome of a message after some of its parts were sent. It is never sent again as a whole.
pub(crate) fn after_first(outcome: SendOutcome, number: usize, count: usize) -> SendOutcome {
    let explain = |why: String| format!("Part {number} of {count} failed, and the parts before it were sent. {why}");
    match outcome {
        SendOutcome::Accepted { .. } => outcome,
        SendOutcome::Suppressed { reason } => {
            SendOutcome::Rejected { code: reason.as_str().to_owned(), message: explain(reason.message().to_owned()) }
        }
        SendOutcome::Rejected { code, message } => SendOutcome::Rejected { code, message: explain(message) },
        // A suppressed message would look as if no part of it was sent.
        SendOutcome::Blocked { message } | SendOutcome::OptedOut { message } => {
            SendOutcome::Blocked { message: explain(message) }
        }
        SendOutcome::TryLater { message, .. } | SendOutcome::Unknown { message } => {
            SendOutcome::Unknown { message: explain(message) }
        }
    }
}
