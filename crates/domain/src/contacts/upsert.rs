//! Upserts: updates of an existing contact or creation of a new one.

use super::key::matched_contact;
use super::service::ConsentSource;
use super::{Contact, ContactKey, ContactNames, ContactPatch, ContactService, NewTag};
use crate::access::Access;
use crate::error::Error;
use crate::outcome::{Done, IdempotencyHook};
use crate::retry::{AttemptError, retry_in_turn};

impl ContactService {
    /// Updates the contact that the identifiers refer to and adds the tags, or creates a contact if there is none. Of
    /// two concurrent requests, one creates the contact and the other updates it. The identifiers rank: external ID,
    /// email address, phone number. With a `key`, only that identifier is looked up. Opt-outs stay.
    ///
    /// # Errors
    /// [`Error::ContactExists`] if the identifiers belong to several people; [`Error::Invalid`] if the command does not set
    /// the `key`; the errors of creating and updating a contact.
    pub async fn upsert(
        &self,
        access: &Access,
        patch: ContactPatch,
        tags: Vec<NewTag>,
        key: Option<ContactKey>,
        idempotency: IdempotencyHook<'_, Contact>,
    ) -> Result<Done<Contact>, Error> {
        let object = ContactNames::from(&patch).keys().into_iter().next().unwrap_or_default();
        retry_in_turn(&self.ports.turns, (access.workspace(), object), || async {
            match self.named_by(access, &patch, key).await? {
                Some(before) => {
                    self.try_update(access, before, (patch.clone(), ConsentSource::BulkImport), &tags, idempotency)
                        .await
                }
                None => self
                    .try_create(access, &patch.clone().into_new(tags.clone()), idempotency)
                    .await
                    .map_err(|error| look_again(error, key)),
            }
        })
        .await
    }

    /// Returns the contact that the identifiers refer to, if any.
    pub(super) async fn named_by(
        &self,
        access: &Access,
        patch: &ContactPatch,
        key: Option<ContactKey>,
    ) -> Result<Option<Contact>, AttemptError> {
        let mut named = Vec::new();
        for it in ContactKey::RANKED.into_iter().filter(|it| key.is_none_or(|key| key == *it)) {
            match it.named(patch) {
                Some(name) => named.push((it, name)),
                None if key.is_some() => {
                    let message = format!("is required: `key={}` identifies contacts by this value", it.as_str());
                    return Err(Error::invalid(format!("/{}", it.as_str()), "required", message).into());
                }
                None => {}
            }
        }
        let mut lookups = Vec::with_capacity(named.len());
        for (_, name) in &named {
            lookups.push(self.ports.contacts.find(access, name));
        }
        // At the same time, so an import waits for one query of each row, not for three.
        let found = futures::future::try_join_all(lookups).await?;
        Ok(matched_contact(named.iter().map(|(it, _)| *it).zip(found).collect())?)
    }
}

/// Turns the conflict into a retry, because the contact exists by now.
pub(super) fn look_again(error: AttemptError, key: Option<ContactKey>) -> AttemptError {
    match error {
        AttemptError::Final(Error::ContactExists { field, .. })
            if ContactKey::parse(field).is_some_and(|it| key.is_none_or(|key| key == it)) =>
        {
            AttemptError::Retry
        }
        error => error,
    }
}
