//! The settings of the store of files.

use reqwest::Url;
use rusty_s3::{Bucket, Credentials, UrlStyle};
use serde::Deserialize;

use super::SettingsError;
use super::error::wrong;

/// The longest accepted prefix.
const LONGEST_PREFIX: usize = 100;

#[derive(Deserialize)]
pub(super) struct Media {
    store: String,
    pub(super) folder: String,
    pub(super) max_bytes: u64,
    s3: S3,
}

#[derive(Deserialize)]
struct S3 {
    endpoint: String,
    region: String,
    bucket: String,
    prefix: String,
    access_key_id: String,
    secret_access_key: String,
    path_style: bool,
}

/// A bucket of a store with the API of S3.
#[derive(Clone)]
pub struct S3Settings {
    /// The bucket with its address and its region.
    pub bucket: Bucket,
    /// The start of all keys: empty, or a path that ends with `/`.
    pub prefix: String,
    /// The key for the bucket, with its secret.
    pub credentials: Credentials,
}

impl Media {
    /// Returns the bucket; `None` if files are in the folder.
    pub(super) fn bucket(&self) -> Result<Option<S3Settings>, SettingsError> {
        match self.store.as_str() {
            "folder" => Ok(None),
            "s3" => self.s3.validated().map(Some),
            _ => Err(wrong("media.store", "expected folder or s3")),
        }
    }
}

impl S3 {
    fn validated(&self) -> Result<S3Settings, SettingsError> {
        let is_region = |it: char| it.is_ascii_alphanumeric() || it == '-';
        if self.region.is_empty() || !self.region.chars().all(is_region) {
            return Err(wrong("media.s3.region", "expected letters, digits and hyphens, such as eu-central-1"));
        }
        if !(3..=63).contains(&self.bucket.len()) || !self.bucket.chars().all(is_plain) {
            return Err(wrong("media.s3.bucket", "expected a name of 3 to 63 characters, because media.store is s3"));
        }
        for (key, value) in
            [("media.s3.access_key_id", &self.access_key_id), ("media.s3.secret_access_key", &self.secret_access_key)]
        {
            if value.is_empty() {
                return Err(wrong(key, "expected a value, because media.store is s3"));
            }
        }
        let style = if self.path_style { UrlStyle::Path } else { UrlStyle::VirtualHost };
        let bucket = Bucket::new(self.endpoint()?, style, self.bucket.clone(), self.region.clone());
        let bucket = bucket.map_err(|_| {
            wrong(
                "media.s3.endpoint",
                "the address of the bucket is not valid; set media.s3.path_style to true if the endpoint is an IP \
                 address",
            )
        })?;
        let credentials = Credentials::new(self.access_key_id.clone(), self.secret_access_key.clone());
        Ok(S3Settings { bucket, prefix: self.prefix()?, credentials })
    }

    fn endpoint(&self) -> Result<Url, SettingsError> {
        const KEY: &str = "media.s3.endpoint";
        let text = match self.endpoint.as_str() {
            "" => format!("https://s3.{}.amazonaws.com", self.region),
            text => text.to_owned(),
        };
        let url = Url::parse(&text).map_err(|error| wrong(KEY, error.to_string()))?;
        let has_more = url.query().is_some() || url.fragment().is_some();
        let has_user = !url.username().is_empty() || url.password().is_some();
        if !["http", "https"].contains(&url.scheme()) || has_more || has_user {
            return Err(wrong(KEY, "expected https://HOST or http://HOST:PORT, without a user name or parameters"));
        }
        Ok(url)
    }

    fn prefix(&self) -> Result<String, SettingsError> {
        let path = self.prefix.strip_suffix('/').unwrap_or(&self.prefix);
        if self.prefix.is_empty() {
            return Ok(String::new());
        }
        let is_name = |it: &str| !["", ".", ".."].contains(&it) && it.chars().all(is_plain);
        if path.len() > LONGEST_PREFIX || !path.split('/').all(is_name) {
            let why = "expected a path of letters, digits, dots, hyphens and underscores, such as tidings/media";
            return Err(wrong("media.s3.prefix", why));
        }
        Ok(format!("{path}/"))
    }
}

/// Whether a character needs no encoding in a URL.
fn is_plain(it: char) -> bool {
    it.is_ascii_alphanumeric() || ['-', '_', '.'].contains(&it)
}
