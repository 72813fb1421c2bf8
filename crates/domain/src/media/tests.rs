//! Files are uploaded, read, linked and deleted within the limits.

use std::sync::Arc;
use std::time::Duration;

use futures::executor::block_on;
use uuid::Uuid;

use super::{
    FileSweeper, LINK_LIFE, Media, MediaLimits, MediaService, MediaType, MediaUse, ReceivedFile, UNUSED_HOURS,
};
use crate::access::Access;
use crate::access::storage_usage::StoredLimits;
use crate::error::Error;
use crate::ids::{ContactId, TypedId};
use crate::memory::{FixedClock, MemoryFiles, MemoryStore};
use crate::outcome::ExpectedVersion;
use crate::platform::{DeleteWorkspace, PlatformService};
use crate::ports::{Change, ChangeSet, ConversationChange, Environment, FilePlace, MediaFiles, Ports};
use crate::testing::new_workspace;
use crate::time::Timestamp;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and more";

struct World {
    access: Access,
    media: MediaService,
    files: Arc<MemoryFiles>,
    clock: Arc<FixedClock>,
}

impl World {
    /// Returns a workspace in which a file may have 100 bytes, and all files together 150 bytes.
    fn new() -> Self {
        let clock = Arc::new(FixedClock::default());
        let files = Arc::new(MemoryFiles::new(clock.clone()));
        let environment = Environment { media_files: files.clone(), ..Environment::plain(clock.clone()) };
        let ports = Ports::over(Arc::new(MemoryStore::new()), environment);
        let media_limits = MediaLimits { max_bytes: 100, total: StoredLimits { pro: 150, ..StoredLimits::default() } };
        let ports = Arc::new(Ports { public_url: "https://a.example".into(), media_limits, ..ports });
        Self { access: new_workspace(&ports), media: MediaService { ports }, files, clock }
    }

    async fn receive(&self, bytes: &[u8]) -> Result<ReceivedFile, Error> {
        let mut upload = self.media.begin(&self.access, None).await?;
        for part in bytes.chunks(7) {
            upload.write(part).await?;
        }
        upload.finish().await
    }

    async fn create(&self, name: &str, bytes: &[u8]) -> Result<Media, Error> {
        let file = self.receive(bytes).await?;
        Ok(self.media.create(&self.access, (name, &file), None).await?.value)
    }

    fn send_to(&self, contact: u128, media: &Media) {
        let contact = ContactId::from_uuid(Uuid::from_u128(contact));
        let mut set = ChangeSet::new(self.access.workspace());
        set.change(Change::Conversation(ConversationChange::UseMedia { media: media.id, contact }));
        block_on(self.media.ports.ledger.commit(set)).unwrap();
    }

    fn pass(&self, hours: u64) {
        self.clock.set(self.clock.at_rest().plus(Duration::from_secs(hours * 3_600)));
    }
}

#[test]
fn an_uploaded_file_has_the_type_of_its_content() {
    let world = World::new();
    let media = block_on(world.create("../cat.gif", PNG)).unwrap();
    assert_eq!((media.name.as_str(), media.media_type, media.size), ("cat.gif", MediaType::Png, 17));
    assert_eq!((media.sha256.len(), media.used_by, media.version), (64, MediaUse::Unused, 1));
    assert_eq!(block_on(world.media.get(&world.access, media.id)), Ok(media.clone()));
    let read = |from, most| block_on(world.media.read(&world.access, media.id, from, most)).unwrap();
    assert_eq!((read(0, 4), read(8, 100), read(17, 9)), (PNG[..4].to_vec(), PNG[8..].to_vec(), Vec::new()));
}

#[test]
fn a_file_of_another_workspace_does_not_exist() {
    let world = World::new();
    let media = block_on(world.create("a.png", PNG)).unwrap();
    let other = new_workspace(&world.media.ports);
    assert_eq!(block_on(world.media.get(&other, media.id)), Err(Error::NotFound));
    assert_eq!(block_on(world.media.read(&other, media.id, 0, 9)), Err(Error::NotFound));
    assert_eq!(block_on(world.media.delete(&other, media.id)), Err(Error::NotFound));
    assert_eq!(block_on(world.media.link(&other, media.id, LINK_LIFE)), Err(Error::NotFound));
}

#[test]
fn a_rejected_upload_leaves_no_bytes() {
    let world = World::new();
    assert_eq!(block_on(world.receive(&[7; 101])).err(), Some(Error::MediaTooLarge { most: 100 }));
    let declared = block_on(world.media.begin(&world.access, Some(101))).err();
    assert_eq!(declared, Some(Error::MediaTooLarge { most: 100 }));
    assert!(matches!(block_on(world.receive(b"")), Err(Error::Invalid(_))));
    assert!(block_on(world.receive(&[7; 100])).is_ok());
    let kept = world.files.places().len();
    assert_eq!(kept, 1, "only the complete file");
}

