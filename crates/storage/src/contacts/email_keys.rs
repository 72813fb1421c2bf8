//! Contacts that share an email address in two spellings since before addresses were normalized. The older one has the
//! current key of the address. The other has an earlier key and a reference to the older one.

use diesel::prelude::*;
use tidings_domain::contacts::Email;
use tidings_domain::ids::{ContactId, WorkspaceId};
use tidings_domain::ports::StoreError;

use crate::Storage;
use crate::connection::fair_queue::SYSTEM;
use crate::connection::{find, load};
use crate::queries::types::DbId;
use crate::schema::contacts;

const MOST: i64 = 100;

/// A contact with a reference: workspace, ID, the contact with the key, its own key, and the address as written.
type Noted = (DbId, DbId, Option<DbId>, Option<String>, Option<String>);

/// Two contacts with the same address in two spellings. Neither is deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedEmail {
    /// Their workspace.
    pub workspace: WorkspaceId,
    /// The contact with the key. Lookups return it.
    pub found: ContactId,
    /// The other contact.
    pub other: ContactId,
}

impl Storage {
    /// Returns pairs of contacts that have shared an address since before normalization, at most 100.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn shared_emails(&self) -> Result<Vec<SharedEmail>, StoreError> {
        self.read_as_one(SYSTEM, move |mut c| {
            Box::pin(async move {
                let rows: Vec<Noted> = load!(
                    &mut c,
                    contacts::table
                        .filter(contacts::same_email_as.is_not_null())
                        .filter(contacts::deleted_at.is_null())
                        .select((
                            contacts::workspace_id,
                            contacts::id,
                            contacts::same_email_as,
                            contacts::email,
                            contacts::email_written,
                        ))
                        .limit(MOST)
                )?;
                let mut pairs = Vec::new();
                for (ws, other, found, key, written) in rows {
                    let (Some(found), Some(key)) = (found, key) else { continue };
                    let wanted = Email::stored(key, written).canonical();
                    let holder = contacts::table.find((ws, found)).filter(contacts::deleted_at.is_null());
                    let has: Option<Option<String>> = find!(&mut c, holder.select(contacts::email))?;
                    if has.flatten() == Some(wanted) {
                        pairs.push(SharedEmail {
                            workspace: ws.to_typed_id(),
                            found: found.to_typed_id(),
                            other: other.to_typed_id(),
                        });
                    }
                }
                Ok(pairs)
            })
        })
        .await
    }
}
