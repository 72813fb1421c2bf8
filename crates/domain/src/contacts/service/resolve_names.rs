//! Resolution of the references in a request about a contact.

use serde_json::Value;

use super::ContactService;
use crate::access::Access;
use crate::contacts::tags_and_fields::{self, ResolvedTagsAndFields};
use crate::contacts::{Contact, ContactRef, Identity, NewIdentity, NewTag, identities};
use crate::error::{Error, Violation};
use crate::ids::{ChannelId, TagId, TypedId};
use crate::ports::{ChangeSet, CommitError, Conflict, Guard, Object, StoreError, UniqueKey};
use crate::retry::AttemptError;
use crate::time::Timestamp;

impl ContactService {
    pub(super) async fn resolve(
        &self,
        access: &Access,
        tags: &[NewTag],
        values: &std::collections::BTreeMap<String, Value>,
        now: crate::time::Timestamp,
    ) -> Result<ResolvedTagsAndFields, AttemptError> {
        let known_tags = tags_and_fields::known_tags(&*self.ports.tags, access, tags).await?;
        let fields = if values.is_empty() { Vec::new() } else { self.ports.fields.all(access).await? };
        Ok(ResolvedTagsAndFields::resolve(
            tags,
            &known_tags,
            values,
            fields,
            || TagId::from_uuid(self.ports.ids.next()),
            now,
        )?)
    }

    /// Returns the violations of tags and values, for a request with other violations, so all are reported at once.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn wrong_names(
        &self,
        access: &Access,
        tags: &[NewTag],
        values: &std::collections::BTreeMap<String, Value>,
    ) -> Result<Vec<Violation>, Error> {
        match self.resolve(access, tags, values, self.ports.clock.now()).await {
            Ok(_) => Ok(Vec::new()),
            Err(AttemptError::Final(Error::Invalid(violations))) => Ok(violations),
            Err(AttemptError::Final(error)) => Err(error),
            Err(AttemptError::Retry) => Err(StoreError::Contention.into()),
        }
    }

    /// Returns the addresses of a contact, and guards their channels against deletion.
    pub(super) async fn reached(
        &self,
        access: &Access,
        contact: &Contact,
        named: &[NewIdentity],
        now: Timestamp,
        set: &mut ChangeSet,
    ) -> Result<Vec<Identity>, AttemptError> {
        let mut ids: Vec<ChannelId> = named.iter().map(|it| it.channel).collect();
        ids.sort_unstable();
        ids.dedup();
        let mut channels = Vec::new();
        for id in ids {
            channels.extend(self.ports.channels.get(access, id).await?);
        }
        let identities = identities::resolve(contact, named, &channels, &self.ports.connectors, now)?;
        for channel in channels {
            set.guard(Guard::Live(Object::Channel(channel.id)));
        }
        Ok(identities)
    }

    /// Maps a uniqueness conflict to the contact that has the identifier or address.
    pub(in crate::contacts) async fn name_existing_contact(
        &self,
        access: &Access,
        wanted: &Contact,
        error: CommitError,
    ) -> Result<AttemptError, AttemptError> {
        let CommitError::Conflict(Conflict::Exists(key)) = error else { return Ok(error.into()) };
        let (field, holder) = match key {
            UniqueKey::ContactEmail => ("email", wanted.email.clone().map(ContactRef::Email)),
            UniqueKey::ContactPhone => ("phone", wanted.phone.clone().map(ContactRef::Phone)),
            UniqueKey::ContactExternalId => ("external_id", wanted.external_id.clone().map(ContactRef::ExternalId)),
            UniqueKey::Identity => {
                for identity in &wanted.identities {
                    let holder = self.ports.contacts.by_identity(access, identity.channel, &identity.address).await?;
                    if let Some(holder) = holder.filter(|holder| holder.id != wanted.id) {
                        return Ok(AttemptError::Final(Error::ContactExists { field: "address", existing: holder.id }));
                    }
                }
                return Ok(AttemptError::Retry);
            }
            _ => return Ok(AttemptError::Retry),
        };
        let Some(holder) = holder else { return Ok(AttemptError::Retry) };
        Ok(match self.ports.contacts.find(access, &holder).await? {
            Some(holder) => AttemptError::Final(Error::ContactExists { field, existing: holder.id }),
            None => AttemptError::Retry,
        })
    }
}
