//! Where the master key comes from.

use std::fs;
use std::path::{Path, PathBuf};

use secrecy::ExposeSecret;
use tidings_credentials::master_key::MasterKey;
use tidings_credentials::random::SystemRandom;

use crate::failure::Failure;
use crate::private_file;
use crate::settings::Settings;

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
            "secrets.master_key is not set. Make one with `openssl rand -base64 32`, keep it apart from the \
             database, and set it as TIDINGS__SECRETS__MASTER_KEY.",
        ));
    };
    let path = kept_at(settings);
    match fs::read_to_string(&path) {
        Ok(text) => read(&text, &path.display().to_string()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => make(&path, database),
        Err(error) => Err(Failure::with_file("read", &path)(error)),
    }
}

/// The same key, where there is one; none is made.
///
/// # Errors
/// [`Failure::Refused`] where it is no key.
pub(crate) fn existing_master_key(settings: &Settings) -> Result<Option<MasterKey>, Failure> {
    if settings.master_key.is_none() && (!settings.is_development() || !kept_at(settings).exists()) {
        return Ok(None);
    }
    master_key(settings).map(Some)
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
            "{} is missing, but the database {} is there, and its secrets open with no other key. Put the file \
             back, set secrets.master_key, or remove the database to begin anew.",
            path.display(),
            database.display()
        )));
    }
    let key = MasterKey::generate(&SystemRandom::new());
    private_file::create(path, key.to_base64().expose_secret()).map_err(Failure::with_file("write", path))?;
    Ok(key)
}
