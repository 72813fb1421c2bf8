//! Import of one row of a table of contacts.

use super::service::ConsentSource;
use super::upsert::look_again;
use super::{Contact, ContactKey, ContactPatch, ContactService, NewTag};
use crate::access::Access;
use crate::error::Error;
use crate::outcome::{Done, Outcome};
use crate::ports::ChangeSet;
use crate::retry::{AttemptError, retry_on_conflict};

/// The result of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowOutcome {
    /// Whether the contact was created, updated or unchanged.
    pub outcome: Outcome,
    /// Whether the row sets `subscribed` on a contact that has opted out. The opt-out stays.
    pub still_opted_out: bool,
}

/// The decision about a row, to be committed.
pub(crate) enum DecidedRow {
    /// The contact exists and is not updated.
    Known(Box<Contact>),
    /// The contact is created or updated.
    Written(Box<ChangeSet>, Box<Done<Contact>>, RowOutcome),
}

impl ContactService {
    /// Creates or updates the contact of a row. No row subscribes a contact that has opted out.
    ///
    /// # Errors
    /// Those of [`ContactService::upsert`].
    pub async fn import_row(
        &self,
        access: &Access,
        patch: ContactPatch,
        tags: Vec<NewTag>,
        key: Option<ContactKey>,
    ) -> Result<RowOutcome, Error> {
        retry_on_conflict(|| async {
            match self.decide_row(access, patch.clone(), tags.clone(), (key, true)).await? {
                DecidedRow::Known(_) => Ok(RowOutcome { outcome: Outcome::Unchanged, still_opted_out: false }),
                DecidedRow::Written(set, done, outcome) => {
                    if !set.is_empty() {
                        match self.ports.ledger.commit(*set).await {
                            Ok(()) => {}
                            Err(error) => {
                                return Err(look_again(
                                    self.name_existing_contact(access, &done.value, error).await?,
                                    key,
                                ));
                            }
                        }
                    }
                    Ok(outcome)
                }
            }
        })
        .await
    }

    /// Decides on a row. `key`, if set, is the only identifier to look up. `updates`: whether to update an existing
    /// contact.
    pub(crate) async fn decide_row(
        &self,
        access: &Access,
        patch: ContactPatch,
        tags: Vec<NewTag>,
        (key, updates): (Option<ContactKey>, bool),
    ) -> Result<DecidedRow, AttemptError> {
        let Some(before) = self.named_by(access, &patch, key).await? else {
            let is_subscribed = patch.subscribed == Some(true);
            let (set, done) = self.decide_create(access, &patch.into_new(tags)).await?;
            let still_opted_out = is_subscribed && !done.value.subscribed;
            let outcome = RowOutcome { outcome: done.outcome, still_opted_out };
            return Ok(DecidedRow::Written(Box::new(set), Box::new(done), outcome));
        };
        if !updates {
            return Ok(DecidedRow::Known(Box::new(before)));
        }
        let still_opted_out = !before.subscribed && patch.subscribed == Some(true);
        let (set, done) = self.decide_update(access, before, (patch, ConsentSource::BulkImport), &tags).await?;
        let outcome = RowOutcome { outcome: done.outcome, still_opted_out };
        Ok(DecidedRow::Written(Box::new(set), Box::new(done), outcome))
    }
}
