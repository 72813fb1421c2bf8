//! Making a contact, or updating the one that is there.

use super::service::Says;
use super::{Contact, ContactPatch, ContactRef, ContactService, NewTag};
use crate::access::Access;
use crate::error::Error;
use crate::outcome::{Done, IdempotencyHook};
use crate::patch::Patch;
use crate::retry::{AttemptError, retry_on_conflict};

impl ContactService {
    /// Merges into the living contact that has the external id, e-mail address or telephone number of the command,
    /// as an update does, and adds the tags; makes a contact where there is none. Of two at once, one makes it and
    /// the other updates it. What somebody refused who was erased or deleted stays refused.
    ///
    /// # Errors
    /// [`Error::ContactExists`] where the identifiers are of several contacts; those of creating and updating.
    pub async fn upsert(
        &self,
        access: &Access,
        patch: ContactPatch,
        tags: Vec<NewTag>,
        idempotency: IdempotencyHook<'_, Contact>,
    ) -> Result<Done<Contact>, Error> {
        retry_on_conflict(|| async {
            match self.named_by(access, &patch).await? {
                Some(before) => self.try_update(access, before, (patch.clone(), Says::Table), &tags, idempotency).await,
                None => match self.try_create(access, &patch.clone().into_new(tags.clone()), idempotency).await {
                    // Somebody else made it meanwhile: it is there to be updated now.
                    Err(AttemptError::Final(Error::ContactExists { field, .. })) if field != "address" => {
                        Err(AttemptError::Retry)
                    }
                    outcome => outcome,
                },
            }
        })
        .await
    }

    /// The one living contact that has any of these identifiers.
    pub(super) async fn named_by(
        &self,
        access: &Access,
        patch: &ContactPatch,
    ) -> Result<Option<Contact>, AttemptError> {
        let names = [
            ("external_id", set(&patch.external_id).map(ContactRef::ExternalId)),
            ("email", set(&patch.email).map(ContactRef::Email)),
            ("phone", set(&patch.phone).map(ContactRef::Phone)),
        ];
        let mut found: Option<Contact> = None;
        for (field, name) in names {
            let Some(name) = name else { continue };
            match (self.ports.contacts.find(access, &name).await?, &found) {
                (Some(holder), Some(other)) if holder.id != other.id => {
                    return Err(Error::ContactExists { field, existing: holder.id }.into());
                }
                (Some(holder), _) => found = Some(holder),
                (None, _) => {}
            }
        }
        Ok(found)
    }
}

fn set<T: Clone>(patch: &Patch<T>) -> Option<T> {
    if let Patch::Set(value) = patch { Some(value.clone()) } else { None }
}
