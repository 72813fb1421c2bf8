//! Files in a folder are complete or absent, and found by their age.

use std::path::Path;
use std::time::Duration;

use tidings_credentials::system::SystemClock;
use tidings_domain::ids::{MediaId, TypedId, WorkspaceId};
use tidings_domain::ports::Clock;
use uuid::Uuid;

use super::*;

fn place(workspace: u128, media: u128) -> FilePlace {
    let (workspace, media) = (Uuid::from_u128(workspace), Uuid::from_u128(media));
    FilePlace { workspace: WorkspaceId::from_uuid(workspace), media: MediaId::from_uuid(media) }
}

async fn write(folder: &MediaFolder, place: FilePlace, parts: &[&[u8]]) {
    let mut writer = folder.create(place).await.unwrap();
    for part in parts {
        writer.write(part).await.unwrap();
    }
    writer.finish().await.unwrap();
}

fn files_in(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => found.push(path.strip_prefix(folder).unwrap().to_string_lossy().into_owned()),
            }
        }
    }
    found.sort();
    found
}

/// A folder that is deleted after the test.
struct TestFolder(PathBuf);

impl TestFolder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tidings-media-{name}-{}", std::process::id()));
        Self(path)
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[tokio::test]
async fn a_finished_file_is_read_in_parts() {
    let kept = TestFolder::new("read");
    let (folder, own) = (MediaFolder::new(kept.0.clone()), place(1, 0x1f));
    let mut writer = folder.create(own).await.unwrap();
    writer.write(b"ab").await.unwrap();
    writer.write(b"c").await.unwrap();
    assert_eq!(folder.read(own, 0, 9).await, Ok(None), "it is not complete");
    let written = writer.finish().await.unwrap();
    // FIPS 180-2, appendix B.1.
    assert_eq!((written.size, written.sha256[..4].to_vec()), (3, vec![0xba, 0x78, 0x16, 0xbf]));
    assert_eq!(folder.read(own, 0, 9).await, Ok(Some(b"abc".to_vec())));
    assert_eq!(folder.read(own, 1, 1).await, Ok(Some(b"b".to_vec())));
    assert_eq!(folder.read(own, 3, 9).await, Ok(Some(Vec::new())));
    let name = own.media.to_string();
    let path = format!("{}/{}/{name}", own.workspace, &name[name.len() - 2..]);
    assert_eq!(files_in(&kept.0), [path]);
    assert_eq!(folder.read(place(2, 0x1f), 0, 9).await, Ok(None), "another workspace");
    folder.delete(own).await.unwrap();
    assert_eq!((folder.read(own, 0, 9).await, folder.delete(own).await), (Ok(None), Ok(())));
}

#[tokio::test]
async fn a_long_file_is_written_in_blocks() {
    let kept = TestFolder::new("long");
    let (folder, own) = (MediaFolder::new(kept.0.clone()), place(1, 1));
    let part = vec![7_u8; 100_000];
    write(&folder, own, &[&part, &part, &part, &part]).await;
    assert_eq!(folder.read(own, 0, usize::MAX).await.unwrap().unwrap(), vec![7; 400_000]);
}

#[tokio::test]
async fn an_unfinished_file_leaves_nothing() {
    let kept = TestFolder::new("unfinished");
    let (folder, own) = (MediaFolder::new(kept.0.clone()), place(1, 1));
    let mut writer = folder.create(own).await.unwrap();
    writer.write(&[0; 300_000]).await.unwrap();
    drop(writer);
    assert_eq!(files_in(&kept.0), [""; 0]);
    write(&folder, own, &[b"again"]).await;
    assert_eq!(folder.read(own, 0, 9).await, Ok(Some(b"again".to_vec())));
}

#[tokio::test]
async fn the_check_needs_a_writable_place_and_leaves_nothing() {
    let kept = TestFolder::new("probe");
    fs::create_dir_all(&kept.0).unwrap();
    let folder = MediaFolder::new(kept.0.join("new").join("media"));
    assert_eq!((folder.reach().await, folder.probe().await), (Ok(()), Ok(())));
    assert_eq!(fs::read_dir(&kept.0).unwrap().count(), 0, "no folder is created");
    fs::write(kept.0.join("new"), "not a folder").unwrap();
    let name = format!("the folder of files {}/new/media (media.folder)", kept.0.display());
    assert_eq!(folder.name(), name);
    let Err(StoreError::Unavailable(why)) = folder.probe().await else { panic!("no error") };
    assert!(why.starts_with(&format!("{name}: ")), "{why}");
    assert_eq!(MediaFolder::new(kept.0.clone()).probe().await, Ok(()));
    assert_eq!(files_in(&kept.0), ["new"]);
}

#[tokio::test]
async fn finds_old_files_once_in_portions() {
    let kept = TestFolder::new("old");
    let folder = MediaFolder::new(kept.0.clone());
    let now = SystemClock.now();
    assert_eq!(folder.older_than(now, None, 9).await, Ok(Vec::new()), "the folder is missing");
    let mut all: Vec<_> = [(1, 1), (1, 2), (1, 33), (2, 1)].into_iter().map(|(ws, media)| place(ws, media)).collect();
    for own in &all {
        write(&folder, *own, &[b"x"]).await;
    }
    let crashed = place(2, 64);
    let left = folder.path(crashed).with_extension(PART);
    fs::create_dir_all(left.parent().unwrap()).unwrap();
    fs::write(&left, "left over by a crash").unwrap();
    all.push(crashed);
    fs::write(kept.0.join("notes.txt"), "not ours").unwrap();
    assert_eq!(folder.older_than(now.minus(Duration::from_secs(3_600)), None, 9).await, Ok(Vec::new()));
    let later = now.plus(Duration::from_secs(3_600));
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let portion = folder.older_than(later, after, 2).await.unwrap();
        let Some(last) = portion.last() else { break };
        after = Some(*last);
        found.extend(portion);
    }
    found.sort();
    all.sort();
    assert_eq!(found, all);
    folder.delete(crashed).await.unwrap();
    assert!(!left.exists());
}