#[test]
fn files_fit_in_the_limit_of_the_plan() {
    let world = World::new();
    let first = block_on(world.create("a", &[1; 100])).unwrap();
    let full = Error::MediaQuota { total: 100, limit: 150 };
    assert_eq!(block_on(world.create("b", &[1; 51])), Err(full));
    assert_eq!(world.files.places().len(), 1, "the rejected file is deleted");
    assert!(block_on(world.create("b", &[1; 50])).is_ok());
    let full = Error::MediaQuota { total: 150, limit: 150 };
    assert_eq!(block_on(world.media.begin(&world.access, None)).err(), Some(full));
    block_on(world.media.delete(&world.access, first.id)).unwrap();
    assert!(block_on(world.create("c", &[1; 100])).is_ok());
}

#[test]
fn a_file_is_deleted_unless_a_message_uses_it() {
    let world = World::new();
    let [sent, unused] = ["a.png", "b.png"].map(|name| block_on(world.create(name, PNG)).unwrap());
    world.send_to(1, &sent);
    assert_eq!(block_on(world.media.delete(&world.access, sent.id)), Err(Error::MediaInUse));
    assert_eq!(block_on(world.media.delete(&world.access, unused.id)), Ok(()));
    assert_eq!(block_on(world.media.delete(&world.access, unused.id)), Err(Error::NotFound));
    assert_eq!(block_on(world.media.get(&world.access, unused.id)), Err(Error::NotFound));
    assert_eq!(world.files.places().len(), 1);
}

#[test]
fn the_use_of_a_file_changes_its_version_once() {
    let world = World::new();
    let media = block_on(world.create("a.png", PNG)).unwrap();
    let state = || block_on(world.media.get(&world.access, media.id)).map(|it| (it.used_by, it.version)).unwrap();
    world.send_to(1, &media);
    world.send_to(1, &media);
    assert_eq!(state(), (MediaUse::Contact(ContactId::from_uuid(Uuid::from_u128(1))), 2));
    world.send_to(2, &media);
    world.send_to(1, &media);
    assert_eq!(state(), (MediaUse::Shared, 3));
}

#[test]
fn a_link_opens_its_file_until_it_expires() {
    let world = World::new();
    let media = block_on(world.create("a.png", PNG)).unwrap();
    let link = block_on(world.media.link(&world.access, media.id, Duration::from_secs(3_600))).unwrap();
    let token = link.url.strip_prefix("https://a.example/m/").unwrap();
    let (access, opened) = block_on(world.media.open_link(token)).unwrap();
    assert_eq!((access.workspace(), opened), (world.access.workspace(), media.clone()));
    let longest = block_on(world.media.link(&world.access, media.id, Duration::from_secs(90 * 86_400))).unwrap();
    assert_eq!(longest.expires_at, Timestamp::EPOCH_2026.plus(Duration::from_secs(7 * 86_400)));
    world.pass(1);
    assert_eq!(block_on(world.media.open_link(token)).err(), Some(Error::NotFound));
}

#[test]
fn a_link_does_not_open_a_file_of_a_deleted_workspace() {
    let world = World::new();
    let media = block_on(world.create("a.png", PNG)).unwrap();
    let link = block_on(world.media.link(&world.access, media.id, LINK_LIFE)).unwrap();
    let token = link.url.strip_prefix("https://a.example/m/").unwrap();
    let command = DeleteWorkspace { name: "Acme".to_owned(), grace_days: 7, dry_run: false };
    let platform = PlatformService { ports: world.media.ports.clone() };
    block_on(platform.delete_workspace(&world.access, &command, &ExpectedVersion::Any)).unwrap();
    assert_eq!(block_on(world.media.open_link(token)).err(), Some(Error::NotFound));
}

#[test]
fn unused_files_and_files_without_a_row_are_deleted() {
    let world = World::new();
    let ports = &world.media.ports;
    let sweep = || block_on(FileSweeper { ports: ports.clone() }.sweep()).unwrap();
    let expire = || {
        let before = ports.clock.now().minus(Duration::from_secs(UNUSED_HOURS * 3_600));
        block_on(ports.engine.expire_media(before, 9)).unwrap()
    };
    let [sent, unused] = ["a.png", "b.png"].map(|name| block_on(world.create(name, PNG)).unwrap());
    world.send_to(1, &sent);
    block_on(world.receive(b"never stored")).unwrap();
    world.pass(24);
    assert_eq!((expire(), sweep()), (0, 0), "all are a day old, not older");
    world.pass(1);
    assert_eq!((expire(), sweep()), (1, 2), "the unused file, and the one without a row");
    assert_eq!(block_on(world.media.get(&world.access, unused.id)), Err(Error::NotFound));
    let place = FilePlace { workspace: world.access.workspace(), media: sent.id };
    assert_eq!(world.files.places(), [place]);
    assert_eq!(block_on(world.files.read(place, 0, 4)), Ok(Some(PNG[..4].to_vec())));
    assert_eq!((expire(), sweep()), (0, 0));
}
