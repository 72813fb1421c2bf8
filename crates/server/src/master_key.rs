//! Where the master key comes from, and what is made of it.

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

/// The master key, and those that still open what they sealed.
pub(crate) struct Keys {
    present: MasterKey,
    previous: Vec<MasterKey>,
}

impl Keys {
    /// Finds them; see [`master_key`].
    ///
    /// # Errors
    /// [`Failure::Refused`].
    pub(crate) fn find(settings: &Settings) -> Result<Self, Failure> {
        let previous = settings.previous_keys.iter().map(|key| read(key.expose_secret(), "secrets.previous_keys"));
        Ok(Self { present: master_key(settings)?, previous: previous.collect::<Result<_, _>>()? })
    }

    /// Seals by the master key, and opens what any of them sealed.
    pub(crate) fn sealer(&self) -> Sealer {
        self.previous.iter().fold(Sealer::new(&self.present), Sealer::opening)
    }

    /// Makes refresh tokens by the master key, and knows those that any of them made.
    pub(crate) fn tokens(&self) -> OpaqueTokenMaker {
        self.previous.iter().fold(OpaqueTokenMaker::new(&self.present), OpaqueTokenMaker::knowing)
    }

    /// The keys for one purpose: the present one, and those before.
    pub(crate) fn derive(&self, purpose: &str) -> ([u8; 32], Vec<[u8; 32]>) {
        (self.present.derive(purpose), self.previous.iter().map(|key| key.derive(purpose)).collect())
    }

    /// How many there are beside the present one.
    pub(crate) fn previous(&self) -> usize {
        self.previous.len()
    }

    /// What tells the present one from others.
    pub(crate) fn id(&self) -> KeyId {
        KeyId::of(&self.present)
    }

    /// What to say where a store goes by another key, of which this is a sealed value.
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

/// The master key of the settings; in development with SQLite it is kept beside the database, and
/// made together with it. To be called before the database is opened.
///
/// # Errors
/// [`Failure::Refused`] where there is none, or where the database has lost the one that it was made with.
pub(crate) fn master_key(settings: &Settings) -> Result<MasterKey, Failure> {
    if let Some(key) = &settings.master_key {
        return read(key.expose_secret(), "secrets.master_key");
    }
    let Some(database) = settings.sqlite_file.as_deref().filter(|_| settings.is_development()) else {
        return Err(Failure::refused(
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

/// The keys, where there is a master key; none is made.
///
/// # Errors
/// [`Failure::Refused`] where it is no key.
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
    MasterKey::from_base64(text).map_err(|error| Failure::refused(format!("{origin}: {error}")))
}

fn make(path: &Path, database: &Path) -> Result<MasterKey, Failure> {
    if database.exists() {
        return Err(Failure::refused(format!(
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
