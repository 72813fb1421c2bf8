//! The requests to the bucket, with their signatures.

use std::time::Duration;

use bytes::Bytes;
use reqwest::Method;
use reqwest::header::{CONTENT_LENGTH, HeaderMap, HeaderValue, RANGE};
use rusty_s3::{Bucket, Credentials, S3Action};
use tidings_egress::{Body, Bounds, SecretUrl, StreamedCall};

/// The validity of a signature: longer than a call with its repeats.
const VALID: Duration = Duration::from_secs(300);
/// The bounds of a call. The head of a response arrives after the body of the request.
const BOUNDS: Bounds = Bounds {
    head: Duration::from_secs(30),
    idle: Duration::from_secs(10),
    total: Duration::from_secs(40),
    max_body: SMALL,
};
/// The largest response without the bytes of a file.
const SMALL: u64 = 64 * 1024;
/// The largest response with a list of at most 1,000 keys.
const LIST: u64 = 4 * 1024 * 1024;

/// The bucket, and the key that signs its requests.
pub(super) struct Signer {
    pub(super) bucket: Bucket,
    pub(super) credentials: Credentials,
}

/// A signed request. Its URL contains the signature.
pub(super) struct SignedCall {
    method: Method,
    url: SecretUrl,
    headers: HeaderMap,
    body: Bytes,
    max_answer: u64,
}

impl SignedCall {
    fn new<'a>(action: &impl S3Action<'a>) -> Self {
        Self::with_body(action, Bytes::new())
    }

    fn with_body<'a, A: S3Action<'a>>(action: &A, body: Bytes) -> Self {
        let url = SecretUrl::new(action.sign(VALID).to_string());
        let (method, mut headers) = (method_of(A::METHOD), HeaderMap::new());
        // The HTTP client omits it, and some stores require it.
        if body.is_empty() && [Method::PUT, Method::POST].contains(&method) {
            headers.insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
        }
        Self { method, url, headers, body, max_answer: SMALL }
    }

    /// Returns the method, for messages.
    pub(super) fn method(&self) -> &Method {
        &self.method
    }

    /// Returns the request for one attempt.
    pub(super) fn to_streamed(&self) -> StreamedCall {
        let body = if self.body.is_empty() { Body::empty() } else { Body::from(self.body.clone()) };
        StreamedCall {
            headers: self.headers.clone(),
            body,
            bounds: Bounds { max_body: self.max_answer, ..BOUNDS },
            ..StreamedCall::new(self.method.clone(), self.url.clone())
        }
    }
}

impl Signer {
    /// Reads at most `most` bytes of an object, from the byte with the index `from` on.
    pub(super) fn get(&self, key: &str, from: u64, most: usize) -> SignedCall {
        let mut call = SignedCall::new(&self.bucket.get_object(Some(&self.credentials), key));
        let most = u64::try_from(most).unwrap_or(u64::MAX).max(1);
        let last = from.saturating_add(most - 1).min(i64::MAX.unsigned_abs());
        if let Ok(range) = HeaderValue::try_from(format!("bytes={from}-{last}")) {
            call.headers.insert(RANGE, range);
        }
        call.max_answer = most.max(SMALL);
        call
    }

    /// Writes an object.
    pub(super) fn put(&self, key: &str, body: Bytes) -> SignedCall {
        SignedCall::with_body(&self.bucket.put_object(Some(&self.credentials), key), body)
    }

    /// Deletes an object.
    pub(super) fn delete(&self, key: &str) -> SignedCall {
        SignedCall::new(&self.bucket.delete_object(Some(&self.credentials), key))
    }

    /// Lists at most `most` objects in the order of their keys: after the key `after`, or the next page of `token`.
    pub(super) fn list(&self, prefix: &str, after: Option<&str>, token: Option<&str>, most: usize) -> SignedCall {
        let mut action = self.bucket.list_objects_v2(Some(&self.credentials));
        action.with_max_keys(most);
        if !prefix.is_empty() {
            action.with_prefix(prefix);
        }
        if let Some(after) = after {
            action.with_start_after(after);
        }
        if let Some(token) = token {
            action.with_continuation_token(token);
        }
        SignedCall { max_answer: LIST, ..SignedCall::new(&action) }
    }

    /// Starts an upload in parts.
    pub(super) fn begin_upload(&self, key: &str) -> SignedCall {
        SignedCall::new(&self.bucket.create_multipart_upload(Some(&self.credentials), key))
    }

    /// Uploads the part with this number; the first one has the number 1.
    pub(super) fn put_part(&self, key: &str, upload: &str, number: u16, body: Bytes) -> SignedCall {
        SignedCall::with_body(&self.bucket.upload_part(Some(&self.credentials), key, number, upload), body)
    }

    /// Creates the object of the uploaded parts.
    pub(super) fn complete_upload(&self, key: &str, upload: &str, tags: &[String]) -> SignedCall {
        let tags = tags.iter().map(String::as_str);
        let action = self.bucket.complete_multipart_upload(Some(&self.credentials), key, upload, tags);
        let body = action.clone().body();
        SignedCall::with_body(&action, body.into())
    }

    /// Deletes the uploaded parts.
    pub(super) fn abort_upload(&self, key: &str, upload: &str) -> SignedCall {
        SignedCall::new(&self.bucket.abort_multipart_upload(Some(&self.credentials), key, upload))
    }
}

fn method_of(method: rusty_s3::Method) -> Method {
    match method {
        rusty_s3::Method::Head => Method::HEAD,
        rusty_s3::Method::Get => Method::GET,
        rusty_s3::Method::Post => Method::POST,
        rusty_s3::Method::Put => Method::PUT,
        rusty_s3::Method::Delete => Method::DELETE,
    }
}
