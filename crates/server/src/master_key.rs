//! The master key: its source, and the keys derived from it.

use std::fs;
use std::path::{Path, PathBuf};

use secrecy::ExposeSecret;
use tidings_credentials::master_key::MasterKey;
use tidings_credentials::opaque_token::OpaqueTokenMaker;
use tidings_credentials::random::SystemRandom;
use tidings_credentials::sealing::{KeyId, Sealer};

use crate::failure::Failure;
use crate::private_file;
use crate::settings::Settings;

/// The current master key, and previous keys for decryption.
pub(crate) struct Keys {
    present: MasterKey,
    previous: Vec<MasterKey>,
}

impl Keys {
    /// Finds the keys; see [`master_key`].
    ///
    /// # Errors
    /// [`Failure::Refused`].
    pub(crate) fn find(settings: &Settings) -> Result<Self, Failure> {
        let previous = settings.previous_keys.iter().map(|key| read(key.expose_secret(), "secrets.previous_keys"));
        Ok(Self { present: master_key(settings)?, previous: previous.collect::<Result<_, _>>()? })
    }

    /// Returns a sealer that encrypts with the current key and decrypts with all keys.
    pub(crate) fn sealer(&self) -> Sealer {
        self.previous.iter().fold(Sealer::new(&self.present), Sealer::opening)
    }

    /// Returns a maker of refresh tokens. It uses the current key, and recognises tokens of all keys.
    pub(crate) fn tokens(&self) -> OpaqueTokenMaker {
        self.previous.iter().fold(OpaqueTokenMaker::new(&self.present), OpaqueTokenMaker::knowing)
    }

    /// Derives the keys for one purpose: the current one, and the previous ones.
    pub(crate) fn derive(&self, purpose: &str) -> ([u8; 32], Vec<[u8; 32]>) {
        (self.present.derive(purpose), self.previous.iter().map(|key| key.derive(purpose)).collect())
    }

    /// Returns the number of previous keys.
    pub(crate) fn previous(&self) -> usize {
        self.previous.len()
    }

    pub(crate) fn id(&self) -> KeyId {
        KeyId::of(&self.present)
    }

    /// Returns the message for a store with another key; `sealed` is a value of that store.
    pub(crate) fn wrong(&self, sealed: &[u8]) -> String {
        let theirs = KeyId::of_sealed(sealed).map_or_else(|| "unknown".to_owned(), |id| id.to_string());
        format!(
            "the master key (ID {}) is not the key that encrypted the secrets in this database (ID {theirs}). Set \
             secrets.master_key (TIDINGS__SECRETS__MASTER_KEY) to that key. If you replaced it, add it to \
             secrets.previous_keys (TIDINGS__SECRETS__PREVIOUS_KEYS) and run `tidings secrets reseal`.",
            self.id()
        )
    }
}

/// Returns the configured master key. In development with SQLite, it is in a file beside the database, and is created
/// together with the database. Call it before opening the database.
///
/// # Errors
/// [`Failure::Refused`] if there is no key, or if the key of an existing database is missing.
pub(crate) fn master_key(settings: &Settings) -> Result<MasterKey, Failure> {
    if let Some(key) = &settings.master_key {
        return read(key.expose_secret(), "secrets.master_key");
    }
    let Some(database) = settings.sqlite_file.as_deref().filter(|_| settings.is_development()) else {
        return Err(Failure::with_advice(
            "secrets.master_key is not set. Create a key with `openssl rand -base64 32`, store it separately from the \
             database, and set TIDINGS__SECRETS__MASTER_KEY.",
        ));
    };
    let path = kept_at(settings);
    match fs::read_to_string(&path) {
        Ok(text) => read(&text, &path.display().to_string()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => make(&path, database),
        Err(error) => Err(Failure::with_file("read", &path)(error)),
    }
}

/// Returns the keys if there is a master key, without creating one.
///
/// # Errors
/// [`Failure::Refused`] for an invalid key.
pub(crate) fn existing_keys(settings: &Settings) -> Result<Option<Keys>, Failure> {
    if settings.master_key.is_none() && (!settings.is_development() || !kept_at(settings).exists()) {
        return Ok(None);
    }
    Keys::find(settings).map(Some)
}

fn kept_at(settings: &Settings) -> PathBuf {
    settings.data_folder().join("master.key")
}

fn read(text: &str, origin: &str) -> Result<MasterKey, Failure> {
    MasterKey::from_base64(text).map_err(|error| Failure::with_advice(format!("{origin}: {error}")))
}

fn make(path: &Path, database: &Path) -> Result<MasterKey, Failure> {
    if database.exists() {
        return Err(Failure::with_advice(format!(
            "{} is missing, but the database {} exists, and only this key decrypts its secrets. Put the file back, set \
             secrets.master_key, or delete the database to start again.",
            path.display(),
            database.display()
        )));
    }
    let key = MasterKey::generate(&SystemRandom::new());
    private_file::create(path, key.to_base64().expose_secret()).map_err(Failure::with_file("write", path))?;
    Ok(key)
}
