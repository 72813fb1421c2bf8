//! The bytes of files, in a bucket of a store with the API of S3.
//!
//! An object appears when it is complete. `rusty-s3` signs the requests, and the guarded HTTP client sends them.

mod client;
mod signed_call;
mod writer;

use std::sync::Arc;

use async_trait::async_trait;
use rusty_s3::actions::{ListObjectsV2, ListObjectsV2Response};
use tidings_credentials::system::SystemIds;
use tidings_domain::ids::{MediaId, TypedId, WorkspaceId};
use tidings_domain::ports::{FilePlace, FileWriter, Ids, MediaFiles, StoreError};
use tidings_domain::time::Timestamp;
use tidings_egress::Egress;
use uuid::Uuid;

use crate::media_store::{MediaStore, path_of};
use crate::settings::S3Settings;
use client::BucketClient;
use signed_call::Signer;
use writer::BucketWriter;

/// Maximum number of keys of one response, as S3 limits it.
const PAGE: usize = 1_000;
/// The content of the object that a check writes.
const PROBE: &[u8] = b"tidings";

/// Stores files in a bucket. Several processes share it.
pub(crate) struct MediaBucket {
    client: Arc<BucketClient>,
    /// The start of all keys: empty, or a path that ends with `/`.
    prefix: String,
}

impl MediaBucket {
    /// Uses this bucket, which must exist. `egress` must allow its address.
    pub(crate) fn new(settings: S3Settings, egress: Egress) -> Self {
        let S3Settings { bucket, prefix, credentials } = settings;
        let signer = Signer { bucket, credentials };
        Self { client: Arc::new(BucketClient { signer, egress }), prefix }
    }

    fn key(&self, place: FilePlace) -> String {
        self.prefix.clone() + &path_of(place)
    }

    /// Returns the place of a key; `None` for an object that this program did not create.
    fn place(&self, key: &str) -> Option<FilePlace> {
        let (workspace, media) = key.strip_prefix(&self.prefix)?.split_once('/')?;
        let (_, media) = media.split_once('/')?;
        let place = FilePlace { workspace: workspace.parse().ok()?, media: media.parse().ok()? };
        Some(place).filter(|place| self.key(*place) == key)
    }

    /// Returns objects in the order of their keys.
    async fn list(
        &self,
        after: Option<&str>,
        token: Option<&str>,
        most: usize,
    ) -> Result<ListObjectsV2Response, StoreError> {
        let call = self.client.signer.list(&self.prefix, after, token, most);
        let answered = self.client.succeed(&call).await?;
        let page = ListObjectsV2::parse_response(&String::from_utf8_lossy(&answered.body));
        page.map_err(|error| self.client.unavailable(&format!("the list of objects cannot be read: {error}")))
    }
}

#[async_trait]
impl MediaStore for MediaBucket {
    fn name(&self) -> String {
        self.client.name()
    }

    /// Lists one object, because a write costs money and leaves versions in some buckets.
    async fn reach(&self) -> Result<(), StoreError> {
        self.list(None, None, 1).await.map(drop)
    }

    async fn probe(&self) -> Result<(), StoreError> {
        self.reach().await?;
        let workspace = WorkspaceId::from_uuid(Uuid::nil());
        let place = FilePlace { workspace, media: MediaId::from_uuid(SystemIds.next()) };
        let mut writer = self.create(place).await?;
        writer.write(PROBE).await?;
        writer.finish().await?;
        let read = self.read(place, 0, PROBE.len()).await;
        self.delete(place).await?;
        match read?.as_deref() {
            Some(PROBE) => Ok(()),
            Some(_) | None => Err(self.client.unavailable("an object had another content after it was written")),
        }
    }
}

#[async_trait]
impl MediaFiles for MediaBucket {
    async fn create(&self, place: FilePlace) -> Result<Box<dyn FileWriter>, StoreError> {
        Ok(Box::new(BucketWriter::new(Arc::clone(&self.client), self.key(place))))
    }

    async fn read(&self, place: FilePlace, from: u64, most: usize) -> Result<Option<Vec<u8>>, StoreError> {
        let call = self.client.signer.get(&self.key(place), from, most);
        let answered = self.client.call(&call).await?;
        // 200 is the whole object: the store ignored the range.
        if answered.status == 206 || (answered.status == 200 && from == 0) {
            let mut bytes = Vec::from(answered.body);
            bytes.truncate(most);
            return Ok(Some(bytes));
        }
        match (answered.status, answered.code()) {
            (404, Some("NoSuchKey")) => Ok(None),
            // The range begins at the end of the object, or after it.
            (416, _) => Ok(Some(Vec::new())),
            _ => Err(self.client.refused(&call, &answered)),
        }
    }

    async fn delete(&self, place: FilePlace) -> Result<(), StoreError> {
        let call = self.client.signer.delete(&self.key(place));
        let answered = self.client.call(&call).await?;
        match answered.is_success() || answered.code() == Some("NoSuchKey") {
            true => Ok(()),
            false => Err(self.client.refused(&call, &answered)),
        }
    }

    async fn older_than(
        &self,
        before: Timestamp,
        after: Option<FilePlace>,
        limit: usize,
    ) -> Result<Vec<FilePlace>, StoreError> {
        let after = after.map(|place| self.key(place));
        let (mut found, mut token) = (Vec::new(), None::<String>);
        loop {
            let page = self.list(after.as_deref(), token.as_deref(), PAGE).await?;
            for object in &page.contents {
                let written = object.last_modified.as_deref().and_then(|it| it.parse::<Timestamp>().ok());
                let is_older = written.is_some_and(|it| it < before);
                found.extend(self.place(&object.key).filter(|_| is_older));
                if found.len() >= limit {
                    return Ok(found);
                }
            }
            match page.next_continuation_token {
                Some(next) if token.as_ref() != Some(&next) => token = Some(next),
                Some(_) => return Err(self.client.unavailable("the list of objects repeats itself")),
                None => return Ok(found),
            }
        }
    }
}

#[cfg(test)]
mod test_store;
#[cfg(test)]
mod tests;
