//! Migration of email addresses that were stored before normalization to the current form of their keys.
//!
//! Contacts are never merged. If two contacts that are not deleted share an address, the older one gets the key. The
//! other keeps an earlier key and a reference to the older contact. Both are unsubscribed if one is.

use diesel::prelude::*;
use tidings_domain::contacts::{Contact, Email};
use tidings_domain::ids::{ContactId, WorkspaceId};
use tidings_domain::ports::StoreError;

use crate::Storage;
use crate::connection::fair_queue::SYSTEM;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find, load};
use crate::queries::types::{DbId, DbTime};
use crate::schema::contacts;

const MOST: i64 = 100;

type Holder = (DbId, DbTime, bool, Option<String>);

/// A contact with a reference: workspace, ID, the contact with the key, its own key, and the address as written.
type Noted = (DbId, DbId, Option<DbId>, Option<String>, Option<String>);

/// Sets the current key of a contact's address, unless an older contact has it.
pub(crate) async fn settle(c: &mut Connection<'_>, ws: DbId, it: &mut Contact) -> Result<(), Fault> {
    let Some(email) = it.email.clone().filter(|email| email.key() != email.canonical()) else { return Ok(()) };
    let settled = Email::stored(email.canonical(), Some(email.to_string()));
    let holder: Option<Holder> = match it.deleted_at {
        Some(_) => None,
        None => find!(
            c,
            contacts::table
                .filter(contacts::workspace_id.eq(ws))
                .filter(contacts::deleted_at.is_null())
                .filter(contacts::email.eq(settled.key().to_owned()))
                .select((contacts::id, contacts::created_at, contacts::subscribed, contacts::email_written))
        )?,
    };
    let id = DbId::from(it.id);
    let Some((other, created_at, subscribed, written)) = holder else {
        write(c, (ws, id), &settled).await?;
        it.email = Some(settled);
        return Ok(());
    };
    if (it.created_at, it.id) < (created_at.0, other.to_typed_id()) {
        let freed = diesel::update(contacts::table.find((ws, other))).set(contacts::email.eq(None::<String>));
        execute!(c, freed)?;
        write(c, (ws, id), &settled).await?;
        let kept = Email::stored(email.key().to_owned(), Some(written.unwrap_or_else(|| settled.key().to_owned())));
        write(c, (ws, other), &kept).await?;
        note(c, (ws, other), id).await?;
        it.email = Some(settled);
    } else {
        note(c, (ws, id), other).await?;
    }
    if it.subscribed != subscribed {
        for contact in [id, other] {
            let target = contacts::table.find((ws, contact));
            execute!(c, diesel::update(target).set(contacts::subscribed.eq(false)))?;
        }
    }
    Ok(())
}

async fn write(c: &mut Connection<'_>, key: (DbId, DbId), email: &Email) -> Result<(), Fault> {
    let written = Some(email.to_string()).filter(|written| written != email.key());
    let changes = (contacts::email.eq(Some(email.key().to_owned())), contacts::email_written.eq(written));
    execute!(c, diesel::update(contacts::table.find(key)).set(changes)).map(|_| ())
}

async fn note(c: &mut Connection<'_>, key: (DbId, DbId), other: DbId) -> Result<(), Fault> {
    let changes = contacts::same_email_as.eq(Some(other));
    execute!(c, diesel::update(contacts::table.find(key)).set(changes)).map(|_| ())
}

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
