//! The check of a copy of the database.

use std::path::Path;

use serde::Serialize;
use tidings_domain::access::SigningKey;
use tidings_domain::ids::{SigningKeyId, TypedId, WebhookId};
use tidings_domain::webhooks::secret_context;
use tidings_storage::{Sealed, SqliteCopy, inspect_sqlite};

use crate::failure::Failure;
use crate::master_key::existing_keys;
use crate::settings::Settings;

/// Whether the configured master key is the one of the copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum KeyFit {
    /// It decrypts the secrets.
    Fits,
    /// It does not decrypt the secrets.
    Wrong,
    /// There is no key in the settings or beside the database.
    Missing,
    /// The copy has no secrets, so any key works.
    NothingSealed,
}

/// The result of the check of a copy.
#[derive(Debug, Serialize)]
pub(crate) struct CopyReport {
    /// Whether this program can restore the copy with this key.
    pub(crate) ok: bool,
    /// Damage that SQLite reports.
    pub(crate) damage: Vec<String>,
    /// The newest migration of its schema.
    pub(crate) schema: Option<String>,
    /// The number of pending migrations.
    pub(crate) pending: usize,
    /// Migrations of a newer release.
    pub(crate) unknown: Vec<String>,
    pub(crate) master_key: KeyFit,
}

/// Checks a copy with the configured key.
///
/// # Errors
/// [`Failure::Storage`] if it is not a database of this program.
pub(crate) fn look_at(settings: &Settings, file: &Path) -> Result<CopyReport, Failure> {
    let SqliteCopy { damage, schema, pending, unknown, sealed } = inspect_sqlite(file)?;
    let master_key = fit(settings, &sealed)?;
    let opens = matches!(master_key, KeyFit::Fits | KeyFit::NothingSealed);
    let ok = opens && damage.is_empty() && unknown.is_empty() && schema.is_some();
    Ok(CopyReport { ok, damage, schema, pending, unknown, master_key })
}

fn fit(settings: &Settings, sealed: &[Sealed]) -> Result<KeyFit, Failure> {
    if sealed.is_empty() {
        return Ok(KeyFit::NothingSealed);
    }
    let Some(keys) = existing_keys(settings)? else { return Ok(KeyFit::Missing) };
    let sealer = keys.sealer();
    let opens = |it: &Sealed| {
        let context = match it.kind {
            "signing_key" => SigningKey::seal_context(SigningKeyId::from_uuid(it.id)),
            _ => secret_context(WebhookId::from_uuid(it.id)),
        };
        sealer.open(&it.bytes, &context).is_ok()
    };
    Ok(if sealed.iter().all(opens) { KeyFit::Fits } else { KeyFit::Wrong })
}

impl CopyReport {
    /// Rejects an unusable copy, and says what to do.
    ///
    /// # Errors
    /// [`Failure::Refused`].
    pub(crate) fn or_refused(self, file: &Path) -> Result<(), Failure> {
        let file = file.display();
        let why = match (self.damage.first(), self.unknown.first(), self.master_key) {
            (Some(damage), _, _) => format!("{file} is damaged: {damage}"),
            (None, Some(version), _) => {
                format!("{file} comes from a newer release (migration {version}): use that release or a later one")
            }
            (None, None, KeyFit::Wrong) => format!(
                "{file} was encrypted with a different master key than the one in these settings: set \
                 secrets.master_key to the key of that database"
            ),
            (None, None, KeyFit::Missing) => format!(
                "{file} contains encrypted secrets, but there is no master key: set secrets.master_key, or put the \
                 file master.key into the data folder"
            ),
            (None, None, KeyFit::Fits | KeyFit::NothingSealed) if self.schema.is_none() => {
                format!("{file} has no schema: it is not a copy of a Tidings database")
            }
            (None, None, KeyFit::Fits | KeyFit::NothingSealed) => return Ok(()),
        };
        Err(Failure::with_advice(why))
    }
}
