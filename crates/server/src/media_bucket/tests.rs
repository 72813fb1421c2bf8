//! Objects in a bucket are complete or absent, and found by their age.

use std::time::Duration;

use super::test_store::{SECRET, State, TestStore, WRITTEN};
use super::*;

const PART: usize = 5 * 1024 * 1024;

fn place(workspace: u128, media: u128) -> FilePlace {
    let (workspace, media) = (Uuid::from_u128(workspace), Uuid::from_u128(media));
    FilePlace { workspace: WorkspaceId::from_uuid(workspace), media: MediaId::from_uuid(media) }
}

async fn write(bucket: &MediaBucket, place: FilePlace, bytes: &[u8]) -> Result<(), StoreError> {
    let mut writer = bucket.create(place).await?;
    for chunk in bytes.chunks(1_000_000) {
        writer.write(chunk).await?;
    }
    writer.finish().await.map(drop)
}

/// Returns an error of the bucket, which contains no secret.
fn refusal<T: std::fmt::Debug>(outcome: Result<T, StoreError>) -> String {
    let Err(StoreError::Unavailable(why)) = outcome else { panic!("{outcome:?}") };
    assert!(!why.contains(SECRET) && !why.contains("X-Amz"), "{why}");
    why.strip_prefix("the bucket of files files (media.s3.bucket): ").unwrap().to_owned()
}

fn methods(state: &State) -> Vec<&str> {
    state.calls.iter().map(|(method, _)| method.as_str()).collect()
}

#[tokio::test]
async fn a_finished_object_is_read_in_parts() {
    let store = TestStore::start().await;
    let (bucket, own) = (store.bucket(), place(1, 0x1f));
    let mut writer = bucket.create(own).await.unwrap();
    writer.write(b"ab").await.unwrap();
    writer.write(b"c").await.unwrap();
    assert_eq!(bucket.read(own, 0, 9).await, Ok(None), "it is not complete");
    let written = writer.finish().await.unwrap();
    // FIPS 180-2, appendix B.1.
    assert_eq!((written.size, written.sha256[..4].to_vec()), (3, vec![0xba, 0x78, 0x16, 0xbf]));
    assert_eq!(bucket.read(own, 0, 9).await, Ok(Some(b"abc".to_vec())));
    assert_eq!(bucket.read(own, 0, usize::MAX).await, Ok(Some(b"abc".to_vec())));
    assert_eq!(bucket.read(own, 1, 1).await, Ok(Some(b"b".to_vec())));
    assert_eq!(bucket.read(own, 3, 9).await, Ok(Some(Vec::new())));
    let name = own.media.to_string();
    let key = format!("t/{}/{}/{name}", own.workspace, &name[name.len() - 2..]);
    assert!(store.state().objects.keys().eq([&key]));
    assert_eq!(bucket.read(place(2, 0x1f), 0, 9).await, Ok(None), "another workspace");
    bucket.delete(own).await.unwrap();
    assert_eq!((bucket.read(own, 0, 9).await, bucket.delete(own).await), (Ok(None), Ok(())));
    for (_, url) in &store.state().calls {
        let query = url.query().unwrap();
        assert!(query.contains("X-Amz-Signature=") && query.contains("X-Amz-Credential=key%2F"), "{url}");
    }
}

#[tokio::test]
async fn a_large_object_is_written_in_parts() {
    let store = TestStore::start().await;
    let bucket = store.bucket();
    for (number, (size, puts)) in [(PART - 1, 1), (PART, 1), (2 * PART + 7, 3)].into_iter().enumerate() {
        let own = place(1, u128::try_from(number).unwrap());
        let bytes: Vec<u8> = (0..size).map(|at| u8::try_from(at % 251).unwrap()).collect();
        store.state().calls.clear();
        write(&bucket, own, &bytes).await.unwrap();
        assert_eq!(methods(&store.state()).iter().filter(|it| **it == "PUT").count(), puts, "{size} bytes");
        assert!(bucket.read(own, 0, size).await.unwrap().unwrap() == bytes, "{size} bytes");
        assert!(store.state().uploads.is_empty());
    }
}

#[tokio::test]
async fn an_unfinished_upload_leaves_nothing() {
    let store = TestStore::start().await;
    let (bucket, own) = (store.bucket(), place(1, 1));
    let mut writer = bucket.create(own).await.unwrap();
    writer.write(&vec![0; PART + 1]).await.unwrap();
    assert_eq!(store.state().uploads.len(), 1);
    drop(writer);
    store.until(|state| state.uploads.is_empty()).await;
    assert_eq!(bucket.read(own, 0, 9).await, Ok(None));
}

