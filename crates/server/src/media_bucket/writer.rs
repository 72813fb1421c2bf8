//! An object that is being written.

use std::mem::take;
use std::sync::Arc;

use async_trait::async_trait;
use reqwest::header::ETAG;
use ring::digest::{Context, SHA256};
use rusty_s3::actions::CreateMultipartUpload;
use tidings_domain::ports::{FileWriter, StoreError, WrittenFile};
use tokio::runtime::Handle;

use super::client::BucketClient;

/// Number of bytes of a part, and of the largest object that is written by one call. S3 accepts no smaller part, except
/// the last one.
const PART: usize = 5 * 1024 * 1024;

/// Writes an object: a small one by one call, a larger one in parts. One part is in memory.
pub(super) struct BucketWriter {
    client: Arc<BucketClient>,
    key: String,
    collected: Vec<u8>,
    upload: Option<Upload>,
    /// Whether a part is missing, because its call failed or was cancelled.
    is_broken: bool,
    digest: Context,
    size: u64,
}

/// An upload in parts. It is aborted when it is dropped, unless it is complete.
struct Upload {
    client: Arc<BucketClient>,
    key: String,
    id: String,
    /// The tag of each part, in order.
    tags: Vec<String>,
    is_complete: bool,
}

impl Drop for Upload {
    fn drop(&mut self) {
        if self.is_complete {
            return;
        }
        // If this fails, a lifecycle rule of the bucket deletes the parts.
        let Ok(runtime) = Handle::try_current() else { return };
        let (client, abort) = (Arc::clone(&self.client), self.client.signer.abort_upload(&self.key, &self.id));
        runtime.spawn(async move { drop(client.call(&abort).await) });
    }
}

impl Upload {
    async fn begin(client: &Arc<BucketClient>, key: &str) -> Result<Self, StoreError> {
        let answered = client.succeed(&client.signer.begin_upload(key)).await?;
        let text = String::from_utf8_lossy(&answered.body);
        let begun = CreateMultipartUpload::parse_response(&text);
        let begun = begun.map_err(|error| client.unavailable(&format!("the start of an upload: {error}")))?;
        let (client, key, id) = (Arc::clone(client), key.to_owned(), begun.upload_id().to_owned());
        Ok(Self { client, key, id, tags: Vec::new(), is_complete: false })
    }

    async fn put(&mut self, part: Vec<u8>) -> Result<(), StoreError> {
        let number = u16::try_from(self.tags.len().saturating_add(1)).unwrap_or(u16::MAX);
        let call = self.client.signer.put_part(&self.key, &self.id, number, part.into());
        let answered = self.client.succeed(&call).await?;
        let tag = answered.headers.get(ETAG).and_then(|it| it.to_str().ok());
        let tag = tag.ok_or_else(|| self.client.unavailable("an uploaded part has no ETag"))?.to_owned();
        self.tags.push(tag);
        Ok(())
    }

    async fn complete(&mut self) -> Result<(), StoreError> {
        let call = self.client.signer.complete_upload(&self.key, &self.id, &self.tags);
        let answered = self.client.succeed(&call).await?;
        // The status may be sent before the result is known. Then the body contains an error, or is cut off.
        if answered.code().is_some() || !String::from_utf8_lossy(&answered.body).contains("<ETag>") {
            return Err(self.client.refused(&call, &answered));
        }
        self.is_complete = true;
        Ok(())
    }
}

impl BucketWriter {
    pub(super) fn new(client: Arc<BucketClient>, key: String) -> Self {
        let digest = Context::new(&SHA256);
        Self { client, key, collected: Vec::new(), upload: None, is_broken: false, digest, size: 0 }
    }

    /// Uploads the collected bytes as a part.
    async fn put_part(&mut self) -> Result<(), StoreError> {
        self.reject_broken()?;
        self.is_broken = true;
        let part = take(&mut self.collected);
        let mut upload = match self.upload.take() {
            Some(upload) => upload,
            None => Upload::begin(&self.client, &self.key).await?,
        };
        upload.put(part).await?;
        self.upload = Some(upload);
        self.is_broken = false;
        Ok(())
    }

    fn reject_broken(&self) -> Result<(), StoreError> {
        if self.is_broken { Err(self.client.unavailable("an earlier write failed")) } else { Ok(()) }
    }

    /// Writes the rest, and creates the object.
    async fn place(&mut self) -> Result<(), StoreError> {
        self.reject_broken()?;
        if self.upload.is_none() {
            let call = self.client.signer.put(&self.key, take(&mut self.collected).into());
            return self.client.succeed(&call).await.map(drop);
        }
        if !self.collected.is_empty() {
            self.put_part().await?;
        }
        match &mut self.upload {
            Some(upload) => upload.complete().await,
            None => Err(self.client.unavailable("an upload is missing")),
        }
    }
}

#[async_trait]
impl FileWriter for BucketWriter {
    async fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.digest.update(bytes);
        self.size = self.size.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        let mut rest = bytes;
        while !rest.is_empty() {
            let room = PART.saturating_sub(self.collected.len()).min(rest.len());
            let (now, later) = rest.split_at(room);
            self.collected.extend_from_slice(now);
            rest = later;
            if self.collected.len() >= PART {
                self.put_part().await?;
            }
        }
        Ok(())
    }

    async fn finish(mut self: Box<Self>) -> Result<WrittenFile, StoreError> {
        if let Err(error) = self.place().await {
            // The object may exist, if only the response was lost.
            drop(self.client.call(&self.client.signer.delete(&self.key)).await);
            return Err(error);
        }
        let Self { digest, size, .. } = *self;
        let mut sha256 = [0; 32];
        sha256.copy_from_slice(digest.finish().as_ref());
        Ok(WrittenFile { size, sha256 })
    }
}
