//! Files that arrive with a message are stored once, and belong to the contact.

use std::sync::Arc;

use futures::executor::block_on;
use serde_json::{Value, json};
use uuid::Uuid;

use super::*;
use crate::access::storage_usage::StoredLimits;
use crate::channels::Channel;
use crate::contacts::ContactRef;
use crate::conversations::InboundMessage;
use crate::media::MediaLimits;
use crate::memory::{FixedClock, MemoryFiles, MemoryStore};
use crate::outcome::Outcome;
use crate::ports::{Environment, StoreError};
use crate::testing::{an_inbound_message, new_workspace};
use crate::{Tidings, TidingsSettings};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

struct World {
    tidings: Tidings,
    access: Access,
    channel: Channel,
    files: Arc<MemoryFiles>,
}

impl World {
    fn new() -> Self {
        Self::with(MediaLimits::default())
    }

    fn with(media: MediaLimits) -> Self {
        let clock = Arc::new(FixedClock::default());
        let files = Arc::new(MemoryFiles::new(clock.clone()));
        let environment = Environment { media_files: files.clone(), ..Environment::plain(clock) };
        let settings = TidingsSettings { media, ..TidingsSettings::default() };
        let tidings = Tidings::with(Ports::over(Arc::new(MemoryStore::new()), environment), settings);
        let access = new_workspace(&tidings.ports);
        let channel = block_on(tidings.ports.channels.default_channel(&access)).unwrap().unwrap();
        Self { tidings, access, channel, files }
    }

    fn try_receive(&self, message: InboundMessage) -> Result<Done<Message>, Error> {
        block_on(self.tidings.inbound.receive(&self.access, &self.channel, message))
    }

    fn receive(&self, message: InboundMessage) -> Done<Message> {
        self.try_receive(message).unwrap()
    }

    fn media(&self, message: &Message) -> Vec<Media> {
        let get = |(_, media)| block_on(self.tidings.media.get(&self.access, media)).unwrap();
        message.content.files().map(get).collect()
    }
}

fn file(name: Option<&str>, bytes: &[u8]) -> InboundFile {
    InboundFile { name: name.map(str::to_owned), bytes: bytes.to_vec() }
}

fn message(id: &str, content: Content, files: Vec<InboundFile>) -> InboundMessage {
    InboundMessage { files, ..an_inbound_message(id, "ada", content) }
}

#[test]
fn files_become_attachments_and_belong_to_the_contact() {
    let world = World::new();
    let files = vec![file(Some("../cat\u{202e}.png"), PNG), file(None, b"<script>")];
    let received = world.receive(message("m1", Content::text("Look"), files)).value;
    assert_eq!((received.content.kind, received.content.text.as_deref()), (MessageType::File, Some("Look")));
    let shown: Vec<_> =
        received.content.attachments.iter().map(|it| (it.name.as_deref(), it.mime_type.as_deref())).collect();
    let expected = [(Some("cat.png"), Some("image/png")), (Some("file"), Some("application/octet-stream"))];
    assert_eq!(shown, expected);
    assert!(received.content.check_inbound().is_empty(), "{received:?}");

    let media = world.media(&received);
    assert!(media.iter().all(|it| it.used_by == MediaUse::Contact(received.contact)), "{media:?}");
    assert_eq!(block_on(world.tidings.media.read(&world.access, media[0].id, 0, 99)), Ok(PNG.to_vec()));
    let stored = block_on(world.tidings.conversations.message(&world.access, received.id)).unwrap();
    assert_eq!(stored.content, received.content);
}

#[test]
fn a_repeated_message_stores_no_file_again() {
    let world = World::new();
    let with_file = || message("m1", Content::text("Look"), vec![file(Some("cat.png"), PNG)]);
    let first = world.receive(with_file());
    let places = world.files.places();
    let again = world.receive(with_file());
    assert_eq!((again.outcome, again.value.content), (Outcome::Unchanged, first.value.content));
    assert_eq!((places.len(), world.files.places()), (1, places));
}

#[test]
fn a_message_may_consist_of_files() {
    let world = World::new();
    let files = (0..12).map(|number| file(Some(&format!("{number}.bin")), b"")).collect();
    let received = world.receive(message("m1", Content::of(MessageType::File), files)).value;
    assert_eq!((received.content.text.as_deref(), received.content.attachments.len()), (None, MAX_ATTACHMENTS));
    assert!(received.content.check_inbound().is_empty(), "{received:?}");
    assert!(world.media(&received).iter().all(|it| it.size == 0), "an empty file is a file");
    assert_eq!(world.files.places().len(), MAX_ATTACHMENTS);
}

#[test]
fn files_of_contacts_leave_room_for_uploads() {
    let total = StoredLimits { pro: 40, ..StoredLimits::default() };
    let world = World::with(MediaLimits { total, ..MediaLimits::default() });
    let files = vec![file(Some("a"), &[1; 20]), file(Some("b"), &[2; 11]), file(Some("c"), &[3; 10])];
    let received = world.receive(message("m1", Content::text("Look"), files)).value;
    let errors = |message: &Message| {
        let shown = serde_json::to_value(&message.content.attachments).unwrap();
        let shown = shown.as_array().unwrap().iter();
        shown.map(|it| (it["name"].clone(), it["error"].clone())).collect::<Vec<_>>()
    };
    let full = || json!("media_quota");
    let expected = [(json!("a"), Value::Null), (json!("b"), full()), (json!("c"), Value::Null)];
    assert_eq!(errors(&received), expected, "three quarters are 30 bytes");
    let second = world.receive(message("m2", Content::text("Again"), vec![file(Some("d"), b"")])).value;
    assert_eq!(errors(&second), [(json!("d"), full())]);
    assert_eq!(second.content.text.as_deref(), Some("Again"));
    assert_eq!(world.files.places().len(), 2);
    assert!(block_on(world.tidings.media.begin(&world.access, Some(10))).is_ok(), "an upload still fits");
}

#[test]
fn a_word_with_a_file_opts_the_contact_out() {
    let world = World::new();
    let received = world.receive(message("m1", Content::text("STOP"), vec![file(Some("logo.png"), PNG)])).value;
    let contact = block_on(world.tidings.contacts.get(&world.access, &ContactRef::Id(received.contact))).unwrap();
    assert!(contact.identities.iter().all(|it| !it.opted_in), "{contact:?}");
    assert_eq!(received.content.attachments.len(), 1);
}

#[test]
fn a_rejected_message_leaves_no_bytes() {
    let world = World::new();
    let unknown = ContactId::from_uuid(Uuid::nil()).to_string();
    let refused = InboundMessage { address: unknown, ..message("m1", Content::text("Hi"), vec![file(None, PNG)]) };
    assert!(matches!(world.try_receive(refused), Err(Error::Invalid(_))));
    assert!(world.files.places().is_empty());
}

#[test]
fn deletes_bytes_only_if_no_message_can_name_them() {
    let world = World::new();
    let other = world.receive(message("m1", Content::text("Hi"), Vec::new())).value;
    let ports = &world.tidings.ports;
    let files = block_on(store_files(ports, &world.access, &[file(None, PNG)])).unwrap();
    let unclear = Err(Error::Store(StoreError::Contention));
    block_on(discard_unused(ports, &world.access, &files, &unclear));
    assert_eq!(world.files.places().len(), 1, "the message may have been stored");
    block_on(discard_unused(ports, &world.access, &files, &Ok(Done::unchanged(other))));
    assert!(world.files.places().is_empty(), "another request stored the message first");
}
