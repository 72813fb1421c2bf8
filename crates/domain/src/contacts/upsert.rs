//! Making a contact, or updating the one that is there.

use super::{Contact, ContactPatch, ContactRef, ContactService, NewTag};
use crate::access::Access;
use crate::error::Error;
use crate::outcome::{Done, Keep};
use crate::patch::Patch;
use crate::settle::{Setback, settle};

impl ContactService {
    /// Merges into the living contact that has the external id, e-mail address or telephone number of the command,
    /// as an update does, and adds the tags; makes a contact where there is none. Of two at once, one makes it and
    /// the other updates it.
    ///
    /// # Errors
    /// [`Error::ContactExists`] where the identifiers are of several contacts; those of creating and updating.
    pub async fn upsert(
        &self,
        access: &Access,
        patch: ContactPatch,
        tags: Vec<NewTag>,
        keep: Keep<'_, Contact>,
    ) -> Result<Done<Contact>, Error> {
        settle(|| async {
            match self.named_by(access, &patch).await? {
                Some(before) => self.try_update(access, before, patch.clone(), &tags, keep).await,
                None => match self.try_create(access, &patch.clone().into_new(tags.clone()), keep).await {
                    // Somebody else made it meanwhile: it is there to be updated now.
                    Err(Setback::Final(Error::ContactExists { field, .. })) if field != "address" => {
                        Err(Setback::Again)
                    }
                    outcome => outcome,
                },
            }
        })
        .await
    }

    /// The one living contact that has any of these identifiers.
    async fn named_by(&self, access: &Access, patch: &ContactPatch) -> Result<Option<Contact>, Setback> {
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