#[tokio::test]
async fn a_failed_part_fails_the_whole_file() {
    let store = TestStore::start().await;
    let (bucket, own) = (store.bucket(), place(1, 1));
    let mut writer = bucket.create(own).await.unwrap();
    writer.write(&vec![0; PART]).await.unwrap();
    store.refuse(403, "AccessDenied");
    assert_eq!(refusal(writer.write(&vec![1; PART]).await), "PUT returned 403 AccessDenied");
    writer.write(b"more").await.unwrap();
    assert_eq!(refusal(writer.finish().await), "an earlier write failed");
    store.until(|state| state.uploads.is_empty()).await;
    assert_eq!(bucket.read(own, 0, 9).await, Ok(None));
}

#[tokio::test]
async fn an_error_in_a_successful_response_fails_the_file() {
    let store = TestStore::start().await;
    let (bucket, own) = (store.bucket(), place(1, 1));
    let mut writer = bucket.create(own).await.unwrap();
    writer.write(&vec![0; PART]).await.unwrap();
    store.refuse(200, "InternalError");
    assert_eq!(refusal(writer.finish().await), "POST returned 200 InternalError");
    store.until(|state| state.uploads.is_empty()).await;
}

#[tokio::test]
async fn repeats_a_call_that_was_not_processed() {
    let store = TestStore::start().await;
    let (bucket, own) = (store.bucket(), place(1, 1));
    store.refuse(503, "SlowDown");
    store.refuse(500, "InternalError");
    write(&bucket, own, b"abc").await.unwrap();
    assert_eq!(methods(&store.state()), ["PUT", "PUT", "PUT"]);
    for _ in 0..3 {
        store.refuse(503, "SlowDown");
    }
    assert_eq!(refusal(bucket.read(own, 0, 9).await), "GET returned 503 SlowDown");
    assert_eq!(bucket.read(own, 0, 9).await, Ok(Some(b"abc".to_vec())));
}

#[tokio::test]
async fn an_unusable_bucket_is_no_missing_file() {
    let store = TestStore::start().await;
    let (bucket, own) = (store.bucket(), place(1, 1));
    for (status, code) in
        [(404, "NoSuchBucket"), (404, "NotFound"), (403, "SignatureDoesNotMatch"), (301, "PermanentRedirect")]
    {
        let expected = format!("{status} {code}");
        store.refuse(status, code);
        assert_eq!(refusal(bucket.read(own, 0, 9).await), format!("GET returned {expected}"));
        store.refuse(status, code);
        assert_eq!(refusal(bucket.delete(own).await), format!("DELETE returned {expected}"));
        store.refuse(status, code);
        assert_eq!(
            refusal(bucket.older_than(Timestamp::EPOCH_2026, None, 9).await),
            format!("GET returned {expected}")
        );
        store.refuse(status, code);
        assert_eq!(refusal(write(&bucket, own, b"abc").await), format!("PUT returned {expected}"));
        store.refuse(status, code);
        assert_eq!(refusal(bucket.probe().await), format!("GET returned {expected}"));
    }
    assert!(store.state().objects.is_empty());
}

#[tokio::test]
async fn finds_old_objects_once_in_portions() {
    let store = TestStore::start().await;
    let bucket = store.bucket();
    let written: Timestamp = WRITTEN.parse().unwrap();
    let later = written.plus(Duration::from_millis(1));
    assert_eq!(bucket.older_than(later, None, 9).await, Ok(Vec::new()));
    let all: Vec<_> = [(1, 1), (1, 2), (1, 33), (2, 1), (2, 64)].map(|(ws, media)| place(ws, media)).into();
    for own in &all {
        write(&bucket, *own, b"x").await.unwrap();
    }
    let FilePlace { workspace, media } = all[0];
    for other in ["t/notes.txt", &format!("t/{workspace}/{media}"), &format!("t/{workspace}/zz/{media}"), "other"] {
        store.state().objects.insert(other.to_owned(), Vec::new());
    }
    assert_eq!(bucket.older_than(written, None, 9).await, Ok(Vec::new()), "they are not older");
    assert_eq!(bucket.older_than(later, None, 9).await, Ok(all.clone()));
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let portion = bucket.older_than(later, after, 3).await.unwrap();
        let Some(last) = portion.last().copied() else { break };
        bucket.delete(last).await.unwrap();
        after = Some(last);
        found.extend(portion);
    }
    assert_eq!(found, all);
}

#[tokio::test]
async fn the_check_leaves_nothing() {
    let store = TestStore::start().await;
    let bucket = store.bucket();
    assert_eq!(bucket.reach().await, Ok(()));
    assert_eq!(methods(&store.state()), ["GET"], "the repeated check only reads");
    assert_eq!(bucket.probe().await, Ok(()));
    assert_eq!(methods(&store.state()), ["GET", "GET", "PUT", "GET", "DELETE"]);
    assert!(store.state().objects.is_empty());
}
