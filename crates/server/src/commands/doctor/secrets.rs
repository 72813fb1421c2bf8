//! The check of the master key against the stored secrets.

use std::sync::Arc;

use tidings_domain::ports::StoreError;
use tidings_domain::sealing::{Canary, KeyFinding, Resealing, Survey};
use tidings_storage::Storage;

use super::report::Report;
use crate::master_key::Keys;

/// Checks that the master key decrypts the secrets of the store.
pub(super) async fn look_at_secrets(report: &mut Report, storage: Arc<Storage>, keys: &Keys) {
    match examined(storage, keys).await {
        Ok((KeyFinding::Wrong(sealed), _)) => {
            report.wrong("secrets", "the stored secrets cannot be decrypted", &keys.wrong(&sealed));
        }
        Ok((_, Survey { earlier: earlier @ 1.., .. })) => report.warn(
            "secrets",
            &format!("{earlier} stored values are encrypted with a previous key"),
            "Run `tidings secrets reseal` when all instances have the new key.",
        ),
        Ok((_, Survey { unreadable: unreadable @ 1.., .. })) => report.warn(
            "secrets",
            &format!("{unreadable} stored values are damaged, or encrypted with an unknown key"),
            "Add that key to secrets.previous_keys and run `tidings secrets reseal`, or rotate those secrets.",
        ),
        Ok((_, Survey { current, .. })) if keys.previous() > 0 => report.warn(
            "secrets",
            &format!("all {current} stored values use the master key; secrets.previous_keys is not needed any more"),
            "Run `tidings secrets reseal` if it has not run yet, and remove the previous keys.",
        ),
        Ok((_, Survey { current, .. })) => {
            report.fine("secrets", &format!("all {current} stored values use the master key"))
        }
        Err(error) => report.wrong("secrets", error.to_string(), "Check the log of the database."),
    }
}

async fn examined(store: Arc<Storage>, keys: &Keys) -> Result<(KeyFinding, Survey), StoreError> {
    let sealer = Arc::new(keys.sealer());
    let finding = Canary { store: store.clone(), sealer: sealer.clone() }.look().await?;
    Ok((finding, Resealing { store, sealer }.survey().await?))
}
