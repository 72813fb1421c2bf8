use futures::FutureExt;
use tidings_domain::ids::{MediaId, TypedId};
use tidings_domain::memory::{FixedClock, MemoryFiles};
use tidings_domain::ports::{FilePlace, MockMediaFiles, StoreError};
use uuid::Uuid;

use super::*;

fn workspace(number: u128) -> WorkspaceId {
    WorkspaceId::from_uuid(Uuid::from_u128(number))
}

fn file(attachment: usize, size: u64) -> LinkedFile {
    let media = MediaId::from_uuid(Uuid::from_u128(u128::try_from(attachment).unwrap() + 1));
    LinkedFile { attachment, place: FilePlace { workspace: workspace(1), media }, size }
}

#[test]
fn a_mail_contains_the_first_files_that_fit() {
    let attachments = |sizes: &[u64]| {
        let files: Vec<_> = sizes.iter().enumerate().map(|(index, size)| file(index, *size)).collect();
        fitting(&files).iter().map(|file| file.attachment).collect::<Vec<_>>()
    };
    assert_eq!(attachments(&[1, 0, 2]), [0, 1, 2]);
    assert_eq!(attachments(&[MAX_CONTAINED, 1, 0]), [0, 2]);
    assert_eq!(attachments(&[MAX_CONTAINED + 1, 19_000_000, 2_000_000, 1_000_000]), [1, 3]);
    assert_eq!(attachments(&[u64::MAX, u64::MAX]), [] as [usize; 0]);
}

#[tokio::test]
async fn loads_the_bytes_of_each_file() {
    let files = Arc::new(MemoryFiles::new(Arc::new(FixedClock::default())));
    let (small, large) = (file(2, 3), file(0, LARGE));
    for (file, bytes) in [(small, b"abc".to_vec()), (large, vec![7; 1024 * 1024])] {
        let mut writer = files.create(file.place).await.unwrap();
        writer.write(&bytes).await.unwrap();
        writer.finish().await.unwrap();
    }
    let loader = FileLoader::new(files.clone());
    let loaded = loader.load(&[small]).await.unwrap();
    assert_eq!(loaded.files, [ContainedFile { attachment: 2, bytes: b"abc".to_vec() }]);
    assert!(loaded.place.is_none(), "a small mail needs no place");
    let loaded = loader.load(&[large, small]).await.unwrap();
    assert_eq!(loaded.files.iter().map(|file| file.bytes.len()).collect::<Vec<_>>(), [1024 * 1024, 3]);
    assert!(loaded.place.is_some());
    assert!(loader.load(&[]).await.unwrap().files.is_empty());

    files.delete(large.place).await.unwrap();
    let missing = loader.load(&[small, large]).await.map(|loaded| loaded.files);
    assert!(matches!(&missing, Err(SendOutcome::Rejected { code, .. }) if code == "media_deleted"), "{missing:?}");
}

#[tokio::test]
async fn a_store_that_is_down_delays_the_mail() {
    let mut files = MockMediaFiles::new();
    files.expect_read().returning(|_, _, _| Err(StoreError::Unavailable("down".to_owned())));
    let failed = FileLoader::new(Arc::new(files)).load(&[file(0, 1)]).await.map(|loaded| loaded.files);
    assert!(matches!(failed, Err(SendOutcome::TryLater { after: None, .. })), "{failed:?}");
}

#[tokio::test]
async fn limits_the_large_mails_of_a_workspace_and_of_the_process() {
    let large = LargeMails::default();
    let begin = |number: u128| large.begin(workspace(number)).now_or_never().flatten();
    let mut places: Vec<Place> = (0..OF_WORKSPACE).map(|_| begin(1).unwrap()).collect();
    assert!(begin(1).is_none(), "its places are used");
    assert!(begin(2).is_some(), "those of another workspace are not");
    places.pop();
    assert!(begin(1).is_some());
    let others = (3..).take(OF_PROCESS - places.len());
    places.extend(others.map(|number| begin(number).unwrap()));
    assert!(begin(2).is_none(), "the places of the process are used");
    places.clear();
    let place = begin(2);
    assert!(place.is_some());
    assert_eq!(large.by_workspace.lock().unwrap().len(), 1, "workspaces without large mails are removed");
}
